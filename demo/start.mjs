// `npm start`: shows the demo to a person, or with `--once` to nobody, and says what went on.
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { startHost } from "./host.mjs";
import { startDemo } from "./server.mjs";

const DEFAULT_PORT = 5200;
const DEFAULT_HOST_PORT = 47_317;
const help = `npm start [-- options]

  --port N        serve the orders page at port N, the assistant at N + 1 and the catalog at N + 2
                  (default ${DEFAULT_PORT}; 0 takes free ones, for the host too)
  --host-port N   let the host listen at port N (default ${DEFAULT_HOST_PORT}; 0 takes a free one)
  --once          run the demo without a person: print what went back and forth, and exit
  --help          print this`;

/**
 * Reads the options of `npm start`. Throws an error whose message is for the person.
 *
 * @param {string[]} argv
 */
export function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      once: { type: "boolean" },
      port: { type: "string" },
      "host-port": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const port = readPort("--port", values.port, 65_533) ?? DEFAULT_PORT;
  const hostPort = readPort("--host-port", values["host-port"], 65_535) ?? (port === 0 ? 0 : DEFAULT_HOST_PORT);
  return { once: values.once === true, help: values.help === true, port, hostPort };
}

/**
 * @param {string} option
 * @param {string | undefined} value
 * @param {number} most
 */
function readPort(option, value, most) {
  if (value === undefined) return undefined;
  const port = Number(value);
  if (value.trim() !== "" && Number.isInteger(port) && port >= 0 && port <= most) return port;
  throw new Error(`${option} takes a whole number from 0 to ${most}, not "${value}"`);
}

/**
 * What can be answered without setting anything up: help, or wrong options. `undefined` when there is something to run.
 *
 * @param {string[]} argv
 * @returns {number | undefined} the exit code
 */
export function answerAtOnce(argv) {
  try {
    if (!readOptions(argv).help) return undefined;
    console.log(help);
    return 0;
  } catch (error) {
    console.error(message(error));
    return 1;
  }
}

/**
 * Runs the demo until it is interrupted, or once. Resolves with the exit code.
 *
 * @param {string[]} argv
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
export async function main(argv, env) {
  try {
    const options = readOptions(argv);
    if (options.help) {
      console.log(help);
      return 0;
    }
    if (options.once) return await (await import("./once/run.mjs")).runOnce(env);
    return await serve(options);
  } catch (error) {
    console.error(message(error));
    return 1;
  }
}

/** @param {{port: number, hostPort: number}} options 0 for any free ones */
async function serve({ port, hostPort }) {
  const stopped = new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  const host = await startHost({ port: hostPort });
  try {
    const [ordersPort, assistantPort, catalogPort] = port === 0 ? [0, 0, 0] : [port, port + 1, port + 2];
    const demo = await startDemo({ ordersPort, assistantPort, catalogPort, host });
    console.log(welcome(demo, host));
    await stopped;
    await demo.close();
    return 0;
  } finally {
    await host.close();
  }
}

/**
 * @param {import("./server.mjs").Demo} demo
 * @param {import("./host.mjs").Host} host
 */
function welcome(demo, host) {
  return `Orders page   ${demo.ordersUrl}
Assistant     ${demo.assistantUrl} (a frame of the page)
Catalog       ${demo.catalogUrl}
Host          ${host.url}

With the catalog open, in another terminal:
  export PAGEPORT_DATA='${host.data}' PATH='${dirname(host.binary)}':"$PATH"
  pageport operations invoke catalog search --input '{"q":"lighthouse"}' --wait

Ctrl+C ends it.`;
}

/** @param {any} error */
function message(error) {
  if (error?.code === "EADDRINUSE") {
    return `Port ${error.port} is in use. Choose another, or 0 for any free one: npm start -- --port 5300`;
  }
  if (error?.code === "EACCES")
    return `Port ${error.port} may not be used here. Choose one above 1023: npm start -- --port 5300`;
  return error instanceof Error ? error.message : String(error);
}
