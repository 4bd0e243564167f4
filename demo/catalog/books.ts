// The books of the catalog, as its server has them.

export interface Book {
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly pages: number;
  readonly about: string;
  /** How it begins. */
  readonly opening: string;
}

/** Fetches all of them; there are few. */
export async function loadBooks(): Promise<readonly Book[]> {
  const response = await fetch("/books.json");
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.json();
}
