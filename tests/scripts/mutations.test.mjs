// The vectors' own books: what is abbreviated, which mutations there are, and what the README says of both.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/paths.mjs";
import { expand } from "../../scripts/test/expand.mjs";
import { failedVectors, mutations, withSwitches } from "../../scripts/test/mutations.mjs";

const readme = readFileSync(join(root, "tests/vectors/README.md"), "utf8");

test("what a vector abbreviates is written out", () => {
  assert.equal(expand({ $text: ["a", [3, "bc"], [2, ["d", [2, "e"]]]] }), "abcbcbcdeedee");
  assert.deepEqual(expand({ list: [0, { $items: [2, { id: "n{#}", "k{#}": [{ $text: [[2, "x{#}"]] }] }] }, 9] }), {
    list: [0, { id: "n1", k1: ["x1x1"] }, { id: "n2", k2: ["x2x2"] }, 9],
  });
});

test("a mutation becomes a switch; its text must stand in the file exactly once", () => {
  const mutation = { id: "m", rule: "", file: "f.rs", right: "a > 1", wrong: "true" };
  assert.equal(withSwitches("if a > 1 {}", [mutation]), 'if (if crate::mutation::is("m") { true } else { a > 1 }) {}');
  const statement = { ...mutation, right: "go()?;", wrong: "" };
  assert.equal(withSwitches("go()?;", [statement]), 'if crate::mutation::is("m") {  } else { go()?; }');
  const other = { ...statement, id: "o", right: "a();", wrong: "go()?;" };
  const both = 'if crate::mutation::is("o") { go()?; } else { a(); } if crate::mutation::is("m") {  } else { go()?; }';
  assert.equal(withSwitches("a(); go()?;", [other, statement]), both);
  assert.throws(() => withSwitches("go()?;", [statement, { ...statement, right: "()?;" }]), /overlaps/);
  assert.throws(() => withSwitches("a > 2", [mutation]), /mutation m: its text stands 0 times in f\.rs, not once/);
  assert.throws(() => withSwitches("a > 1; a > 1", [mutation]), /stands 2 times/);
});

test("every mutation finds its text, and its id stands for one rule", () => {
  const list = mutations();
  assert.ok(list.length >= 25);
  assert.equal(new Set(list.map(({ id }) => id)).size, list.length);
  for (const file of new Set(list.map((mutation) => mutation.file))) {
    const source = readFileSync(join(root, file), "utf8");
    withSwitches(
      source,
      list.filter((mutation) => mutation.file === file),
    );
  }
});

test("the vectors that failed are named", () => {
  assert.deepEqual(failedVectors("panicked\na-b.json: step 0\nc.json: panicked\n"), ["a-b", "c"]);
});

test("the README lists the mutations as they are", () => {
  const rows = [...readme.matchAll(/^\| `([a-z-]+)` \| (§.*) \|$/gm)].map(([, id, rule]) => ({ id, rule }));
  assert.deepEqual(
    rows,
    mutations().map(({ id, rule }) => ({ id, rule })),
  );
});

test("the README says of every vector what it is for", () => {
  const table = readme.slice(readme.indexOf("## What says what"), readme.indexOf("### Not here"));
  const named = [...table.matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => `${name}.json`);
  const files = readdirSync(join(root, "tests/vectors/surface"));
  assert.deepEqual([...new Set(named)].sort(), files.sort());
});
