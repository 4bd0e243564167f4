// What the page's end of a port does with frames, good and bad (Surface §1, §8).

import type { Frame } from "@playwright/test";
import { AGENT, expect, PAGE, type Site, test } from "./postmessage/site.ts";

declare const surface: typeof import("./postmessage/in-page.ts");

/** A page that listens, and a frame with one hand-written line to it. */
async function line(site: Site): Promise<{ page: Frame; agent: Frame }> {
  const page = await site.open(PAGE);
  await page.evaluate((origin) => void surface.serve([origin]), AGENT);
  const agent = await site.frame(AGENT);
  await agent.evaluate(() => surface.knock(parent));
  await expect.poll(() => got(agent)).toEqual([{ type: "connected", pageSessionId: "page-session-1", app: "orders" }]);
  return { page, agent };
}

const got = (agent: Frame) => agent.evaluate(() => lines[0]?.got ?? []);
const counts = (page: Frame) => page.evaluate(() => side.listener.counts);

test("a request goes to the kernel as it is, and its response comes back under its number", async ({ site }) => {
  const { page, agent } = await line(site);
  await agent.evaluate(() => {
    surface.send(0, {
      type: "request",
      n: 7,
      request: { id: "a", capability: "echo", input: { text: "\u2028 “x” 😀" } },
    });
    surface.send(0, { type: "request", n: -3, request: { id: "b", extra: [1] } });
    surface.send(0, { type: "request", n: 8 });
  });
  await expect.poll(() => page.evaluate(() => side.core.held.length)).toBe(3);
  await page.evaluate(() => side.core.answer(1, { late: true }));
  const protocol = "pling.surface/0.1";
  await expect
    .poll(async () => (await got(agent)).slice(1))
    .toEqual([
      {
        type: "response",
        n: 7,
        response: { protocol, id: "a", ok: true, result: { output: { text: "\u2028 “x” 😀" } } },
      },
      { type: "response", n: -3, response: { protocol, id: "b", ok: true, result: { late: true } } },
    ]);
  expect(await page.evaluate(() => side.core.held[1]?.request)).toEqual({ id: "b", extra: [1] });
  expect(await counts(page)).toEqual({ connections: 1, refusedOrigins: 0, badFrames: 0 });
});

test("a frame that breaks a rule is counted and ignored; a type nobody knows is only ignored", async ({ site }) => {
  const { page, agent } = await line(site);
  await agent.evaluate(() => {
    const post = (data: unknown) => lines[0]?.port.postMessage(data);
    const request = { id: "x" };
    for (const data of ["", "{", "null", "5", '"request"', "[]", "{}", '{"type":5}', null, { type: "ping", n: 1 }, 7])
      post(data);
    for (const n of [undefined, null, "1", 1.5, 1e300, true, [1]]) {
      surface.send(0, { type: "request", n, request });
      surface.send(0, { type: "cancel", n });
    }
    surface.send(0, { type: "ping", n: "1" });
    surface.send(0, { type: "request", n: 1, request });
    surface.send(0, { type: "request", n: 1, request });
    surface.send(0, { type: "toString", n: 1 });
    surface.send(0, { type: "connected", n: 1 });
    surface.send(0, { type: "pong", n: 99 });
    surface.send(0, { type: "cancel", n: 99 });
    surface.send(0, { type: "ping", n: 5 });
  });
  await expect.poll(async () => (await got(agent)).at(-1)).toEqual({ type: "pong", n: 5 });
  // 11 that are no frames, 14 + 1 without an integer, one number twice.
  expect((await counts(page)).badFrames).toBe(27);
  expect(await page.evaluate(() => [side.core.held.length, side.core.cancelled.length])).toEqual([1, 0]);
});

test("a number that comes twice is noticed, in order or not, answered or not", async ({ site }) => {
  const { page, agent } = await line(site);
  await agent.evaluate(() => {
    for (const n of [10, 11, 13, 12, 2 ** 53 - 1, -5, 10, 11, 12, 13, -5, 2 ** 53 - 1, 14])
      surface.send(0, { type: "request", n, request: { capability: "echo" } });
  });
  await expect.poll(() => page.evaluate(() => side.core.held.length)).toBe(7);
  expect((await counts(page)).badFrames).toBe(6);
});

