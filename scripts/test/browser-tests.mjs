// Runs what needs a browser: the Rust tests under wasm-pack, and the end-to-end tests.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromiumFlags, environment } from "../environment.mjs";
import { buildDir } from "../paths.mjs";
import { stream } from "../run.mjs";
import { cargoCount, playwrightCount } from "./counts.mjs";

/** Where Playwright leaves its report; playwright.config.ts names it too. */
export const playwrightReport = join(buildDir, "playwright.json");

/** `tests/browser`, in headless Chromium. */
export async function runWasmPack() {
  const env = environment();
  mkdirSync(buildDir, { recursive: true });
  const capabilities = {
    "goog:chromeOptions": {
      binary: env.PAGEPORT_CHROMIUM,
      args: ["--headless", "--disable-dev-shm-usage", ...chromiumFlags],
    },
  };
  writeFileSync(env.WASM_BINDGEN_TEST_WEBDRIVER_JSON ?? "", JSON.stringify(capabilities));
  return cargoCount(await stream("wasm-pack", ["test", "--headless", "--chrome", "--", "--test", "browser"], { env }));
}

/** `tests/e2e`, with Playwright. */
export async function runPlaywright() {
  rmSync(playwrightReport, { force: true });
  const { code } = await stream("playwright", ["test"], { env: environment() });
  if (!existsSync(playwrightReport)) throw new Error("Playwright wrote no report");
  return playwrightCount(code, readFileSync(playwrightReport, "utf8"));
}
