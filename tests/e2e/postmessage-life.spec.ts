// Documents come and go: every promise settles, and the page hears of it (Surface §8).

import type { Frame } from "@playwright/test";
import { AGENT, expect, PAGE, type Site, test } from "./postmessage/site.ts";

declare const surface: typeof import("./postmessage/in-page.ts");
declare const client: import("../../js/client.ts").Client;
declare const calls: Record<string, Promise<import("./postmessage/in-page.ts").Outcome>>;

/** A listening page in a frame of its client, with one invoke and one describe outstanding. */
async function framed(site: Site): Promise<{ page: Frame; agent: Frame }> {
  const agent = await site.open(AGENT);
  const page = await site.frame(PAGE, { name: "page" });
  await page.evaluate((origin) => void surface.serve([origin]), AGENT);
  await agent.evaluate(call, PAGE);
  await expect.poll(() => page.evaluate(() => side.core.held.length)).toBe(2);
  return { page, agent };
}

/** Runs in the client's document: connects to the other document and calls it. */
async function call(origin: string): Promise<void> {
  const target = document.querySelector("iframe") ?? parent;
  const client = await surface.connect(target, { origin });
  const { outcome } = surface;
  const calls = { invoke: outcome(client.invoke("a")), describe: outcome(client.describe()) };
  Object.assign(globalThis, { client, calls });
}

const ends = (agent: Frame) =>
  agent.evaluate(async () => [await calls.invoke, await calls.describe, await client.closed]);
const lost = [
  { name: "SurfaceProtocolError", code: "CLOSED", outcome: "unknown" },
  { name: "SurfaceProtocolError", code: "CLOSED" },
];

test("a frame that is removed settles its calls", async ({ site }) => {
  const { agent } = await framed(site);
  await agent.evaluate(() => document.querySelector("iframe")?.remove());
  expect(await ends(agent)).toMatchObject([...lost, { reason: expect.stringMatching(/^(pagehide|lost)$/) }]);
});

test("a frame that navigates settles its calls and may be connected to again", async ({ site }) => {
  const { agent } = await framed(site);
  await agent.evaluate((src) => Object.assign(document.querySelector("iframe") ?? {}, { src }), `${PAGE}/next`);
  expect(await ends(agent)).toMatchObject([...lost, { reason: "pagehide" }]);
  await expect.poll(() => site.page.frame({ name: "page" })?.url()).toBe(`${PAGE}/next`);
  const page = site.page.frame({ name: "page" });
  await page?.waitForFunction(() => "surface" in globalThis);
  await page?.evaluate((origin) => void surface.serve([origin]), AGENT);
  const result = await agent.evaluate(async (origin) => {
    const target = document.querySelector("iframe");
    return target && (await surface.connect(target, { origin })).invoke("echo", { again: true });
  }, PAGE);
  expect(result).toEqual({ output: { again: true } });
});

test("a page that closes its connections says why, and goes on listening", async ({ site }) => {
  const { page, agent } = await framed(site);
  await page.evaluate(() => side.listener.closeConnections("internal"));
  expect(await ends(agent)).toMatchObject([...lost, { reason: "internal" }]);
  const again = await agent.evaluate((origin) => {
    const target = document.querySelector("iframe");
    return target && surface.outcome(surface.connect(target, { origin }).then(() => "in"));
  }, PAGE);
  expect(again).toEqual({ value: "in" });
});

test("a client that closes ends its connection in the kernel", async ({ site }) => {
  const { page, agent } = await framed(site);
  await agent.evaluate(() => {
    client.close();
    client.close();
  });
  expect(await ends(agent)).toMatchObject([...lost, { reason: "closed" }]);
  await expect.poll(() => page.evaluate(() => side.core.closed)).toBe(1);
  expect(await page.evaluate(() => side.listener.counts.connections)).toBe(0);
});

const departures: [what: string, act: () => void][] = [
  ["is removed", () => document.querySelector("iframe")?.remove()],
  ["navigates", () => document.querySelector("iframe")?.setAttribute("src", "https://agent.test/next")],
];
for (const [what, act] of departures) {
  test(`a client whose frame ${what} is gone for the kernel at once`, async ({ site }) => {
    const page = await site.open(PAGE);
    await page.evaluate((origin) => void surface.serve([origin]), AGENT);
    const agent = await site.frame(AGENT);
    await agent.evaluate(call, PAGE);
    await expect.poll(() => page.evaluate(() => side.core.held.length)).toBe(2);
    await page.evaluate(act);
    await expect.poll(() => page.evaluate(() => side.core.closed)).toBe(1);
    await page.evaluate(() => side.core.answer(0, {}));
    expect(await page.evaluate(() => side.listener.counts)).toEqual({
      connections: 0,
      refusedOrigins: 0,
      badFrames: 0,
    });
  });
}

test("a client that gives up while it is being verified leaves no connection", async ({ site }) => {
  const page = await site.open(PAGE);
  await page.evaluate((origin) => {
    const verifySession = () =>
      new Promise<null>((resolve) => Object.assign(globalThis, { admit: () => resolve(null) }));
    surface.serve([origin], { verifySession });
  }, AGENT);
  const agent = await site.frame(AGENT);
  const end = await agent.evaluate(
    (origin) => surface.outcome(surface.connect(parent, { origin, timeoutMs: 400 })),
    PAGE,
  );
  expect(end).toMatchObject({ code: "CONNECT_TIMEOUT", outcome: "not_sent" });
  await page.evaluate(() => (globalThis as unknown as { admit(): void }).admit());
  await expect.poll(() => page.evaluate(() => side.core.closed)).toBe(1);
  expect(await page.evaluate(() => side.listener.counts.connections)).toBe(0);
});

test("the back-forward cache closes both ends; after the return the client connects anew", async ({ site }) => {
  const { agent } = await framed(site);
  await agent.evaluate(() => {
    addEventListener("pageshow", ({ persisted }) => Object.assign(globalThis, { persisted }));
    calls.connecting = surface.outcome(surface.connect(window, { origin: location.origin }));
  });
  await site.page.goto(`${AGENT}/elsewhere`);
  await site.page.evaluate("history.back()");
  await expect
    .poll(() => site.page.evaluate(() => (globalThis as { persisted?: boolean }).persisted).catch(() => 0))
    .toBe(true);
  expect(await ends(site.page.mainFrame())).toMatchObject([...lost, { reason: "pagehide" }]);
  expect(await site.page.evaluate(() => calls.connecting)).toMatchObject({ code: "CLOSED", outcome: "not_sent" });
  const result = await site.page.evaluate(async (origin) => {
    const target = document.querySelector("iframe");
    return target && (await surface.connect(target, { origin })).invoke("echo", { back: true });
  }, PAGE);
  expect(result).toEqual({ output: { back: true } });
});

test("a listener that never gets a kernel drops what waits", async ({ site }) => {
  const page = await site.open(PAGE);
  await page.evaluate((origin) => void surface.serve([origin], { attach: false }), AGENT);
  const agent = await site.frame(AGENT);
  await agent.evaluate((origin) => {
    const calls = { connecting: surface.outcome(surface.connect(parent, { origin, timeoutMs: 800 })) };
    Object.assign(globalThis, { calls });
  }, PAGE);
  await site.page.waitForTimeout(100);
  await page.evaluate(() => {
    side.listener.fail();
    side.listener.attach(side.core);
  });
  expect(await agent.evaluate(() => calls.connecting)).toMatchObject({ code: "CONNECT_TIMEOUT" });
  expect(await page.evaluate(() => side.verified.length)).toBe(0);
});
