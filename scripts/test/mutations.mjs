// Proves that the vectors notice: kernels with one rule wrong each (tests/vectors/mutations.json) must fail some vector.
//
// All of them are one program: in a copy of the crate each rule becomes a switch, and an environment variable says which
// one is wrong. The crate itself knows nothing of it.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { environment } from "../environment.mjs";
import { buildDir, root } from "../paths.mjs";
import { Failure, say, stream } from "../run.mjs";

/**
 * @typedef {object} Mutation
 * @property {string} id
 * @property {string} rule the rule that is wrong
 * @property {string} file
 * @property {string} right what stands in the file, once: an expression, or statements up to `;` or `}`
 * @property {string} wrong what stands there in its place
 */

const folder = join(buildDir, "mutations");
const limitMs = 60_000;

const chooser = `
/// Which rule is wrong in this run.
pub(crate) mod mutation {
    pub(crate) fn is(id: &str) -> bool {
        static CHOSEN: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
        CHOSEN.get_or_init(|| std::env::var("PAGEPORT_MUTATION").ok()).as_deref() == Some(id)
    }
}
`;

/** @returns {Mutation[]} */
export function mutations() {
  return JSON.parse(readFileSync(join(root, "tests/vectors/mutations.json"), "utf8"));
}

/**
 * The source with each mutation that belongs to it as a switch.
 *
 * @param {string} source
 * @param {Mutation[]} list
 */
export function withSwitches(source, list) {
  const places = list.map((mutation) => ({ mutation, start: placeIn(source, mutation) }));
  places.sort((a, b) => b.start - a.start);
  let text = source;
  let next = source.length;
  // From the end, so that no place moves and no text that was put in is looked at.
  for (const { mutation, start } of places) {
    const { id, right, wrong } = mutation;
    const end = start + right.length;
    if (end > next) throw new Failure(`mutation ${id}: its text overlaps that of another`);
    next = start;
    const choice = `if crate::mutation::is("${id}") { ${wrong} } else { ${right} }`;
    text = text.slice(0, start) + (/[;}]$/.test(right) ? choice : `(${choice})`) + text.slice(end);
  }
  return text;
}

/**
 * Where the text of a mutation stands in its file.
 *
 * @param {string} source
 * @param {Mutation} mutation
 */
function placeIn(source, { id, file, right }) {
  const count = source.split(right).length - 1;
  if (count !== 1) throw new Failure(`mutation ${id}: its text stands ${count} times in ${file}, not once:\n${right}`);
  return source.indexOf(right);
}

/**
 * The vectors that failed in a run of the replayer.
 *
 * @param {string} output
 */
export function failedVectors(output) {
  return [...output.matchAll(/^(\S+)\.json: /gm)].map((match) => match[1] ?? "");
}

/**
 * Counts one per mutation, and one for the kernel as it is, which must pass.
 *
 * @returns {Promise<import("./stages.mjs").Count>}
 */
export async function runMutations() {
  const list = mutations();
  writeCopy(list);
  const program = await compile();
  if ((await replay(program, undefined)).length > 0) throw new Failure("the vectors fail without any mutation");
  const count = { passed: 1, failed: 0 };
  const waiting = [...list];
  const work = async () => {
    for (let mutation = waiting.shift(); mutation !== undefined; mutation = waiting.shift()) {
      const killers = await replay(program, mutation.id);
      if (killers.length > 0) count.passed++;
      else count.failed++;
      say(`${mutation.id}: ${killers.length > 0 ? `noticed by ${killers.join(", ")}` : "no vector notices"}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
  return count;
}

/** @param {Mutation[]} list */
function writeCopy(list) {
  for (const name of ["src", "tests"]) rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ["src", "tests/surface", "tests/vectors", "Cargo.lock"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  for (const file of new Set(list.map((mutation) => mutation.file))) {
    const source = readFileSync(join(root, file), "utf8");
    const own = list.filter((mutation) => mutation.file === file);
    writeFileSync(join(folder, file), withSwitches(source, own));
  }
  writeFileSync(join(folder, "src/lib.rs"), readFileSync(join(root, "src/lib.rs"), "utf8") + chooser);
  writeFileSync(join(folder, "Cargo.toml"), manifest(readFileSync(join(root, "Cargo.toml"), "utf8")));
}

/**
 * The manifest of the copy: this crate alone, with the one test that replays vectors.
 *
 * @param {string} text
 */
function manifest(text) {
  const unwanted = (/** @type {string} */ section) =>
    (/^\[\[(test|example)\]\]/.test(section) && !section.includes('name = "surface"')) ||
    /^\[(lints\]|workspace\.lints)/.test(section) ||
    section.includes("proptest");
  const sections = text.split(/\n(?=\[|# )/).filter((section) => !unwanted(section));
  const own = sections.join("\n").replace('members = [".", "host"]', "members = []");
  return `${own}\n[profile.dev]\nopt-level = 1\ndebug = false\n`;
}

/** Compiles the replayer and returns its path. */
async function compile() {
  const env = { ...environment(), CARGO_TARGET_DIR: join(folder, "target"), RUSTFLAGS: "--cap-lints allow" };
  const args = ["test", "--test", "surface", "--no-run", "--message-format", "json-render-diagnostics"];
  const { code, stdout } = await stream("cargo", args, { env, cwd: folder, quiet: true });
  const paths = [...stdout.matchAll(/"executable":"([^"]+)"/g)].map(([, path]) => path);
  const program = paths.at(-1);
  if (code !== 0 || program === undefined) throw new Failure("the kernel with its mutations does not compile");
  return program;
}

/**
 * The vectors that fail under a mutation; `(no end)` when the replayer does not end.
 *
 * @param {string} program
 * @param {string | undefined} mutation
 * @returns {Promise<string[]>}
 */
function replay(program, mutation) {
  const env = { ...process.env, ...(mutation !== undefined && { PAGEPORT_MUTATION: mutation }) };
  const options = { env, cwd: folder, timeout: limitMs, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(program, ["every_vector_holds"], options, (error, stdout, stderr) => {
      const failed = failedVectors(stdout + stderr);
      resolve(failed.length > 0 || error === null ? failed : ["(no end)"]);
    });
  });
}
