// A page whose handlers misbehave in every way, in process; runs in the browser, on the built package.

import {
  createPage,
  indexedDbReplayGuard,
  type Page,
  type PageOptions,
  type Session,
  SurfaceError,
  type SurfaceResponse,
} from "pageport";

export { createPage, indexedDbReplayGuard, SurfaceError };

/** A session for everything. */
export const session: Session = {
  agentId: "agent",
  sessionId: "s-1",
  userId: "ada",
  expiresAt: Date.now() + 3_600_000,
  scope: ["*"],
};

/** What the page was told through `onError`, as text. */
export const errors: string[] = [];

let count = 0;

/** A page without a limit on how often it is asked. */
export function open(options: Partial<PageOptions> = {}): Promise<Page> {
  return createPage({
    app: "orders",
    rateLimiter: { take: () => ({ ok: true }) },
    onError: (error, info) => errors.push(`${info.capability ?? info.provider}: ${phrase(error)}`),
    ...options,
  });
}

function phrase(error: unknown): string {
  return error instanceof Error ? `${error.name} ${error.message}` : `${typeof error} ${String(error)}`;
}

/** Declares `id` with this executor, invokes it once and removes it. */
export async function run(page: Page, execute: () => unknown): Promise<SurfaceResponse> {
  const remove = page.declare({ id: "app.run", description: "Run", effect: "write", approval: "none", execute });
  const response = await page.handle(invoke("app.run"), session);
  remove();
  return response;
}

/** An envelope with an id of its own. */
export function invoke(capability: string, input: object = {}): object {
  count++;
  return { protocol: "pling.surface/0.1", id: `r-${count}`, method: "invoke", capability, input };
}

/** Values that are no JSON, as an executor might return them. */
export const outputs: Record<string, () => unknown> = {
  cycle: () => {
    const value: { self?: unknown } = {};
    value.self = value;
    return value;
  },
  "a proxy that throws": () =>
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no keys");
        },
      },
    ),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    return {
      get inside() {
        revoke();
        return proxy;
      },
    };
  },
  "a getter that throws": () => ({
    get inside() {
      throw new Error("no");
    },
  }),
  "a function": () => () => undefined,
  "a symbol": () => Symbol("s"),
  "a bigint": () => 1n,
  NaN: () => Number.NaN,
  "undefined in an array": () => [undefined],
  "a lone surrogate": () => "\ud800",
  "65 levels": () => JSON.parse(`${"[".repeat(65)}${"]".repeat(65)}`),
  "300 KiB": () => "x".repeat(300 * 1024),
  "an array without end": () => new Array(4_000_000_000),
  "a thenable that throws": () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the point
    get then() {
      throw new Error("no then");
    },
  }),
};

/** Values that an executor might throw or reject with. */
export const thrown: Record<string, () => unknown> = {
  "a string": () => {
    throw "the password is 1234";
  },
  undefined: () => {
    throw undefined;
  },
  "an Error": () => {
    throw new Error("the password is 1234");
  },
  "a DOMException": () => {
    throw new DOMException("the password is 1234", "DataError");
  },
  "a hostile proxy": () => {
    throw new Proxy(
      {},
      {
        get: () => {
          throw new Error("trap");
        },
        has: () => {
          throw new Error("trap");
        },
      },
    );
  },
  "a rejection with null": () => Promise.reject(null),
  "a forged SurfaceError": () => {
    throw Object.assign(new SurfaceError("MINE", "x"), { code: "RATE_LIMITED" });
  },
};
