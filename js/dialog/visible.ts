// What an agent sent, as text that a person can judge: bounded, with nothing in it that cannot be seen.

import { toText } from "../text.ts";

const SHOWN_UNITS = 480;
// Control and format characters (bidi overrides among them), line separators, and whatever else leaves no mark.
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The text with hidden characters spelled out, at most 500 characters; a longer one says how much is left out. */
export function visible(text: string): string {
  let shown = "";
  let read = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const piece = HIDDEN.test(character) ? `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]` : character;
    if (shown.length + piece.length > SHOWN_UNITS) return `${shown}\u2026 (${text.length - read} more)`;
    shown += piece;
    read += character.length;
  }
  return shown || '""';
}

/** One line per value, with its path; one that is too long for a line goes on in its parts, so that all of it shows. */
export function lines(path: string, value: unknown): [path: string, text: string][] {
  const text = typeof value === "string" ? value : toText(value);
  if (typeof value !== "object" || value === null || text.length <= SHOWN_UNITS)
    return [[visible(path), visible(text)]];
  if (Array.isArray(value) && value.length > 1) {
    const half = value.length >> 1;
    return [...lines(path, value.slice(0, half)), ...lines(path, value.slice(half))];
  }
  return Object.entries(value).flatMap(([name, member]) => lines(`${path}.${name}`, member));
}
