// Every public type of "pageport"; the types of the wire are generated from the Rust source.

import type { Feedback, Json, SurfaceResponse, Unavailable } from "#wire";
import type { NoInput, Schema, StandardSchema } from "./infer.ts";
import type { Capability, InputOf, InvokeContext } from "./types/capability.ts";
import type { PageRegion, ProviderOptions, RecordSource } from "./types/context.ts";
import type { HostConnection, HostOptions } from "./types/operations.ts";
import type { Listener, PostMessageOptions } from "./types/options.ts";
import type { SessionSource } from "./types/session.ts";

export type * from "#wire";
export type { Infer, NoInput, Schema, SchemaType, StandardResult, StandardSchema } from "./infer.ts";
export type * from "./types/capability.ts";
export type * from "./types/context.ts";
export type * from "./types/operations.ts";
export type * from "./types/options.ts";
export type * from "./types/session.ts";

/**
 * A page that agents can describe and invoke.
 *
 * Whoever holds it is trusted like the page itself. `declare`, `records`, `region`, `state`, `object` and `unavailable`
 * return a remover that may be called again; removing one thing never removes another. They throw a `PageportError`:
 * `INVALID_OPTION` with the path of what is wrong, `DUPLICATE_ID` for an id that is live, `LIMIT_EXCEEDED`, `CLOSED`.
 */
export interface Page {
  /**
   * Declares a capability, at most 256 at a time (Surface §3).
   *
   * `execute` runs after all nine steps of Surface §2 allowed it; its output must be JSON of at most 262 144 UTF-16 units.
   * Raise a `SurfaceError` to refuse in your own words.
   */
  declare<
    const S extends Schema | StandardSchema = NoInput,
    R = undefined,
    const K extends string = never,
    const P extends string = "record",
  >(
    capability: Capability<S, R, K, P> & {
      // What the handler says of its input must fit the schema, never decide it.
      execute(input: NoInfer<InputOf<S, K, P>>, ctx: NoInfer<InvokeContext<S, R, K, P>>): unknown;
    },
    options?: { signal?: AbortSignal },
  ): () => void;
  /** Registers where records of `type` come from; one source per type. */
  records<T>(type: string, source: RecordSource<T>, options?: { signal?: AbortSignal }): () => void;
  /** Declares a part of the page. */
  region(region: PageRegion, options?: { signal?: AbortSignal }): () => void;
  /** Opens one value of the page's state: at most 64 keys, each at most 8 192 UTF-16 units of JSON. */
  state(key: string, read: () => Json, options?: ProviderOptions): () => void;
  /** Opens the business object in focus, as `context.page.object`; `undefined` when there is none. */
  object(read: () => Json | undefined, options?: ProviderOptions): () => void;
  /** Leaves a notice for every session that may see it; the newest 32 are kept. */
  feedback(item: Feedback & { for?: string[] }): void;
  /**
   * Tells what cannot be used now, and enforces it: a matching call ends as `PRECONDITION_FAILED` (capability) or
   * `RECORD_NOT_AVAILABLE` (record). At most 64 entries are shown.
   */
  unavailable(read: () => Unavailable[], options?: { signal?: AbortSignal }): () => void;
  /**
   * Answers one request in process (Surface §1). A string is taken as JSON text; a live object is walked and copied once.
   *
   * Resolves with every refusal too; rejects only with `CLOSED` once the page is closed. An aborted `signal` cancels.
   * `transport` names the way the request came in the audit, `"in-process"` by default.
   */
  handle(
    request: unknown,
    session: SessionSource,
    options?: { signal?: AbortSignal; transport?: string },
  ): Promise<SurfaceResponse>;
  /** Listens for postMessage clients from now on (Surface §8). */
  listen(options: PostMessageOptions): Listener;
  /**
   * Connects this document to a host that runs a plugin's operations on it (Operations §4). Resolves when the connection
   * exists, not when the host has answered. It is closed with the page.
   *
   * Rejects with `INVALID_OPTION` and the path of what is wrong, or `UNSUPPORTED_ENVIRONMENT` in a worker.
   */
  connectHost(options: HostOptions): Promise<HostConnection>;
  /** Counts, for the page's own monitoring. */
  stats(): Stats;
  /**
   * Ends everything: calls under way end as `CANCELLED`, clients are told, removers become void. Resolves when the audit
   * has been handed over, at most 5 s later. May be called again.
   */
  close(): Promise<void>;
}

/** Counts of a page since it was created, except where it says now. */
export interface Stats {
  /** Connections that are open now. */
  connections: number;
  /** Requests without a response now. */
  inFlight: number;
  /** Audit events the sink threw on, rejected or took over 5 s for. */
  auditFailures: number;
  /** Audit events that were dropped because 1000 were waiting. */
  auditDropped: number;
  /** Messages that looked like an attempt to connect, from windows that are not listed. */
  refusedOrigins: number;
  /** Frames and connect messages that broke a rule. */
  badFrames: number;
}
