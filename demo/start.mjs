// `npm start`: shows the demo to a person, or with `--once` to nobody, and says what went on.
import { parseArgs } from "node:util";
import { startDemo } from "./server.mjs";

const DEFAULT_PORT = 5200;
const help = `npm start [-- options]

  --port N   serve the orders page at port N and the assistant at N + 1 (default ${DEFAULT_PORT})
  --once     run the demo without a person: print its envelopes and exit
  --help     print this`;

/**
 * Reads the options of `npm start`. Throws an error whose message is for the person.
 *
 * @param {string[]} argv
 */
export function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: { once: { type: "boolean" }, port: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  const port = values.port === undefined ? DEFAULT_PORT : Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_534) {
    throw new Error(`--port takes a whole number from 0 to 65534, not "${values.port}"`);
  }
  return { once: values.once === true, help: values.help === true, port };
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
    return await serve(options.port);
  } catch (error) {
    console.error(message(error));
    return 1;
  }
}

/** @param {number} port 0 for any two free ones */
async function serve(port) {
  const demo = await startDemo({ ordersPort: port, assistantPort: port === 0 ? 0 : port + 1 });
  console.log(
    `Orders page   ${demo.ordersUrl}\nAssistant     ${demo.assistantUrl} (a frame of the page)\nCtrl+C ends it.`,
  );
  await new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  await demo.close();
  return 0;
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
