// Rust: the compiler, its wasm32 target, and the two programs that turn its output into a package.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasStdSource } from "../build/compile.mjs";
import { environment, find } from "../environment.mjs";
import { root, toolsDir } from "../paths.mjs";
import { ask, stream } from "../run.mjs";
import { aptInstall, hasApt } from "./apt.mjs";

const target = "wasm32-unknown-unknown";
/** Installed where there is none; any other version serves as well. */
const wasmPackVersion = "0.15.1";

/** The version of wasm-bindgen that the crate uses; the program that reads its output must be the same. */
export function wasmBindgenVersion() {
  const version = /name = "wasm-bindgen"\nversion = "([^"]+)"/.exec(
    readFileSync(join(root, "Cargo.lock"), "utf8"),
  )?.[1];
  if (!version) throw new Error("Cargo.lock names no wasm-bindgen");
  return version;
}

/** The oldest compiler that Cargo.toml admits, as `[major, minor]`. */
function minimumRust() {
  const text = /rust-version = "([^"]+)"/.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))?.[1] ?? "1.0";
  return text.split(".").map(Number);
}

function rustIsNewEnough() {
  const [major = 0, minor = 0] = (ask("rustc", ["--version"], environment())?.split(" ")[1] ?? "")
    .split(".")
    .map(Number);
  const [leastMajor = 0, leastMinor = 0] = minimumRust();
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/**
 * Compiles a program into the tools folder.
 *
 * Without `--locked`: a version that the program's own lock file pins can be missing from a registry mirror.
 *
 * @param {string[]} args
 */
function cargoInstall(args) {
  // Outside the checkout, so that its Cargo configuration and toolchain do not apply.
  return stream("cargo", ["install", "--quiet", ...args, "--root", toolsDir], { env: environment(), cwd: "/" });
}

/** @type {import("../setup.mjs").Need[]} */
export const rustNeeds = [
  {
    name: `Rust ${minimumRust().join(".")} or newer`,
    purposes: ["build", "test"],
    present: rustIsNewEnough,
    byHand: () => (find(["rustup"]) ? "run `rustup update stable`" : "install rustup from https://rustup.rs"),
  },
  {
    name: "a C linker",
    purposes: ["build", "test"],
    present: () => find(["cc"]) !== undefined,
    get install() {
      return hasApt() ? () => aptInstall(["gcc", "libc6-dev"]) : undefined;
    },
    takes: "20 s",
    byHand: () => (process.platform === "darwin" ? "run `xcode-select --install`" : "install gcc or clang"),
  },
  {
    name: `the Rust target ${target}`,
    purposes: ["build", "test"],
    present: () =>
      existsSync(join(ask("rustc", ["--print", "sysroot"], environment()) ?? "", "lib", "rustlib", target, "lib")),
    install: () => stream("rustup", ["target", "add", target], { env: environment(), quiet: true }),
    takes: "10 s",
    byHand: () =>
      `run \`rustup target add ${target}\`; where rustup cannot download it, Debian's rustc-web, rust-web-src and lld can build its standard library`,
  },
  {
    name: "the source of Rust's standard library",
    purposes: ["build"],
    present: hasStdSource,
    install: () => stream("rustup", ["component", "add", "rust-src"], { env: environment(), quiet: true }),
    takes: "10 s",
    byHand: () => "run `rustup component add rust-src`; without it the package is built larger than it may be",
    optional: true,
  },
  {
    name: "rustfmt and clippy",
    purposes: ["test"],
    present: () => ["fmt", "clippy"].every((tool) => ask("cargo", [tool, "--version"], environment()) !== undefined),
    install: () => stream("rustup", ["component", "add", "rustfmt", "clippy"], { env: environment(), quiet: true }),
    takes: "10 s",
    byHand: () => "run `rustup component add rustfmt clippy`",
  },
  {
    name: `wasm-bindgen ${wasmBindgenVersion()}`,
    purposes: ["build", "test"],
    present: () =>
      ["wasm-bindgen", "wasm-bindgen-test-runner"].every((tool) =>
        ask(tool, ["--version"], environment())?.endsWith(` ${wasmBindgenVersion()}`),
      ),
    install: () => cargoInstall(["wasm-bindgen-cli", "--version", wasmBindgenVersion()]),
    takes: "2 to 4 minutes, once",
    byHand: () => `run \`cargo install wasm-bindgen-cli --version ${wasmBindgenVersion()}\``,
  },
  {
    name: "wasm-pack",
    purposes: ["test"],
    present: () => ask("wasm-pack", ["--version"], environment()) !== undefined,
    install: () => cargoInstall(["wasm-pack", "--version", wasmPackVersion]),
    takes: "2 to 4 minutes, once",
    byHand: () => `run \`cargo install wasm-pack --version ${wasmPackVersion}\``,
  },
];
