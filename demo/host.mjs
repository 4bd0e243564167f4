// Runs the host of the demo: the real program, with a data folder of its own and the catalog's plugin.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hostBinary } from "../scripts/host.mjs";

/** The plugin: the host reads it here, and the catalog's site serves it from here. */
export const pluginFolder = fileURLToPath(new URL("catalog/plugin", import.meta.url));

const START_MS = 20_000;
const STOP_MS = 5_000;

/**
 * @typedef {object} Host
 * @property {string} url
 * @property {string} data its data folder; the command line finds the host by it
 * @property {string} credentialFile
 * @property {string} binary
 * @property {() => Promise<void>} close also removes the data folder
 */

/**
 * Starts the host. Rejects with a message for a person. However this process ends, the host ends with it.
 *
 * @param {{port?: number, log?: (line: string) => void}} [options] port 0 takes a free one; `log` gets what the host says
 * @returns {Promise<Host>}
 */
export async function startHost({ port = 0, log = (line) => process.stderr.write(`host: ${line}\n`) } = {}) {
  const binary = hostBinary();
  const data = await mkdtemp(join(tmpdir(), "pageport-demo-"));
  const credentialFile = join(data, "catalog.json");
  const child = spawn(
    binary,
    [
      ...["serve", "--dev", "--json", "--data", data, "--port", String(port)],
      ...["--plugin", pluginFolder, "--credential-file", credentialFile],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const guard = child.pid === undefined ? undefined : endWithUs(child.pid);
  let isServing = false;
  const ended = new Promise((resolve) => child.once("close", resolve)).then((code) => {
    // Its process id may soon be another's.
    guard?.kill("SIGKILL");
    if (isServing && code !== 0) log(`ended with exit code ${code}`);
  });
  const close = async () => {
    isServing = false;
    if (guard !== undefined) {
      child.kill("SIGTERM");
      const late = pause(STOP_MS, undefined, { ref: false }).then(() => child.kill("SIGKILL"));
      await Promise.race([ended, late]);
    }
    await rm(data, { recursive: true, force: true });
  };
  try {
    const { url } = JSON.parse(await firstLine(child, log));
    isServing = true;
    return { url, data, credentialFile, binary, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The line that says where the host listens. Without it, what the host said instead.
 *
 * @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, import("node:stream").Readable>} child
 * @param {(line: string) => void} log
 * @returns {Promise<string>}
 */
function firstLine(child, log) {
  /** @type {string | undefined} */
  let complaint;
  createInterface(child.stderr).on("line", (line) => {
    if (line.startsWith("{")) complaint = line;
    // That --dev is on is our own doing, and its clock is of no interest beside ours.
    else if (!line.includes(" --dev: ")) log(line.replace(/^\S+Z\s+/, ""));
  });
  return new Promise((resolve, reject) => {
    /** @param {string} message */
    const fail = (message) => reject(new Error(message));
    const timer = setTimeout(() => fail(`The host said nothing within ${START_MS / 1000} s.`), START_MS);
    child.once("error", ({ message }) => fail(`The host could not be started: ${message}`));
    child.once("close", (code) => {
      clearTimeout(timer);
      fail(complaint === undefined ? `The host ended with exit code ${code}.` : explain(complaint));
    });
    createInterface(child.stdout).once("line", (line) => {
      clearTimeout(timer);
      resolve(line);
    });
  });
}

/**
 * What the host says when it does not start, for a person.
 *
 * @param {string} complaint
 */
function explain(complaint) {
  const { code, message, hint } = JSON.parse(complaint);
  if (code !== "port_in_use") return `The host does not start: ${message}${hint ? ` (${hint})` : ""}`;
  const [port] = /\d+/.exec(message) ?? [];
  return `Port ${port}, the host's, is in use. Choose another, or 0 for any free one: npm start -- --host-port 0`;
}

/**
 * A process that ends the host once we are gone, also when we are killed: then its standard input ends.
 *
 * @param {number} pid
 */
function endWithUs(pid) {
  // Ctrl+C reaches every process of the terminal; this one has to stay a little longer.
  const script = `trap "" INT TERM; read -r _; kill ${pid} 2>/dev/null`;
  const guard = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"] });
  guard.unref();
  return guard;
}
