// Prints JSON the way a person reads it: lines filled like a paragraph, long lists and texts cut with a count.

const WIDTH = 110;
const SHOWN_ITEMS = 4;
const SHOWN_TEXT = 90;
/** Members whose content tells nothing new here. */
const folded = new Set(["inputSchema", "recordIds", "unavailable"]);

/**
 * A value with its long parts left out; every cut is marked with `…` and, for a list, with how much is missing.
 *
 * @param {unknown} value
 * @param {string} indent put before every line but the first
 * @param {(name: string, value: unknown) => boolean} [isShown] which members an object keeps; not for objects inside it
 * @returns {string}
 */
export function brief(value, indent, isShown = () => true) {
  if (typeof value === "string") {
    return JSON.stringify(value.length > SHOWN_TEXT ? `${value.slice(0, SHOWN_TEXT)}…` : value);
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[${fill(items(value, inner), inner)}]`;
  return `{${fill(members(value, inner, isShown), inner)}}`;
}

/**
 * @param {unknown[]} list
 * @param {string} indent
 */
function items(list, indent) {
  const cut = list.length > SHOWN_ITEMS ? 1 : list.length;
  const parts = list.slice(0, cut).map((item) => brief(item, indent));
  return list.length > cut ? [...parts, `… ${list.length - cut} more`] : parts;
}

/**
 * @param {object} object
 * @param {string} indent
 * @param {(name: string, value: unknown) => boolean} isShown
 */
function members(object, indent, isShown) {
  const all = Object.entries(object);
  const shown = all.filter(([key, value]) => isShown(key, value));
  const parts = shown.map(([key, value]) => {
    if (!folded.has(key) || typeof value !== "object") return `"${key}": ${brief(value, indent)}`;
    return `"${key}": ${Array.isArray(value) ? `[… ${value.length}]` : "{…}"}`;
  });
  return all.length > shown.length ? [...parts, `… ${all.length - shown.length} more`] : parts;
}

/**
 * As many parts to a line as fit; one that has several lines itself starts a new one.
 *
 * @param {string[]} parts
 * @param {string} indent
 */
function fill(parts, indent) {
  /** @type {string[]} */
  const lines = [];
  for (const part of parts) {
    const line = lines.at(-1);
    const joined = `${line}, ${part}`;
    if (line !== undefined && !joined.includes("\n") && indent.length + joined.length < WIDTH)
      lines.splice(-1, 1, joined);
    else lines.push(part);
  }
  return lines.join(`,\n${indent}`);
}
