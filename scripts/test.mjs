// `npm test`: sets up, builds and runs everything that is quick. `npm run check` runs what needs no test to run.
import { build } from "./build.mjs";
import { environment } from "./environment.mjs";
import { buildHost } from "./host.mjs";
import { runMain, stream } from "./run.mjs";
import { setUp } from "./setup.mjs";
import { runPlaywright, runWasmPack } from "./test/browser-tests.mjs";
import { runChecks } from "./test/checks.mjs";
import { cargoCount } from "./test/counts.mjs";
import { runNodeTests } from "./test/node-tests.mjs";
import { finish, onePassed, runStages } from "./test/stages.mjs";
import { checkVectors } from "./test/vectors.mjs";

/** @type {import("./test/stages.mjs").Stage[]} */
const stages = [
  // What lacks only one tool goes on without it.
  { name: "set-up", run: () => setUp(["build", "browser", "test"]).then(onePassed) },
  { name: "build", run: () => build().then(onePassed) },
  { name: "check", run: runChecks },
  {
    name: "cargo test",
    run: async () =>
      cargoCount(await stream("cargo", ["test", "--workspace", "--no-fail-fast"], { env: environment() })),
  },
  { name: "wasm-pack test", run: runWasmPack },
  { name: "vectors", needs: ["build"], run: checkVectors },
  { name: "node tests", needs: ["build"], run: () => runNodeTests("short") },
  { name: "playwright", needs: ["build"], run: () => buildHost().then(runPlaywright) },
];

await runMain(async () => {
  const names = process.argv.slice(2);
  const always = ["set-up", "build"];
  finish(
    await runStages(stages.filter(({ name }) => names.length === 0 || always.includes(name) || names.includes(name))),
  );
});
