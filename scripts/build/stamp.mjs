// Skips a step whose inputs are those of the last time.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildDir, root } from "../paths.mjs";

const scripts = ["scripts/build.mjs", "scripts/build", "package-lock.json"];

/**
 * Runs a step unless its inputs, these scripts and the pinned tools are unchanged and its outputs exist.
 *
 * @param {string} name
 * @param {{ inputs: string[], outputs: string[] }} files paths or folders, relative to the checkout; absent inputs count as empty
 * @param {() => Promise<void> | void} step
 * @returns {Promise<boolean>} whether the step ran
 */
export async function unlessUnchanged(name, { inputs, outputs }, step) {
  const stamp = join(buildDir, "stamps", name);
  const now = fingerprint([...scripts, ...inputs]);
  const last = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  if (last === now && outputs.every((path) => existsSync(resolve(root, path)))) return false;
  // A step that fails half-way must run again.
  rmSync(stamp, { force: true });
  await step();
  mkdirSync(join(buildDir, "stamps"), { recursive: true });
  writeFileSync(stamp, now);
  return true;
}

/** @param {string[]} paths */
function fingerprint(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of filesUnder(path))
      hash
        .update(file)
        .update("\0")
        .update(readFileSync(resolve(root, file)))
        .update("\0");
  }
  return hash.digest("hex");
}

/**
 * The files at or under a path of the checkout, in a fixed order.
 *
 * @param {string} path
 * @returns {string[]}
 */
export function filesUnder(path) {
  const full = resolve(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}
