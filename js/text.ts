// JSON text of plain values, also on pages that put a `toJSON` on a common prototype.

// Pages may patch it later; a response must come all the same.
const { stringify } = JSON;

/** The value as compact JSON text. It holds plain objects, arrays and scalars only. */
export function toText(value: unknown): string {
  if (!("toJSON" in Object.prototype) && !("toJSON" in Array.prototype)) return stringify(value);
  if (typeof value !== "object" || value === null) return stringify(value);
  if (Array.isArray(value)) return `[${value.map(toText).join(",")}]`;
  return `{${Object.entries(value)
    .map(([name, member]) => `${stringify(name)}:${toText(member)}`)
    .join(",")}}`;
}
