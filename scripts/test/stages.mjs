// Runs the stages of a test command one after the other and counts what passed and what failed.
import { say } from "../run.mjs";

/** @typedef {{ passed: number, failed: number }} Count */
/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {() => Promise<Count>} run a throw counts as one failure
 * @property {string[]} [needs] stages without whose success this one cannot run
 */

/**
 * A stage that fails does not keep later ones from running, unless they need it. A stage in which nothing ran has failed:
 * a list of tests that became empty by mistake must not look like success.
 *
 * @param {Stage[]} stages
 * @returns {Promise<Count>}
 */
export async function runStages(stages) {
  /** @type {{ name: string, count: Count, seconds: number, note: string }[]} */
  const done = [];
  for (const stage of stages) {
    say(`== ${stage.name}`);
    const start = performance.now();
    const { count, note } = await runStage(stage, done);
    done.push({ name: stage.name, count, seconds: (performance.now() - start) / 1000, note });
  }
  for (const { name, count, seconds, note } of done) {
    const line = `${name.padEnd(24)}${formatCount(count)}, ${seconds.toFixed(1)} s`;
    process.stdout.write(`${note ? `${line}: ${note}` : line}\n`);
  }
  return sum(done.map(({ count }) => count));
}

/**
 * @param {Stage} stage
 * @param {{ name: string, count: Count }[]} done
 */
async function runStage({ run, needs = [] }, done) {
  const failed = { passed: 0, failed: 1 };
  const lacking = needs.filter((need) => done.some(({ name, count }) => name === need && count.failed > 0));
  if (lacking.length > 0) return { count: failed, note: `not run, needs ${lacking.join(", ")}` };
  try {
    const count = await run();
    return count.passed + count.failed > 0 ? { count, note: "" } : { count: failed, note: "ran nothing" };
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error);
    say(note);
    return { count: failed, note: note.split("\n")[0] ?? "" };
  }
}

/**
 * Writes the last line of a test command and sets the exit code.
 *
 * @param {Count} count
 */
export function finish(count) {
  process.exitCode = count.failed > 0 ? 1 : 0;
  process.stdout.write(`${formatCount(count)}\n`);
}

/** For a stage that is one thing. */
export function onePassed() {
  return { passed: 1, failed: 0 };
}

/** @param {Count} count */
function formatCount({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}

/**
 * @param {Count[]} counts
 * @returns {Count}
 */
export function sum(counts) {
  return counts.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }), {
    passed: 0,
    failed: 0,
  });
}
