// "pageport/client": the other side of a page, without WebAssembly. Importing it does nothing.

import type { ConnectMessage, DescribeOptions, DescribeResult, InvokeResult, Json, SurfaceResponse } from "#wire";
import { SurfaceProtocolError } from "./errors.ts";
import { Calls, type SendOptions } from "./transport/calls.ts";
import { CapabilityMemory, type Description } from "./transport/capabilities.ts";
import { shakeHands } from "./transport/handshake.ts";
import { checkJson } from "./transport/json.ts";
import { APP_CHARS, CONNECT_MS, CREDENTIAL_UNITS, DESCRIBE_MS, INVOKE_MS, TIMER_MS } from "./transport/limits.ts";
import { isOrigin } from "./transport/origin.ts";
import { randomId } from "./transport/random.ts";

export type * from "#wire";
export { SurfaceProtocolError, type SurfaceProtocolErrorOptions } from "./errors.ts";
export type { Description } from "./transport/capabilities.ts";

const PROTOCOL = "pling.surface/0.1";

/** How to reach a page. Unknown options are errors. */
export interface ConnectOptions {
  /**
   * The exact origin the page must have, such as `"https://orders.example"`. `"*"` takes any and `"null"` a sandboxed
   * frame; neither may be used with a `credential`, which anybody could then receive.
   */
  origin: string;
  /** The `app` to look for, 1–64 characters; a page of another application does not answer. */
  app?: string;
  /** What the page's `verifySession` is given: JSON, at most 65 536 UTF-16 units. */
  credential?: Json;
  /**
   * How long to try, in milliseconds. When it passes, the promise rejects with `CONNECT_TIMEOUT`.
   *
   * @defaultValue `5_000`
   */
  timeoutMs?: number;
  /** Gives up connecting, with the signal's reason. It does not end a connection that exists. */
  signal?: AbortSignal;
}

/** How one invoke is sent. Unknown options are errors. */
export interface InvokeOptions {
  /**
   * The request id, 1–128 characters, to be used once per session: the page refuses it the second time with
   * `REPLAY_DETECTED`.
   *
   * @defaultValue a random one
   */
  id?: string;
  /** Cancels the call and rejects with the signal's reason. What the page already did stays done. */
  signal?: AbortSignal;
  /**
   * How long to wait, in milliseconds. When it passes, the call is cancelled and rejects with `TIMED_OUT` and the outcome
   * `"unknown"`.
   *
   * @defaultValue `450_000`
   */
  timeoutMs?: number;
}

/**
 * A connection to one page.
 *
 * Every promise settles: with the response, or with a {@link SurfaceProtocolError} when the time is over (`TIMED_OUT`) or
 * the connection ends (`CLOSED`). It ends with `close()`, with either document, when the page is lost, and before either
 * enters the back-forward cache; connect anew then. Nothing is ever sent twice.
 */
export interface Client {
  /**
   * What the session may see and do. Always the whole capability list, although only differences travel: the client sets
   * `since` itself. Take the capabilities in it as read-only. Waits 10 s.
   *
   * Rejects with a {@link SurfaceProtocolError} for a response with `ok: false`.
   */
  describe(options?: DescribeOptions): Promise<Description>;
  /**
   * Runs a capability. Resolves with the page's own refusals too: look at `result.error` and `result.status`.
   *
   * Rejects with a {@link SurfaceProtocolError} for a response with `ok: false`, and with the outcome `"unknown"` when no
   * response came; with a `TypeError` for an input that is not JSON.
   */
  invoke(capability: string, input?: object, options?: InvokeOptions): Promise<InvokeResult>;
  /** Sends an envelope as it is and resolves with the whole response, `ok: false` too. */
  request(envelope: object): Promise<SurfaceResponse>;
  /** Tells that the page's declarations changed, at most every 50 ms. Returns the remover. */
  onChanged(listener: () => void): () => void;
  /**
   * Resolves when the connection is over: `closed` by either side, `pagehide`, `lost`, `too_large`, or the page's own
   * word.
   */
  readonly closed: Promise<{ reason: string }>;
  /** Ends the connection. May be called again. */
  close(): void;
}

/**
 * Connects to the page in `target`, a window or the frame element that shows it.
 *
 * May be called before the page listens. Rejects with a {@link SurfaceProtocolError}: `CONNECT_TIMEOUT`, or the code the
 * page refused with; with a `TypeError` for options that are not valid.
 */
export async function connect(target: Window | HTMLIFrameElement, options: ConnectOptions): Promise<Client> {
  const find = windowOf(target);
  const { origin, app, credential, timeoutMs, signal } = checked(options);
  const hello: ConnectMessage = { "pling.surface": 1, type: "connect", connectId: randomId() };
  if (app !== undefined) hello.app = app;
  if (credential !== undefined) hello.credential = credential;
  return client(await shakeHands({ window: find, origin, hello, timeoutMs: timeoutMs ?? CONNECT_MS, signal }));
}

