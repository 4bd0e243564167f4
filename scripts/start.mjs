// `npm start`: sets up, builds, and hands over to the demo, which prints the addresses to open.
import { answerAtOnce, main } from "../demo/start.mjs";
import { build } from "./build.mjs";
import { environment } from "./environment.mjs";
import { buildHost } from "./host.mjs";
import { runMain } from "./run.mjs";
import { setUp } from "./setup.mjs";

await runMain(async () => {
  const argv = process.argv.slice(2);
  process.exitCode = answerAtOnce(argv);
  if (process.exitCode !== undefined) return;
  // `--once` drives the demo by itself, in a browser.
  await setUp(argv.includes("--once") ? ["build", "browser"] : ["build"]);
  await build({ sizes: false });
  await buildHost();
  process.exitCode = await main(argv, environment());
});
