// How the test commands count, and what set-up takes for installed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isInstalled } from "../../scripts/setup/npm.mjs";
import { cargoCount, playwrightCount, tapCount } from "../../scripts/test/counts.mjs";
import { runStages } from "../../scripts/test/stages.mjs";
import { responsesIn } from "../../scripts/test/vectors.mjs";

test("counts come from the runner's own summary; a run that broke off is one failure", () => {
  const output = "test result: ok. 3 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n";
  assert.deepEqual(cargoCount({ code: 101, output }), { passed: 4, failed: 2 });
  assert.deepEqual(cargoCount({ code: 101, output: "error: could not compile" }), { passed: 0, failed: 1 });
  assert.deepEqual(tapCount(1, "# pass 2\n# fail 1\n# cancelled 1\n"), { passed: 2, failed: 2 });
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 9 };
  assert.deepEqual(playwrightCount(1, JSON.stringify({ stats, errors: [] })), { passed: 5, failed: 2 });
});

test("a stage that fails, throws or runs nothing is a failure and stops only those that need it", async (context) => {
  context.mock.method(process.stdout, "write", () => true);
  context.mock.method(process.stderr, "write", () => true);
  const count = await runStages([
    { name: "empty", run: async () => ({ passed: 0, failed: 0 }) },
    { name: "broken", run: () => Promise.reject(new Error("broken")) },
    { name: "dependent", needs: ["broken"], run: async () => ({ passed: 100, failed: 0 }) },
    { name: "independent", run: async () => ({ passed: 7, failed: 0 }) },
  ]);
  context.mock.restoreAll();
  assert.deepEqual(count, { passed: 7, failed: 3 });
});

test("npm packages count as installed in exactly the locked versions, those of other systems aside", () => {
  const wanted = {
    "": {},
    "node_modules/a": { version: "1.0.0" },
    "node_modules/b": { version: "1.0.0", optional: true },
  };
  assert.equal(isInstalled(wanted, { "node_modules/a": { version: "1.0.0" } }), true);
  assert.equal(isInstalled(wanted, { "node_modules/a": { version: "1.0.1" } }), false);
  assert.equal(isInstalled(wanted, {}), false);
});

test("responses are found anywhere in a vector", () => {
  const response = { protocol: "pling.surface/0.1", id: "1", ok: true, result: {} };
  const found = responsesIn({ name: "x", request: { protocol: "p", id: "1" }, steps: [{ expect: response }] });
  assert.deepEqual(found, [{ pointer: "/steps/0/expect", response }]);
});
