// Checks options that hold functions; the data among them is checked in Rust. Errors name the path of what is wrong.

import { PageportError } from "./errors.ts";

/** What an option may be, for the checks here. */
export type Kind = "function" | "object" | "data";

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
  if (typeof value !== "object" || value === null) throw invalid(subject, path, "must be an object");
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const place = path === "" ? name : `${path}.${name}`;
    const kind = Object.hasOwn(table, name) ? table[name] : undefined;
    if (kind === undefined) throw invalid(subject, place, "is unknown");
    if (member === undefined) continue;
    if (kind !== "data" && (typeof member !== kind || member === null)) {
      throw invalid(subject, place, kind === "function" ? "must be a function" : "must be an object");
    }
    copy[name] = member;
  }
  return copy as T;
}

/** Checks that a value is a function. */
export function checkFunction(subject: string, path: string, value: unknown): void {
  if (typeof value !== "function") throw invalid(subject, path, "must be a function");
}

/** Checks `{ signal? }` and returns the signal. */
export function checkSignal(subject: string, value: { signal?: AbortSignal } | undefined): AbortSignal | undefined {
  const signal = value?.signal;
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalid(subject, "signal", "must be an AbortSignal");
  }
  return signal;
}
