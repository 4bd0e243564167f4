// Takes the steps of a vector in the browser, on the built package; the page it declares is in stage.ts.

import type { SessionSource } from "pageport";
import type { Step, Vector } from "./format.ts";
import { Stage } from "./stage.ts";

/** What can be seen after a step. */
export interface Seen {
  response?: unknown;
  refused?: { code: unknown; message: string };
  ran: number;
  aborted: number;
  audit?: unknown[];
  calls?: unknown[];
  errors?: unknown[];
}

/** A vector under way. */
export class Replay {
  readonly #stage: Stage;
  readonly #responses = new Map<string, unknown>();
  readonly #aborts = new Map<string, AbortController>();
  #refused: Seen["refused"];

  constructor(stage: Stage) {
    this.#stage = stage;
    stage.send = (step) => this.take(step, step.as ?? "");
  }

  /** Takes a step; what came of it is read with {@link Replay.look}. */
  take(step: Step, name: string): void {
    if (step.request !== undefined || step.text !== undefined) this.#request(step, name);
    if (step.cancel !== undefined) this.#aborts.get(step.cancel)?.abort();
    if (step.change === undefined) return;
    try {
      this.#stage.change(step.change);
    } catch (error) {
      const { code, message } = error as { code: unknown; message: string };
      this.#refused = { code, message };
    }
  }

  /** What came of the step of this name, and what the wanted lists have gained since they were last looked at. */
  async look(name: string, wanted: ("audit" | "calls" | "errors")[]): Promise<Seen> {
    await settled();
    const seen: Seen = { ran: this.#stage.ran, aborted: this.#stage.aborted.size };
    if (this.#responses.has(name)) seen.response = this.#responses.get(name);
    this.#responses.delete(name);
    if (this.#refused !== undefined) seen.refused = this.#refused;
    this.#refused = undefined;
    for (const list of wanted) seen[list] = this.#stage[list].splice(0);
    return seen;
  }

  /** The calls whose response nobody looked at. */
  left(): string[] {
    return [...this.#responses.keys()];
  }

  #request(step: Step, name: string): void {
    const abort = new AbortController();
    this.#aborts.set(name, abort);
    if (step.cancelled === true) abort.abort();
    const options = { signal: abort.signal, ...(step.transport !== undefined && { transport: step.transport }) };
    const answered = this.#stage.page.handle(step.text ?? step.request, this.#source(step, name), options);
    void answered.then((response) => this.#responses.set(name, response));
  }

  #source({ session: name, resolver }: Step, call: string): SessionSource {
    if (name === null || name === undefined) return null;
    const session = () => this.#stage.sessions[name] ?? null;
    // Every call of the resolver takes a turn of its own list.
    if (resolver !== undefined) {
      return () =>
        this.#stage.called({ resolver: name }, `resolver ${call}`, resolver, session) as ReturnType<typeof session>;
    }
    return session();
  }
}

/** Begins a vector. */
export async function begin(vector: Vector): Promise<Replay> {
  return new Replay(await Stage.open(vector));
}

/** Lets everything run that does not wait for the clock, which stands still. */
async function settled(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });
  }
}
