// What the test's documents have as the global `probe`: a page with the plugin, and handlers to try.

import { type HostConnection, loadPlugin, type OperationContext } from "pageport/plugin";
import manifest from "./plugin/manifest.json";

export { createPage } from "pageport";
export { loadPlugin, manifest };

/** What was reported to the developer. */
export const errors: string[] = [];
/** How the handlers saw their end. */
export const aborts: string[] = [];
/** Every state the connection had. */
export const states: string[] = [];

let connection: HostConnection;
let release: () => void = () => undefined;

/** The connection of `start`. */
export const current = () => connection;
/** Lets the stubborn handler return. */
export const letGo = () => release();

/** Connects and registers the handlers; `ready` sets the state and waits for it. */
export async function start(host: { url: string; credential: string }, options: object = {}): Promise<HostConnection> {
  connection = await loadPlugin({
    host,
    manifest: manifest as never,
    scriptId: "page",
    script: ({ operations }) => {
      for (const [id, handler] of Object.entries(handlers)) operations.handle(id, handler);
    },
    onError: (error, info) => errors.push(`${info.operation ?? info.provider ?? ""}: ${error}`),
    ...options,
  });
  states.push(connection.state);
  connection.onState(() => states.push(connection.state));
  return connection;
}

export const ready = (state: object = {}) => connection.pageApi.operations.setState({ ready: true, ...state });

/** Throws. */
export const fail = (message: string): never => {
  throw new Error(message);
};
/** An object with this `then`. */
export const thenable = (then: unknown, name = "then"): object => ({ [name]: then });
/** Lets everything happen that is about to. */
export const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

export const handlers: Record<string, (ctx: OperationContext) => unknown> = {
  echo: ({ input, limit, cursor }) => ({ data: { said: input.say ?? "", limit, cursor }, count: 1 }),
  slow: async (ctx) => {
    await ctx.report(40);
    await new Promise((_, reject) => {
      ctx.signal.addEventListener("abort", () => {
        aborts.push(`${ctx.signal.reason.name} ${ctx.signal.reason.message}`);
        reject(ctx.signal.reason);
      });
    });
  },
  stubborn: async (ctx) => {
    ctx.signal.addEventListener("abort", () => aborts.push(ctx.signal.reason.message));
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return { data: {} };
  },
  odd: ({ input }) => odd[String(input.what)]?.(),
};

/** Whatever a handler may do wrong. */
export const odd: Record<string, () => unknown> = {
  "a string thrown": () => {
    throw "the password is swordfish";
  },
  "undefined thrown": () => Promise.reject(undefined),
  nothing: () => undefined,
  "no data": () => ({ count: 1 }),
  "not JSON": () => ({ data: { when: 1n } }),
  "a cycle": () => {
    const data: Record<string, unknown> = {};
    data.self = data;
    return { data };
  },
  "another shape": () => ({ data: { surprise: true } }),
  "too much": () => ({ data: { text: "é".repeat(31_000) } }),
  "a wrong page": () => ({ data: {}, hasMore: true }),
};
