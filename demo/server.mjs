// Serves the built demo: three loopback origins, each with what its page may know.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pluginFolder } from "./host.mjs";
import { listen } from "./server/listen.mjs";
import { pluginRoutes } from "./server/plugin.mjs";
import { send, site } from "./server/site.mjs";

const built = fileURLToPath(new URL("../build/demo/", import.meta.url));

/** @typedef {Awaited<ReturnType<typeof listen>>} Listening */
/**
 * @typedef {object} DemoOptions
 * @property {number} [ordersPort] 0 takes a free one, here and below
 * @property {number} [assistantPort]
 * @property {number} [catalogPort]
 * @property {{url: string, credentialFile: string}} [host] what the catalog's page connects to
 * @property {string | undefined} [folder] another build of the demo
 */
/**
 * @typedef {object} Demo
 * @property {string} ordersUrl
 * @property {string} assistantUrl
 * @property {string} catalogUrl
 * @property {() => Promise<void>} close
 */

/**
 * Starts the three sites. Rejects with `EADDRINUSE` and the `port` when one is taken.
 *
 * @param {DemoOptions} [options]
 * @returns {Promise<Demo>}
 */
export async function startDemo({ ordersPort = 0, assistantPort = 0, catalogPort = 0, host, folder = built } = {}) {
  /** @type {Record<string, unknown>} */
  const ordersConfig = {};
  /** @type {Record<string, unknown>} */
  const assistantConfig = {};
  const policies = { orders: "", assistant: "", catalog: "" };
  let catalogHost = "";

  const ordersSite = site({
    folder: join(folder, "orders"),
    policy: () => policies.orders,
    routes: { "/config.json": (_, response) => send(response, ".json", JSON.stringify(ordersConfig)) },
  });
  const assistantSite = site({
    folder: join(folder, "assistant"),
    policy: () => policies.assistant,
    routes: { "/config.json": (_, response) => send(response, ".json", JSON.stringify(assistantConfig)) },
  });
  const catalogSite = site({
    folder: join(folder, "catalog"),
    policy: () => policies.catalog,
    routes: pluginRoutes(pluginFolder, host?.credentialFile, () => catalogHost),
  });
  /** @type {Listening[]} */
  const listening = [];
  const close = async () => {
    await Promise.all(listening.map((one) => one.close()));
  };
  /** @type {typeof listen} */
  const start = async (...args) => {
    const one = await listen(...args).catch(async (error) => {
      await close();
      throw error;
    });
    listening.push(one);
    return one;
  };
  const orders = await start(ordersSite, ordersPort, "127.0.0.1", "::1");
  const assistant = await start(assistantSite, assistantPort, "127.0.0.1");
  const catalog = await start(catalogSite, catalogPort, "127.0.0.1", "::1");

  // Two names of this machine are two sites, so the assistant's frame is as foreign as it would be elsewhere.
  const ordersOrigin = `http://localhost:${orders.port}`;
  const assistantOrigin = `http://127.0.0.1:${assistant.port}`;
  catalogHost = `localhost:${catalog.port}`;
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
  policies.orders = policy({ scripts: "'wasm-unsafe-eval'", frames: assistantOrigin, ancestors: "'none'" });
  policies.assistant = policy({ ancestors: ordersOrigin });
  policies.catalog = policy({ scripts: "'wasm-unsafe-eval'", connect: addressesOf(host?.url), ancestors: "'none'" });

  return {
    ordersUrl: `${ordersOrigin}/`,
    assistantUrl: `${assistantOrigin}/`,
    catalogUrl: `http://${catalogHost}/`,
    close,
  };
}

/**
 * Where a page reaches a host: calls go to its address, streams to names of their own.
 *
 * @param {string | undefined} url
 */
function addressesOf(url) {
  return url === undefined ? "" : `${url} http://*.localhost:${new URL(url).port}`;
}

/** @param {{scripts?: string, connect?: string, frames?: string, ancestors: string}} allowed beside what is the site's own */
function policy({ scripts = "", connect = "", frames = "'none'", ancestors }) {
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts}`,
    "style-src 'self'",
    `connect-src 'self' ${connect}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-src ${frames}`,
    `frame-ancestors ${ancestors}`,
  ]
    .map((directive) => directive.trim())
    .join("; ");
}
