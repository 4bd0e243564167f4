// The package's own package.json: the template, completed by what was built.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.mjs";
import { fileName } from "./entries.mjs";
import { wasmFile } from "./wasm.mjs";

/** @typedef {import("./entries.mjs").Entry} Entry */

/**
 * Writes package.json, README and LICENSE, and the wasm for those who load it themselves.
 *
 * @param {Entry[]} entries
 * @param {string} outDir
 */
export function writePackage(entries, outDir) {
  const template = JSON.parse(readFileSync(join(root, "pkg-template", "package.json"), "utf8"));
  const withWasm = entries.some(({ name }) => name === "slim");
  const manifest = {
    ...template,
    version: crateVersion(),
    exports: exportsOf(entries, withWasm),
    files: filesOf(entries, withWasm),
  };
  writeFileSync(join(outDir, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(outDir, "README.md"), packageReadme());
  copyFileSync(join(root, "LICENSE"), join(outDir, "LICENSE"));
  if (withWasm) copyFileSync(wasmFile, join(outDir, "pageport_bg.wasm"));
}

/** The start stands once, in the repository's README, where a test runs it. */
function packageReadme() {
  const [, start] =
    /^## A page of your own\n+.*?\n\n(.*?)^## /ms.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  if (start === undefined) throw new Error("README.md has no start");
  const page = `On the page:\n\n${start.trimEnd()}\n`;
  return readFileSync(join(root, "pkg-template", "README.md"), "utf8").replace("<!-- start -->\n", () => page);
}

function crateVersion() {
  return /\[workspace\.package\][^[]*?\nversion = "([^"]+)"/.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))?.[1];
}

/**
 * @param {Entry[]} entries
 * @param {boolean} withWasm
 */
function exportsOf(entries, withWasm) {
  /** @type {Record<string, unknown>} */
  const map = {};
  for (const entry of entries) {
    /** @param {"esm" | "cjs"} format @param {string} types */
    const condition = (format, types) => ({
      types: `./${entry.name}.${types}`,
      default: `./${fileName(entry, format)}`,
    });
    if (entry.formats.includes("esm")) {
      map[entry.name === "index" ? "." : `./${entry.name}`] = {
        import: condition("esm", "d.ts"),
        require: condition("cjs", "d.cts"),
      };
    }
    if (entry.formats.includes("iife")) map[`./${fileName(entry, "iife")}`] = `./${fileName(entry, "iife")}`;
  }
  if (withWasm) map["./pageport_bg.wasm"] = "./pageport_bg.wasm";
  return { ...map, "./package.json": "./package.json" };
}

/**
 * @param {Entry[]} entries
 * @param {boolean} withWasm
 */
function filesOf(entries, withWasm) {
  const code = entries.flatMap((entry) => entry.formats.map((format) => fileName(entry, format)));
  const types = entries.flatMap(({ name }) => [`${name}.d.ts`, `${name}.d.cts`]);
  return [...code, ...types, "types", ...(withWasm ? ["pageport_bg.wasm"] : [])];
}
