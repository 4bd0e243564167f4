// `npm run bench`: Pageport beside its peers, in headless Chromium, in one run. What counts are the ratios it prints.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import * as esbuild from "esbuild";
import { build } from "../scripts/build.mjs";
import { chromiumFlags, environment } from "../scripts/environment.mjs";
import { pkgDir, root } from "../scripts/paths.mjs";
import { setUp } from "../scripts/setup.mjs";
import { targets } from "./targets.mjs";

const here = join(root, "bench");
const { values } = parseArgs({ options: { quick: { type: "boolean" } } });
const effort = values.quick ? { rounds: 3, ms: 15 } : { rounds: 15, ms: 40 };

await setUp(["build", "browser"]);
await build({ sizes: false });
if (!existsSync(join(here, "node_modules"))) {
  console.log("installing the peers");
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: here, stdio: "inherit" });
}
const bundles = await bundle(["in-page", "describe", "caller", "frame"]);
const servers = {
  page: await serve("localhost"),
  sibling: await serve("localhost"),
  stranger: await serve("127.0.0.1"),
};
const [page, sibling, stranger] = [servers.page.origin, servers.sibling.origin, servers.stranger.origin];
const executablePath = environment().PAGEPORT_CHROMIUM;
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: chromiumFlags });
let missed = 0;
try {
  console.log(
    `Chromium ${browser.version()}; microseconds a call: median, fastest and slowest of ${effort.rounds} rounds\n`,
  );
  for (const target of targets({ page, sibling, stranger })) {
    const rows = await run(target.page, { ...effort, ...target.options });
    console.log(target.title);
    for (const [name, { us, min, max }] of Object.entries(rows)) {
      console.log(
        `  ${name.padEnd(38)}${us.toFixed(1).padStart(9)}${min.toFixed(1).padStart(9)}${max.toFixed(1).padStart(9)}`,
      );
    }
    for (const { of, to, limit } of target.ratios) {
      const ratio = rows[of].us / rows[to].us;
      if (ratio > limit) missed += 1;
      console.log(`  ${of} / ${to}: ${ratio.toFixed(2)}, target ${limit}${ratio > limit ? ", missed" : ""}`);
    }
    console.log();
  }
} finally {
  await browser.close();
  for (const { close } of Object.values(servers)) close();
}
console.log(missed === 0 ? "Every target is met." : `${missed} targets are missed.`);

/**
 * Runs one page's `run` in a fresh context.
 *
 * @param {string} name
 * @param {object} options
 */
async function run(name, options) {
  const context = await browser.newContext();
  const tab = await context.newPage();
  const failed = new Promise((_, reject) => tab.on("pageerror", reject));
  failed.catch(() => undefined);
  await tab.goto(`${page}/${name}.html`);
  await tab.waitForFunction("globalThis.run !== undefined");
  const rows = await Promise.race([
    tab.evaluate((options) => /** @type {any} */ (globalThis).run(options), options),
    failed,
  ]);
  await context.close();
  return rows;
}

/** @param {string[]} names */
async function bundle(names) {
  const { outputFiles } = await esbuild.build({
    entryPoints: names.map((name) => join(here, "pages", `${name}.js`)),
    outdir: here,
    bundle: true,
    minify: true,
    format: "esm",
    // A folder with a package.json of its own does not find the package around it.
    alias: { pageport: join(pkgDir, "index.js"), "pageport/client": join(pkgDir, "client.js") },
    write: false,
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  return new Map(outputFiles.map(({ path, contents }) => [path.slice(here.length), contents]));
}

/**
 * Serves every page under one host name.
 *
 * @param {string} host
 */
async function serve(host) {
  const server = createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://x");
    const script = bundles.get(pathname);
    if (script !== undefined) {
      response.setHeader("content-type", "text/javascript");
      response.end(script);
      return;
    }
    response.setHeader("content-type", "text/html");
    response.setHeader("referrer-policy", "unsafe-url");
    const source = pathname.replace(/\.html$/, ".js");
    response.end(
      `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body><script type="module" src="${source}"></script>`,
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    origin: `http://${host}:${port}`,
    close: () => server.close(() => undefined) && server.closeAllConnections(),
  };
}
