// Checks options that hold functions; the data among them is checked in Rust. Errors name the path of what is wrong.

import { PageportError } from "./errors.ts";

/** What an option may be, for the checks here. */
export type Kind = "function" | "object" | "signal" | "data";

const PHRASES = { function: "must be a function", object: "must be an object", signal: "must be an AbortSignal" };

/** An `INVALID_OPTION`. */
export function invalid(subject: string, path: string, phrase: string): PageportError {
  return new PageportError("INVALID_OPTION", `${subject}: ${path === "" ? "" : `${path} `}${phrase}`);
}

/** Checks the members of an options object against a table; `undefined` counts as absent. Returns a shallow copy. */
export function checkMembers<T extends object>(
  subject: string,
  path: string,
  value: unknown,
  table: Record<string, Kind>,
): T {
  if (typeof value !== "object" || value === null) throw invalid(subject, path, PHRASES.object);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const place = path === "" ? name : `${path}.${name}`;
    const kind = Object.hasOwn(table, name) ? table[name] : undefined;
    if (kind === undefined) throw invalid(subject, place, "is unknown");
    if (member === undefined) continue;
    if (kind !== "data" && !isKind(kind, member)) throw invalid(subject, place, PHRASES[kind]);
    copy[name] = member;
  }
  return copy as T;
}

/** Checks the last argument of a call, which may be absent. */
export function checkOptions<T extends object>(subject: string, options: unknown, table: Record<string, Kind>): T {
  return options === undefined ? ({} as T) : checkMembers<T>(subject, "options", options, table);
}

/** Checks that a value is a function. */
export function checkFunction(subject: string, path: string, value: unknown): void {
  if (typeof value !== "function") throw invalid(subject, path, PHRASES.function);
}

function isKind(kind: "function" | "object" | "signal", value: unknown): boolean {
  if (kind === "signal") return value instanceof AbortSignal;
  return typeof value === kind && value !== null;
}
