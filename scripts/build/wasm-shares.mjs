// Attributes the functions of the wasm to the crates they come from.
import { functions } from "./wasm-file.mjs";

/**
 * @typedef {object} Shares bytes of the shipped wasm
 * @property {number} total
 * @property {CrateShare[]} crates largest first; then what is no function
 */
/**
 * @typedef {object} CrateShare
 * @property {string} crate
 * @property {number} own functions written in the crate, also where they were made for types of another
 * @property {number} forTraits functions of other crates whose names mention it: derived impls and the like
 */

/** The crates whose price the build reports even when it is nothing. `serde` is split in two crates. */
const watched = ["serde", "serde_json", "serde_wasm_bindgen"];

/**
 * What the optimiser inlined counts for the function that took it in, so that small shares are rough.
 *
 * @param {Uint8Array} named the wasm with its names
 * @param {number} total size of the wasm as shipped
 * @returns {Shares}
 */
export function sharesOf(named, total) {
  /** @type {Map<string, number>} */
  const own = new Map(watched.map((crate) => [crate, 0]));
  /** @type {Map<string, number>} */
  const forTraits = new Map();
  let attributed = 0;
  for (const { name, size } of functions(named)) {
    attributed += size;
    const crates = cratesIn(name);
    const owner = crates[0] ?? "(no crate)";
    own.set(owner, (own.get(owner) ?? 0) + size);
    for (const crate of watched) {
      if (owner !== crate && crates.includes(crate)) forTraits.set(crate, (forTraits.get(crate) ?? 0) + size);
    }
  }
  const crates = [...own]
    .sort((a, b) => b[1] - a[1])
    .map(([crate, bytes]) => ({ crate, own: bytes, forTraits: forTraits.get(crate) ?? 0 }));
  return { total, crates: [...crates, { crate: "(data and tables)", own: total - attributed, forTraits: 0 }] };
}

/**
 * The crates that a demangled function name mentions, the one that owns the function first.
 *
 * @param {string} name `a::b::c::h0123456789abcdef`, or `<a::T as b::Trait<c::U>>::method`
 */
export function cratesIn(name) {
  const paths = name.match(/(?<![\w:])[a-z_][a-z0-9_]*(?:\[[0-9a-f]+\])?(?=::)/g) ?? [];
  return [...new Set(paths.map((path) => path.replace(/\[.*/, "").replace(/^serde_core$/, "serde")))];
}
