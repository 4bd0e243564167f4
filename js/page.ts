// createPage: a Page over the kernel in WebAssembly. The shim carries; every decision is made in Rust.

import { checkFunction, checkMembers } from "./check.ts";
import { PageportError } from "./errors.ts";
import { load } from "./load.ts";
import { warnOfSecondCopy } from "./page/kernel.ts";
import { listenTo, OpenPage } from "./page/open.ts";
import type { Page, PageOptions } from "./types.ts";

const OPTIONS = {
  app: "data",
  page: "function",
  user: "function",
  allow: "data",
  openMode: "data",
  listen: "object",
  policy: "object",
  confirm: "function",
  rateLimiter: "object",
  replayGuard: "object",
  audit: "function",
  onAuditError: "function",
  onError: "function",
  settle: "function",
  limits: "data",
} as const;

/**
 * Makes this document a page that agents can describe and invoke.
 *
 * Loads the WebAssembly that the package carries. With `listen` among the options the window listener exists before
 * this returns, so that no client that connects early is lost.
 *
 * Rejects with a `PageportError`: `INVALID_OPTION` with the path of what is wrong, `WASM_BLOCKED_BY_CSP`,
 * `WASM_LOAD_FAILED`, or `UNSUPPORTED_ENVIRONMENT` where there is neither a page nor a worker.
 */
export async function createPage(options: PageOptions): Promise<Page> {
  if (typeof document === "undefined" && !("WorkerGlobalScope" in globalThis)) {
    throw new PageportError("UNSUPPORTED_ENVIRONMENT", "createPage: needs a page or a worker");
  }
  const checked = checkMembers<PageOptions>("createPage", "", options, OPTIONS);
  if (checked.policy !== undefined) {
    checkMembers("createPage", "policy", checked.policy, { approvalFor: "function" });
  }
  if (checked.rateLimiter !== undefined) {
    checkFunction("createPage", "rateLimiter.take", checked.rateLimiter.take);
  }
  if (checked.replayGuard !== undefined) {
    checkFunction("createPage", "replayGuard.claim", checked.replayGuard.claim);
  }
  warnOfSecondCopy(createPage);
  const listener = checked.listen === undefined ? undefined : listenTo(checked.app, checked.listen);
  try {
    const page = new OpenPage(await load(), checked);
    if (listener !== undefined) page.adopt(listener);
    return page;
  } catch (error) {
    listener?.fail();
    throw error;
  }
}
