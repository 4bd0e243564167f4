// Reads from a test runner's output how many tests passed and failed.

/** @typedef {import("./stages.mjs").Count} Count */

/**
 * The counts that cargo and the wasm test runner print. A run that broke off before its tests counts as one failure.
 *
 * @param {{ code: number, output: string }} result
 * @returns {Count}
 */
export function cargoCount({ code, output }) {
  const results = [...output.matchAll(/^test result: .*?(\d+) passed; (\d+) failed/gm)];
  return settle(code, {
    passed: results.reduce((total, [, passed]) => total + Number(passed), 0),
    failed: results.reduce((total, [, , failed]) => total + Number(failed), 0),
  });
}

/**
 * The counts in the TAP that `node --test` writes.
 *
 * @param {number} code
 * @param {string} tap
 * @returns {Count}
 */
export function tapCount(code, tap) {
  /** @param {string} what */
  const number = (what) => Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(tap)?.[1] ?? 0);
  return settle(code, { passed: number("pass"), failed: number("fail") + number("cancelled") });
}

/**
 * The counts in Playwright's JSON report. A test that passed only when it was repeated has failed.
 *
 * @param {number} code
 * @param {string} report
 * @returns {Count}
 */
export function playwrightCount(code, report) {
  const { stats, errors } = JSON.parse(report);
  return settle(code, { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length });
}

/**
 * @param {number} code
 * @param {Count} count
 */
function settle(code, count) {
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}
