// Gives imports and exports of the wasm names of a letter or two: the hashes in wasm-bindgen's names cannot be compressed.

/**
 * What wasm-opt prints with `--minify-imports-and-exports-and-modules`.
 *
 * @typedef {object} Names
 * @property {[module: string, name: string, short: string][]} imports
 * @property {[name: string, short: string][]} exports
 */

/** The module that all imports come from afterwards. */
const MODULE = "a";
/** The module of the imports that the glue itself defines. */
const OWN = "./pageport_bg.js";

/**
 * The glue with the same names as the wasm. Throws when wasm-bindgen's output is not what this was written for.
 *
 * @param {string} glue
 * @param {Names} names
 * @returns {string}
 */
export function withShortNames(glue, { imports, exports }) {
  const spaces = new Map(
    [...glue.matchAll(/^import \* as (import\d+) from "([^"]+)"/gm)].map(([, as, from]) => [from, as]),
  );
  const borrowed = [];
  let text = glue;
  for (const [module, name, short] of imports) {
    if (module === OWN) {
      text = replaceOnce(text, new RegExp(`^( *)${literal(name)}: `, "m"), (_, indent) => `${indent}${short}: `);
    } else {
      const space = spaces.get(module);
      if (space === undefined) throw new Error(`the glue does not import ${module}`);
      borrowed.push(`${short}: ${space}.${name}`);
    }
  }
  for (const [name, short] of exports) {
    text = text.replaceAll(new RegExp(`\\bwasm\\.${literal(name)}\\b`, "g"), () => `wasm.${short}`);
  }
  const members = ["...import0", ...borrowed].join(", ");
  return replaceOnce(
    text,
    /return \{\s*__proto__: null,\s*"\.\/pageport_bg\.js": import0,[^}]*\};/,
    () => `return { __proto__: null, ${MODULE}: { ${members} } };`,
  );
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 * @param {(...found: string[]) => string} replacement
 */
function replaceOnce(text, pattern, replacement) {
  if (!pattern.test(text)) throw new Error(`the glue holds nothing like ${pattern}`);
  return text.replace(pattern, replacement);
}

/** @param {string} name */
function literal(name) {
  return name.replaceAll("$", "\\$");
}
