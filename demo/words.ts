// How a search field finds things.

/** Folds case, width and accents, so that "muller" finds "Müller" and "ＳＯ" finds "SO". */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Whether every word of the query stands somewhere in these texts. */
export function matches(query: string, texts: readonly string[]): boolean {
  const text = fold(texts.join("\n"));
  return fold(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
