// The shim's own parts beside the built package, for what the kernel is never seen to do.

import { Host } from "../../../js/host.ts";
import { Kernel } from "../../../js/page/kernel.ts";
import { Request } from "../../../js/request.ts";

export * from "./in-page.ts";
export { Host, Request };

/** A host whose surroundings only record. */
export function host(options: object = {}): { host: Host; settled: unknown[]; ticks: () => number } {
  const settled: unknown[] = [];
  let ticks = 0;
  const core = {
    settled: (...words: unknown[]) => settled.push(words),
    tick: () => ticks++,
  };
  const made = new Host({ app: "orders", ...options }, {
    enter: (step: (kernel: typeof core) => void) => step(core),
    answered: () => undefined,
    audit: () => {
      throw new Error("audit");
    },
    changed: () => {
      throw new Error("changed");
    },
  } as never);
  return { host: made, settled, ticks: () => ticks };
}

/** Makes every way to write to the console throw. */
export function breakConsole(): void {
  const broken = () => {
    throw new Error("no console");
  };
  Object.assign(console, { error: broken, warn: broken });
}

/** A kernel that traps when it begins the request called `traps`, and answers none. */
export function kernel(): { kernel: Kernel; answers: string[]; failures: () => number } {
  let failures = 0;
  class Core {
    openConnection = () => 1;
    begin(_: number, { id }: { id: string }): number {
      if (id === "traps") throw new WebAssembly.RuntimeError("unreachable");
      return 1;
    }
    close(): void {}
  }
  const hooks = { audit: () => undefined, changed: () => undefined, failed: () => void failures++ };
  const made = new Kernel({ Core } as never, { app: "orders" }, "p", hooks);
  return { kernel: made, answers: [], failures: () => failures };
}
