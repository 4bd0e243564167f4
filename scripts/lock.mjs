// Lets one process at a time set up or build, so that two `npm` commands may run at once.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "./run.mjs";

/**
 * Runs `work` while this process holds the lock file. A lock whose owner is gone is taken over.
 *
 * @template T
 * @param {string} file
 * @param {string} what what the owner does, for the message to who waits
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, what, work) {
  mkdirSync(dirname(file), { recursive: true });
  for (let told = false; !take(file); await sleep(250)) {
    if (!told) say(`another process is ${what}; waiting for it`);
    told = true;
  }
  const release = () => rmSync(file, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    release();
    process.off("exit", release);
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
  }
  const owner = readOwner(file);
  if (owner !== undefined && !isAlive(owner)) rmSync(file, { force: true });
  return false;
}

/** @param {string} file */
function readOwner(file) {
  try {
    // Empty for an instant after it was made: then the owner is alive.
    return Number(readFileSync(file, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
