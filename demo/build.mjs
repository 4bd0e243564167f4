// Bundles the demo's two pages against a built package.
import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..");
const sites = ["orders", "assistant"];

/**
 * Writes `out/orders` and `out/assistant`, ready for `startDemo`. Rejects with esbuild's errors, already printed.
 *
 * @param {{pkg?: string, out?: string}} [options] the package folder, as `npm pack` would pack it, and where to write
 */
export async function buildDemo({ pkg = join(root, "pkg"), out = join(root, "build", "demo") } = {}) {
  await rm(out, { recursive: true, force: true });
  for (const site of sites) {
    const to = join(out, site);
    await mkdir(to, { recursive: true });
    await build({
      entryPoints: [join(here, site, "main.ts"), join(here, site, "style.css")],
      outdir: to,
      bundle: true,
      format: "esm",
      target: "es2022",
      sourcemap: true,
      logLevel: "warning",
      alias: { "pageport/client": join(pkg, "client.js"), pageport: join(pkg, "index.js") },
    });
    await copyFile(join(here, site, "index.html"), join(to, "index.html"));
  }
}
