// A page that moves, is put away or frozen at the worst moment, and a host that answers late.

import { expect, test } from "./operations/fixture.ts";
import { claimed, type HostileHost, id, invocation, refused } from "./operations/hostile.ts";

declare const probe: typeof import("./operations/in-page.ts");

/** Makes the next claims wait; what it returns answers them. */
function holdClaims(host: HostileHost): () => void {
  const waiting: (() => void)[] = [];
  host.replies.claim = (body, response) => {
    waiting.push(() => response.writeHead(200).end(JSON.stringify(claimed(body).body)));
    return "hang";
  };
  return () => {
    for (const answer of waiting.splice(0)) answer();
  };
}

async function running(host: HostileHost, number: number): Promise<void> {
  host.invoke(number, "slow");
  await expect.poll(() => host.bodies("heartbeat").at(-1)).toMatchObject({ executionId: id(number), progress: 40 });
}

/** Everything that was said about the end of an execution. */
function told(host: HostileHost, number: number): unknown[] {
  const beacons = host.bodies("leave").flatMap(({ reports }) => reports as Record<string, unknown>[]);
  return [...beacons, ...host.bodies("complete")].filter(({ executionId }) => executionId === id(number));
}

const notStarted = { revision: id(1), state: "cancelled", started: false, stopped: true };

test("a claim that is answered too late starts nothing, and the host is told so once", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.open(site, host);
  const answer = holdClaims(host);
  host.invoke(1, "echo");
  await expect.poll(() => host.count("claim")).toBe(1);
  await tab.page.evaluate(() => {
    location.hash = "elsewhere";
  });
  answer();
  await expect.poll(() => told(host, 1)).toMatchObject([{ ...notStarted, reason: "page_changed" }]);
  await tab.page.evaluate(() => {
    probe.current().pageApi.onMessage((told) => Object.assign(globalThis, { told }));
    return probe.ready();
  });
  host.invoke(2, "echo");
  await expect.poll(() => host.count("claim")).toBe(2);
  host.event({ type: "cancel", executionId: id(2), reason: "cancelled" });
  host.event({ type: "message", message: "after the cancel" });
  await expect.poll(() => tab.page.evaluate(() => Reflect.get(globalThis, "told"))).toBe("after the cancel");
  answer();
  await expect.poll(() => told(host, 2)).toMatchObject([{ ...notStarted, reason: "cancelled" }]);
  expect(host.count("claim")).toBe(2);
});

test("heartbeats that are refused abort with the word that fits, and there is one report", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.open(site, host);
  const cases = [
    [refused(409, "stale_revision"), "page_changed"],
    [refused(409, "execution_ended"), "cancelled"],
    [refused(404, "not_found"), "cancelled"],
    [{ body: { ok: true, data: { cancelRequested: true } } }, "cancelled"],
  ] as const;
  let number = 0;
  for (const [reply, reason] of cases) {
    number += 1;
    host.replies.heartbeat = () => reply;
    host.invoke(number, "slow");
    const expected = [{ revision: id(1), state: "cancelled", reason, stopped: true }];
    await expect.poll(() => told(host, number), `${number}`).toMatchObject(expected);
  }
});

test("a page in the back/forward cache has said its word, and goes on where it was", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.open(site, host);
  const { page } = tab;
  await page.evaluate(() => addEventListener("pageshow", ({ persisted }) => Object.assign(globalThis, { persisted })));
  await running(host, 1);
  await page.goto(`${site.origin}/elsewhere`);
  const cancelled = { revision: id(1), state: "cancelled", reason: "page_hidden", stopped: true };
  await expect.poll(() => told(host, 1)).toMatchObject([cancelled]);
  expect(host.bodies("leave")).toMatchObject([{ close: false, token: "token-1" }]);
  await page.evaluate(() => history.back()).catch(() => undefined);
  await expect
    .poll(() => page.evaluate(() => (globalThis as { persisted?: boolean }).persisted).catch(() => undefined))
    .toBe(true);
  await expect.poll(() => host.streams).toEqual([undefined, "1"]);
  expect(host.bodies("state").at(-1)).toMatchObject({ ready: true });
  // The host repeats what it is not sure of: nothing comes of it.
  host.event(invocation(1, "slow"), 1);
  host.invoke(1, "slow");
  host.invoke(2);
  await expect.poll(() => told(host, 2)).toMatchObject([{ state: "succeeded" }]);
  expect(host.count("claim")).toBe(2);
  // Nobody answers a beacon: its report is repeated, word for word.
  expect(told(host, 1)).toMatchObject([cancelled, cancelled]);
  expect(await page.evaluate(() => probe.aborts)).toEqual(["AbortError page_hidden"]);
});

test("a frozen page is one that was put away", async ({ tab, site, hostile: host }) => {
  await tab.open(site, host);
  await running(host, 1);
  // The browser freezes what is in the background for long; a test can only say so.
  await tab.page.evaluate(() => document.dispatchEvent(new Event("freeze")));
  const cancelled = { revision: id(1), state: "cancelled", reason: "page_hidden" };
  await expect.poll(() => told(host, 1)).toMatchObject([cancelled]);
  expect(host.bodies("leave")).toMatchObject([{ close: false }]);
  expect(await tab.page.evaluate(() => probe.aborts)).toEqual(["AbortError page_hidden"]);
  await tab.page.evaluate(() => document.dispatchEvent(new Event("resume")));
  await expect.poll(() => host.streams).toEqual([undefined, "1"]);
  host.invoke(2);
  await expect.poll(() => told(host, 2)).toMatchObject([{ state: "succeeded" }]);
  expect(host.count("open")).toBe(1);
});

test("a page that closes tells what it left behind", async ({ tab, site, hostile: host }) => {
  await tab.open(site, host);
  await tab.page.evaluate(() => {
    probe.current().pageApi.operations.handle("orphan", () => new Promise(() => undefined));
  });
  host.invoke(1, "orphan");
  await expect.poll(() => host.count("claim")).toBe(1);
  await tab.page.evaluate(() => probe.ready());
  await tab.page.close({ runBeforeUnload: true });
  await expect
    .poll(() => host.bodies("leave"))
    .toMatchObject([
      {
        close: true,
        reports: [{ executionId: id(1), revision: id(1), state: "cancelled", reason: "page_hidden", stopped: false }],
      },
    ]);
});
