// The one table of what the package ships and how large it may be.

/**
 * @typedef {object} Entry
 * @property {string} name file name without extension, and the subpath of `exports`
 * @property {string} source
 * @property {("esm" | "cjs" | "iife")[]} formats
 * @property {boolean} [required] the package is nothing without it
 * @property {string} [beside] another entry, which it imports instead of carrying it a second time
 * @property {Budget} [budget] for the ESM file
 */
/**
 * @typedef {object} Budget bytes of the file after `gzip -9`; 1 kB is 1000 bytes
 * @property {number} limit the build fails above it
 * @property {number} [stretch] the build warns above it
 */

/** The name that the classic scripts define on the global object. */
export const globalName = "pageport";

/** @type {Entry[]} */
export const entries = [
  {
    name: "index",
    source: "js/index.ts",
    formats: ["esm", "cjs", "iife"],
    required: true,
    // The goal stands; the limit is what DESIGN.md ("What has to go?") owns up to, so that nothing grows unseen.
    budget: { limit: 136_000, stretch: 70_000 },
  },
  {
    name: "plugin",
    source: "js/plugin.ts",
    formats: ["esm", "cjs"],
    required: true,
    beside: "index",
    budget: { limit: 2_000 },
  },
  { name: "client", source: "js/client.ts", formats: ["esm", "cjs"], required: true, budget: { limit: 5_000 } },
  { name: "slim", source: "js/slim.ts", formats: ["esm", "cjs"] },
];

/**
 * The shipped file of an entry in one format. The classic script carries the package's name, as it stands alone.
 *
 * @param {Entry} entry
 * @param {"esm" | "cjs" | "iife"} format
 */
export function fileName({ name }, format) {
  if (format === "iife") return name === "index" ? `${globalName}.iife.js` : `${name}.js`;
  return format === "esm" ? `${name}.js` : `${name}.cjs`;
}
