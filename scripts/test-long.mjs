// `npm run test:long`: what is too slow for every change. New stages go into the list.
import { build } from "./build.mjs";
import { runMain } from "./run.mjs";
import { setUp } from "./setup.mjs";
import { runNodeTests } from "./test/node-tests.mjs";
import { finish, runStages } from "./test/stages.mjs";

/** @type {import("./test/stages.mjs").Stage[]} */
const stages = [
  { name: "build", run: () => build().then(() => ({ passed: 1, failed: 0 })) },
  { name: "packaging", needs: ["build"], run: () => runNodeTests("long") },
];

await runMain(async () => {
  await setUp(["build", "browser", "test"]);
  finish(await runStages(stages));
});
