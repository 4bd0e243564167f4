// Brings audit events to the page's sink, one after the other; no response waits for it (Surface §7).

import type { AuditEvent } from "./types.ts";

const SINK_MS = 5_000;

/** The sink, and what to tell when it fails. */
export interface Audit {
  sink(event: AuditEvent): void | Promise<void>;
  onAuditError(error: unknown, event: AuditEvent): void;
}

/** Empties the queue of the kernel into the sink. */
export class AuditPump {
  /** Events the sink threw on, rejected or took over 5 s for. */
  failures = 0;
  readonly #audit: Audit;
  readonly #take: () => string | undefined;
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
      const event = JSON.parse(text) as AuditEvent;
      try {
        const sunk = this.#audit.sink(event);
        if (typeof (sunk as Promise<void> | undefined)?.then === "function") await inTime(sunk as Promise<void>);
      } catch (error) {
        this.failures++;
        try {
          this.#audit.onAuditError(error, event);
        } catch (again) {
          console.error(again);
        }
      }
    }
  }
}

function inTime(promise: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the audit sink took over 5 s")), SINK_MS);
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
