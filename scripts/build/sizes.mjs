// What the package weighs, who takes how much of the wasm, and whether that is within the budget.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { buildDir } from "../paths.mjs";
import { Failure } from "../run.mjs";
import { fileName } from "./entries.mjs";
import { namedWasmFile, wasmFile } from "./wasm.mjs";
import { sharesOf } from "./wasm-shares.mjs";

/** @typedef {{ file: string, raw: number, gzip: number, brotli: number }} Size */

/**
 * Measures what was built and writes `build/sizes.json`.
 *
 * @param {import("./entries.mjs").Entry[]} entries
 * @param {string} outDir
 */
export function measure(entries, outDir) {
  const shipped = entries.flatMap((entry) => entry.formats.map((format) => fileName(entry, format)));
  const files = [...shipped.map((file) => sizeOf(file, join(outDir, file))), sizeOf("the wasm alone", wasmFile)];
  const sizes = { files, wasm: sharesOf(readFileSync(namedWasmFile), readFileSync(wasmFile).length) };
  writeFileSync(join(buildDir, "sizes.json"), `${JSON.stringify(sizes, null, 2)}\n`);
}

/**
 * @param {string} file
 * @param {string} path
 * @returns {Size}
 */
function sizeOf(file, path) {
  const bytes = readFileSync(path);
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  return { file, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli.length };
}

/** Prints the tables of `build/sizes.json`. */
export function printSizes() {
  const { files, wasm } = readSizes();
  printTable(
    ["bytes", "raw", "gzip -9", "brotli 11"],
    files.map(({ file, raw, gzip, brotli }) => [file, raw, gzip, brotli]),
  );
  printTable(
    ["share of the wasm", "own functions", "other code for its traits"],
    wasm.crates.map(({ crate, own, forTraits }) => [
      crate,
      percent(own, wasm.total),
      forTraits ? percent(forTraits, wasm.total) : "",
    ]),
  );
}

/** @returns {{ files: Size[], wasm: import("./wasm-shares.mjs").Shares }} */
function readSizes() {
  return JSON.parse(readFileSync(join(buildDir, "sizes.json"), "utf8"));
}

/**
 * Holds the entries to their budgets.
 *
 * @param {import("./entries.mjs").Entry[]} entries
 * @param {Pick<Size, "file" | "gzip">[]} [files]
 * @returns {string[]} what is above its goal, but not above the limit
 * @throws {Failure} naming what is above the limit
 */
export function holdBudgets(entries, files = readSizes().files) {
  const over = [];
  const warnings = [];
  for (const entry of entries) {
    const name = fileName(entry, "esm");
    const gzip = files.find(({ file }) => file === name)?.gzip ?? 0;
    const { limit = Infinity, stretch = Infinity } = entry.budget ?? {};
    if (gzip > limit) over.push(`${name} is ${gzip} bytes after gzip; its budget is ${limit}`);
    else if (gzip > stretch)
      warnings.push(
        `${name} is ${gzip} bytes after gzip, above its goal of ${stretch}: DESIGN.md has to say what goes`,
      );
  }
  if (over.length > 0) throw new Failure(over.join("\n"));
  return warnings;
}

/**
 * @param {number} part
 * @param {number} whole
 */
function percent(part, whole) {
  return `${part} (${((100 * part) / whole).toFixed(1)} %)`;
}

/**
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
function printTable(head, rows) {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells) {
    const line = row.map((text, column) =>
      column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
    );
    process.stdout.write(`${line.join("  ").trimEnd()}\n`);
  }
  process.stdout.write("\n");
}