test("a frame that is too large closes its connection, and no other", async ({ site }) => {
  const { page, agent } = await line(site);
  await agent.evaluate(() => {
    surface.knock(parent, { connectId: "c2" });
    const frame = (units: number) => JSON.stringify({ type: "later", pad: "x".repeat(units) });
    const room = 131_072 - frame(0).length;
    lines[0]?.port.postMessage(frame(room));
    surface.send(0, { type: "ping", n: 1 });
    lines[0]?.port.postMessage(frame(room + 1));
    surface.send(0, { type: "ping", n: 2 });
  });
  await expect
    .poll(async () => (await got(agent)).slice(1))
    .toEqual([
      { type: "pong", n: 1 },
      { type: "closed", reason: "too_large" },
    ]);
  expect(await page.evaluate(() => side.core.closed)).toBe(1);
  expect(await counts(page)).toEqual({ connections: 1, refusedOrigins: 0, badFrames: 1 });
});

test("a cancel reaches the kernel once, and not after the response", async ({ site }) => {
  const { page, agent } = await line(site);
  await agent.evaluate(() => {
    surface.send(0, { type: "request", n: 1, request: { capability: "echo" } });
    surface.send(0, { type: "request", n: 2, request: {} });
    surface.send(0, { type: "cancel", n: 1 });
    surface.send(0, { type: "cancel", n: 2 });
  });
  await expect.poll(() => page.evaluate(() => side.core.cancelled)).toEqual([1]);
});

test("a reply that comes after the connection ended is dropped", async ({ site }) => {
  const { page, agent } = await line(site);
  await agent.evaluate(() => {
    surface.send(0, { type: "request", n: 1, request: { id: "a" } });
    surface.send(0, { type: "closed", reason: "closed" });
  });
  await expect.poll(() => page.evaluate(() => side.core.closed)).toBe(1);
  await page.evaluate(() => side.core.answer(0, {}));
  expect((await got(agent)).filter(({ type }) => type === "response")).toEqual([]);
  expect((await counts(page)).connections).toBe(0);
});

test("changes are told at most every 50 ms, to everybody who is connected", async ({ site }) => {
  await site.installClock();
  const { page, agent } = await line(site);
  await site.stopClock();
  await agent.evaluate(() => surface.knock(parent, { connectId: "c2" }));
  await expect.poll(() => agent.evaluate(() => lines[1]?.got.length)).toBe(1);
  const told = () => agent.evaluate(() => lines.map(({ got }) => got.filter(({ type }) => type === "changed").length));
  await page.evaluate(() => {
    for (let i = 0; i < 10; i++) side.core.change();
  });
  await site.page.clock.runFor(49);
  expect(await told()).toEqual([0, 0]);
  await site.page.clock.runFor(1);
  await expect.poll(told).toEqual([1, 1]);
  await page.evaluate(() => side.core.change());
  await site.page.clock.runFor(50);
  await expect.poll(told).toEqual([2, 2]);
});

test("a closed listener tells its clients, frees the window and may be closed again", async ({ site }) => {
  const { page, agent } = await line(site);
  await page.evaluate(() => {
    side.listener.close();
    side.listener.close();
  });
  await expect.poll(async () => (await got(agent)).at(-1)).toEqual({ type: "closed", reason: "closed" });
  await agent.evaluate(() => surface.knock(parent, { connectId: "c2" }));
  await site.page.waitForTimeout(100);
  expect(await agent.evaluate(() => lines[1]?.got)).toEqual([]);
  expect(await page.evaluate(() => [side.core.closed, side.verified.length])).toEqual([1, 1]);
  expect((await counts(page)).connections).toBe(0);
});

test("the page pings a silent client that waits for an answer, and gives it up after ten seconds", async ({ site }) => {
  await site.installClock();
  const { page, agent } = await line(site);
  await site.stopClock();
  const clock = site.page.clock;
  const pings = async () => (await got(agent)).filter(({ type }) => type === "ping");
  // Nothing is outstanding: silence means nothing.
  await clock.runFor(60_000);
  expect(await pings()).toEqual([]);
  await agent.evaluate(() => surface.send(0, { type: "request", n: 1, request: {} }));
  await expect.poll(() => page.evaluate(() => side.core.held.length)).toBe(1);
  await clock.runFor(9_900);
  expect(await pings()).toEqual([]);
  await clock.runFor(200);
  await expect.poll(pings).toEqual([{ type: "ping", n: 1 }]);
  await agent.evaluate(() => {
    surface.send(0, { type: "pong", n: 1 });
    surface.send(0, { type: "ping", n: 9 });
  });
  await expect.poll(async () => (await got(agent)).at(-1)).toEqual({ type: "pong", n: 9 });
  await clock.runFor(10_100);
  await expect.poll(pings).toHaveLength(2);
  await clock.runFor(9_800);
  expect(await page.evaluate(() => side.core.closed)).toBe(0);
  await clock.runFor(300);
  expect(await page.evaluate(() => side.core.closed)).toBe(1);
  await expect.poll(async () => (await got(agent)).at(-1)).toEqual({ type: "closed", reason: "lost" });
});
