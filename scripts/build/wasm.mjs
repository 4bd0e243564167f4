// From Rust to the glue and the compressed wasm that the bundles carry.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment } from "../environment.mjs";
import { buildDir } from "../paths.mjs";
import { run, say } from "../run.mjs";
import { compileForSize } from "./compile.mjs";
import { withShortNames } from "./short-names.mjs";
import { unlessUnchanged } from "./stamp.mjs";
import { withoutCustomSections } from "./wasm-file.mjs";

const features = [
  "bulk-memory",
  "nontrapping-float-to-int",
  "sign-ext",
  "mutable-globals",
  "reference-types",
  "multivalue",
];

/** The wasm as it is shipped. */
export const wasmFile = join(buildDir, "wasm", "pageport_bg.wasm");
/** The same with the names of its functions. */
export const namedWasmFile = join(buildDir, "wasm", "named.wasm");

/**
 * What wasm-opt does for size. It must not inline what has one caller: functions that stay whole are more alike, which
 * compresses 7 % better. No data lies in the first KiB of memory, where the stack ends.
 */
const optimise = [
  "--flatten",
  "--rereloop",
  "-Oz",
  "-Oz",
  "--one-caller-inline-max-function-size=20",
  "--low-memory-unused",
  // Prints the new names, which the glue must have too.
  "--minify-imports-and-exports-and-modules",
  ...features.map((name) => `--enable-${name}`),
];

/** Compiles the crate and makes `build/glue` and `build/wasm`. */
export async function buildWasm() {
  const env = environment();
  const compiled = await compileForSize();
  await unlessUnchanged(
    "wasm",
    { inputs: [compiled], outputs: ["build/glue/wasm.js", "build/wasm/pageport_bg.wasm"] },
    async () => {
      say("optimising the wasm");
      const glue = join(buildDir, "glue");
      rmSync(glue, { recursive: true, force: true });
      await run(
        "wasm-bindgen",
        ["--target", "web", "--omit-default-module-path", "--out-name", "pageport", "--out-dir", glue, compiled],
        { env },
      );
      mkdirSync(join(buildDir, "wasm"), { recursive: true });
      // `-g` keeps the names, for the report of who takes how much; they are cut off afterwards.
      const optimised = ["-g", ...optimise, join(glue, "pageport_bg.wasm"), "-o", namedWasmFile];
      const names = await run("wasm-opt", optimised, { env, quiet: true });
      const glueFile = join(glue, "pageport.js");
      writeFileSync(glueFile, withShortNames(readFileSync(glueFile, "utf8"), JSON.parse(names)));
      const wasm = withoutCustomSections(readFileSync(namedWasmFile));
      writeFileSync(wasmFile, wasm);
      // Only now: set-up must be able to run without npm packages.
      const { zlibAsync } = (await import("@gfx/zopfli")).default;
      const base64 = Buffer.from(await zlibAsync(wasm, {})).toString("base64");
      writeFileSync(join(glue, "wasm.js"), `export default "${base64}";\n`);
      writeFileSync(
        join(glue, "wasm.d.ts"),
        "/** The wasm: base64 of its zlib stream. */\ndeclare const base64: string;\nexport default base64;\n",
      );
    },
  );
}
