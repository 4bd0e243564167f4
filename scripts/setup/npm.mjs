// The npm packages of package-lock.json.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { environment } from "../environment.mjs";
import { root } from "../paths.mjs";
import { stream } from "../run.mjs";

/** @typedef {{ version?: string, optional?: boolean, link?: boolean }} LockedPackage */

/**
 * Whether npm's own record of what it installed has every package of the lock file in the same version.
 * Optional packages are those of other systems.
 *
 * @param {Record<string, LockedPackage>} wanted
 * @param {Record<string, LockedPackage>} installed
 */
export function isInstalled(wanted, installed) {
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === "" || optional || (installed[path] !== undefined && installed[path].version === version),
  );
}

/** @param {string} file */
function packagesOf(file) {
  try {
    return /** @type {Record<string, LockedPackage>} */ (JSON.parse(readFileSync(join(root, file), "utf8")).packages);
  } catch {
    return undefined;
  }
}

/** @type {import("../setup.mjs").Need[]} */
export const npmNeeds = [
  {
    name: "the npm packages",
    purposes: ["build", "browser", "test"],
    present: () =>
      isInstalled(packagesOf("package-lock.json") ?? {}, packagesOf("node_modules/.package-lock.json") ?? {}),
    install: () =>
      stream("npm", ["ci", "--no-audit", "--no-fund"], {
        env: { ...environment(), PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" },
        quiet: true,
      }),
    takes: "20 s",
    byHand: () => "run `npm ci` and read its messages",
  },
];
