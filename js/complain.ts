// The last resort for what nobody else takes.

/** Writes to the console. Pages patch it: whatever it throws ends here. */
export function complain(level: "error" | "warn", ...words: unknown[]): void {
  try {
    console[level](...words);
  } catch {
    // There is nobody left to tell.
  }
}
