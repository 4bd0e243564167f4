// "pageport/plugin": runs a plugin's page script on a page of its own making, or on one that is there.

import { checkFunction, checkMembers } from "./check.ts";
import { complain } from "./complain.ts";
import { createPage, OperationError } from "./index.ts";
import type { HostConnection, HostOptions, PageApi } from "./types/operations.ts";
import type { Page, PluginManifest } from "./types.ts";

/** What `loadPlugin` takes. */
export interface PluginOptions extends Omit<HostOptions, "plugin"> {
  /**
   * The plugin's manifest, as its `manifest.json` says it. TypeScript takes the words of an imported file for any
   * string: `manifest as PluginManifest` then.
   */
  manifest: PluginManifest;
  /** Which of its scripts this is; one with `bridge: true`. */
  scriptId: string;
  /**
   * The script as a function; called once, at once, and may be async. A plugin's `page.js` is the body of one: served
   * as `export default async function (pageApi) { "use strict"; … }` it can be imported.
   */
  script: (pageApi: PageApi) => unknown;
  /**
   * The page to connect.
   *
   * @defaultValue one that declares nothing and is closed with the connection
   */
  page?: Page;
}

const OPTIONS = {
  host: "data",
  manifest: "object",
  scriptId: "data",
  script: "function",
  page: "object",
  autoState: "data",
  onError: "function",
  signal: "signal",
} as const;

/**
 * Connects a page to a host and runs a plugin's page script (Operations §6).
 *
 * Resolves when the script has been started, not when the host has answered: `connection.state` tells that. What the
 * script throws goes to `onError`, or the console.
 *
 * Rejects with a `PageportError` as `createPage` and `page.connectHost` do, such as `INVALID_OPTION` with the path of
 * what is wrong.
 */
export async function loadPlugin(options: PluginOptions): Promise<HostConnection> {
  const { manifest, scriptId, script, page, ...rest } = checkMembers<PluginOptions>("loadPlugin", "", options, OPTIONS);
  checkFunction("loadPlugin", "script", script);
  if (page !== undefined) checkFunction("loadPlugin", "page.connectHost", page.connectHost);
  const { onError = (error, info) => complain("error", "pageport:", info.operation ?? info.provider ?? "", error) } =
    rest;
  const own = page ?? (await createPage({ app: "plugin", onError }));
  try {
    const connection = await own.connectHost({ ...rest, onError, plugin: { manifest, scriptId } });
    const close = () => own.close().catch((error) => onError(error, {}));
    if (page === undefined) connection.onState(() => connection.state === "closed" && void close());
    const failed = (error: unknown) => {
      // What was cut short by the end of its connection is no failure of the script.
      if (connection.state === "closed" && error instanceof OperationError) return;
      onError(error, { provider: `script:${scriptId}` });
    };
    // A script that fails does not take its connection along: what it has registered works.
    new Promise((resolve) => resolve(script(connection.pageApi))).catch(failed);
    return connection;
  } catch (error) {
    if (page === undefined) await own.close();
    throw error;
  }
}

export type * from "./types.ts";
export { OperationError };
