// A page that is open: the kernel, what is declared, who listens, and where the audit goes.

import { AuditPump } from "../audit.ts";
import { Connection, checkHostOptions } from "../bridge/connection.ts";
import { checkOptions, invalid } from "../check.ts";
import { complain } from "../complain.ts";
import { PageportError } from "../errors.ts";
import type { Glue } from "../load.ts";
import type { CoreConnection, CorePort } from "../transport/core.ts";
import { createListener, type PostMessageListener } from "../transport/postmessage.ts";
import { randomId } from "../transport/random.ts";
import type {
  Listener,
  Page,
  PageOptions,
  PostMessageOptions,
  SessionSource,
  Stats,
  SurfaceResponse,
} from "../types.ts";
import { Declarations } from "./declarations.ts";
import { Kernel } from "./kernel.ts";

const HANDLE = { signal: "signal", transport: "data" } as const;
const DRAIN_MS = 5_000;

/** The listening side of this window. */
export function listenTo(app: string, options: PostMessageOptions): PostMessageListener {
  if (typeof window === "undefined") {
    throw new PageportError("UNSUPPORTED_ENVIRONMENT", "listen: a worker has no window");
  }
  return createListener(window, app, options);
}

/** What `createPage` resolves with. */
export class OpenPage implements Page {
  declare readonly declare: Page["declare"];
  declare readonly records: Page["records"];
  declare readonly region: Page["region"];
  declare readonly state: Page["state"];
  declare readonly object: Page["object"];
  declare readonly unavailable: Page["unavailable"];
  declare readonly feedback: Page["feedback"];
  readonly #glue: Glue;
  readonly #onError: NonNullable<PageOptions["onError"]>;
  readonly #kernel: Kernel;
  readonly #app: string;
  readonly #pageSessionId = randomId();
  readonly #audit: AuditPump | undefined;
  readonly #listeners = new Set<PostMessageListener>();
  readonly #connections = new Set<Connection>();
  readonly #changed = new Set<() => void>();
  readonly #ended = { refusedOrigins: 0, badFrames: 0 };
  #closing: Promise<void> | undefined;

  constructor(glue: Glue, options: PageOptions) {
    this.#glue = glue;
    this.#app = options.app;
    this.#onError =
      options.onError ??
      ((error, info) => complain("error", "pageport:", info.operation ?? info.provider ?? "", error));
    const kernel = new Kernel(glue, options, this.#pageSessionId, {
      audit: () => this.#audit?.wake(),
      changed: () => {
        for (const listener of this.#changed) listener();
      },
      failed: () => {
        for (const listener of this.#listeners) listener.closeConnections("internal");
      },
    });
    this.#kernel = kernel;
    Object.assign(this, new Declarations(kernel));
    if (options.audit !== undefined) {
      const sink = options.audit;
      const onAuditError = options.onAuditError ?? ((error) => complain("error", "pageport:", "audit", error));
      this.#audit = new AuditPump({ sink, onAuditError }, () => kernel.guard((core) => core.takeAudit()));
    }
    if (typeof window !== "undefined") window.addEventListener("pagehide", this.#leave);
  }

  // In the back/forward cache nobody can see a dialog and nothing may go on; after a return nothing runs again.
  readonly #leave = () => this.#kernel.enter((core) => core.close());

  handle: Page["handle"] = (envelope, session, options) => {
    const kernel = this.#kernel;
    if (kernel.isClosed) return Promise.reject(new PageportError("CLOSED", "handle: the page is closed"));
    const { signal, transport } = checkOptions<NonNullable<Parameters<Page["handle"]>[2]>>("handle", options, HANDLE);
    if (transport !== undefined && (typeof transport !== "string" || !/^[\w-]{1,32}$/.test(transport))) {
      throw invalid("handle", "options.transport", "must be 1 to 32 letters, digits, _ and -");
    }
    return new Promise((resolve) => {
      let number = 0;
      const cancel = () => {
        if (number > 0) kernel.enter((core) => core.cancel(number));
      };
      const value = (response: SurfaceResponse) => {
        signal?.removeEventListener("abort", cancel);
        resolve(response);
      };
      const cancelled = signal?.aborted === true;
      signal?.addEventListener("abort", cancel);
      number = kernel.begin({
        connection: 0,
        envelope,
        parsed: false,
        session,
        reply: { value },
        transport,
        cancelled,
      });
      // Page code that ran just now may have aborted, before there was a number.
      if (signal?.aborted) cancel();
    });
  };

  listen: Page["listen"] = (options) => {
    this.#kernel.assertOpen("listen");
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

  connectHost: Page["connectHost"] = async (options) => {
    this.#kernel.assertOpen("connectHost");
    const checked = checkHostOptions(options);
    checked.signal?.throwIfAborted();
    const onError = checked.onError ?? this.#onError;
    const connection = new Connection(this.#glue, checked, {
      onError: (error, info) => {
        try {
          onError(error, info);
        } catch (failure) {
          complain("error", failure);
        }
      },
      closed: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    return connection;
  };

  stats(): Stats {
    const stats = { connections: 0, ...this.#ended };
    for (const { counts } of this.#listeners) {
      stats.connections += counts.connections;
      stats.refusedOrigins += counts.refusedOrigins;
      stats.badFrames += counts.badFrames;
    }
    return {
      ...stats,
      inFlight: this.#kernel.guard((core) => core.inFlight()) ?? 0,
      auditFailures: this.#audit?.failures ?? 0,
      auditDropped: this.#kernel.guard((core) => core.auditDropped()) ?? 0,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (typeof window !== "undefined") window.removeEventListener("pagehide", this.#leave);
    this.#kernel.close();
    for (const listener of this.#listeners) listener.close();
    const connections = Promise.all([...this.#connections].map((connection) => connection.close()));
    const late = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS));
    await Promise.race([Promise.all([this.#audit?.drained(), connections]), late]);
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
      onError: (error, { provider }) => this.#kernel.host.error(error, undefined, undefined, provider),
    };
  }

  #connect(session: SessionSource, transport: string): CoreConnection {
    const kernel = this.#kernel;
    kernel.assertOpen("listen");
    const connection = kernel.guard((core) => core.openConnection(transport, randomId())) ?? 0;
    let open = true;
    return {
      handle: (envelope, reply) => {
        const text = (response: string) => {
          if (open) reply(response);
        };
        return kernel.begin({ connection, envelope, parsed: true, session, reply: { text }, cancelled: false });
      },
      cancel: (handle) => kernel.enter((core) => core.cancel(handle)),
      close: () => {
        if (!open) return;
        open = false;
        kernel.enter((core) => core.closeConnection(connection));
      },
    };
  }
}
