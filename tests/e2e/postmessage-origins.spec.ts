// Which windows may speak to a page at all; every other message leaves no trace (Surface §8).

import { AGENT, expect, PAGE, STRANGER, test } from "./postmessage/site.ts";

declare const surface: typeof import("./postmessage/in-page.ts");

test("foreign chatter of every kind costs nothing, throws nothing and gets no reply", async ({ site }) => {
  const complaints: string[] = [];
  site.page.on("pageerror", (error) => complaints.push(String(error)));
  const page = await site.open(PAGE);
  await page.evaluate((origin) => void surface.serve([origin]), AGENT);
  let sent = 0;
  for (const [origin, name] of [
    [AGENT, "agent"],
    [STRANGER, "stranger"],
  ] as const) {
    const frame = await site.frame(origin, { name });
    sent = await frame.evaluate(() => {
      const cycle: Record<string, unknown> = {};
      cycle.self = cycle;
      const junk: unknown[] = [
        "connect",
        "",
        '{"pling.surface":1,"type":"connect","connectId":"x"}',
        null,
        undefined,
        0,
        Number.NaN,
        true,
        [],
        ["pling.surface"],
        {},
        cycle,
        new Map([["type", "connect"]]),
        new Date(),
        /x/,
        new ArrayBuffer(8),
        10n,
        new Error("connect"),
        "x".repeat(200_000),
        Array.from({ length: 50_000 }, (_, i) => ({ i })),
        { type: "connect" },
        { "pling.surface": 2, type: "connect", connectId: "x" },
        { "pling.surface": "1", type: "connect", connectId: "x" },
        { "pling.surface": 1, type: "hello" },
        { jsonrpc: "2.0", id: 1, method: "initialize" },
        { namespace: "penpal", type: "SYN" },
        { id: "1", type: "APPLY" },
        { source: "react-devtools-bridge", payload: {} },
        { type: "webpackOk", data: undefined },
      ];
      for (const data of junk) {
        parent.postMessage(data, "*");
        const { port2, port1 } = new MessageChannel();
        parent.postMessage(data, "*", [port1, port2]);
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          throw new Error("got a reply");
        };
        parent.postMessage(data, "*", [channel.port2]);
      }
      // Not even a well-formed hello may come with no port or with two.
      const hello = { "pling.surface": 1, type: "connect", connectId: "x" };
      const { port1, port2 } = new MessageChannel();
      parent.postMessage(hello, "*");
      parent.postMessage(hello, "*", [port1, port2]);
      return junk.length;
    });
  }
  await page.evaluate(() => {
    // A scripted event may carry what a message cannot: getters and proxies that throw.
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error("trap");
        },
      },
    );
    const data = {
      get "pling.surface"(): number {
        throw new Error("getter");
      },
    };
    for (const evil of [trap, data]) {
      const ports = [new MessageChannel().port1];
      window.dispatchEvent(new MessageEvent("message", { data: evil, origin: "https://agent.test", ports }));
      window.dispatchEvent(new MessageEvent("message", { data: evil, origin: "https://stranger.test", ports }));
    }
  });
  // After all that the listener still works.
  const agent = site.page.frame({ name: "agent" });
  await agent?.evaluate((origin) => surface.connect(parent, { origin }).then(() => {}), PAGE);
  const { verified, counts } = await page.evaluate(() => ({ verified: side.verified, counts: side.listener.counts }));
  expect(verified).toHaveLength(1);
  expect(counts).toEqual({ connections: 1, refusedOrigins: sent + 2, badFrames: 2 });
  expect(complaints).toEqual([]);
});

test("an origin that is not listed gets no answer and is counted", async ({ site }) => {
  const page = await site.open(PAGE);
  await page.evaluate(
    (origin) => void surface.serve([origin, "https://agent.test:8443", "http://stranger.test"]),
    AGENT,
  );
  const stranger = await site.frame(STRANGER);
  const failure = await stranger.evaluate(
    (origin) => surface.outcome(surface.connect(parent, { origin, timeoutMs: 700 })),
    PAGE,
  );
  expect(failure).toMatchObject({ name: "SurfaceProtocolError", code: "CONNECT_TIMEOUT", outcome: "not_sent" });
  const { verified, counts } = await page.evaluate(() => ({ verified: side.verified, counts: side.listener.counts }));
  expect(verified).toEqual([]);
  expect(counts.refusedOrigins).toBeGreaterThan(1);
  expect(counts.connections).toBe(0);
});

test("of two sandboxed frames only the one that is the source connects", async ({ site }) => {
  const page = await site.open(PAGE);
  await page.evaluate(() => {
    const source = () => document.querySelector<HTMLIFrameElement>("iframe[name=mine]")?.contentWindow ?? null;
    surface.serve([{ origin: "null", source }]);
  });
  const mine = await site.frame(AGENT, { name: "mine", sandbox: "allow-scripts" });
  const other = await site.frame(AGENT, { name: "other", sandbox: "allow-scripts" });
  const attempt = ([origin, timeoutMs]: readonly [string, number]) =>
    surface.outcome(surface.connect(parent, { origin, timeoutMs }).then(() => "in"));
  expect(await mine.evaluate(attempt, [PAGE, 20_000] as const)).toEqual({ value: "in" });
  expect(await other.evaluate(attempt, [PAGE, 700] as const)).toMatchObject({ code: "CONNECT_TIMEOUT" });
  expect(await page.evaluate(() => side.verified)).toEqual([{ origin: "null" }]);
});

test("a page of another application does not answer", async ({ site }) => {
  const page = await site.open(PAGE);
  await page.evaluate((origin) => void surface.serve([origin]), AGENT);
  const agent = await site.frame(AGENT);
  const failure = await agent.evaluate(
    (origin) => surface.outcome(surface.connect(parent, { origin, app: "billing", timeoutMs: 600 })),
    PAGE,
  );
  expect(failure).toMatchObject({ code: "CONNECT_TIMEOUT" });
  expect(await page.evaluate(() => [side.verified.length, side.listener.counts.badFrames])).toEqual([0, 0]);
});

test("a connect message that breaks a rule is a bad frame", async ({ site }) => {
  const page = await site.open(PAGE);
  await page.evaluate((origin) => void surface.serve([origin]), AGENT);
  const agent = await site.frame(AGENT);
  await agent.evaluate(() => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const more of [
      { connectId: 5 },
      { connectId: "" },
      { connectId: "x".repeat(129) },
      { app: 5 },
      { credential: cycle },
      { credential: 10n },
      { credential: "x".repeat(70_000) },
    ])
      surface.knock(parent, more);
  });
  await expect.poll(() => page.evaluate(() => side.listener.counts.badFrames)).toBe(7);
  expect(await page.evaluate(() => side.verified.length)).toBe(0);
});
