// What a page script sees of operations, and how a page connects to a host.

import type { Json, Login, PluginManifest, ResourceRef } from "#wire";
import type { ErrorInfo } from "./options.ts";

/** What a page script gets as its only parameter (Operations §1). Frozen. */
export interface PageApi {
  /** The plugin. */
  readonly pluginId: string;
  /** Its version. */
  readonly pluginVersion: string;
  /** This script of it. */
  readonly scriptId: string;
  /** The page session, 32 hex digits; empty before the first one, another one after a new one was opened. */
  readonly pageSessionId: string;
  /** The operations that this script handles. */
  readonly operations: Operations;
  /**
   * Sends something to the plugin's hook and resolves with its reply. Any JSON value of at most 64 KiB; it is sent once.
   *
   * Rejects with an {@link OperationError}: the host's code, `not_connected`, or `no_answer`.
   */
  send(message: Json): Promise<Json>;
  /** Is called with each message from the plugin's hook; returns a function that ends that. */
  onMessage(listener: (message: Json) => void): () => void;
}

/** `pageApi.operations`. Frozen. */
export interface Operations {
  /**
   * Registers the handler of an operation and returns a function that unregisters it; what runs goes on.
   *
   * Throws a `TypeError` for a bad id or handler, and an `Error` when the id has a handler. An id that the manifest does
   * not name is accepted and warned about.
   */
  handle(id: string, handler: (ctx: OperationContext) => unknown): () => void;
  /**
   * Tells the host what the page is now, and resolves with its revision. A change of the URL, `context`, `login` or
   * `ready` makes a new one and ends what runs under another (`page_changed`).
   *
   * The same state again, while it is on its way, is the same promise. Throws a `TypeError` for anything else than the
   * members of {@link PageState}. Rejects with an {@link OperationError}: `superseded` by a newer state, `left`,
   * `not_connected`, `no_answer` after three attempts of 5 s, or the host's code.
   */
  setState(state: PageState): Promise<{ revision: string }>;
  /** Whether the page was reloaded by a handler whose execution has not come back yet; a hint for slow starts. */
  hasPendingReload(): boolean;
}

/** What `setState` takes. */
export interface PageState {
  /**
   * Whether operations may run; `true` and nothing else.
   *
   * @defaultValue `false`
   */
  ready?: boolean;
  /**
   * Whether somebody is signed in.
   *
   * @defaultValue `"unknown"`
   */
  login?: Login;
  /**
   * Names the current target, without credentials; at most 128 code points.
   *
   * @defaultValue `""`
   */
  context?: string;
}

/** What a handler gets. Frozen; its functions work on their own. */
export interface OperationContext {
  /** The execution, 32 hex digits. */
  readonly executionId: string;
  /** What the caller sent, valid by the operation's `inputSchema`; a copy of its own. */
  readonly input: { [key: string]: Json };
  /** The cursor that this script returned with the page before; `""` on the first one. */
  readonly cursor: string;
  /** Items wanted at most, 1–100. */
  readonly limit: number;
  /** The resource whose button was pressed. */
  readonly resource: Readonly<ResourceRef> | undefined;
  /**
   * Aborted when the result is of no use any longer. Its `reason` is an `AbortError` whose `message` says why:
   * `cancelled`, `page_changed`, `page_hidden`, `lost_connection` or `timed_out`.
   */
  readonly signal: AbortSignal;
  /**
   * Reports how far the handler is, 0–100; without a value the last one again. At most four a second reach the host.
   * Rejects with a `RangeError` for anything else.
   */
  report(progress?: number): Promise<void>;
  /** 1 when the handler runs again after the one reload. */
  readonly reloadCount: 0 | 1;
  /**
   * Reloads the document, after which the handler runs once more with the same input (Operations §5). The handler must
   * end with this call. Rejects with an {@link OperationError} `reload_failed` when the page stays.
   */
  reload(): Promise<never>;
}

/** What a handler returns; absent members are 0, `false` and `""`. */
export interface HandlerResult {
  /** What the operation's `outputSchema` describes. The whole result is at most 60 KiB of JSON. */
  data: Json;
  /** How many items `data` holds. */
  count?: number;
  /** Whether there are more; then `nextCursor` is needed. */
  hasMore?: boolean;
  /** What `ctx.cursor` is when the next page is asked for; at most 4096 bytes. */
  nextCursor?: string;
  /** Whether something was left out. */
  truncated?: boolean;
}

/** Where a host is, and what lets this page in. */
export interface HostEndpoint {
  /** The host's address with `/bridge/v1` at the end. */
  url: string;
  /**
   * What the host issued for the plugin; a secret. It leaves through the `fetch` that was there when this package was
   * loaded: a site that patched it before, or that has a service worker, sees it and the token of the session.
   */
  credential: string;
}

/** What `page.connectHost` takes. */
export interface HostOptions {
  /** Where the host is, or a function that finds out; it is called before each session. */
  host: HostEndpoint | (() => HostEndpoint | Promise<HostEndpoint>);
  /** The plugin's manifest, and which of its scripts this is. */
  plugin: { manifest: PluginManifest; scriptId: string };
  /**
   * Whether the last state stays valid when the URL of the document changes. Otherwise the page is not ready until the
   * script calls `setState` again.
   *
   * @defaultValue `false`
   */
  autoState?: boolean;
  /**
   * Takes what handlers threw and what is wrong with what they returned; the host never sees it.
   *
   * @defaultValue the page's `onError`, or the console
   */
  onError?: (error: unknown, info: ErrorInfo) => void;
  /** Closes the connection when it is aborted. */
  signal?: AbortSignal;
}

/** How a connection stands. */
export type HostState = "connecting" | "open" | "reconnecting" | "permission_denied" | "stopped" | "closed";

/** A page's connection to a host. It connects again by itself unless `state` is `"stopped"` or `"closed"`. */
export interface HostConnection {
  /** What a page script gets. */
  readonly pageApi: PageApi;
  /** The page session, 32 hex digits; empty before the first one. */
  readonly pageSessionId: string;
  /** How it stands. */
  readonly state: HostState;
  /** Why, when it is stopped or the browser refuses: a code of the host, and a phrase for a person. */
  readonly reason?: { readonly code: string; readonly message: string };
  /** Is called after each change of `state`; returns a function that ends that. */
  onState(listener: () => void): () => void;
  /** Aborts what runs (`page_hidden`), tells the host, and stops. May be called again. */
  close(): Promise<void>;
}
