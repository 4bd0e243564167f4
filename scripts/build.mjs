// Builds the package into pkg/: Rust, glue, wasm, bundles, declarations, sizes. Steps whose inputs did not change are skipped.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle } from "./build/bundle.mjs";
import { writeDeclarations } from "./build/declarations.mjs";
import { entries } from "./build/entries.mjs";
import { writePackage } from "./build/package.mjs";
import { holdBudgets, measure, printSizes } from "./build/sizes.mjs";
import { unlessUnchanged } from "./build/stamp.mjs";
import { buildWasm } from "./build/wasm.mjs";
import { buildWireTypes } from "./build/wire-types.mjs";
import { withLock } from "./lock.mjs";
import { buildDir, pkgDir, root } from "./paths.mjs";
import { runMain, say } from "./run.mjs";
import { setUp } from "./setup.mjs";

/**
 * Builds everything: the package, and the demo where there is one.
 *
 * @param {{ sizes?: boolean }} [options] whether to print what the package weighs
 */
export async function build({ sizes = true } = {}) {
  await withLock(join(buildDir, "lock"), "building", async () => {
    await buildWasm();
    await buildWireTypes();
    await buildPackage(sizes);
    const demo = join(root, "demo", "build.mjs");
    if (existsSync(demo)) await (await import(pathToFileURL(demo).href)).buildDemo();
  });
}

/** @param {boolean} sizes */
async function buildPackage(sizes) {
  const present = entries.filter(({ source }) => existsSync(join(root, source)));
  for (const { source } of entries.filter((entry) => !present.includes(entry) && entry.required))
    say(`${source} is missing, so the package is incomplete`);
  const inputs = ["js", "build/glue", "build/types/wire.d.ts", "pkg-template", "LICENSE", "Cargo.toml", "package.json"];
  await unlessUnchanged("package", { inputs, outputs: ["pkg/package.json", "build/sizes.json"] }, async () => {
    say("bundling");
    const next = join(buildDir, "pkg");
    rmSync(next, { recursive: true, force: true });
    mkdirSync(next, { recursive: true });
    await bundle(present, next);
    await writeDeclarations(present, next);
    writePackage(present, next);
    measure(present, next);
    // Whole or not at all: a server may be reading pkg/.
    rmSync(pkgDir, { recursive: true, force: true });
    renameSync(next, pkgDir);
  });
  const warnings = holdBudgets(present);
  // Who starts the demo did not ask.
  if (!sizes) return;
  printSizes();
  for (const warning of warnings) say(warning);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await runMain(async () => {
    await setUp(["build"]);
    await build();
  });
}
