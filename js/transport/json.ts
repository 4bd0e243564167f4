// What JSON would change without a word is refused where it is passed.

// Deeper than any page takes; a cycle ends here too.
const DEPTH = 100;

/** Throws a `TypeError` with the path of the first part that is not JSON. An `undefined` member counts as absent. */
export function checkJson(value: unknown, path: string, depth = 0): void {
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return;
  const isArray = Array.isArray(value);
  if (!(isArray || isPlain(value)) || depth > DEPTH) throw new TypeError(`${path} is not JSON`);
  for (const [name, member] of Object.entries(isArray ? [...value] : value)) {
    if (isArray || member !== undefined) checkJson(member, `${path}.${name}`, depth + 1);
  }
}

/** Whether it is an object without a class, of any realm. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
