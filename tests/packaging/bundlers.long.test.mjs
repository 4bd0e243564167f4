// The package in a page, however it got there: plain modules, a classic script, bundlers without any configuration.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "@playwright/test";
import { chromiumFlags, environment } from "../../scripts/environment.mjs";
import { root } from "../../scripts/paths.mjs";
import { makeConsumer, pageScript } from "./consumer.mjs";

const types = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript" };
const csp = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
const html = (/** @type {string} */ scripts) => `<!doctype html><title>consumer</title>${scripts}`;
const moduleTag = '<script type="module" src="/main.js"></script>';

/** @type {import("@playwright/test").Browser} */
let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: environment().PAGEPORT_CHROMIUM ?? "", args: chromiumFlags });
});
after(() => browser.close());

/**
 * Serves a folder under a strict policy and returns what the page's script left.
 *
 * @param {string} dir
 */
async function outcomeOf(dir) {
  const server = createServer(async (request, response) => {
    const path = request.url === "/" ? "/index.html" : (request.url ?? "");
    const body = await readFile(join(dir, path)).catch(() => undefined);
    const type = types[/** @type {keyof typeof types} */ (extname(path))] ?? "application/octet-stream";
    response.writeHead(body ? 200 : 404, { "content-type": type, "content-security-policy": csp }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const page = await browser.newPage();
  try {
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    await page.goto(`http://127.0.0.1:${port}/`);
    // Not waitForFunction: it needs the eval that the policy forbids.
    for (let left = 100; left > 0; left--) {
      const outcome = await page.evaluate("globalThis.outcome");
      if (outcome !== undefined) return outcome;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("the page left no outcome within 10 s");
  } finally {
    await page.close();
    server.close();
    server.closeAllConnections();
  }
}

/** @param {string} dir */
async function assertGreets(dir) {
  const outcome = /** @type {any} */ (await outcomeOf(dir));
  assert.equal(outcome?.ok, true, JSON.stringify(outcome));
  assert.match(JSON.stringify(outcome.result), /Hello, Ada/);
}

test("plain modules: a relative import in a page", async (context) => {
  const { dir } = makeConsumer(context, {
    "index.html": html(moduleTag),
    "main.js": pageScript.replace('"pageport"', '"/node_modules/pageport/index.js"'),
  });
  await assertGreets(dir);
});

test("a classic script defines the global", async (context) => {
  const { dir } = makeConsumer(context, {
    "index.html": html(
      '<script src="/node_modules/pageport/pageport.iife.js"></script><script src="/main.js"></script>',
    ),
    "main.js": pageScript.replace('import { createPage } from "pageport";', "const { createPage } = pageport;"),
  });
  await assertGreets(dir);
});

for (const format of ["esm", "iife"]) {
  test(`esbuild, ${format}`, async (context) => {
    const consumer = makeConsumer(context, { "src.js": pageScript, "out/index.html": html(moduleTag) });
    consumer.run("esbuild", "src.js", "--bundle", `--format=${format}`, "--outfile=out/main.js", "--log-level=warning");
    await assertGreets(join(consumer.dir, "out"));
  });
}

test("Vite, build", async (context) => {
  const consumer = makeConsumer(context, {
    "package.json": '{ "private": true, "type": "module" }',
    "index.html": html(moduleTag),
    "main.js": pageScript,
  });
  consumer.run(join(root, "node_modules", ".bin", "vite"), "build", "--logLevel", "warn");
  await assertGreets(join(consumer.dir, "dist"));
});
