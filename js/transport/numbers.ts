// Notices a number that comes twice, without keeping every number that came.

import { NUMBERS } from "./limits.ts";

/** The numbers of one port. Those that come in order take no room; of the others the newest are kept. */
export class Numbers {
  #from = 0;
  /** Every number from `#from` up to this one, itself excluded, has come. */
  #to = 0;
  readonly #apart = new Set<number>();

  /** Takes a number; `false` when it came before. */
  add(n: number): boolean {
    if (this.#from === this.#to) {
      this.#from = n;
      this.#to = n;
    }
    if ((n >= this.#from && n < this.#to) || this.#apart.has(n)) return false;
    if (n === this.#to) {
      this.#to++;
      while (this.#apart.delete(this.#to)) this.#to++;
    } else {
      this.#apart.add(n);
      for (const oldest of this.#apart) {
        if (this.#apart.size <= NUMBERS) break;
        this.#apart.delete(oldest);
      }
    }
    return true;
  }
}
