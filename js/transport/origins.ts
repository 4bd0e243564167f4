// Which windows a page listens to: exact origins, optionally from one window only (Surface §8).

import { PageportError } from "../errors.ts";
import type { OriginEntry, PostMessageOptions } from "../types.ts";
import { isOrigin } from "./origin.ts";

/** The windows that may connect. */
export class Origins {
  readonly #entries = new Map<string, Source[]>();

  /** Throws `INVALID_OPTION` with the path of what is wrong. Later changes to `entries` have no effect. */
  constructor(entries: PostMessageOptions["origins"], path: string) {
    if (!Array.isArray(entries)) throw invalid(path, "must be an array");
    entries.forEach((entry, index) => {
      const { origin, source } = checked(entry, `${path}[${index}]`);
      const sources = this.#entries.get(origin) ?? [];
      sources.push(source);
      this.#entries.set(origin, sources);
    });
  }

  /** Whether a message from this origin and window counts. `onError` takes what a `source` function throws. */
  allow(origin: string, window: MessageEventSource | null, onError: (error: unknown) => void): boolean {
    const sources = this.#entries.get(origin);
    return sources?.some((source) => source === undefined || isFrom(source, window, onError)) ?? false;
  }
}

type Source = OriginEntry["source"] | undefined;

function isFrom(source: OriginEntry["source"], window: MessageEventSource | null, onError: (error: unknown) => void) {
  if (window === null) return false;
  if (typeof source !== "function") return source === window;
  try {
    return source() === window;
  } catch (error) {
    onError(error);
    return false;
  }
}

function checked(entry: string | OriginEntry, path: string): { origin: string; source: Source } {
  if (typeof entry === "string") {
    if (entry === "null") throw invalid(path, 'may be "null" only as { origin, source }');
    return { origin: exact(entry, path), source: undefined };
  }
  if (typeof entry !== "object" || entry === null) throw invalid(path, "must be an origin or { origin, source }");
  for (const key of Object.keys(entry)) {
    if (key !== "origin" && key !== "source") throw invalid(`${path}.${key}`, "is not an option");
  }
  const { origin, source } = entry;
  if (typeof source !== "function" && !isWindow(source)) {
    throw invalid(`${path}.source`, "must be a window or a function that returns one");
  }
  return { origin: origin === "null" ? origin : exact(origin, `${path}.origin`), source };
}

function exact(origin: string, path: string): string {
  if (typeof origin === "string" && isOrigin(origin)) return origin;
  throw invalid(path, "must be an exact origin such as https://assistant.example");
}

/** Looks only at what a window of another origin shows too. */
function isWindow(value: unknown): boolean {
  const { postMessage, closed } = (value ?? {}) as Partial<Window>;
  return typeof postMessage === "function" && typeof closed === "boolean";
}

/** The error for an option that breaks a rule. */
export function invalid(path: string, rule: string): PageportError {
  return new PageportError("INVALID_OPTION", `${path} ${rule}`);
}
