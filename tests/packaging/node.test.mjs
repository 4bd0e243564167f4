// The package in Node: what is in it, and that importing it does nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeConsumer } from "./consumer.mjs";

const looksAtEffects = `
const before = Object.getOwnPropertyNames(globalThis).join();
const timers = process.getActiveResourcesInfo().length;
globalThis.fetch = () => { throw new Error("an import may not fetch"); };
`;
const check = `
const problems = [];
if (typeof page.createPage !== "function") problems.push("no createPage");
if (typeof plugin.loadPlugin !== "function") problems.push("no loadPlugin");
if (plugin.OperationError !== page.OperationError) problems.push("the plugin entry carries a second copy");
if (typeof client.connect !== "function") problems.push("no connect");
if ("default" in page && !("__esModule" in page) && page.default !== page) problems.push("a default export");
if (Object.getOwnPropertyNames(globalThis).join() !== before) problems.push("a new global");
if (process.getActiveResourcesInfo().length > timers) problems.push("something is running");
console.log(problems.join("; ") || "fine");
`;

test("import and require work in Node and have no effect", (context) => {
  const consumer = makeConsumer(context, {
    "esm.mjs": `${looksAtEffects}
      const page = await import("pageport");
      const client = await import("pageport/client");
      const plugin = await import("pageport/plugin");
      ${check}`,
    "cjs.cjs": `${looksAtEffects}
      const page = require("pageport");
      const client = require("pageport/client");
      const plugin = require("pageport/plugin");
      require("pageport/package.json");
      ${check}`,
  });
  assert.equal(consumer.run("node", "esm.mjs").trim(), "fine");
  assert.equal(consumer.run("node", "cjs.cjs").trim(), "fine");
});

test("createPage outside a page or worker rejects with a code", (context) => {
  const consumer = makeConsumer(context, {
    "run.mjs": `
      import { createPage } from "pageport";
      createPage({ app: "x" }).then(() => console.log("made"), (error) => console.log(error instanceof Error, typeof error.code));`,
  });
  assert.equal(consumer.run("node", "run.mjs").trim(), "true string");
});

test("the tarball holds code, types, the README and the license, and nothing else", (context) => {
  const consumer = makeConsumer(context, {});
  const files = consumer.run("find", "node_modules/pageport", "-type", "f").trim().split("\n");
  const unexpected = files.filter(
    (file) => !/\/(?:[\w.-]+\.(?:js|cjs|d\.ts|d\.cts)|package\.json|README\.md|LICENSE|pageport_bg\.wasm)$/.test(file),
  );
  assert.deepEqual(unexpected, []);
  for (const name of [
    "index.js",
    "index.cjs",
    "index.d.ts",
    "index.d.cts",
    "pageport.iife.js",
    "plugin.js",
    "plugin.cjs",
    "plugin.d.ts",
    "plugin.d.cts",
    "README.md",
    "LICENSE",
  ]) {
    assert.ok(files.includes(`node_modules/pageport/${name}`), name);
  }
});
