// indexedDbReplayGuard when IndexedDB does not do as it should: every failure rejects, so that nothing runs (Surface §5).

import { PAGE } from "./postmessage/site.ts";
import { claim, expect, NAME, open, stored, test } from "./replay-guard/fixture.ts";

declare const surface: typeof import("./page/in-page.ts");
declare const guard: import("pageport").ReplayGuard;

test.beforeEach(async ({ site }) => {
  await open(site.page);
});

/** Calls a page that uses the guard; runs in the browser. */
async function call(id: string): Promise<[outcome: unknown, ran: number, told: string[]]> {
  const page = await surface.open({ replayGuard: surface.indexedDbReplayGuard() });
  let ran = 0;
  page.declare({ id: "a.run", description: "Run", effect: "read", execute: () => ++ran });
  const response = await page.handle({ ...surface.invoke("a.run"), id }, surface.session);
  return [response.ok || response.error.code, ran, surface.errors];
}

test("a database that another tab deletes is closed at once, and opened anew by the next claim", async ({
  site: { page },
  context,
}) => {
  expect(await claim(page, "s", "1")).toBe(true);
  const other = await context.newPage();
  await open(other);
  const deleted = await other.evaluate(
    (name) =>
      new Promise((resolve) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = () => resolve("deleted");
        request.onblocked = () => resolve("blocked");
      }),
    NAME,
  );
  expect(deleted).toBe("deleted");
  expect(await claim(page, "s", "1")).toBe(true);
  expect(await claim(other, "s", "1")).toBe(false);
});

test("a database of a later version is not touched: claims reject until it is gone", async ({ site: { page } }) => {
  expect(await claim(page, "s", "1")).toBe(true);
  const upgraded = await page.evaluate(
    (name) =>
      new Promise((resolve) => {
        const request = indexedDB.open(name, 2);
        request.onsuccess = () => resolve(request.result.close());
        request.onblocked = () => resolve("blocked");
      }),
    NAME,
  );
  expect(upgraded).toBeUndefined();
  await expect(claim(page, "s", "2")).rejects.toThrow("VersionError");
  await expect(claim(page, "s", "2")).rejects.toThrow("VersionError");
  expect(await page.evaluate(call, "r")).toEqual([
    "GUARD_UNAVAILABLE",
    0,
    [expect.stringContaining("replayGuard: VersionError")],
  ]);
  await page.evaluate(
    (name) => new Promise((resolve) => Object.assign(indexedDB.deleteDatabase(name), { onsuccess: resolve })),
    NAME,
  );
  expect(await claim(page, "s", "2")).toBe(true);
});

test("without room on disk a claim rejects and is not kept", async ({ site: { page }, context }) => {
  const devtools = await context.newCDPSession(page);
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: PAGE, quotaSize: 1 });
  await expect(claim(page, "s", "1")).rejects.toThrow("QuotaExceededError");
  const [outcome, ran] = await page.evaluate(call, "r");
  expect([outcome, ran]).toEqual(["GUARD_UNAVAILABLE", 0]);
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: PAGE });
  expect(await claim(page, "s", "1")).toBe(true);
});

test("where IndexedDB is denied or missing, nothing runs", async ({ site }) => {
  const frame = await site.frame(PAGE, { sandbox: "allow-scripts" });
  const [outcome, ran, errors] = await frame.evaluate(call, "r");
  expect([outcome, ran]).toEqual(["GUARD_UNAVAILABLE", 0]);
  expect(errors).toEqual([expect.stringContaining("replayGuard: SecurityError")]);

  await site.page.evaluate(() => Object.defineProperty(globalThis, "indexedDB", { value: undefined }));
  expect((await site.page.evaluate(call, "r")).slice(0, 2)).toEqual(["GUARD_UNAVAILABLE", 0]);
});

test("a transaction that breaks off takes its claim back", async ({ site: { page } }) => {
  const broken = await page.evaluate(async () => {
    const { put } = IDBObjectStore.prototype;
    const failures: unknown[] = [];
    const attempt = async () => {
      try {
        await guard.claim("s", "1", Date.now() + 1e6);
      } catch (error) {
        failures.push((error as Error).name);
      }
    };
    IDBObjectStore.prototype.put = () => {
      throw new Error("no put today");
    };
    await attempt();
    IDBObjectStore.prototype.put = function (...given) {
      const request = put.apply(this, given);
      this.transaction.abort();
      return request;
    };
    await attempt();
    IDBObjectStore.prototype.put = put;
    return failures;
  });
  expect(broken).toEqual(["AbortError", "AbortError"]);
  expect((await stored(page))[0]).toEqual([]);
  expect(await claim(page, "s", "1")).toBe(true);
});

test("a connection that the browser closed is opened anew", async ({ site: { page } }) => {
  const claims = await page.evaluate(async () => {
    const { open } = indexedDB;
    const opened: IDBDatabase[] = [];
    indexedDB.open = (...given) => {
      const request = open.apply(indexedDB, given);
      request.addEventListener("success", () => opened.push(request.result));
      return request;
    };
    const claim = (id: string) => guard.claim("s", id, Date.now() + 1e6);
    const claims = [await claim("1")];
    const [first] = opened;
    first?.close();
    first?.dispatchEvent(new Event("close"));
    claims.push(await claim("1"), await claim("2"));
    return [claims, opened.length];
  });
  expect(claims).toEqual([[true, false, true], 2]);
});

test("a claim that comes back after 2 s is spent", async ({ site: { page } }) => {
  await page.clock.install();
  await open(page);
  await page.evaluate(async (name) => {
    // A connection that closes for nobody, and a wish to delete the database: whoever opens it now waits.
    const holder = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
    });
    await new Promise((resolve) => Object.assign(indexedDB.deleteDatabase(name), { onblocked: resolve }));
    const page = await surface.open({ replayGuard: guard });
    const state = { ran: 0 };
    page.declare({ id: "a.run", description: "Run", effect: "read", execute: () => ++state.ran });
    const ask = async () => {
      const response = await page.handle({ ...surface.invoke("a.run"), id: "late" }, surface.session);
      return response.ok || response.error.code;
    };
    Object.assign(globalThis, { holder, state, ask, first: ask() });
  }, NAME);
  await page.clock.runFor(2_000);
  type Kept = { holder: IDBDatabase; state: { ran: number }; ask(): Promise<unknown>; first: Promise<unknown> };
  expect(await page.evaluate(() => (globalThis as unknown as Kept).first)).toBe("GUARD_UNAVAILABLE");
  const late = await page.evaluate(async () => {
    const { holder, state, ask } = globalThis as unknown as Kept;
    holder.close();
    return [await ask(), state.ran];
  });
  expect(late).toEqual(["REPLAY_DETECTED", 0]);
});
