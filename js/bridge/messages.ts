// pageApi.send and pageApi.onMessage: to the plugin's hook and from it.

import type { Json } from "#wire";
import { OperationError } from "./error.ts";
import { clearTimer, OwnPromise, setTimer } from "./platform.ts";

/** The hook may take 10 s. */
const SEND_MS = 15_000;

interface Send {
  readonly timer: ReturnType<typeof setTimeout>;
  resolve(data: Json): void;
  reject(error: Error): void;
}

/** Messages on their way, and who listens. */
export class Messages {
  readonly listeners = new Set<(message: Json) => void>();
  readonly #sends = new Map<number, Send>();
  readonly #cancel: (number: number) => void;
  readonly #onError: (error: unknown, provider: string) => void;

  constructor(cancel: (number: number) => void, onError: (error: unknown, provider: string) => void) {
    this.#cancel = cancel;
    this.#onError = onError;
  }

  /** The reply to the POST of this number. */
  reply(number: number): Promise<Json> {
    return new OwnPromise((resolve, reject) => {
      const late = () => {
        this.#cancel(number);
        this.settle(number, null, "no_answer", "the host did not answer");
      };
      this.#sends.set(number, { timer: setTimer(late, SEND_MS), resolve, reject });
    });
  }

  settle(number: number, data: Json, code: string | undefined, message: string): void {
    const send = this.#sends.get(number);
    this.#sends.delete(number);
    clearTimer(send?.timer);
    if (code === undefined) send?.resolve(data);
    else send?.reject(new OperationError(code, message));
  }

  rejectAll(code: string, message: string): void {
    for (const number of [...this.#sends.keys()]) this.settle(number, null, code, message);
  }

  /** Hands a message to every listener. */
  deliver(message: Json): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(message);
      } catch (error) {
        this.#onError(error, "onMessage");
      }
    }
  }
}
