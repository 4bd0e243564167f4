// The promises of setState: one for each number that the driver gives (Operations §1).

import { OperationError } from "./error.ts";
import { ignore, OwnPromise } from "./platform.ts";

interface State {
  readonly promise: Promise<{ revision: string }>;
  resolve(state: { revision: string }): void;
  reject(error: Error): void;
}

/** Those that are pending. */
export class States {
  readonly #states = new Map<number, State>();
  /** Those that were announced and not taken: one may be set while another one is. */
  readonly #announced: Promise<{ revision: string }>[] = [];

  /** Notes that the state which is being set has this number. */
  announce(seq: number): void {
    this.#announced.push(this.#get(seq).promise);
  }

  /** The promise of the state that was just set; a rejected one when the connection is closed. */
  takeAnnounced(): Promise<{ revision: string }> {
    const announced = this.#announced.pop() ?? OwnPromise.reject(closed());
    // Who sets a state need not look at what becomes of it.
    void ignore(announced);
    return announced;
  }

  settle(seq: number, revision: string | undefined, code: string, message: string): void {
    const state = this.#get(seq);
    this.#states.delete(seq);
    if (revision !== undefined) state.resolve({ revision });
    else state.reject(new OperationError(code, message));
  }

  rejectAll(): void {
    for (const state of this.#states.values()) state.reject(closed());
    this.#states.clear();
  }

  #get(seq: number): State {
    const known = this.#states.get(seq);
    if (known !== undefined) return known;
    const settle = {} as Pick<State, "resolve" | "reject">;
    const promise = new OwnPromise<{ revision: string }>((resolve, reject) =>
      Object.assign(settle, { resolve, reject }),
    );
    // A navigation sets a state of its own, whose promise nobody has.
    void ignore(promise);
    const state = { promise, ...settle };
    this.#states.set(seq, state);
    return state;
  }
}

function closed(): OperationError {
  return new OperationError("closed", "the connection is closed");
}
