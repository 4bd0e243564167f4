// The errors of the package: real Error objects with a stable code, recognisable across duplicate installs.

import { PROTOCOL_CODES } from "#codes";
import type { Json, PageCode, SurfaceResponse } from "#wire";
import { define } from "./define.ts";

// A second copy of the package has a class of its own, so `instanceof` does not do.
const BRAND = /* @__PURE__ */ Symbol.for("pageport.SurfaceError");
/** The message before it was cut, for the kernel. */
export const WHOLE = /* @__PURE__ */ Symbol.for("pageport.SurfaceError.message");
const RAISABLE = /^[A-Z][A-Z0-9_]{2,63}$/;
const MESSAGE_UNITS = 256;
const OPTIONS = ["retryable", "retryAfterMs", "details", "executed", "cause"];

/** What a {@link SurfaceError} says besides its code. */
export interface SurfaceErrorOptions {
  /**
   * Whether the same call may succeed later without anything else being changed.
   *
   * @defaultValue `false`
   */
  retryable?: boolean;
  /** When to try again, in milliseconds from now; a finite number from 0. */
  retryAfterMs?: number;
  /** More for the agent, as JSON. Approval material is removed from it (Surface §6). */
  details?: Json;
  /** `false` states that the executor had no effect; otherwise a throw counts as executed (Surface §4). */
  executed?: false;
  /** What led here, for the page's own logs; it never leaves the page. */
  cause?: unknown;
}

/**
 * A refusal that an executor raises for the agent to read: it becomes `result.error` of a response with `ok: true`.
 *
 * `code` is an application code (`^[A-Z][A-Z0-9_]{2,63}$`) or one of the business codes of Surface §4, such as
 * `PERMISSION_DENIED`. Protocol-level codes are refused with a `TypeError`. `message` is for the agent too and is cut at
 * 256 UTF-16 units. Anything else that is thrown reaches the agent only as `EXECUTION_FAILED` with a fixed message.
 */
export class SurfaceError extends Error {
  override get name(): "SurfaceError" {
    return "SurfaceError";
  }

  /** What was raised. */
  readonly code: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** When to try again, in milliseconds. */
  declare readonly retryAfterMs?: number;
  /** More for the agent. */
  declare readonly details?: Json;
  /** `false` when the executor had no effect. */
  declare readonly executed?: false;

  constructor(code: string, message: string, options: SurfaceErrorOptions = {}) {
    checkRaised(code, message, options);
    super(cut(message, MESSAGE_UNITS), "cause" in options ? { cause: options.cause } : undefined);
    define(this, BRAND, true);
    // The kernel takes approval material out of the message before it cuts it: a half of it could not be found.
    define(this, WHOLE, cut(message, 16 * MESSAGE_UNITS));
    this.code = code;
    this.retryable = options.retryable ?? false;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.details !== undefined) this.details = options.details;
    if (options.executed !== undefined) this.executed = options.executed;
  }
}

/** Whether `value` is a {@link SurfaceError}, of this copy of the package or of another one. Never throws. */
export function isSurfaceError(value: unknown): value is SurfaceError {
  try {
    // Not instanceof: an error may come from another frame.
    return typeof value === "object" && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
  } catch {
    // Pages throw revoked proxies too.
    return false;
  }
}

function checkRaised(code: unknown, message: unknown, options: SurfaceErrorOptions): void {
  if (typeof code !== "string" || !RAISABLE.test(code)) {
    throw new TypeError("the code of a SurfaceError must match ^[A-Z][A-Z0-9_]{2,63}$");
  }
  if (PROTOCOL_CODES.includes(code)) throw new TypeError(`${code} is a protocol-level code and cannot be raised`);
  if (typeof message !== "string") throw new TypeError("the message of a SurfaceError must be a string");
  if (typeof options !== "object" || options === null) {
    throw new TypeError("the options of a SurfaceError must be an object");
  }
  for (const key of Object.keys(options)) {
    if (!OPTIONS.includes(key)) throw new TypeError(`unknown option of a SurfaceError: ${key}`);
  }
  const { retryable, retryAfterMs, executed } = options;
  if (retryable !== undefined && typeof retryable !== "boolean") throw new TypeError("retryable must be a boolean");
  if (retryAfterMs !== undefined && !(Number.isFinite(retryAfterMs) && retryAfterMs >= 0)) {
    throw new TypeError("retryAfterMs must be a finite number from 0");
  }
  if (executed !== undefined && executed !== false) throw new TypeError("executed may only be false");
}

/** Cuts without leaving half a surrogate pair, which would not be JSON that every peer reads. */
function cut(message: string, units: number): string {
  const text = message.slice(0, units);
  return message.length > units && /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** What a {@link SurfaceProtocolError} carries besides its code. */
export interface SurfaceProtocolErrorOptions {
  /** The whole response, when there was one. */
  response?: SurfaceResponse;
  /** What is known about a call that got no response. */
  outcome?: "not_sent" | "unknown";
  /** What led here. */
  cause?: unknown;
}

/** What `pageport/client` rejects with. */
export class SurfaceProtocolError extends Error {
  override get name(): "SurfaceProtocolError" {
    return "SurfaceProtocolError";
  }

  /** The response's code, the one the page refused the connection with, or `CONNECT_TIMEOUT`, `TIMED_OUT`, `CLOSED`. */
  readonly code: string;
  /** The whole response with `ok: false`, when there was one. */
  declare readonly response?: SurfaceResponse;
  /**
   * What is known about a call that got no response: `"not_sent"` means that nothing ran, `"unknown"` that it may have.
   * Look at the business state before you send an unknown one again with a new id.
   */
  declare readonly outcome?: "not_sent" | "unknown";

  constructor(code: string, message: string, options: SurfaceProtocolErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    if (options.response) this.response = options.response;
    if (options.outcome) this.outcome = options.outcome;
  }
}

/** What `createPage` and the methods of a page throw at the developer. */
export class PageportError extends Error {
  override get name(): "PageportError" {
    return "PageportError";
  }

  /** Which rule was broken, or what could not be loaded. */
  readonly code: PageCode;

  constructor(code: PageCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
