// Remembers who tried to connect: one attempt is verified once, however often it repeats (Surface §8).

import { ATTEMPTS_PER_WINDOW } from "./limits.ts";
import type { Served } from "./served.ts";

/** One `connectId` of one window. */
export class Attempt {
  /** The newest port, until the answer is known. */
  port: MessagePort | undefined;
  /** The connection, once there is one. */
  served: Served | undefined;
  #refused: string | undefined;

  constructor(port: MessagePort) {
    this.port = port;
  }

  /** Whether nothing will come of it any more. */
  get over(): boolean {
    return !this.port && (this.served?.over ?? true);
  }

  /** The attempt came again: its newest port counts. An answer that was given stands. */
  repeat(port: MessagePort): void {
    if (this.port) {
      this.port.close();
      this.port = port;
    } else if (this.served && !this.served.over) this.served.serve(port);
    else if (this.#refused) send(port, this.#refused);
    else port.close();
  }

  /** Answers no, for good. */
  refuse(code: string): void {
    this.#refused = code;
    if (this.port) send(this.port, code);
    this.port = undefined;
  }

  /** Ends it without an answer. */
  drop(): void {
    this.port?.close();
    this.port = undefined;
  }
}

/** The attempts by window; a window that is gone takes its attempts with it. */
export class Attempts {
  readonly #windows = new WeakMap<object, Map<string, Attempt>>();
  /** Stands for windows that were gone when their message arrived. */
  readonly #nobody = {};

  /**
   * A new attempt, or `undefined` when it is a repetition, or when the window has as many under way as may be.
   */
  begin(window: object | null, connectId: string, port: MessagePort): Attempt | undefined {
    const key = window ?? this.#nobody;
    const attempts = this.#windows.get(key) ?? new Map<string, Attempt>();
    this.#windows.set(key, attempts);
    const known = attempts.get(connectId);
    if (known) {
      known.repeat(port);
      return undefined;
    }
    if (attempts.size >= ATTEMPTS_PER_WINDOW && !forgetOne(attempts)) {
      port.close();
      return undefined;
    }
    const attempt = new Attempt(port);
    attempts.set(connectId, attempt);
    return attempt;
  }
}

/** Forgets the oldest attempt that is over. */
function forgetOne(attempts: Map<string, Attempt>): boolean {
  for (const [connectId, attempt] of attempts) {
    if (attempt.over) return attempts.delete(connectId);
  }
  return false;
}

function send(port: MessagePort, code: string): void {
  port.postMessage(JSON.stringify({ type: "refused", code }));
  port.close();
}
