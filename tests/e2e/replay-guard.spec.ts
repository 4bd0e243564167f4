// indexedDbReplayGuard: a request id that was used stays used, over reloads and in every tab (Surface §5).

import type { Page } from "@playwright/test";
import { claim, expect, hash, NAME, open, seed, stored, test } from "./replay-guard/fixture.ts";

declare const surface: typeof import("./page/in-page.ts");
declare const guard: import("pageport").ReplayGuard;

const HOUR = 3_600_000;

test.beforeEach(async ({ site }) => {
  await open(site.page);
});

test("each id of a session is won once; another session has its own", async ({ site: { page } }) => {
  expect(await claim(page, "s", "1")).toBe(true);
  expect(await claim(page, "s", "1")).toBe(false);
  expect(await claim(page, "s", "2")).toBe(true);
  expect(await claim(page, "t", "1")).toBe(true);
  expect(await claim(page, "t", "1")).toBe(false);
});

test("what ran before a reload is a replay after it, for a page that uses the guard", async ({ site: { page } }) => {
  const run = () =>
    page.evaluate(async () => {
      const page = await surface.open({ replayGuard: surface.indexedDbReplayGuard() });
      let ran = 0;
      page.declare({ id: "a.run", description: "Run", effect: "read", execute: () => ++ran });
      const envelope = { ...surface.invoke("a.run"), id: "the one" };
      const response = await page.handle(envelope, surface.session);
      return [response.ok || response.error.code, ran];
    });
  expect(await run()).toEqual([true, 1]);
  await open(page);
  expect(await run()).toEqual(["REPLAY_DETECTED", 0]);
});

test("of two tabs that race with one id exactly one wins, each time", async ({ site: { page }, context }) => {
  const other = await context.newPage();
  await open(other);
  const race = (tab: Page) =>
    tab.evaluate(() => Promise.all(Array.from({ length: 40 }, (_, n) => guard.claim("s", `r-${n}`, Date.now() + 1e6))));
  const [first, second] = await Promise.all([race(page), race(other)]);
  expect(first.map((won, n) => Number(won) + Number(second[n]))).toEqual(Array(40).fill(1));
});

test("of many claims of one id at once exactly one wins", async ({ site: { page } }) => {
  const won = await page.evaluate(() =>
    Promise.all(Array.from({ length: 50 }, () => guard.claim("s", "one", Date.now() + 1e6))),
  );
  expect(won.filter(Boolean)).toEqual([true]);
});

test("each name is a database of its own; wrong options are refused with their path", async ({ site: { page } }) => {
  const seen = await page.evaluate(async () => {
    const claims = [];
    for (const options of [{ name: "one" }, { name: "two" }, { name: "one" }, {}, undefined]) {
      claims.push(await surface.indexedDbReplayGuard(options).claim("s", "1", Date.now() + 1e6));
    }
    const errors = [{ name: "" }, { name: 5 }, { nmae: "x" }, null].map((options) => {
      try {
        surface.indexedDbReplayGuard(options as never);
        return "fine";
      } catch (error) {
        return String(error);
      }
    });
    const names = (await indexedDB.databases()).map(({ name }) => name).sort();
    return { claims, errors, names };
  });
  const refused = "PageportError: indexedDbReplayGuard: options";
  expect(seen).toEqual({
    claims: [true, true, false, true, false],
    errors: [
      `${refused}.name must be a string, and not empty`,
      `${refused}.name must be a string, and not empty`,
      `${refused}.nmae is unknown`,
      `${refused} must be an object`,
    ],
    names: ["one", NAME, "two"],
  });
});

test("on disk stand hashes, not session ids", async ({ site: { page } }) => {
  const until = Date.now() + HOUR;
  await claim(page, "secret-session", "r-1", until);
  await claim(page, "secret-session", "r-2", until - 1_000);
  const [claims, values, sessions, known] = await stored(page);
  const session = hash("secret-session");
  expect(sessions).toEqual([session]);
  expect(claims).toEqual([
    [session, "r-1"],
    [session, "r-2"],
  ]);
  expect(values).toEqual([0, 0]);
  expect(known).toEqual([{ count: 2, untilMs: until }]);
});

test("a claim is on disk before it counts: one strict readwrite transaction", async ({ site: { page } }) => {
  const seen = await page.evaluate(async () => {
    const seen: unknown[] = [];
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (...given) {
      const made = transaction.apply(this, given);
      seen.push([given[1], made.durability]);
      made.addEventListener("complete", () => seen.push("complete"));
      return made;
    };
    seen.push(await guard.claim("s", "1", Date.now() + 1e6));
    return seen;
  });
  expect(seen).toEqual([["readwrite", "strict"], "complete", true]);
});

test("claims of an expired session go, a few with every later claim", async ({ site: { page } }) => {
  await claim(page, "s", "1");
  const old = hash("old");
  await seed(page, old, 100, 1, 100);
  const left = async () => {
    const [claims, , sessions] = await stored(page);
    return [(claims as string[][]).filter(([session]) => session === old).length, sessions.includes(old)];
  };
  expect(await left()).toEqual([100, true]);
  await claim(page, "s", "2");
  expect(await left()).toEqual([36, true]);
  await claim(page, "s", "2");
  expect(await left(), "a lost claim removes nothing").toEqual([36, true]);
  await claim(page, "s", "3");
  expect(await left()).toEqual([0, false]);
  expect((await stored(page))[0].length).toBe(3);
});

test("a session that lives longer than it said keeps all its claims", async ({ site: { page } }) => {
  expect(await claim(page, "s", "1", 1)).toBe(true);
  expect(await claim(page, "s", "1", 1), "its own end sweeps it not").toBe(false);
  expect(await claim(page, "s", "2")).toBe(true);
  expect(await claim(page, "t", "1")).toBe(true);
  expect(await claim(page, "s", "1")).toBe(false);
});

test("a full session is refused, not forgotten, and others go on", async ({ site: { page } }) => {
  await claim(page, "t", "1");
  await seed(page, hash("s"), 99_999, Date.now() + HOUR, 1);
  expect(await claim(page, "s", "last")).toBe(true);
  await expect(claim(page, "s", "one too many")).rejects.toThrow("the session has no room for another claim");
  expect(await claim(page, "s", "old-0")).toBe(false);
  expect(await claim(page, "s", "last")).toBe(false);
  await expect(claim(page, "s", "one too many")).rejects.toThrow("no room");
  expect(await claim(page, "t", "2")).toBe(true);
});
