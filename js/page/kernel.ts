// The kernel in WebAssembly as the page uses it: entered only while it works, every request of it answered.

import { complain } from "../complain.ts";
import { define } from "../define.ts";
import { PageportError } from "../errors.ts";
import { Host } from "../host.ts";
import type { Glue } from "../load.ts";
import { type Reply, Request } from "../request.ts";
import { randomId } from "../transport/random.ts";
import type { PageOptions, SessionSource } from "../types.ts";

type Core = InstanceType<Glue["Core"]>;

/** What the kernel tells the page around it. */
export interface KernelHooks {
  /** Audit events are waiting. */
  audit(): void;
  /** The declarations changed. */
  changed(): void;
  /** A defect of ours ended it. */
  failed(): void;
}

/** Who asks, and where the response goes. */
export interface Call {
  connection: number;
  envelope: unknown;
  /** Whether the envelope was made from JSON text and nobody else holds it. */
  parsed: boolean;
  session: SessionSource;
  reply: Reply;
  transport?: string | undefined;
  /** Whether the caller gave up before it began. */
  cancelled: boolean;
}

/** One kernel. */
export class Kernel {
  readonly host: Host;
  readonly #core: Core;
  readonly #hooks: KernelHooks;
  readonly #open = new Set<Request>();
  #failed = false;
  #closed = false;

  constructor(glue: Glue, options: PageOptions, pageSessionId: string, hooks: KernelHooks) {
    this.#hooks = hooks;
    this.host = new Host(options, {
      enter: (step) => this.enter(step),
      answered: (request) => this.#open.delete(request),
      audit: hooks.audit,
      changed: hooks.changed,
    });
    const { app, allow, openMode, limits } = options;
    const data = {
      app,
      allow,
      openMode,
      limits,
      user: options.user !== undefined,
      rateLimiter: options.rateLimiter !== undefined,
      replayGuard: options.replayGuard !== undefined,
      confirm: options.confirm !== undefined,
      settle: options.settle !== undefined,
      audit: options.audit !== undefined,
    };
    this.#core = new glue.Core(data, this.host, pageSessionId + randomId());
    this.#core.openConnection("in-process", randomId());
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Throws `CLOSED` once the page is closed. */
  assertOpen(call: string): void {
    if (this.#closed) throw new PageportError("CLOSED", `${call}: the page is closed`);
  }

  /** A step of the kernel, while it is there. */
  enter(step: (core: Core) => void): void {
    if (!this.#closed) this.guard(step);
  }

  /** Runs something in the kernel. What it throws, other than for the developer, is a defect of ours and the end. */
  guard<T>(run: (core: Core) => T): T | undefined {
    if (this.#failed) return undefined;
    try {
      return run(this.#core);
    } catch (error) {
      if (error instanceof PageportError) throw error;
      this.#failed = true;
      this.#answerOpen();
      this.#hooks.failed();
      this.host.rest();
      this.host.error(error, undefined, undefined, undefined);
      return undefined;
    }
  }

  /** Begins a request and returns its number for `core.cancel`. */
  begin({ connection, envelope, parsed, session, reply, transport, cancelled }: Call): number {
    const request = new Request(envelope, reply);
    this.#open.add(request);
    let number = 0;
    this.enter((core) => {
      number = core.begin(connection, envelope, parsed, session, transport, request, cancelled);
    });
    if (this.#failed || this.#closed) this.#answerOpen();
    return number;
  }

  /** Ends every call. Once it is closed no step of one gets through, so that none may be left. */
  close(): void {
    this.enter((core) => core.close());
    this.#closed = true;
    this.#answerOpen();
    this.host.rest();
  }

  #answerOpen(): void {
    const message = this.#closed ? "the page is closed" : "pageport failed; reload the page";
    for (const request of this.#open) {
      this.#open.delete(request);
      request.answerInternal(message);
      request.abort();
    }
  }
}

/** Says on the console that another copy of the package is on the page; `self` stands for this one. */
export function warnOfSecondCopy(self: unknown): void {
  const known = (globalThis as Record<symbol, unknown>)[COPY];
  if (known === undefined) {
    define(globalThis, COPY, self, true);
  } else if (known !== self) {
    complain("warn", "pageport: two copies of the package are on this page; each has its own declarations");
  }
}

const COPY = /* @__PURE__ */ Symbol.for("pageport");
