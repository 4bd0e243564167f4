// A connection to a host, from connectHost until it is closed.

import { checkFunction, checkMembers, invalid } from "../check.ts";
import { define } from "../define.ts";
import { PageportError } from "../errors.ts";
import type { Glue } from "../load.ts";
import type { HostConnection, HostOptions, HostState, PageApi } from "../types/operations.ts";
import type { ErrorInfo } from "../types/options.ts";
import { makePageApi } from "./page-api.ts";
import { isDenied } from "./permission.ts";
import { later, OwnPromise, setTimer, title } from "./platform.ts";
import { type Bridge, Shim } from "./shim.ts";
import { TicketStore } from "./ticket.ts";
import { watch } from "./watch.ts";

const OPTIONS = {
  host: "data",
  plugin: "object",
  autoState: "data",
  onError: "function",
  signal: "signal",
} as const;

type Reason = NonNullable<HostConnection["reason"]>;

/** Checks what holds functions; the rest is checked in Rust. */
export function checkHostOptions(options: unknown): HostOptions {
  if (typeof window === "undefined") {
    throw new PageportError("UNSUPPORTED_ENVIRONMENT", "connectHost: only a document can be connected");
  }
  const checked = checkMembers<HostOptions>("connectHost", "", options, OPTIONS);
  if (checked.plugin === undefined) throw invalid("connectHost", "plugin", "is required");
  checkMembers("connectHost", "plugin", checked.plugin, { manifest: "object", scriptId: "data" });
  if ((typeof checked.host !== "object" || checked.host === null) && typeof checked.host !== "function") {
    throw invalid("connectHost", "host", "must be an object or a function");
  }
  if (checked.autoState !== undefined && typeof checked.autoState !== "boolean") {
    throw invalid("connectHost", "autoState", "must be a boolean");
  }
  return checked;
}

/** What is around a connection. */
export interface Surroundings {
  onError(error: unknown, info: ErrorInfo): void;
  /** It is closed. */
  closed(connection: Connection): void;
}

/** What `connectHost` resolves with. */
export class Connection implements HostConnection {
  readonly pageApi: PageApi;
  declare readonly reason?: Reason;
  readonly #bridge: Bridge;
  readonly #shim: Shim;
  readonly #around: Surroundings;
  readonly #listeners = new Set<() => void>();
  readonly #unwatch: () => void;
  #state: HostState = "connecting";
  #ended = false;
  #closing: Promise<void> | undefined;

  constructor(glue: Glue, options: HostOptions, around: Surroundings) {
    this.#around = around;
    let tickets: TicketStore | undefined;
    const shim = new Shim({
      enter: this.#enter,
      host: options.host,
      tickets: () => tickets as TicketStore,
      // Who closes a connection hears of its end, not of the way there.
      turned: (state, reason) => this.#closing ?? this.#turn(state, reason),
      unanswered: () => void this.#checkPermission(),
      onError: around.onError,
    });
    this.#shim = shim;
    const bridge = told(
      () => new glue.Bridge(shim, { plugin: options.plugin }, location.href, options.autoState === true),
    );
    this.#bridge = bridge;
    if (typeof options.host !== "function") told(() => bridge.checkEndpoint({ host: options.host }));
    const identity = bridge.identity();
    tickets = new TicketStore(identity[0] ?? "", identity[2] ?? "");
    this.pageApi = makePageApi(identity, shim, this.#enter);

    const found = tickets.take();
    if (found !== undefined) this.#enter((bridge) => bridge.ticketFound(found));
    this.#unwatch = watch({
      navigated: () => this.#enter((bridge) => bridge.navigated(location.href, title())),
      hidden: () => this.#enter((bridge) => bridge.hidden()),
      leave: (persisted) => this.#enter((bridge) => bridge.leave(persisted)),
      shown: () => this.#unlessClosing((bridge) => bridge.shown()),
      wake: () => this.#unlessClosing((bridge) => bridge.wake()),
      stayed: () => shim.stayed(),
    });
    options.signal?.addEventListener("abort", () => void this.close(), { once: true });
    const connect = () => this.#enter((bridge) => bridge.connect());
    if ((document as { prerendering?: boolean }).prerendering === true) {
      document.addEventListener("prerenderingchange", connect, { once: true });
    } else connect();
  }

  get pageSessionId(): string {
    return this.#shim.pageSessionId;
  }

  get state(): HostState {
    return this.#state;
  }

  onState(listener: () => void): () => void {
    checkFunction("onState", "listener", listener);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#enter((bridge) => bridge.hidden());
    // Handlers that stop at once are told as stopped.
    await new OwnPromise<void>((resolve) => setTimer(resolve, 0));
    this.#enter((bridge) => bridge.leave(false));
    this.#end("closed", undefined);
    this.#around.closed(this);
  }

  /** What hides the page for good is not undone by a page that is shown. */
  #unlessClosing(call: (bridge: Bridge) => void): void {
    if (this.#closing === undefined) this.#enter(call);
  }

  /** A step of the driver. A text that it throws is for the script's author; anything else is a defect of ours. */
  readonly #enter = <T>(call: (bridge: Bridge) => T): T | undefined => {
    if (this.#ended) return undefined;
    try {
      return call(this.#bridge);
    } catch (error) {
      if (typeof error === "string") throw new TypeError(error);
      this.#end("stopped", { code: "internal", message: "pageport failed; reload the page" });
      this.#around.onError(error, {});
      return undefined;
    }
  };

  #end(state: HostState, reason: Reason | undefined): void {
    if (!this.#ended) {
      this.#ended = true;
      this.#unwatch();
      this.#shim.end();
      this.#shim.states.rejectAll();
    }
    this.#turn(state, reason);
  }

  #turn(state: HostState, reason: Reason | undefined): void {
    this.#state = state;
    define(this, "reason", reason, true, reason !== undefined);
    // Listeners are page code, which never runs while the driver works.
    void later(() => {
      for (const listener of [...this.#listeners]) {
        try {
          listener();
        } catch (error) {
          this.#around.onError(error, { provider: "onState" });
        }
      }
    });
  }

  async #checkPermission(): Promise<void> {
    const isTrying = () => this.#state === "connecting" || this.#state === "reconnecting";
    if (!isTrying() || !(await isDenied()) || !isTrying()) return;
    const message =
      "the browser does not let this page reach programs on this machine; allow it in the site's settings";
    this.#turn("permission_denied", { code: "permission_denied", message });
  }
}

/** A text that Rust throws names the path of what is wrong. */
function told<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (typeof error === "string") throw new PageportError("INVALID_OPTION", error);
    throw error;
  }
}
