// `npm run test:long`: what is too slow for every change. New stages go into the list.
import { build } from "./build.mjs";
import { runMain } from "./run.mjs";
import { setUp } from "./setup.mjs";
import { runNodeTests } from "./test/node-tests.mjs";
import { finish, onePassed, runStages } from "./test/stages.mjs";

/** @type {import("./test/stages.mjs").Stage[]} */
const stages = [
  { name: "set-up", run: () => setUp(["build", "browser", "test"]).then(onePassed) },
  { name: "build", run: () => build().then(onePassed) },
  { name: "packaging", needs: ["build"], run: () => runNodeTests("long") },
];

await runMain(async () => {
  finish(await runStages(stages));
});
