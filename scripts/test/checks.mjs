// What is checked without running the code: format, lint, types, and that the page crate stays pure.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesUnder } from "../build/stamp.mjs";
import { environment } from "../environment.mjs";
import { root } from "../paths.mjs";
import { say, stream } from "../run.mjs";
import { sum } from "./stages.mjs";

const wasm32 = ["-p", "pageport", "--target", "wasm32-unknown-unknown"];
const browserTests = existsSync(join(root, "tests", "browser", "main.rs")) ? ["--test", "browser"] : [];
const strict = ["--", "-D", "warnings"];

/** Crates that only a browser or a server needs. */
const impureCrates = ["wasm-bindgen", "web-sys", "js-sys", "tokio"];
const impureCode = /\b(?:wasm_bindgen|web_sys|js_sys|gloo_\w+|tokio)::/;

/** @type {{ name: string, command?: string[], env?: Record<string, string>, faults?: () => Promise<string[]> }[]} */
const checks = [
  { name: "rustfmt", command: ["cargo", "fmt", "--all", "--check"] },
  {
    name: "clippy",
    command: ["cargo", "clippy", "--quiet", "--workspace", "--all-targets", "--all-features", ...strict],
  },
  {
    name: "clippy for wasm32",
    command: ["cargo", "clippy", "--quiet", ...wasm32, "--lib", ...browserTests, ...strict],
  },
  {
    name: "rustdoc",
    command: ["cargo", "doc", "--quiet", ...wasm32, "--no-deps", "--lib"],
    env: { RUSTDOCFLAGS: "-D warnings" },
  },
  { name: "biome", command: ["biome", "check", "--error-on-warnings"] },
  { name: "tsc on the package", command: ["tsc", "-p", "js"] },
  { name: "tsc on demo, tests and scripts", command: ["tsc", "-p", "."] },
  { name: "the page crate has no impure dependency", faults: impureDependencies },
  { name: "only src/web knows the browser", faults: impureLines },
];

/** @returns {Promise<import("./stages.mjs").Count>} */
export async function runChecks() {
  const counts = [];
  for (const { name, command: [program = "", ...args] = [], env, faults } of checks) {
    const start = performance.now();
    const found = faults ? await faults() : [];
    const { code } = program
      ? await stream(program, args, { env: { ...environment(), ...env } })
      : { code: found.length };
    for (const fault of found) say(fault);
    say(`${code === 0 ? "passed" : "FAILED"}: ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    counts.push(code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  }
  return sum(counts);
}

async function impureDependencies() {
  // `--locked` proves beside that Cargo.lock is current.
  const args = ["tree", "--locked", "-e", "normal", "-p", "pageport", "--prefix", "none"];
  const { code, stdout } = await stream("cargo", args, { env: environment(), quiet: true });
  if (code !== 0) return ["cargo tree failed"];
  const crates = new Set(stdout.split("\n").map((line) => line.split(" ")[0]));
  return impureCrates
    .filter((crate) => crates.has(crate))
    .map((crate) => `the native build of pageport depends on ${crate}`);
}

async function impureLines() {
  return filesUnder("src")
    .filter((file) => file.endsWith(".rs") && !file.startsWith(join("src", "web")))
    .flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .flatMap((line, index) => (impureCode.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
}
