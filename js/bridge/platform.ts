// What the platform gave when the script was loaded. Pages, tests and extensions patch it later.

export const Controller = globalThis.AbortController;
export const OwnPromise = globalThis.Promise;
export const { random } = Math;
export const wall = Date.now;
export const mono = globalThis.performance?.now.bind(performance);
export const setTimer = setTimeout.bind(globalThis);
export const clearTimer = clearTimeout.bind(globalThis);
/** What the host takes of a URL. */
const URL_UNITS = 2_048;

/** The document's URL, only its path when it is too long: a page may connect all the same, and have another one later. */
export const address = (): string =>
  location.href.length > URL_UNITS ? location.origin + location.pathname : location.href;

const titleOf = globalThis.Document && Object.getOwnPropertyDescriptor(Document.prototype, "title")?.get;

/** The document's title; `document.title` is a form or a frame where one has that name. */
export const title = (): string => titleOf?.call(document);

/** Page code never runs while the driver works: calls it once the script at hand is through. */
export async function later(task: () => void): Promise<void> {
  await undefined;
  task();
}

/** Marks a promise as one that nobody has to look at. */
export async function ignore(promise: Promise<unknown>): Promise<void> {
  try {
    await promise;
  } catch {
    // Whoever has the promise knows.
  }
}
