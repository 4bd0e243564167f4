// Brings audit events to the page's sink, one after the other; no response waits for it (Surface §7).

import { complain } from "./complain.ts";
import { inTime } from "./in-time.ts";
import type { AuditEvent } from "./types.ts";

const SINK_MS = 5_000;
// A sink that itself causes an event for every event must not keep the page from everything else.
const TURN_EVENTS = 50;
const TURN_MS = 10;

/** The sink, and what to tell when it fails. */
export interface Audit {
  sink(event: AuditEvent): void | Promise<void>;
  onAuditError(error: unknown, event: AuditEvent): void;
}

/** One turn of the event loop, as far as the pump has used it. */
interface Turn {
  readonly since: number;
  readonly over: Promise<void>;
  events: number;
}

/** Empties the queue of the kernel into the sink. */
export class AuditPump {
  /** Events the sink threw on, rejected or took over 5 s for. */
  failures = 0;
  readonly #audit: Audit;
  readonly #take: () => string | undefined;
  readonly #channel = new MessageChannel();
  readonly #now = performance.now.bind(performance);
  #turn: Turn | undefined;
  #pumping: Promise<void> | undefined;
  #again = false;

  constructor(audit: Audit, take: () => string | undefined) {
    this.#audit = audit;
    this.#take = take;
  }

  /** Starts to pump, unless it does already. */
  wake(): void {
    this.#again = true;
    this.#pumping ??= Promise.resolve()
      .then(() => this.#pump())
      .finally(() => {
        this.#pumping = undefined;
        if (this.#again) this.wake();
      });
  }

  /** Resolves when the queue is empty. */
  async drained(): Promise<void> {
    while (this.#pumping !== undefined) await this.#pumping;
  }

  async #pump(): Promise<void> {
    this.#again = false;
    for (let text = this.#take(); text !== undefined; text = this.#take()) {
      this.#turn ??= this.#newTurn();
      const turn = this.#turn;
      turn.events++;
      const event = JSON.parse(text) as AuditEvent;
      // So the kernel marks what it had no room for.
      const dropped = text.endsWith(" ");
      try {
        if (dropped) throw new Error(`${event.count} events dropped`);
        const sunk = this.#audit.sink(event);
        if (typeof (sunk as Promise<void> | undefined)?.then === "function")
          await inTime(sunk, SINK_MS, "the audit sink");
      } catch (error) {
        if (!dropped) this.failures++;
        try {
          this.#audit.onAuditError(error, event);
        } catch (again) {
          complain("error", again);
        }
      }
      if (turn.events >= TURN_EVENTS || this.#now() - turn.since >= TURN_MS) await turn.over;
    }
  }

  #newTurn(): Turn {
    const { port1, port2 } = this.#channel;
    const over = new Promise<void>((resolve) => {
      // A message, because timers wait for a second and more while the page is in the background.
      port1.onmessage = () => {
        this.#turn = undefined;
        resolve();
      };
      port2.postMessage(0);
    });
    return { since: this.#now(), over, events: 0 };
  }
}
