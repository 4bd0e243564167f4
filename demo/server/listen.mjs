// Listens on the addresses of one loopback name.
import { createServer } from "node:http";

/**
 * Listens on every address of one loopback name, so that no other program answers under it.
 *
 * @param {import("node:http").RequestListener} handler
 * @param {number} port
 * @param {string} first
 * @param {string[]} others
 * @returns {Promise<{port: number, close(): Promise<void>}>}
 */
export async function listen(handler, port, first, ...others) {
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
