// createPage: a Page over the kernel in WebAssembly. The shim carries; every decision is made in Rust.

import { AuditPump } from "./audit.ts";
import { checkFunction, checkMembers, checkSignal, invalid } from "./check.ts";
import { PageportError } from "./errors.ts";
import { Host } from "./host.ts";
import { type Glue, load } from "./load.ts";
import { type Reply, Request } from "./request.ts";
import { Source } from "./sources.ts";
import type { CoreConnection, CorePort } from "./transport/core.ts";
import { createListener, type PostMessageListener } from "./transport/postmessage.ts";
import { randomId } from "./transport/random.ts";
import type { Listener, Page, PageOptions, PostMessageOptions, SessionSource, Stats } from "./types.ts";

type Core = InstanceType<Glue["Core"]>;

const OPTIONS = {
  app: "data",
  page: "function",
  user: "function",
  allow: "data",
  openMode: "data",
  listen: "object",
  policy: "object",
  confirm: "function",
  rateLimiter: "object",
  replayGuard: "object",
  audit: "function",
  onAuditError: "function",
  onError: "function",
  settle: "function",
  limits: "data",
} as const;

/**
 * Makes this document a page that agents can describe and invoke.
 *
 * Loads the WebAssembly that the package carries. With `listen` among the options the window listener exists before
 * this returns, so that no client that connects early is lost.
 *
 * Rejects with a `PageportError`: `INVALID_OPTION` with the path of what is wrong, `WASM_BLOCKED_BY_CSP`,
 * `WASM_LOAD_FAILED`, or `UNSUPPORTED_ENVIRONMENT` where there is neither a page nor a worker.
 */
export async function createPage(options: PageOptions): Promise<Page> {
  if (typeof document === "undefined" && !("WorkerGlobalScope" in globalThis)) {
    throw new PageportError("UNSUPPORTED_ENVIRONMENT", "createPage: needs a page or a worker");
  }
  const checked = checkMembers<PageOptions>("createPage", "", options, OPTIONS);
  if (checked.policy !== undefined) {
    checkMembers("createPage", "policy", checked.policy, { approvalFor: "function" });
  }
  if (checked.rateLimiter !== undefined) {
    checkFunction("createPage", "rateLimiter.take", checked.rateLimiter.take);
  }
  if (checked.replayGuard !== undefined) {
    checkFunction("createPage", "replayGuard.claim", checked.replayGuard.claim);
  }
  warnOfSecondCopy();
  const listener = checked.listen === undefined ? undefined : listenTo(checked.app, checked.listen);
  try {
    const page = new OpenPage(await load(), checked);
    if (listener !== undefined) page.adopt(listener);
    return page;
  } catch (error) {
    listener?.fail();
    throw error;
  }
}

function listenTo(app: string, options: PostMessageOptions): PostMessageListener {
  if (typeof window === "undefined") {
    throw new PageportError("UNSUPPORTED_ENVIRONMENT", "listen: a worker has no window to listen on");
  }
  return createListener(window, app, options);
}

const COPY = /* @__PURE__ */ Symbol.for("pageport");

function warnOfSecondCopy(): void {
  const known = (globalThis as Record<symbol, unknown>)[COPY];
  if (known === undefined) {
    Object.defineProperty(globalThis, COPY, { value: createPage, configurable: true });
  } else if (known !== createPage) {
    console.warn("pageport: two copies of the package are on this page; each works on what was declared with it");
  }
}

class OpenPage implements Page {
  readonly #core: Core;
  readonly #host: Host;
  readonly #app: string;
  readonly #pageSessionId = randomId();
  readonly #open = new Set<Request>();
  readonly #audit: AuditPump | undefined;
  readonly #listeners = new Set<PostMessageListener>();
  readonly #changed = new Set<() => void>();
  readonly #ended = { refusedOrigins: 0, badFrames: 0 };
  #state: "open" | "failed" | "closed" = "open";
  #closing: Promise<void> | undefined;

