// What the build refuses, and how it reads a wasm binary.
import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOf } from "../../scripts/build/bundle.mjs";
import { holdBudgets } from "../../scripts/build/sizes.mjs";
import { functions, withoutCustomSections } from "../../scripts/build/wasm-file.mjs";
import { cratesIn, sharesOf } from "../../scripts/build/wasm-shares.mjs";
import { wireTypeFaults } from "../../scripts/build/wire-types.mjs";

test("a bundle with something that breaks elsewhere is refused", () => {
  const cases = {
    'await import("./x.js")': 1,
    "import.meta.url": 1,
    'require("node:fs")': 1,
    'fetch("x_bg.wasm")': 1,
    "caf\u00e9": 1,
    "const important = importer(metadata)": 0,
  };
  for (const [text, faults] of Object.entries(cases)) assert.equal(faultsOf(text).length, faults, text);
});

test("wire types may hold neither bigint nor a nullable member that could be left out", () => {
  assert.deepEqual(wireTypeFaults("export type A = { at: number, name?: string };"), []);
  assert.deepEqual(wireTypeFaults("/** or null, not bigint */\nexport type A = { at: number };"), []);
  assert.equal(wireTypeFaults("export type A = { at: bigint };").length, 1);
  assert.match(wireTypeFaults("export type A = {\nname: string | null, };").join(), /A\.name/);
  assert.deepEqual(wireTypeFaults("export type RecordWindow = { nextOffset: number | null };"), []);
});

test("the crate of a function is found in its demangled name", () => {
  const cases = [
    ["serde_json::de::from_str::h0123456789abcdef", "serde_json"],
    ["<serde_json::error::Error as core::fmt::Display>::fmt::h01", "serde_json core"],
    ["<&mut serde_json::de::Deserializer<R> as serde_core::de::Deserializer>::f", "serde_json serde"],
    ["core[8e2a4c]::fmt::write", "core"],
    ["memcpy", ""],
  ];
  for (const [name = "", crates] of cases) assert.equal(cratesIn(name).join(" "), crates, name);
});

/** A module with one function, named, whose body takes 4 bytes with its length. */
function moduleWith(/** @type {string} */ name) {
  const text = [...Buffer.from(name)];
  const names = [1, text.length + 3, 1, 0, text.length, ...text];
  const custom = [4, ...Buffer.from("name"), ...names];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 4, 1, 0x60, 0, 0],
    ...[3, 2, 1, 0],
    ...[10, 5, 1, 3, 0, 1, 0x0b],
    ...[0, custom.length, ...custom],
  ]);
}

test("functions are read with their sizes, and custom sections can be cut off", () => {
  const wasm = moduleWith("serde_json::x");
  assert.deepEqual(functions(wasm), [{ name: "serde_json::x", size: 4 }]);

  const stripped = withoutCustomSections(wasm);
  assert.ok(WebAssembly.validate(stripped));
  assert.deepEqual(functions(stripped), [{ name: "", size: 4 }]);

  const { total, crates } = sharesOf(wasm, stripped.length);
  assert.equal(crates.find(({ crate }) => crate === "serde_json")?.own, 4);
  assert.equal(
    crates.reduce((bytes, { own }) => bytes + own, 0),
    total,
  );
});

test("an entry above its budget fails the build; one above its goal only warns", () => {
  /** @type {import("../../scripts/build/entries.mjs").Entry[]} */
  const entries = [
    { name: "index", source: "js/index.ts", formats: ["esm"], budget: { limit: 70_000, stretch: 50_000 } },
  ];
  const cases = [
    [50_000, 0],
    [50_001, 1],
    [70_000, 1],
  ];
  for (const [gzip = 0, warnings] of cases) {
    assert.equal(holdBudgets(entries, [{ file: "index.js", gzip }]).length, warnings, String(gzip));
  }
  assert.throws(() => holdBudgets(entries, [{ file: "index.js", gzip: 70_001 }]), /70001 bytes.*70000/);
});
