// The options of a page and of its listening side. Unknown options are errors.

import type { Approval, AuditEvent, ConfirmRequest, Effect, Json } from "#wire";
import type { ConfirmReply, RateLimiter, ReplayGuard, SessionSource } from "./session.ts";

/** What `createPage` takes. */
export interface PageOptions {
  /** Which application this page belongs to, 1–64 characters. */
  app: string;
  /**
   * The title and the route an agent is told.
   *
   * @defaultValue `document.title` and `location.pathname`, without query and hash
   */
  page?: () => { title: string; route: string };
  /**
   * The id of the user signed in to the page; `null` when nobody is. A session of another user is then `SESSION_INVALID`.
   *
   * @defaultValue sessions of every user are taken
   */
  user?: () => string | null;
  /**
   * The site's own allow-list: capability ids, or prefixes ending in `*`.
   *
   * @defaultValue everything declared
   */
  allow?: string[];
  /** Serves callers that pass `null` as session, within this scope (Surface §5). Off when absent. */
  openMode?: { scope: string[] };
  /** Listens for postMessage clients; the window listener exists before `createPage` returns its promise. */
  listen?: PostMessageOptions;
  /** Decides the approval of capabilities that name none; a throw counts as `"always"`. */
  policy?: { approvalFor?: (effect: Effect) => Approval };
  /**
   * Asks the person. `signal` is aborted when the caller cancels, goes away, or five minutes have passed. Several
   * requests may be open at once.
   *
   * The built-in dialog is in English; a page that wants other words, or its own look, passes its own `confirm`. It shows
   * one request at a time, in order: at most 3 of a session and 16 of the page wait, the one shown included, and the next
   * is `APPROVAL_DENIED` at once. Only a person's click on Approve, half a second after the dialog appeared or later, is a
   * yes. Where `approval` is `"ask"` and the effect is not `destructive` it offers to remember the answer for the session.
   *
   * @defaultValue the built-in dialog; without a document every confirmation is denied
   */
  confirm?: (request: ConfirmRequest, ctx: { signal: AbortSignal }) => Promise<ConfirmReply>;
  /**
   * Decides how often a session may ask.
   *
   * @defaultValue a token bucket per session: 60 a minute, burst 20
   */
  rateLimiter?: RateLimiter;
  /**
   * Lets each request id of a session pass once.
   *
   * `indexedDbReplayGuard()` is one that survives reloads and is shared by the tabs of an origin.
   *
   * @defaultValue in memory, forgotten on reload
   */
  replayGuard?: ReplayGuard;
  /** Takes one event per request, refused ones too (Surface §7). It may take 5 s and never delays a response. */
  audit?: (event: AuditEvent) => void | Promise<void>;
  /**
   * Told when `audit` threw, rejected or hung; and when events had to be dropped because 1000 were waiting, with the last
   * of them, whose `count` then says how many they were.
   */
  onAuditError?: (error: unknown, event: AuditEvent) => void;
  /**
   * Takes what the page's own code threw, unchanged; the agent never sees it.
   *
   * @defaultValue nothing is reported
   */
  onError?: (error: unknown, info: ErrorInfo) => void;
  /** Awaited after an executor, at most 250 ms, before the page is looked at again: the framework's flush. */
  settle?: () => Promise<void>;
  /** Lower bounds than the built-in ones. */
  limits?: Partial<Limits>;
}

/** Which part of the page's code an error came from. */
export interface ErrorInfo {
  /** The capability whose executor or `expect` threw. */
  capability?: string;
  /** The operation whose handler threw. */
  operation?: string;
  /** The callback that threw, such as `records:order` or `listen.verifySession`. */
  provider?: string;
}

/** Bounds a page may lower; a higher value is refused. */
export interface Limits {
  /**
   * Records of one describe, from 1.
   *
   * @defaultValue `100`
   */
  maxRecords: number;
  /**
   * UTF-16 units of one result, from 1024.
   *
   * @defaultValue `262_144`
   */
  maxResultBytes: number;
  /** The built-in token bucket: `capacity` requests at once, one more every `perMs` milliseconds. */
  rate: { capacity: number; perMs: number };
}

/** Who may connect by `postMessage`, and how they are verified (Surface §8). */
export interface PostMessageOptions {
  /**
   * The windows that are listened to. An entry is an exact origin such as `"https://assistant.example"`, or that origin
   * from one window only. `"null"` (sandboxed frames) needs a `source`; there is no wildcard. Others get no answer.
   */
  origins: (string | OriginEntry)[];
  /**
   * Turns what the client presented into its session. Called once per window, origin, credential and attempt to connect,
   * however often the attempt is repeated. `null` connects a caller without a session. A throw, a rejection, more than 2 s, or anything
   * that is no session source refuses the connection with `GUARD_UNAVAILABLE`.
   */
  verifySession(info: ConnectInfo): SessionSource | Promise<SessionSource>;
}

/** An origin that counts only when the message came from `source`. */
export interface OriginEntry {
  /** An exact origin, or `"null"`. */
  origin: string;
  /** The window, or a function that finds it now, such as `() => frame.contentWindow`. */
  source: Window | (() => Window | null);
}

/** What `verifySession` is told. */
export interface ConnectInfo {
  /** The origin the browser vouches for. */
  origin: string;
  /** What the client passed to `connect`, as JSON; checked by nobody yet. */
  credential: Json | undefined;
}

/** A listening side of its own. */
export interface Listener {
  /** Closes its connections with the reason `closed` and stops listening. May be called again. */
  close(): void;
}
