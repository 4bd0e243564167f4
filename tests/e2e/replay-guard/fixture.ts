// What the tests of indexedDbReplayGuard share: claims from a document, and a look at what stands in the database.

import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { test as base, PAGE } from "../postmessage/site.ts";

declare const surface: typeof import("../page/in-page.ts");
declare const guard: import("pageport").ReplayGuard;

/** The database when no name is given. */
export const NAME = "pageport.replay";

export const test = base.extend({ entry: "tests/e2e/page/in-page.ts" });

/** Opens the document, with a guard of its own. */
export async function open(page: Page): Promise<void> {
  await page.goto(`${PAGE}/`);
  await page.evaluate(() => void Object.assign(globalThis, { guard: surface.indexedDbReplayGuard() }));
}

/** What stands on disk for a session. */
export const hash = (session: string) => createHash("sha256").update(session).digest("hex");

/** Claims; an hour from now the session ends, unless said otherwise. */
export const claim = (page: Page, session: string, id: string, untilMs?: number) =>
  page.evaluate(([session, id, until]) => guard.claim(session, id, until ?? Date.now() + 3_600_000), [
    session,
    id,
    untilMs,
  ] as const);

/** The error that a claim rejects with, by name. */
export const failure = (page: Page) =>
  page.evaluate(async () => {
    try {
      return String(await guard.claim("s", crypto.getRandomValues(new Uint8Array(8)).join(), Date.now() + 1_000));
    } catch (error) {
      return (error as Error).name;
    }
  });

/** Everything that stands in the database. */
export const stored = (page: Page) =>
  page.evaluate(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
    });
    const read = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    const transaction = database.transaction(["claims", "sessions"]);
    const [claims, sessions] = [transaction.objectStore("claims"), transaction.objectStore("sessions")];
    const found = await Promise.all([
      read(claims.getAllKeys()),
      read(claims.getAll()),
      read(sessions.getAllKeys()),
      read(sessions.getAll()),
    ]);
    database.close();
    return found;
  }, NAME);

/** Puts a session there that has this many claims already. */
export const seed = (page: Page, session: string, count: number, untilMs: number, written: number) =>
  page.evaluate(
    async ([name, session, count, untilMs, written]) => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
      });
      await new Promise((resolve) => {
        const transaction = database.transaction(["claims", "sessions"], "readwrite");
        transaction.oncomplete = resolve;
        transaction.objectStore("sessions").put({ count, untilMs }, session);
        for (let n = 0; n < written; n++) transaction.objectStore("claims").put(0, [session, `old-${n}`]);
      });
      database.close();
    },
    [NAME, session, count, untilMs, written] as const,
  );

export { expect } from "@playwright/test";
