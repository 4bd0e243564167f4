// The promises of setState: one for each number that the driver gives (Operations §1).

import { OperationError } from "./error.ts";

interface State {
  readonly promise: Promise<{ revision: string }>;
  resolve(state: { revision: string }): void;
  reject(error: Error): void;
}

/** Those that are pending. */
export class States {
  readonly #states = new Map<number, State>();
  #announced: Promise<{ revision: string }> | undefined;

  /** Notes that the state which is being set has this number. */
  announce(seq: number): void {
    this.#announced = this.#get(seq).promise;
  }

  /** The promise of the state that was just set; none when the connection is closed. */
  takeAnnounced(): Promise<{ revision: string }> | undefined {
    const announced = this.#announced;
    this.#announced = undefined;
    return announced;
  }

  settle(seq: number, revision: string | undefined, code: string, message: string): void {
    const state = this.#get(seq);
    this.#states.delete(seq);
    if (revision !== undefined) state.resolve({ revision });
    else state.reject(new OperationError(code, message));
  }

  rejectAll(error: Error): void {
    for (const state of this.#states.values()) state.reject(error);
    this.#states.clear();
  }

  #get(seq: number): State {
    const known = this.#states.get(seq);
    if (known !== undefined) return known;
    const settle = {} as Pick<State, "resolve" | "reject">;
    const promise = new Promise<{ revision: string }>((resolve, reject) => Object.assign(settle, { resolve, reject }));
    // A navigation sets a state of its own, whose promise nobody has.
    promise.catch(() => undefined);
    const state = { promise, ...settle };
    this.#states.set(seq, state);
    return state;
  }
}
