// Makes the machine ready: installs or builds what is missing, and says what it cannot install.
// Needs nothing but Node. When nothing is missing it asks local programs only, never the network.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { withLock } from "./lock.mjs";
import { toolsDir } from "./paths.mjs";
import { Failure, runMain, say } from "./run.mjs";
import { browserNeeds } from "./setup/browser.mjs";
import { npmNeeds } from "./setup/npm.mjs";
import { rustNeeds } from "./setup/rust.mjs";

/**
 * @typedef {object} Need one thing that has to be on the machine
 * @property {string} name
 * @property {Purpose[]} purposes what needs it
 * @property {() => boolean} present asks local programs and files only
 * @property {(() => Promise<unknown>) | undefined} [install] absent where only a person can do it
 * @property {string} [takes] about how long the installation takes
 * @property {() => string} byHand how a person gets it
 * @property {boolean} [optional] things work without it, if less well
 */
/** @typedef {"build" | "browser" | "test"} Purpose */

/** @type {Need[]} */
const needs = [...rustNeeds, ...npmNeeds, ...browserNeeds];

/**
 * Installs what these purposes need and the machine lacks.
 *
 * @param {Purpose[]} purposes
 * @throws {Failure} naming everything that is missing and could not be installed, with the way to get it
 */
export async function setUp(purposes) {
  if (Number(process.versions.node.split(".")[0]) < 20)
    throw new Failure(`Node 20 or newer is needed; this is ${process.version}`);
  const relevant = needs.filter((need) => need.purposes.some((purpose) => purposes.includes(purpose)));
  if (relevant.every((need) => need.present())) return;
  await withLock(join(toolsDir, "..", "setup.lock"), "setting up", () => installMissing(relevant));
}

/** @param {Need[]} relevant */
async function installMissing(relevant) {
  const missing = [];
  for (const need of relevant) {
    if (need.present()) continue;
    if (need.install) {
      say(`installing ${need.name} (${need.takes})`);
      await need.install();
      if (need.present()) continue;
    }
    if (need.optional) say(`${need.name} is missing: ${need.byHand()}`);
    else missing.push(`  ${need.name}: ${need.byHand()}`);
  }
  if (missing.length > 0) throw new Failure(`cannot go on without:\n${missing.join("\n")}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await runMain(async () => {
    await setUp(["build", "browser", "test"]);
    say("everything is in place");
  });
}
