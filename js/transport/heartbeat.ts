// Finds out that the other end of a port is gone: a port does not say so in every browser (Surface §8).

import { Alarm, now } from "./alarm.ts";
import { PONG_MS, SILENCE_MS } from "./limits.ts";

/** Pings after silence while something is waited for; reports the end when nothing comes back. */
export class Heartbeat {
  readonly #alarm: Alarm;
  #heard = 0;
  #pinged = 0;

  /** `waiting` tells whether a call is outstanding; `lost` is called once at most per start. */
  constructor(waiting: () => boolean, ping: () => void, lost: () => void) {
    this.#alarm = new Alarm((time) => {
      if (!waiting()) return Number.POSITIVE_INFINITY;
      const answered = this.#heard >= this.#pinged;
      if (answered && time - this.#heard < SILENCE_MS) return this.#heard + SILENCE_MS;
      if (answered) {
        this.#pinged = time;
        ping();
        return time + PONG_MS;
      }
      if (time - this.#pinged < PONG_MS) return this.#pinged + PONG_MS;
      lost();
      return Number.POSITIVE_INFINITY;
    });
  }

  /** The first outstanding call began: silence counts from here. */
  start(): void {
    this.heard();
    this.#alarm.by(this.#heard + SILENCE_MS);
  }

  /** A frame came in; any frame proves that the other end lives. */
  heard(): void {
    this.#heard = now();
  }

  /** The connection is over. */
  stop(): void {
    this.#alarm.stop();
  }
}
