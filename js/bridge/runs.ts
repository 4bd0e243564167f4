// The handlers of a page script: registered, started later on, aborted, and what they came to.

import type { Json } from "#wire";
import { bare } from "../define.ts";
import type { OperationContext } from "../types/operations.ts";
import { OperationError } from "./error.ts";
import { Controller, OwnPromise } from "./platform.ts";

/** What the driver in Rust is told. */
export interface RunCalls {
  progress(execution: string, value: number, keep: boolean): boolean;
  settled(execution: string, operation: string, returned: boolean, value: unknown): void;
  reload(execution: string): void;
  /** What page code threw. */
  error(error: unknown, operation: string): void;
}

/** The data of the host's reply to a claim, as Rust has checked it. */
interface Claimed {
  input: { [key: string]: Json };
  cursor: string;
  limit: number;
  resource?: { id: string; actionId: string };
  reloadCount: 0 | 1;
}

type Handler = (ctx: OperationContext) => unknown;

/** Every handler, and every one that runs. */
export class Runs {
  readonly handlers = new Map<string, Handler>();
  readonly #calls: RunCalls;
  readonly #runs = new Map<string, AbortController>();
  /** What rejects the calls of `reload()` that are pending, in their order. */
  readonly #reloads = new Map<string, ((error: Error) => void)[]>();

  constructor(calls: RunCalls) {
    this.#calls = calls;
  }

  /** Starts a handler once the driver is through with its step. */
  start(execution: string, operation: string, claimed: Claimed): void {
    const handler = this.handlers.get(operation);
    const controller = new Controller();
    this.#runs.set(execution, controller);
    const context = this.#context(execution, controller.signal, claimed);
    void (async () => {
      // Page code never runs while the driver works.
      await undefined;
      let value: unknown;
      let returned = true;
      try {
        value = await handler?.(context);
      } catch (error) {
        returned = false;
        // The end of an aborted handler is no news.
        const { signal } = controller;
        if (!signal.aborted || error !== signal.reason) this.#calls.error(error, operation);
      }
      this.#runs.delete(execution);
      this.#calls.settled(execution, operation, returned, value);
    })();
  }

  #context(execution: string, signal: AbortSignal, claimed: Claimed): OperationContext {
    // What a site puts on every object is none of the host's.
    const { input, cursor, limit, resource, reloadCount } = bare(claimed);
    const report = async (...values: unknown[]): Promise<void> => {
      const keep = values[0] === undefined;
      const value = typeof values[0] === "number" ? values[0] : Number.NaN;
      if (!this.#calls.progress(execution, value, keep)) throw new RangeError("report: must be a number from 0 to 100");
    };
    const reload = () =>
      new OwnPromise<never>((_, reject) => {
        if (!this.#runs.has(execution)) return reject(reloadFailure());
        const pending = this.#reloads.get(execution) ?? [];
        this.#reloads.set(execution, [...pending, reject]);
        this.#calls.reload(execution);
      });
    return Object.freeze({
      executionId: execution,
      input,
      cursor,
      limit,
      resource: resource && Object.freeze({ ...resource }),
      signal,
      report,
      reloadCount,
      reload,
    });
  }

  /** Aborts a signal: page code runs. */
  abort(execution: string, reason: string): void {
    this.#runs.get(execution)?.abort(new DOMException(reason, "AbortError"));
  }

  /** Aborts all of them. */
  abortAll(reason: string): void {
    for (const execution of [...this.#runs.keys()]) this.abort(execution, reason);
  }

  /** Rejects a call of `reload()`: the one that was out of place, which is the newest, or the first. */
  reloadFailed(execution: string, outOfPlace: boolean): void {
    const pending = this.#reloads.get(execution) ?? [];
    const reject = outOfPlace ? pending.pop() : pending.shift();
    if (pending.length === 0) this.#reloads.delete(execution);
    reject?.(reloadFailure());
  }
}

function reloadFailure(): OperationError {
  return new OperationError("reload_failed", "the page was not reloaded");
}
