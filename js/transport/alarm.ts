// One timer for many deadlines: work that ends in time leaves it running, so that a call sets and clears no timer.

/** Milliseconds on the clock that deadlines are counted with; it never steps back. */
export function now(): number {
  return performance.now();
}

/** A deadline that is looked at again when it comes. */
export class Alarm {
  readonly #ring: (now: number) => number;
  #at = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `ring` is called when the time has come and returns when to look again; infinity means not by itself. */
  constructor(ring: (now: number) => number) {
    this.#ring = ring;
  }

  /** Makes it ring at `at` at the latest. */
  by(at: number): void {
    if (at >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => {
      this.#at = Number.POSITIVE_INFINITY;
      this.by(this.#ring(now()));
    }, at - now());
  }

  /** Never rings again, unless it is set again. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#at = Number.POSITIVE_INFINITY;
  }
}
