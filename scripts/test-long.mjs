// `npm run test:long`: what is too slow for every change. New stages go into the list.
import { build } from "./build.mjs";
import { runMain } from "./run.mjs";
import { setUp } from "./setup.mjs";
import { runMutations } from "./test/mutations.mjs";
import { runNodeTests } from "./test/node-tests.mjs";
import { finish, onePassed, runStages } from "./test/stages.mjs";

/** @type {import("./test/stages.mjs").Stage[]} */
const stages = [
  { name: "set-up", run: () => setUp(["build", "browser", "test"]).then(onePassed) },
  { name: "build", run: () => build().then(onePassed) },
  { name: "mutations", run: runMutations },
  { name: "packaging", needs: ["build"], run: () => runNodeTests("long") },
];

await runMain(async () => {
  const names = process.argv.slice(2);
  const always = ["set-up", "build"];
  finish(
    await runStages(stages.filter(({ name }) => names.length === 0 || always.includes(name) || names.includes(name))),
  );
});
