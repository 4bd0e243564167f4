// The shim's side of the driver: clocks, a timer, and the page's own functions by handle. It only carries.

import type { ConfirmRequest } from "#wire";
import { complain } from "./complain.ts";
import { makeContext } from "./context.ts";
import { ask } from "./dialog/ask.ts";
import { isSurfaceError, PageportError, SurfaceError, WHOLE } from "./errors.ts";
import type { Glue } from "./load.ts";
import type { Executor, Request } from "./request.ts";
import type { Source } from "./sources.ts";
import type { Refine } from "./standard.ts";
import type { PageOptions } from "./types.ts";

type Core = InstanceType<Glue["Core"]>;

/** What the host needs of the page around it. */
export interface Surroundings {
  /** Runs a step of the kernel; a defect of ours ends the page instead of throwing. */
  enter(step: (core: Core) => void): void;
  /** A response has gone out. */
  answered(request: Request): void;
  /** Audit events are waiting. */
  audit(): void;
  /** The declarations changed. */
  changed(): void;
}

/** Never throws, where the kernel does not expect it: an exception would leave the kernel half way. */
export class Host {
  readonly executors = new Map<number, Executor>();
  readonly sources = new Map<number, Source>();
  readonly providers = new Map<number, () => unknown>();
  readonly validators = new Map<number, Refine>();
  readonly #options: PageOptions;
  readonly #around: Surroundings;
  // Pages, tests and extensions patch these; the kernel keeps those it began with.
  readonly #wall = Date.now;
  readonly #mono = performance.now.bind(performance);
  readonly #setTimer = setTimeout.bind(globalThis);
  readonly #clearTimer = clearTimeout.bind(globalThis);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDeclaring = false;

  constructor(options: PageOptions, around: Surroundings) {
    this.#options = options;
    this.#around = around;
  }

  /** Lets go of what was registered under a handle. */
  forget(handle: number): void {
    for (const registry of [this.executors, this.sources, this.providers, this.validators]) registry.delete(handle);
  }

  wall(): number {
    return this.#wall();
  }

  mono(): number {
    return this.#mono();
  }

  wake(afterMs: number): void {
    this.#clearTimer(this.#timer);
    this.#timer = this.#setTimer(() => this.#around.enter((core) => core.tick()), Math.ceil(afterMs));
  }

  /** Stops the timer and lets go of everything: nothing is under way any longer. */
  rest(): void {
    for (const registry of [this.executors, this.sources, this.providers, this.validators]) registry.clear();
    this.#clearTimer(this.#timer);
  }

  watch(thenable: PromiseLike<unknown>, slot: number, ticket: number): void {
    const settled = (fulfilled: boolean) => (value: unknown) =>
      this.#around.enter((core) => core.settled(slot, ticket, fulfilled, value));
    // Not `Promise.resolve`, which reads `constructor` and trusts the `then` of what looks native: both may throw.
    new Promise((resolve) => resolve(thenable)).then(settled(true), settled(false));
  }

  reply(request: Request, response: unknown, text: string | undefined): void {
    this.#around.answered(request);
    request.answer(response as Parameters<Request["answer"]>[0], text);
  }

  audit(): void {
    attempt(() => this.#around.audit());
  }

  changed(): void {
    attempt(() => this.#around.changed());
  }

  /** Runs a declaration. What it has to report is told once the declaration is complete: page code may use it at once. */
  declaring<T>(declare: () => T): T {
    const outer = this.#isDeclaring;
    this.#isDeclaring = true;
    try {
      return declare();
    } finally {
      this.#isDeclaring = outer;
    }
  }

  error(
    error: unknown,
    message: string | undefined,
    capability: string | undefined,
    provider: string | undefined,
  ): void {
    const info = { ...(capability !== undefined && { capability }), ...(provider !== undefined && { provider }) };
    const about = capability ?? provider;
    const raw = message === undefined ? error : new Error(about === undefined ? message : `${about}: ${message}`);
    const tell = () => {
      attempt(() => {
        if (this.#options.onError !== undefined) this.#options.onError(raw, info);
        else complain("error", "pageport:", about ?? "", raw);
      });
    };
    if (this.#isDeclaring) void Promise.resolve().then(tell);
    else tell();
  }

  pageError(code: string, message: string): PageportError {
    return new PageportError(code as PageportError["code"], message);
  }

  abort(request: Request): void {
    request.abort();
  }

  user(): unknown {
    return this.#options.user?.();
  }

  take(key: string, nowMs: number): unknown {
    return this.#options.rateLimiter?.take(key, nowMs);
  }

  claim(sessionId: string, requestId: string, untilMs: number): unknown {
    return this.#options.replayGuard?.claim(sessionId, requestId, untilMs);
  }

  approvalFor(effect: string): unknown {
    return this.#options.policy?.approvalFor?.(effect as "read" | "write" | "destructive");
  }

  confirm(request: Request, confirmation: ConfirmRequest, mayRemember: boolean): unknown {
    const { confirm } = this.#options;
    const { signal } = request;
    if (confirm !== undefined) return confirm(confirmation, { signal });
    if (typeof document === "undefined") throw new Error("no confirm, and no document to ask in");
    return ask(confirmation, signal, mayRemember);
  }

  identity(): unknown {
    if (this.#options.page !== undefined) return this.#options.page();
    return { title: typeof document === "undefined" ? "" : document.title, route: location.pathname };
  }

  provide(handle: number): unknown {
    return this.providers.get(handle)?.();
  }

  window(handle: number, offset: number, limit: number, ids: number): unknown {
    return this.sources.get(handle)?.window(offset, limit, ids);
  }

  record(handle: number, id: string): unknown {
    return this.sources.get(handle)?.record(id);
  }

  execute(
    request: Request,
    handle: number,
    slot: number,
    ticket: number,
    envelope: { id: string; input?: object },
    session: { agentId: string; userId: string; sessionId: string },
    record: { id: string; type: string } | undefined,
    item: unknown,
    approval: object | undefined,
  ): unknown {
    let context: object | undefined;
    this.#around.enter((core) => {
      context = makeContext(core, request, { slot, ticket, envelope, session, record, item, approval });
    });
    const executor = this.executors.get(handle);
    if (context === undefined || executor === undefined) {
      throw new SurfaceError("EXECUTION_FAILED", "the action failed", { executed: false });
    }
    request.context = context;
    request.executor = executor;
    return executor.execute((context as { input: unknown }).input, context);
  }

  expect(request: Request, _handle: number, output: unknown): unknown {
    return request.executor?.expect?.({ ...request.context, output });
  }

  refine(request: Request, handle: number, input: object): unknown {
    const keep = (refined: Request["refined"]) => {
      request.refined = refined;
    };
    return this.validators.get(handle)?.(input, keep);
  }

  settle(): unknown {
    return this.#options.settle?.();
  }

  /** What a `SurfaceError` says, also one of another copy of the package. */
  raised(error: unknown): object | undefined {
    try {
      if (!isSurfaceError(error)) return undefined;
      const { code, message, retryable, retryAfterMs, details, executed } = error;
      return { code, message: whole(error) ?? message, retryable, retryAfterMs, details, executed };
    } catch {
      return undefined;
    }
  }
}

/** The message before it was cut. */
function whole(error: object): unknown {
  return (error as Record<symbol, unknown>)[WHOLE];
}

function attempt(run: () => void): void {
  try {
    run();
  } catch (error) {
    complain("error", error);
  }
}
