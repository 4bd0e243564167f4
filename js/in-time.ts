// A limit on how long page code may keep us waiting.

/** What the value settles with, or a rejection that says who took longer than the limit. */
export async function inTime<T>(value: T | PromiseLike<T>, limitMs: number, who: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${who} took over ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}