  constructor(glue: Glue, options: PageOptions) {
    this.#app = options.app;
    this.#host = new Host(options, {
      enter: (step) => this.#enter(step),
      answered: (request) => this.#open.delete(request),
      audit: () => this.#audit?.wake(),
      changed: () => this.#tellChanged(),
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
      settle: options.settle !== undefined,
      audit: options.audit !== undefined,
    };
    this.#core = new glue.Core(data, this.#host, this.#pageSessionId + randomId());
    this.#core.openConnection("in-process", randomId());
    if (options.audit !== undefined) {
      const sink = options.audit;
      const onAuditError = options.onAuditError ?? ((error) => console.error("pageport: the audit sink failed", error));
      this.#audit = new AuditPump({ sink, onAuditError }, () => this.#guard(() => this.#core.takeAudit()));
    }
    if (typeof window !== "undefined") window.addEventListener("pagehide", this.#leave);
  }

  // In the back/forward cache nobody can see a dialog and nothing may go on; after a return nothing runs again.
  readonly #leave = () => this.#enter((core) => core.close());

  declare: Page["declare"] = (capability, options) => {
    if (typeof capability !== "object" || capability === null) throw invalid("declare", "", "must be an object");
    const signal = checkSignal("declare", options);
    const { execute, expect, record, ...rest } = capability as unknown as Record<string, unknown>;
    checkFunction("declare", "execute", execute);
    if (expect !== undefined) checkFunction("declare", "expect", expect);
    const data = record === undefined ? rest : { ...rest, record: withoutSource(record) };
    return this.#register(signal, () => {
      const handle = this.#core.declare(data, expect !== undefined);
      const bound = expect as ((context: object) => unknown) | undefined;
      this.#host.executors.set(handle, {
        execute: (input, context) => (execute as (...a: unknown[]) => unknown).call(capability, input, context),
        expect: bound && ((context) => bound.call(capability, context)),
      });
      return handle;
    });
  };

  records: Page["records"] = (type, source, options) => {
    const adapter = new Source(type, source as ConstructorParameters<typeof Source>[1]);
    return this.#register(checkSignal("records", options), () => {
      const handle = this.#core.register("records", adapter.data);
      this.#host.sources.set(handle, adapter);
      return handle;
    });
  };

  region: Page["region"] = (region, options) =>
    this.#register(checkSignal("region", options), () => this.#core.register("region", region));

  state: Page["state"] = (key, read, options) => {
    checkFunction("state", "read", read);
    return this.#provide("state", { key, for: options?.for }, read, checkSignal("state", options));
  };

  object: Page["object"] = (read, options) => {
    checkFunction("object", "read", read);
    return this.#provide("object", { for: options?.for }, read, checkSignal("object", options));
  };

  unavailable: Page["unavailable"] = (read, options) => {
    checkFunction("unavailable", "read", read);
    return this.#provide("unavailable", {}, read, checkSignal("unavailable", options));
  };

  feedback: Page["feedback"] = (item) => {
    this.#assertOpen("feedback");
    this.#guard(() => this.#core.feedback(item));
  };

  handle: Page["handle"] = (request, session, options) => {
    if (this.#state === "closed") return Promise.reject(new PageportError("CLOSED", "handle: the page is closed"));
    const signal = checkSignal("handle", options);
    const transport = options?.transport;
    if (transport !== undefined && (typeof transport !== "string" || !/^[\w-]{1,32}$/.test(transport))) {
      throw invalid("handle", "transport", "must be 1 to 32 letters, digits, _ and -");
    }
    return new Promise((resolve) => {
      const number = this.#begin(0, request, false, session, { value: resolve }, transport, signal?.aborted === true);
      signal?.addEventListener("abort", () => this.#enter((core) => core.cancel(number)), { once: true });
    });
  };

  listen: Page["listen"] = (options) => {
    this.#assertOpen("listen");
    return this.adopt(listenTo(this.#app, options));
  };

  /** Takes over a listener and gives its caller the end of it. */
  adopt(listener: PostMessageListener): Listener {
    this.#listeners.add(listener);
    listener.attach(this.#port());
    return {
      close: () => {
        if (!this.#listeners.delete(listener)) return;
        listener.close();
        this.#ended.refusedOrigins += listener.counts.refusedOrigins;
        this.#ended.badFrames += listener.counts.badFrames;
      },
    };
  }

  stats(): Stats {
    const stats = { connections: 0, ...this.#ended };
    for (const { counts } of this.#listeners) {
      stats.connections += counts.connections;
      stats.refusedOrigins += counts.refusedOrigins;
      stats.badFrames += counts.badFrames;
    }
    return {
      ...stats,
      inFlight: this.#guard(() => this.#core.inFlight()) ?? 0,
      auditFailures: this.#audit?.failures ?? 0,
      auditDropped: this.#guard(() => this.#core.auditDropped()) ?? 0,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#leave();
    if (typeof window !== "undefined") window.removeEventListener("pagehide", this.#leave);
    this.#state = "closed";
    for (const listener of this.#listeners) listener.close();
    for (const registry of [this.#host.executors, this.#host.sources, this.#host.providers]) registry.clear();
    const late = new Promise<void>((resolve) => setTimeout(resolve, 5_000));
    await Promise.race([this.#audit?.drained(), late]);
  }

  #port(): CorePort {
    return {
      app: this.#app,
      pageSessionId: this.#pageSessionId,
      open: (session, transport) => this.#connect(session, transport),
      onChanged: (listener) => {
        this.#changed.add(listener);
        return () => this.#changed.delete(listener);
      },
      onError: (error, { provider }) => this.#host.error(error, undefined, undefined, provider),
    };
  }

  #connect(session: SessionSource, transport: string): CoreConnection {
    this.#assertOpen("listen");
    const connection = this.#guard(() => this.#core.openConnection(transport, randomId())) ?? 0;
    let open = true;
    return {
      handle: (request, reply) => {
        const text = (response: string) => {
          if (open) reply(response);
        };
        return this.#begin(connection, request, true, session, { text }, undefined, false);
      },
      cancel: (handle) => this.#enter((core) => core.cancel(handle)),
      close: () => {
        if (!open) return;
        open = false;
        this.#enter((core) => core.closeConnection(connection));
      },
    };
  }

  #begin(
    connection: number,
    envelope: unknown,
    parsed: boolean,
    session: SessionSource,
    reply: Reply,
    transport: string | undefined,
    cancelled: boolean,
  ): number {
    const request = new Request(envelope, reply);
    this.#open.add(request);
    let number = 0;
    this.#enter((core) => {
      number = core.begin(connection, envelope, parsed, session, transport, request, cancelled);
    });
    if (this.#state === "failed") this.#answerInternal();
    return number;
  }

  #provide(kind: string, data: object, read: () => unknown, signal: AbortSignal | undefined): () => void {
    return this.#register(signal, () => {
      const handle = this.#core.register(kind, data);
      this.#host.providers.set(handle, read);
      return handle;
    });
  }

  /** Registers something and returns its remover, which the signal calls too. */
  #register(signal: AbortSignal | undefined, add: () => number): () => void {
    this.#assertOpen("declare");
    if (signal?.aborted === true) return () => undefined;
    const handle = this.#guard(add);
    if (handle === undefined) return () => undefined;
    const remove = () => {
      signal?.removeEventListener("abort", remove);
      this.#enter((core) => core.remove(handle));
      for (const registry of [this.#host.executors, this.#host.sources, this.#host.providers]) registry.delete(handle);
    };
    signal?.addEventListener("abort", remove, { once: true });
    return remove;
  }

  #assertOpen(call: string): void {
    if (this.#state === "closed") throw new PageportError("CLOSED", `${call}: the page is closed`);
  }

  #enter(step: (core: Core) => void): void {
    if (this.#state === "open") this.#guard(() => step(this.#core));
  }

  /** Runs something in the kernel. What it throws, other than for the developer, is a defect of ours and the end. */
  #guard<T>(run: () => T): T | undefined {
    if (this.#state === "failed") return undefined;
    try {
      return run();
    } catch (error) {
      if (error instanceof PageportError) throw error;
      this.#state = "failed";
      this.#host.rest();
      this.#host.error(error, undefined, undefined, undefined);
      this.#answerInternal();
      for (const listener of this.#listeners) listener.closeConnections("internal");
      return undefined;
    }
  }

  #answerInternal(): void {
    for (const request of this.#open) {
      this.#open.delete(request);
      request.abort();
      request.answerInternal();
    }
  }

  #tellChanged(): void {
    for (const listener of this.#changed) listener();
  }
}

/** A record source only types `ctx.record.item`; what is registered with `records` is what counts. */
function withoutSource(record: unknown): unknown {
  if (typeof record !== "object" || record === null) return record;
  const { source: _, ...rest } = record as Record<string, unknown>;
  return rest;
}
