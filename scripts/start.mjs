// `npm start`: sets up, builds, and hands over to the demo, which prints the addresses to open.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { environment } from "./environment.mjs";
import { root } from "./paths.mjs";
import { Failure, runMain } from "./run.mjs";
import { setUp } from "./setup.mjs";

await runMain(async () => {
  const argv = process.argv.slice(2);
  const demo = join(root, "demo", "start.mjs");
  if (!existsSync(demo)) throw new Failure("demo/start.mjs is missing");
  // `--once` drives the demo by itself, in a browser.
  await setUp(argv.includes("--once") ? ["build", "browser"] : ["build"]);
  await build({ sizes: false });
  process.exitCode = await (await import(pathToFileURL(demo).href)).main(argv, environment());
});
