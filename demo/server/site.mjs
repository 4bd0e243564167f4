// One site of the demo: GET and HEAD, its routes, its files, and nothing outside its folder.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";

/** @typedef {import("node:http").IncomingMessage} Request */
/** @typedef {import("node:http").ServerResponse} Response */
/**
 * @typedef {object} Site
 * @property {string} folder
 * @property {() => string} policy the Content-Security-Policy, asked for with each request
 * @property {Record<string, (request: Request, response: Response) => unknown>} routes what is not a file, by path
 */

/** @type {Record<string, string>} */
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * Answers the requests of a site.
 *
 * @param {Site} site
 * @returns {import("node:http").RequestListener}
 */
export function site({ folder, policy, routes }) {
  return async (request, response) => {
    response.setHeader("cache-control", "no-cache");
    response.setHeader("content-security-policy", policy());
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("referrer-policy", "no-referrer");
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return text(response, 405, "Only GET and HEAD are served here.");
    }
    const path = pathOf(request.url ?? "/");
    const route = path !== undefined && Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route) return void route(request, response);
    const file = path === undefined ? undefined : join(folder, path);
    const found = file?.startsWith(folder + sep) ? await stat(file).catch(() => undefined) : undefined;
    if (file === undefined || !found?.isFile()) return text(response, 404, "Nothing is served at this address.");
    response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream");
    response.setHeader("content-length", found.size);
    if (request.method === "HEAD") return response.end();
    createReadStream(file)
      .on("error", () => response.destroy())
      .pipe(response);
  };
}

/**
 * Sends something of a type that files of the site have, by its extension.
 *
 * @param {Response} response
 * @param {".json" | ".js"} extension
 * @param {string} content
 */
export function send(response, extension, content) {
  response.setHeader("content-type", types[extension] ?? "");
  response.end(content);
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} message
 */
export function text(response, status, message) {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(`${message}\n`);
}

/**
 * The decoded path, or nothing for one that cannot be a file of ours.
 *
 * @param {string} url
 */
function pathOf(url) {
  try {
    const path = decodeURIComponent(url.replace(/[?#].*$/s, ""));
    if (!path.startsWith("/") || path.includes("\0") || path.split(/[/\\]/).includes("..")) return undefined;
    return normalize(path.endsWith("/") ? `${path}index.html` : path);
  } catch {
    return undefined;
  }
}
