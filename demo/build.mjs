// Bundles the demo's pages against a built package.
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..");
/** Each site's files that are served as they are. */
const sites = { orders: ["index.html"], assistant: ["index.html"], catalog: ["index.html", "books.json"] };

/**
 * Writes a folder for each site into `out`, ready for `startDemo`. Rejects with esbuild's errors, already printed.
 *
 * @param {{pkg?: string, out?: string}} [options] the package folder, as `npm pack` would pack it, and where to write
 */
export async function buildDemo({ pkg = join(root, "pkg"), out = join(root, "build", "demo") } = {}) {
  const next = `${out}.next`;
  await rm(next, { recursive: true, force: true });
  for (const [site, files] of Object.entries(sites)) {
    const to = join(next, site);
    await mkdir(to, { recursive: true });
    await build({
      entryPoints: [join(here, site, "main.ts"), join(here, site, "style.css")],
      outdir: to,
      bundle: true,
      format: "esm",
      target: "es2022",
      sourcemap: true,
      logLevel: "warning",
      alias: {
        "pageport/client": join(pkg, "client.js"),
        "pageport/plugin": join(pkg, "plugin.js"),
        pageport: join(pkg, "index.js"),
      },
    });
    for (const file of files) await copyFile(join(here, site, file), join(to, file));
  }
  // Whole or not at all: a demo may be serving the last one.
  await rm(out, { recursive: true, force: true });
  await rename(next, out);
}
