// Remembers who tried to connect: one attempt is verified once, however often it repeats (Surface §8).

import type { Hello } from "./hello.ts";
import { ATTEMPTS_PER_WINDOW } from "./limits.ts";
import type { Served } from "./served.ts";

/** One `connectId` of one origin in one window, with one credential. */
export class Attempt {
  /** The newest port, until the answer is known. */
  port: MessagePort | undefined;
  /** The connection, once there is one. */
  served: Served | undefined;
  readonly #credential: string | undefined;
  #refused: string | undefined;

  constructor({ port, credential }: Hello) {
    this.port = port;
    this.#credential = JSON.stringify(credential);
  }

  /** Whether nothing will come of it any more. */
  get over(): boolean {
    return !this.port && (this.served?.over ?? true);
  }

  /** Whether this comes from the one that was verified: another credential is another caller, and so is a later document. */
  isRepeatedBy({ credential }: Hello): boolean {
    return this.#credential === JSON.stringify(credential) && this.served?.lost !== true;
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
  begin(hello: Hello): Attempt | undefined {
    const { source, origin, connectId, port } = hello;
    const window = source ?? this.#nobody;
    const attempts = this.#windows.get(window) ?? new Map<string, Attempt>();
    this.#windows.set(window, attempts);
    // A window shows documents of several origins, one after the other. No origin has a space.
    const key = `${origin} ${connectId}`;
    const known = attempts.get(key);
    if (known?.isRepeatedBy(hello)) {
      known.repeat(port);
      return undefined;
    }
    known?.drop();
    known?.served?.end("closed");
    attempts.delete(key);
    if (attempts.size >= ATTEMPTS_PER_WINDOW && !forgetOne(attempts)) {
      port.close();
      return undefined;
    }
    const attempt = new Attempt(hello);
    attempts.set(key, attempt);
    return attempt;
  }
}

/** Forgets the oldest attempt that is over. */
function forgetOne(attempts: Map<string, Attempt>): boolean {
  for (const [key, attempt] of attempts) {
    if (attempt.over) return attempts.delete(key);
  }
  return false;
}

function send(port: MessagePort, code: string): void {
  port.postMessage(JSON.stringify({ type: "refused", code }));
  port.close();
}
