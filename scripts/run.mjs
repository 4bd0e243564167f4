// Runs other programs.
import { spawn, spawnSync } from "node:child_process";
import { root } from "./paths.mjs";

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd] default: the root of the checkout
 * @property {boolean} [quiet] keep the output back; it is printed only when the program fails
 */

/**
 * Runs a program, shows its output as it comes and also returns it.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, stdout: string, output: string }>} `output` is both streams; code 127: could not be started
 */
export function stream(program, args, { env = process.env, cwd = root, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      output += text;
      if (!quiet) process.stdout.write(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output += text;
      if (!quiet) process.stderr.write(text);
    });
    child.on("error", ({ message }) => {
      process.stderr.write(`${program}: ${message}\n`);
      resolve({ code: 127, stdout, output });
    });
    child.on("close", (code) => {
      if (quiet && code !== 0) process.stderr.write(output);
      resolve({ code: code ?? 1, stdout, output });
    });
  });
}

/**
 * Runs a program that has to succeed.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<string>} what it wrote to standard output
 */
export async function run(program, args, options) {
  const { code, stdout } = await stream(program, args, options);
  if (code !== 0) throw new Failure(`${program} ${args.join(" ")} failed (exit code ${code})`);
  return stdout;
}

/**
 * What a program prints, or nothing when it is not there or fails.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function ask(program, args, env = process.env) {
  const { status, stdout } = spawnSync(program, args, {
    env,
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return status === 0 ? stdout.trim() : undefined;
}

/** A failure whose message says all there is to say; no stack is shown. */
export class Failure extends Error {
  /** @override */
  name = "Failure";
}

/** @param {string} text */
export function say(text) {
  process.stderr.write(`pageport: ${text}\n`);
}

/**
 * Runs a script's main function and turns what it throws into a plain message and an exit code.
 *
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(
      error instanceof Failure ? `pageport: ${error.message}\n` : `${/** @type {Error} */ (error)?.stack ?? error}\n`,
    );
    process.exitCode = 1;
  }
}
