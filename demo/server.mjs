// Serves the built demo: two loopback origins, GET and HEAD, nothing outside their folders.
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../build/demo/", import.meta.url));

const jsonType = "application/json; charset=utf-8";
/** @type {Record<string, string>} */
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".map": jsonType,
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * Starts both sites; port 0 takes a free one. Rejects with `EADDRINUSE` and the `port` when one is taken.
 *
 * @param {{ordersPort?: number, assistantPort?: number, folder?: string | undefined}} [options]
 * @returns {Promise<{ordersUrl: string, assistantUrl: string, close(): Promise<void>}>}
 */
export async function startDemo({ ordersPort = 0, assistantPort = 0, folder = built } = {}) {
  /** @type {Record<string, unknown>} */
  const ordersConfig = {};
  /** @type {Record<string, unknown>} */
  const assistantConfig = {};
  const policies = { orders: "", assistant: "" };
  const ordersSite = site(join(folder, "orders"), ordersConfig, () => policies.orders);
  const assistantSite = site(join(folder, "assistant"), assistantConfig, () => policies.assistant);
  const orders = await listen(ordersSite, ordersPort, "127.0.0.1", "::1");
  const assistant = await listen(assistantSite, assistantPort, "127.0.0.1").catch(async (error) => {
    await orders.close();
    throw error;
  });

  // Two names of this machine are two sites, so the assistant's frame is as foreign as it would be elsewhere.
  const ordersOrigin = `http://localhost:${orders.port}`;
  const assistantOrigin = `http://127.0.0.1:${assistant.port}`;
  // Each side learns the other's origin from its own server, where no frame can forge it.
  const ticket = randomBytes(18).toString("base64url");
  Object.assign(ordersConfig, {
    app: "orders",
    user: { id: "mara.lindqvist", name: "Mara Lindqvist" },
    assistant: { url: `${assistantOrigin}/`, origin: assistantOrigin, agentId: "demo-assistant", ticket },
  });
  Object.assign(assistantConfig, {
    page: { origin: ordersOrigin, app: "orders" },
    credential: ticket,
    probe: "orders.export",
  });
  const own =
    "default-src 'none'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
  policies.orders = `${own}; script-src 'self' 'wasm-unsafe-eval'; frame-src ${assistantOrigin}; frame-ancestors 'none'`;
  policies.assistant = `${own}; script-src 'self'; frame-ancestors ${ordersOrigin}`;

  return {
    ordersUrl: `${ordersOrigin}/`,
    assistantUrl: `${assistantOrigin}/`,
    close: async () => {
      await Promise.all([orders.close(), assistant.close()]);
    },
  };
}

/**
 * @param {string} folder
 * @param {object} config
 * @param {() => string} policy
 */
function site(folder, config, policy) {
  /** @type {import("node:http").RequestListener} */
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
    if (path === "/config.json") {
      response.setHeader("content-type", jsonType);
      return response.end(JSON.stringify(config));
    }
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

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {string} message
 */
function text(response, status, message) {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(`${message}\n`);
}

/**
 * Listens on every address of one loopback name, so that no other program answers under it.
 *
 * @param {import("node:http").RequestListener} handler
 * @param {number} port
 * @param {string} first
 * @param {string[]} others
 * @returns {Promise<{port: number, close(): Promise<void>}>}
 */
async function listen(handler, port, first, ...others) {
  const server = await bind(handler, port, first);
  const servers = [server];
  const address = server.address();
  const bound = typeof address === "object" ? (address?.port ?? port) : port;
  const close = async () => {
    await Promise.all(servers.map(stop));
  };
  for (const other of others) {
    try {
      servers.push(await bind(handler, bound, other));
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      // Without IPv6 there is nothing that could answer in our place.
      if (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT") continue;
      await close();
      if (code === "EADDRINUSE" && port === 0) return listen(handler, port, first, ...others);
      throw error;
    }
  }
  return { port: bound, close };
}

/**
 * @param {import("node:http").RequestListener} handler
 * @param {number} port
 * @param {string} address
 * @returns {Promise<import("node:http").Server>}
 */
function bind(handler, port, address) {
  return new Promise((resolve, reject) => {
    const server = createServer(handler);
    server.once("error", reject);
    server.listen(port, address, () => resolve(server));
  });
}

/** @param {import("node:http").Server} server */
function stop(server) {
  return new Promise((resolve) => {
    server.close(resolve);
    // Browsers keep connections open; the demo does not wait for them.
    server.closeAllConnections();
  });
}
