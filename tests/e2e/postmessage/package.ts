// The built package as the global `surface`, and a page made with it: what the end-to-end tests run inside their documents.

import { createPage, type Page, type PageOptions, type Session } from "pageport";

export { connect } from "pageport/client";
export * from "./by-hand.ts";
export { createPage };

declare global {
  var page: Page;
  /** The session of everybody who connects; the test may change or remove it. */
  var session: Session | null;
  /** What happened on the page, in order. */
  var log: string[];
}

/** Makes this document a page for clients of `origin`, with nothing in the way of many calls. */
export async function serve(origin: string, options: Partial<PageOptions> = {}): Promise<void> {
  const log: string[] = [];
  globalThis.log = log;
  globalThis.session = {
    agentId: "agent",
    sessionId: "s1",
    userId: "u1",
    expiresAt: Date.now() + 3_600_000,
    scope: ["*"],
  };
  const page = await createPage({
    app: "orders",
    listen: { origins: [origin], verifySession: () => () => globalThis.session },
    rateLimiter: { take: () => ({ ok: true }) },
    audit: ({ method, capability, outcome, code, transport }) => {
      log.push(["audit", method, capability, outcome, code, transport].filter(Boolean).join(" "));
    },
    onError: (error) => log.push(`error ${String(error)}`),
    ...options,
  });
  page.declare({
    id: "orders.echo",
    description: "Return the input",
    effect: "read",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    execute: ({ text }) => ({ text: text ?? null }),
  });
  page.declare({
    id: "orders.wait",
    description: "Take until it is aborted",
    effect: "read",
    execute: (_, { signal }) => {
      log.push("started");
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          log.push("aborted");
          setTimeout(resolve, 100);
        });
      });
    },
  });
  page.declare({
    id: "orders.write",
    description: "Write",
    effect: "write",
    execute: () => {
      log.push("written");
    },
  });
  globalThis.page = page;
}
