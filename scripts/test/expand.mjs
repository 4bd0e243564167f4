// Writes out what a vector abbreviates: long texts and long lists (tests/vectors/README.md).

/**
 * The value with every `$text` and `$items` written out.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
export function expand(value) {
  if (Array.isArray(value)) return value.flatMap(expandItem);
  if (typeof value !== "object" || value === null) return value;
  if ("$text" in value) return text(value.$text);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member)]));
}

/** @param {unknown} item */
function expandItem(item) {
  if (typeof item !== "object" || item === null || !("$items" in item)) return [expand(item)];
  const [count, template] = /** @type {[number, unknown]} */ (item.$items);
  return Array.from({ length: count }, (_, index) => expand(numbered(template, `${index + 1}`)));
}

/**
 * A text, a list of texts, or `[count, text]`.
 *
 * @param {unknown} part
 * @returns {string}
 */
function text(part) {
  if (!Array.isArray(part)) return String(part);
  return typeof part[0] === "number" ? text(part[1]).repeat(part[0]) : part.map(text).join("");
}

/**
 * The value with the number of the copy in place of each `{#}`.
 *
 * @param {unknown} value
 * @param {string} number
 * @returns {unknown}
 */
function numbered(value, number) {
  if (typeof value === "string") return value.replaceAll("{#}", number);
  if (Array.isArray(value)) return value.map((item) => numbered(item, number));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key.replaceAll("{#}", number),
    numbered(member, number),
  ]);
  return Object.fromEntries(members);
}
