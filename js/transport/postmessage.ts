// The page's listening side of postMessage: who may connect, and which connections there are (Surface §8).

import type { PageFrame } from "#wire";
import { define } from "../define.ts";
import type { Listener, PostMessageOptions, SessionSource } from "../types.ts";
import { type Attempt, Attempts } from "./attempts.ts";
import type { CoreConnection, CorePort } from "./core.ts";
import { type Hello, readHello } from "./hello.ts";
import { CHANGED_MS, HELD_CONNECTS } from "./limits.ts";
import { invalid, Origins } from "./origins.ts";
import { Served } from "./served.ts";
import { type VerifySession, verify } from "./verify.ts";

/** What has happened at a listener since it was created; `connections` are open now. */
export interface ListenerCounts {
  readonly connections: number;
  readonly refusedOrigins: number;
  readonly badFrames: number;
}

/** A listener that exists before the kernel does. */
export interface PostMessageListener extends Listener {
  /** The kernel is ready: what waits is verified now. */
  attach(core: CorePort): void;
  /** The kernel will not be ready: what waits is dropped, and the listener is closed. */
  fail(): void;
  /** Ends every connection with this reason, and goes on listening. */
  closeConnections(reason: string): void;
  readonly counts: ListenerCounts;
}

// A port that two listeners of one window see, perhaps of two copies of the package, must have one owner.
const CLAIMED = /* @__PURE__ */ Symbol.for("pageport.claimed");

/** Starts to listen at once. Throws `INVALID_OPTION` with the path of what is wrong. */
export function createListener(window: Window, app: string, options: PostMessageOptions): PostMessageListener {
  return new WindowListener(window, app, checked(options));
}

class WindowListener implements PostMessageListener {
  readonly #window: Window;
  readonly #app: string;
  readonly #verifySession: VerifySession;
  readonly #origins: Origins;
  /** The newest connect message of each window, until the kernel is ready. */
  readonly #held = new Map<MessageEventSource | null, Hello>();
  readonly #attempts = new Attempts();
  readonly #verifying = new Set<Attempt>();
  readonly #open = new Set<Served>();
  #core: CorePort | undefined;
  #closed = false;
  #refusedOrigins = 0;
  #badFrames = 0;
  #changing: ReturnType<typeof setTimeout> | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(window: Window, app: string, options: PostMessageOptions) {
    this.#window = window;
    this.#app = app;
    this.#verifySession = options.verifySession.bind(options);
    this.#origins = new Origins(options.origins, "listen.origins");
    window.addEventListener("message", this.#receive);
    window.addEventListener("pagehide", this.#hide);
  }

  get counts(): ListenerCounts {
    return { connections: this.#open.size, refusedOrigins: this.#refusedOrigins, badFrames: this.#badFrames };
  }

  attach(core: CorePort): void {
    if (this.#closed) return;
    this.#core = core;
    this.#unsubscribe = core.onChanged(() => this.#changed());
    for (const hello of this.#held.values()) this.#connect(core, hello);
    this.#held.clear();
  }

  fail(): void {
    this.close();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#window.removeEventListener("message", this.#receive);
    this.#window.removeEventListener("pagehide", this.#hide);
    this.#unsubscribe?.();
    clearTimeout(this.#changing);
    this.closeConnections("closed");
  }

  closeConnections(reason: string): void {
    for (const { port } of this.#held.values()) port.close();
    this.#held.clear();
    for (const attempt of this.#verifying) attempt.drop();
    this.#verifying.clear();
    for (const served of [...this.#open]) served.end(reason);
  }

  readonly #hide = () => this.closeConnections("pagehide");

  readonly #receive = (event: MessageEvent): void => {
    const [port] = event.ports;
    // Nearly everything that pages send each other ends here; the data of a window that is not listed is never looked at.
    if (!port || event.ports.length !== 1 || CLAIMED in port) return;
    const { origin, source } = event;
    if (!this.#origins.allow(origin, source, (error) => this.#core?.onError(error, { provider: "listen.source" }))) {
      this.#refusedOrigins++;
      return;
    }
    const hello = readHello(event, port, this.#app);
    if (hello === "bad") this.#badFrames++;
    if (hello === undefined || hello === "bad") return;
    define(port, CLAIMED, true);
    if (this.#core) this.#connect(this.#core, hello);
    else this.#hold(hello);
  };

  #hold(hello: Hello): void {
    this.#held.get(hello.source)?.port.close();
    this.#held.delete(hello.source);
    this.#held.set(hello.source, hello);
    for (const [source, { port }] of this.#held) {
      if (this.#held.size <= HELD_CONNECTS) break;
      port.close();
      this.#held.delete(source);
    }
  }

  #connect(core: CorePort, hello: Hello): void {
    const attempt = this.#attempts.begin(hello);
    if (!attempt) return;
    const { origin, credential } = hello;
    this.#verifying.add(attempt);
    void verify(this.#verifySession, { origin, credential }).then(
      ({ session }) => {
        if (this.#verifying.delete(attempt)) this.#serve(core, attempt, session);
      },
      (error: unknown) => {
        core.onError(error, { provider: "listen.verifySession" });
        if (this.#verifying.delete(attempt)) attempt.refuse("GUARD_UNAVAILABLE");
      },
    );
  }

  #serve(core: CorePort, attempt: Attempt, session: SessionSource): void {
    const { port } = attempt;
    if (!port) return;
    let connection: CoreConnection;
    try {
      connection = core.open(session, "postmessage");
    } catch (error) {
      core.onError(error, { provider: "listen" });
      attempt.refuse("INTERNAL");
      return;
    }
    const served: Served = new Served(connection, connectedText(core), {
      bad: () => {
        this.#badFrames++;
      },
      ended: () => this.#open.delete(served),
    });
    this.#open.add(served);
    attempt.port = undefined;
    attempt.served = served;
    served.serve(port);
  }

  #changed(): void {
    this.#changing ??= setTimeout(() => {
      this.#changing = undefined;
      for (const served of this.#open) served.changed();
    }, CHANGED_MS);
  }
}

function connectedText({ pageSessionId, app }: CorePort): string {
  return JSON.stringify({ type: "connected", pageSessionId, app } satisfies PageFrame);
}

function checked(options: PostMessageOptions): PostMessageOptions {
  if (typeof options !== "object" || options === null) throw invalid("listen", "must be an object");
  for (const key of Object.keys(options)) {
    if (key !== "origins" && key !== "verifySession") throw invalid(`listen.${key}`, "is not an option");
  }
  if (typeof options.verifySession !== "function") throw invalid("listen.verifySession", "must be a function");
  return options;
}
