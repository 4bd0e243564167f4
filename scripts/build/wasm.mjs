// From Rust to the glue and the compressed wasm that the bundles carry.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { deflateSync } from "node:zlib";
import { environment } from "../environment.mjs";
import { buildDir, root } from "../paths.mjs";
import { run, say } from "../run.mjs";
import { unlessUnchanged } from "./stamp.mjs";
import { withoutCustomSections } from "./wasm-file.mjs";

const target = "wasm32-unknown-unknown";
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

/** Compiles the crate and makes `build/glue` and `build/wasm`. */
export async function buildWasm() {
  const env = environment();
  const compiled = resolve(root, env.CARGO_TARGET_DIR ?? "target", target, "wasm", "pageport.wasm");
  if (!existsSync(compiled)) say("compiling the crate (about a minute, the first time)");
  // Cargo knows best whether anything changed.
  await run("cargo", ["build", "--quiet", "--profile", "wasm", "--target", target, "--lib", "-p", "pageport"], { env });
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
      const optimise = ["-Oz", "-g", ...features.map((name) => `--enable-${name}`)];
      await run("wasm-opt", [...optimise, join(glue, "pageport_bg.wasm"), "-o", namedWasmFile], { env });
      const wasm = withoutCustomSections(readFileSync(namedWasmFile));
      writeFileSync(wasmFile, wasm);
      writeFileSync(join(glue, "wasm.js"), `export default "${deflateSync(wasm, { level: 9 }).toString("base64")}";\n`);
      writeFileSync(
        join(glue, "wasm.d.ts"),
        "/** The wasm: base64 of its zlib stream. */\ndeclare const base64: string;\nexport default base64;\n",
      );
    },
  );
}
