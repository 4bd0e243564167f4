// The form of the vectors: a member that is misspelt would be ignored by every replayer, and assert nothing.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/paths.mjs";
import { expand } from "../../scripts/test/expand.mjs";

const folder = join(root, "tests/vectors/surface");
/** @param {string} text */
const words = (text) => new Set(text.split(" "));
const VECTOR = words("version behaviour rule page sessions steps");
const PAGE = words(
  "app title route options capabilities records regions state states object unavailable identity confirm rateLimiter replayGuard settle policy",
);
const ACTIONS = words("request text of cancel change clock");
const STEP = words(
  "at request text session resolver transport cancelled as of cancel change refused clock response look ran aborted calls audit errors",
);
const CHANGE = words(
  "sessions records state user object unavailable feedback declare remove sources removeSources regions",
);
const CODE = words("said feedback waits hangs changes sends checks raises throws returns");
const SOURCE = words("type region for fields idField visible lists items code");

/** @typedef {Record<string, any>} Data */

/**
 * @param {string} place
 * @param {Data} members
 * @param {Set<string>} allowed
 */
function only(place, members, allowed) {
  for (const name of Object.keys(members)) assert.ok(allowed.has(name), `${place}: ${name} means nothing there`);
}

/**
 * @param {string} place
 * @param {Data | Data[] | undefined} codes
 */
function code(place, codes) {
  for (const one of [codes ?? []].flat()) {
    only(place, one, CODE);
    if (one.changes) change(`${place}, changes`, one.changes);
    if (one.sends) only(`${place}, sends`, one.sends, words("as request session resolver"));
  }
}

/**
 * @param {string} place
 * @param {Data} data
 */
function change(place, data) {
  only(place, data, CHANGE);
  declared(place, data.declare, data.sources);
}

/**
 * @param {string} place
 * @param {Data[]} [capabilities]
 * @param {Data[]} [sources]
 */
function declared(place, capabilities = [], sources = []) {
  for (const { id, handler, expect } of capabilities) {
    code(`${place}, ${id}`, handler);
    code(`${place}, expect of ${id}`, expect);
  }
  for (const source of sources) {
    only(`${place}, ${source.type}`, source, SOURCE);
    code(`${place}, ${source.type}`, source.code);
  }
}

/**
 * @param {string} place
 * @param {Data} data
 */
function page(place, data) {
  only(place, data, PAGE);
  declared(place, data.capabilities, data.records);
  for (const name of ["identity", "confirm", "rateLimiter", "replayGuard", "settle"])
    code(`${place}, ${name}`, data[name]);
  for (const [name, codes] of Object.entries(data.policy ?? {})) code(`${place}, policy for ${name}`, codes);
  for (const [name, provided] of Object.entries({
    ...data.states,
    object: data.object,
    unavailable: data.unavailable,
  })) {
    only(`${place}, ${name}`, provided ?? {}, words("for code value entries"));
    code(`${place}, ${name}`, provided?.code);
  }
}

for (const file of readdirSync(folder)) {
  test(`${file} says only what its format knows`, () => {
    const vector = /** @type {Data} */ (expand(JSON.parse(readFileSync(join(folder, file), "utf8"))));
    only("the vector", vector, VECTOR);
    page("page", vector.page);
    let now = 0;
    for (const [index, step] of vector.steps.entries()) {
      const place = `step ${index}`;
      only(place, step, STEP);
      assert.ok(step.at >= now, `${place}: time goes on`);
      now = step.at;
      assert.ok(Object.keys(step).filter((name) => ACTIONS.has(name)).length <= 1, `${place}: one thing at a time`);
      code(`${place}, resolver`, step.resolver);
      if (step.change) change(place, step.change);
      const answered = step.response !== undefined || step.look !== undefined;
      const asks = step.request !== undefined || step.text !== undefined;
      assert.ok(
        answered === (step.of !== undefined || (asks && step.as === undefined)),
        `${place}: a response is looked at`,
      );
    }
  });
}