function client(port: MessagePort): Client {
  const listeners = new Set<{ listener: () => void }>();
  const calls = new Calls(port, () => {
    // A listener that throws is the caller's to see, and no reason for the others to miss the news.
    for (const { listener } of [...listeners]) queueMicrotask(listener);
  });
  const memory = new CapabilityMemory();
  const idPrefix = randomId();
  let ids = 0;
  const nextId = () => `${idPrefix}-${++ids}`;

  const ask = async <T>(envelope: object, options: SendOptions): Promise<T> => {
    const response = await calls.send(envelope, options);
    if (response.ok && response.result) return response.result as T;
    const { code = "INTERNAL", message = "the response breaks the protocol" } = response.ok
      ? {}
      : (response.error ?? {});
    throw new SurfaceProtocolError(code, message, { response });
  };
  const look = async (input: object, since: string | undefined): Promise<Description> => {
    const envelope = { protocol: PROTOCOL, id: nextId(), method: "describe", input: { ...input, since } };
    const result = await ask<DescribeResult>(envelope, { effects: false, timeoutMs: DESCRIBE_MS });
    const whole = memory.complete(result);
    if (whole) return whole;
    if (since === undefined) throw new SurfaceProtocolError("INTERNAL", "the page sent a difference to no list");
    return look(input, undefined);
  };
  return {
    describe: (options = {}) => look(options, memory.newest),
    async invoke(capability, input = {}, options = {}) {
      known(options, ["id", "signal", "timeoutMs"]);
      const { id = nextId(), signal, timeoutMs = INVOKE_MS } = options;
      checkTime(timeoutMs);
      checkSignal(signal);
      checkJson(input, "input");
      const envelope = { protocol: PROTOCOL, id, method: "invoke", capability, input };
      return ask<InvokeResult>(envelope, { effects: true, timeoutMs, signal });
    },
    async request(envelope) {
      if (typeof envelope !== "object" || envelope === null) throw new TypeError("the envelope must be an object");
      checkJson(envelope, "envelope");
      const effects = (envelope as { method?: unknown }).method !== "describe";
      return calls.send(envelope, { effects, timeoutMs: effects ? INVOKE_MS : DESCRIBE_MS });
    },
    onChanged(listener) {
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    closed: calls.closed,
    close: () => calls.close("closed"),
  };
}

function checked(options: ConnectOptions): ConnectOptions {
  known(options, ["origin", "app", "credential", "timeoutMs", "signal"]);
  const { origin, app, credential, timeoutMs, signal } = options;
  const anyone = origin === "*" || origin === "null";
  if (!anyone && !(typeof origin === "string" && isOrigin(origin))) {
    throw new TypeError("options.origin must be an exact origin such as https://orders.example");
  }
  if (app !== undefined && !(typeof app === "string" && app.length > 0 && app.length <= APP_CHARS)) {
    throw new TypeError("options.app must be a string of 1 to 64 characters");
  }
  checkTime(timeoutMs);
  checkSignal(signal);
  if (credential === undefined) return options;
  if (anyone) throw new TypeError("options.credential needs an exact options.origin, or anybody could receive it");
  checkJson(credential, "options.credential");
  const text = JSON.stringify(credential);
  if (text.length > CREDENTIAL_UNITS) {
    throw new TypeError("options.credential must be JSON of at most 65536 characters");
  }
  return { ...options, credential: JSON.parse(text) };
}

function known(options: object, names: string[]): void {
  if (typeof options !== "object" || options === null) throw new TypeError("options must be an object");
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new TypeError(`options.${name} is not an option`);
  }
}

function checkTime(timeoutMs: number | undefined): void {
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0 && timeoutMs <= TIMER_MS)) {
    throw new TypeError("options.timeoutMs must be a number of milliseconds from 1 to 2147483647");
  }
}

function checkSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && typeof signal?.addEventListener !== "function") {
    throw new TypeError("options.signal must be an AbortSignal");
  }
}

function windowOf(target: Window | HTMLIFrameElement): () => Window | null {
  // Only these members of a window of another origin may be looked at.
  if (isWindow(target)) return () => target;
  if (target?.contentWindow !== undefined) return () => target.contentWindow;
  throw new TypeError("target must be a window or an iframe element");
}

function isWindow(target: Window | HTMLIFrameElement): target is Window {
  const { postMessage, closed } = (target ?? {}) as Partial<Window>;
  return typeof postMessage === "function" && typeof closed === "boolean";
}
