// Where things are: in the checkout, and in the user's cache.
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** What the build makes on the way to the package. */
export const buildDir = join(root, "build");
/** The package, as `npm pack ./pkg` packs it. */
export const pkgDir = join(root, "pkg");

const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
/** Programs that set-up compiles once for all checkouts of this user. */
export const toolsDir = join(cache, "pageport", "tools");
