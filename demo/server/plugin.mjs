// What a site serves so that its page can run a plugin: the script as a module, the manifest, and the way to the host.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { send, text } from "./site.mjs";

/** @typedef {import("./site.mjs").Request} Request */
/** @typedef {import("./site.mjs").Response} Response */

/**
 * The routes of a plugin with one script, `page.js`.
 *
 * @param {string} folder the plugin's, as the host has it
 * @param {string | undefined} credentialFile what the host writes; nothing when there is no host
 * @param {() => string} host the site's own `Host` header
 */
export function pluginRoutes(folder, credentialFile, host) {
  /** @param {(request: Request, response: Response) => Promise<unknown>} route */
  const orMissing = (route) => (/** @type {Request} */ request, /** @type {Response} */ response) =>
    route(request, response).catch(() => text(response, 404, "There is nothing here now."));
  return {
    "/plugin/page.js": orMissing(async (_, response) =>
      send(response, ".js", asModule(await readFile(join(folder, "page.js"), "utf8"))),
    ),
    "/plugin/manifest.json": orMissing(async (_, response) =>
      send(response, ".json", await readFile(join(folder, "manifest.json"), "utf8")),
    ),
    // Whoever reads this may pass for the plugin's page: nobody but the site's own pages does.
    "/pageport-host.json": orMissing(async (request, response) => {
      response.setHeader("cache-control", "no-store");
      response.setHeader("cross-origin-resource-policy", "same-origin");
      if (!isOwn(request, host())) return text(response, 403, "Only the pages of this site may read this.");
      if (credentialFile === undefined) return text(response, 404, "This site was started without a host.");
      send(response, ".json", await readFile(credentialFile, "utf8"));
    }),
  };
}

/**
 * A page script as the function that `loadPlugin` takes.
 *
 * @param {string} script
 */
export function asModule(script) {
  return `export default async function (pageApi) { "use strict";\n${script}\n}\n`;
}

/**
 * Whether a page of this site asks, or a person in the address bar. Another `Host` is a foreign name for this address.
 *
 * @param {Request} request
 * @param {string} host
 */
function isOwn({ headers }, host) {
  const from = headers["sec-fetch-site"];
  return headers.host === host && (from === undefined || from === "same-origin" || from === "none");
}
