// What a page declares: checked where it holds functions, handed to the kernel, and removed again.

import { checkFunction, checkOptions, invalid } from "../check.ts";
import { Source } from "../sources.ts";
import { fromStandard, isStandard } from "../standard.ts";
import type { Page } from "../types.ts";
import type { Kernel } from "./kernel.ts";

interface Options {
  signal?: AbortSignal;
  for?: string[];
}

const SIGNAL = { signal: "signal" } as const;
const PROVIDER = { signal: "signal", for: "data" } as const;

/** The calls of a page that return a remover, and `feedback`. */
export class Declarations {
  readonly #kernel: Kernel;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  declare: Page["declare"] = (capability, options) => {
    if (typeof capability !== "object" || capability === null) throw invalid("declare", "", "must be an object");
    const { signal } = checkOptions<Options>("declare", options, SIGNAL);
    const { execute, expect, record, ...rest } = capability as unknown as Record<string, unknown>;
    checkFunction("declare", "execute", execute);
    if (expect !== undefined) checkFunction("declare", "expect", expect);
    const data: Record<string, unknown> = record === undefined ? rest : { ...rest, record: withoutSource(record) };
    const standard = isStandard(rest.inputSchema) ? fromStandard(rest.inputSchema, recordParam(record)) : undefined;
    if (standard !== undefined) data.inputSchema = standard.json;
    const bound = expect as ((context: object) => unknown) | undefined;
    const executor = {
      execute: (input: unknown, context: object) =>
        (execute as (...a: unknown[]) => unknown).call(capability, input, context),
      expect: bound && ((context: object) => bound.call(capability, context)),
    };
    return this.#register("declare", signal, (core) => {
      const handle = core.declare(data, expect !== undefined, standard !== undefined);
      this.#kernel.host.executors.set(handle, executor);
      if (standard !== undefined) this.#kernel.host.validators.set(handle, standard.refine);
      return handle;
    });
  };

  records: Page["records"] = (type, source, options) => {
    const { signal } = checkOptions<Options>("records", options, SIGNAL);
    const adapter = new Source(type, source as ConstructorParameters<typeof Source>[1]);
    return this.#register("records", signal, (core) => {
      const handle = core.register("records", adapter.data);
      this.#kernel.host.sources.set(handle, adapter);
      return handle;
    });
  };

  region: Page["region"] = (region, options) => {
    const { signal } = checkOptions<Options>("region", options, SIGNAL);
    return this.#register("region", signal, (core) => core.register("region", region));
  };

  state: Page["state"] = (key, read, options) => {
    const { signal, for: audience } = checkOptions<Options>("state", options, PROVIDER);
    return this.#provide("state", { key, for: audience }, read, signal);
  };

  object: Page["object"] = (read, options) => {
    const { signal, for: audience } = checkOptions<Options>("object", options, PROVIDER);
    return this.#provide("object", { for: audience }, read, signal);
  };

  unavailable: Page["unavailable"] = (read, options) => {
    const { signal } = checkOptions<Options>("unavailable", options, SIGNAL);
    return this.#provide("unavailable", {}, read, signal);
  };

  feedback: Page["feedback"] = (item) => {
    this.#kernel.assertOpen("feedback");
    this.#kernel.guard((core) => core.feedback(item));
  };

  #provide(kind: string, data: object, read: () => unknown, signal: AbortSignal | undefined): () => void {
    checkFunction(kind, "read", read);
    return this.#register(kind, signal, (core) => {
      const handle = core.register(kind, data);
      this.#kernel.host.providers.set(handle, read);
      return handle;
    });
  }

  /** Registers something and returns its remover, which the signal calls too. */
  #register(call: string, signal: AbortSignal | undefined, add: Parameters<Kernel["guard"]>[0]): () => void {
    const { host } = this.#kernel;
    this.#kernel.assertOpen(call);
    if (signal?.aborted === true) return () => undefined;
    const handle = host.declaring(() => this.#kernel.guard(add)) as number | undefined;
    if (handle === undefined) return () => undefined;
    const remove = () => {
      signal?.removeEventListener("abort", remove);
      this.#kernel.enter((core) => core.remove(handle));
      host.forget(handle);
    };
    signal?.addEventListener("abort", remove, { once: true });
    // The page's policy was asked in between.
    if (signal?.aborted) remove();
    return remove;
  }
}

/** A record source only types `ctx.record.item`; what is registered with `records` is what counts. */
function withoutSource(record: unknown): unknown {
  if (typeof record !== "object" || record === null) return record;
  const { source: _, ...rest } = record as Record<string, unknown>;
  return rest;
}

/** The member of the input that names the record of a row action. */
function recordParam(record: unknown): string | undefined {
  if (typeof record !== "object" || record === null) return undefined;
  const { param = "record" } = record as { param?: unknown };
  return typeof param === "string" ? param : undefined;
}
