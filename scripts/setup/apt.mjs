// Debian packages, where this user may install them.
import { environment, find } from "../environment.mjs";
import { ask, stream } from "../run.mjs";

const isRoot = process.getuid?.() === 0;
let updated = false;

/** Whether `apt-get` is here and this user is root or may become it without a password. */
export function hasApt() {
  return find(["apt-get"]) !== undefined && (isRoot || ask("sudo", ["-n", "true"]) !== undefined);
}

/** @param {string[]} packages */
export async function aptInstall(packages) {
  const env = { ...environment(), DEBIAN_FRONTEND: "noninteractive" };
  /** @param {string[]} args */
  const apt = (args) =>
    isRoot
      ? stream("apt-get", args, { env, quiet: true })
      : stream("sudo", ["-n", "-E", "apt-get", ...args], { env, quiet: true });
  if (!updated) updated = (await apt(["update", "-q"])).code === 0;
  await apt(["install", "-qy", "--no-install-recommends", ...packages]);
}
