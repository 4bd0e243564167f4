// Compiles the crate to wasm, and the standard library with it: built for size, it makes the package an eighth smaller.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { environment } from "../environment.mjs";
import { root } from "../paths.mjs";
import { ask, run, say, stream } from "../run.mjs";

const target = "wasm32-unknown-unknown";
const build = ["build", "--quiet", "--profile", "wasm", "--target", target, "--lib", "-p", "pageport"];
/** The small variant of SHA-256, 6 kB less. */
const flags = ["--cfg", 'sha2_backend_soft="compact"'];

/** What rustc offers on its nightly channel only: a panic traps at once, and nothing is kept to describe it. */
const unstableFlags = ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none", "-Zfmt-debug=none"];
const withStd = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];

/** Whether the sources of the standard library are there. */
export function hasStdSource() {
  const sysroot = ask("rustc", ["--print", "sysroot"], environment()) ?? "";
  return existsSync(join(sysroot, "lib", "rustlib", "src", "rust", "library", "Cargo.lock"));
}

/**
 * Returns the wasm file. Cargo knows best whether anything changed.
 *
 * @returns {Promise<string>}
 */
export async function compileForSize() {
  const env = environment();
  const compiled = resolve(root, env.CARGO_TARGET_DIR ?? "target", target, "wasm", "pageport.wasm");
  if (!existsSync(compiled)) say("compiling the crate (two minutes, the first time)");
  if (hasStdSource()) {
    const options = { env: { ...env, ...rustFlags(env, [...unstableFlags, ...flags]), RUSTC_BOOTSTRAP: "1" } };
    const { code } = await stream("cargo", [...build, ...withStd], options);
    if (code === 0) return compiled;
  }
  say(
    "the standard library cannot be built for size, so that of Rust is taken; the package gets larger than it may be",
  );
  await run("cargo", build, { env: { ...env, ...rustFlags(env, flags) } });
  return compiled;
}

/**
 * The user's own flags and these, in the form in which a flag may hold spaces.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} more
 */
function rustFlags(env, more) {
  const own = env.CARGO_ENCODED_RUSTFLAGS?.split("\x1f") ?? env.RUSTFLAGS?.split(/\s+/) ?? [];
  return { CARGO_ENCODED_RUSTFLAGS: [...own, ...more].filter(Boolean).join("\x1f") };
}
