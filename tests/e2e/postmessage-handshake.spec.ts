// From the first message of a client to its connection: verified once, on the newest port (Surface §8).

import { AGENT, expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./postmessage/in-page.ts");

test("a listed origin connects and is verified with what it presented", async ({ site }) => {
  const page = await site.open(PAGE);
  await page.evaluate((origin) => void surface.serve([origin]), AGENT);
  const agent = await site.frame(AGENT);
  const result = await agent.evaluate(async (origin) => {
    const client = await surface.connect(parent, { origin, app: "orders", credential: { token: "t" } });
    return client.invoke("echo", { a: 1 });
  }, PAGE);
  expect(result).toEqual({ output: { a: 1 } });
  expect(await page.evaluate(() => side.verified)).toEqual([{ origin: AGENT, credential: { token: "t" } }]);
  expect(await page.evaluate(() => side.listener.counts)).toEqual({ connections: 1, refusedOrigins: 0, badFrames: 0 });
});

test("an attempt is verified once, and its newest port is the one that is answered", async ({ site }) => {
  const page = await site.open(PAGE);
  await page.evaluate((origin) => {
    const verifySession = () =>
      new Promise<null>((resolve) => Object.assign(globalThis, { admit: () => resolve(null) }));
    surface.serve([origin], { verifySession });
  }, AGENT);
  const agent = await site.frame(AGENT);
  const frames = () => agent.evaluate(() => lines.map(({ got }) => got.map(({ type }) => type)));
  await agent.evaluate(() => {
    for (let i = 0; i < 4; i++) surface.knock(parent);
  });
  await expect.poll(() => page.evaluate(() => side.verified.length)).toBe(1);
  await page.evaluate(() => (globalThis as unknown as { admit(): void }).admit());
  await expect.poll(frames).toEqual([[], [], [], ["connected"]]);
  // A repetition that was under way moves the connection to its port.
  await agent.evaluate(() => surface.knock(parent));
  await expect.poll(frames).toEqual([[], [], [], ["connected"], ["connected"]]);
  await agent.evaluate(() => {
    lines[3]?.port.postMessage('{"type":"ping","n":1}');
    lines[4]?.port.postMessage('{"type":"ping","n":2}');
  });
  await expect.poll(frames).toEqual([[], [], [], ["connected"], ["connected", "pong"]]);
  expect(await page.evaluate(() => [side.verified.length, side.core.sessions.length, side.core.closed])).toEqual([
    1, 1, 0,
  ]);
  // Once it is over it does not come back.
  await agent.evaluate(() => lines[4]?.port.postMessage('{"type":"closed","reason":"closed"}'));
  await expect.poll(() => page.evaluate(() => side.core.closed)).toBe(1);
  await agent.evaluate(() => surface.knock(parent));
  await site.page.waitForTimeout(100);
  expect((await frames()).at(-1)).toEqual([]);
  expect(await page.evaluate(() => side.verified.length)).toBe(1);
});

test("a client that outruns a slow page ends on one port with one connection", async ({ site }) => {
  const page = await site.open(PAGE);
  await page.evaluate((origin) => {
    surface.serve([origin]);
    // Every message waits behind a task that is longer than the client's pause.
    const block = () => {
      const end = performance.now() + 400;
      while (performance.now() < end);
    };
    const timer = setInterval(block, 450);
    setTimeout(() => clearInterval(timer), 1500);
    block();
  }, AGENT);
  const agent = await site.frame(AGENT);
  const result = await agent.evaluate(async (origin) => {
    const client = await surface.connect(parent, { origin });
    return client.invoke("echo", { ok: 1 });
  }, PAGE);
  expect(result).toEqual({ output: { ok: 1 } });
  expect(await page.evaluate(() => side.listener.counts.connections)).toBe(1);
});

for (const what of ["throws", "rejects", "forgets to return", "returns a word"] as const) {
  test(`a verifySession that ${what} refuses the connection`, async ({ site }) => {
    const page = await site.open(PAGE);
    await page.evaluate(
      ([origin, what]) => {
        const answers = {
          throws: () => {
            throw new Error("no");
          },
          rejects: () => Promise.reject(new Error("no")),
          "forgets to return": () => undefined as never,
          "returns a word": () => "yes" as never,
        };
        surface.serve([origin], { verifySession: answers[what] });
      },
      [AGENT, what] as const,
    );
    const agent = await site.frame(AGENT);
    const attempt = (origin: string) => surface.outcome(surface.connect(parent, { origin }));
    expect(await agent.evaluate(attempt, PAGE)).toMatchObject({
      name: "SurfaceProtocolError",
      code: "GUARD_UNAVAILABLE",
    });
    expect(await page.evaluate(() => side.core.errors.length)).toBe(1);
    expect(await page.evaluate(() => side.listener.counts.connections)).toBe(0);
  });
}

test("a verifySession that hangs is given two seconds; its late answer changes nothing", async ({ site }) => {
  await site.installClock();
  const page = await site.open(PAGE);
  await page.evaluate((origin) => {
    const verifySession = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), 2_500));
    surface.serve([origin], { verifySession });
  }, AGENT);
  const agent = await site.frame(AGENT);
  await site.stopClock();
  await agent.evaluate(() => surface.knock(parent));
  await expect.poll(() => page.evaluate(() => side.verified.length)).toBe(1);
  const frames = () => agent.evaluate(() => lines.map(({ got }) => got));
  await site.page.clock.runFor(1_900);
  expect(await frames()).toEqual([[]]);
  await site.page.clock.runFor(200);
  await expect.poll(frames).toEqual([[{ type: "refused", code: "GUARD_UNAVAILABLE" }]]);
  await site.page.clock.runFor(1_000);
  // The refusal stands for repetitions too.
  await agent.evaluate(() => surface.knock(parent));
  await expect
    .poll(frames)
    .toEqual([[{ type: "refused", code: "GUARD_UNAVAILABLE" }], [{ type: "refused", code: "GUARD_UNAVAILABLE" }]]);
  expect(await page.evaluate(() => [side.verified.length, side.core.sessions.length])).toEqual([1, 0]);
});

test("connects that come before the kernel is ready are kept: 64 windows, the newest message of each", async ({
  site,
}) => {
  const page = await site.open(PAGE);
  const result = await page.evaluate(async (origin) => {
    const { core, listener, verified } = surface.serve([origin], { attach: false });
    const knock = (source: MessagePort, connectId: string) => {
      const { port2 } = new MessageChannel();
      const data = { "pling.surface": 1, type: "connect", connectId, credential: connectId };
      window.dispatchEvent(new MessageEvent("message", { data, origin, source, ports: [port2] }));
    };
    const windows = Array.from({ length: 70 }, () => new MessageChannel().port1);
    for (const [i, source] of windows.entries()) knock(source, `first-${i}`);
    for (const [i, source] of windows.slice(60).entries()) knock(source, `second-${i + 60}`);
    const before = verified.length;
    listener.attach(core);
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { before, ids: verified.map(({ credential }) => credential), connections: listener.counts.connections };
  }, AGENT);
  expect(result.before).toBe(0);
  expect(result.ids).toHaveLength(64);
  expect(result.ids[0]).toBe("first-6");
  expect(result.ids.at(-1)).toBe("second-69");
  expect(result.ids).not.toContain("first-69");
  expect(result.connections).toBe(64);
});

test("a client may start before the page does, and before the frame shows it", async ({ site }) => {
  const complaints: string[] = [];
  site.page.on("console", (message) => complaints.push(message.text()));
  const agent = await site.open(AGENT);
  // The frame is not there yet, then empty, then another document, then the page, then the page that listens.
  await agent.evaluate((origin) => {
    const frame = document.createElement("iframe");
    frame.name = "page";
    Object.assign(globalThis, {
      connecting: surface.outcome(surface.connect(frame, { origin, timeoutMs: 25_000 }).then(() => "in")),
    });
    setTimeout(() => document.body.append(frame), 100);
    setTimeout(() => Object.assign(frame, { src: `${origin}/` }), 600);
  }, PAGE);
  await expect.poll(() => site.page.frame({ name: "page" })?.url()).toBe(`${PAGE}/`);
  const page = site.page.frame({ name: "page" });
  await site.page.waitForTimeout(400);
  await page?.waitForFunction(() => "surface" in globalThis);
  await page?.evaluate((origin) => void surface.serve([origin]), AGENT);
  const end = await agent.evaluate(() => (globalThis as unknown as { connecting: Promise<unknown> }).connecting);
  expect(end).toEqual({ value: "in" });
  expect(complaints).toEqual([]);
});

test("two listeners of one window never answer the same port", async ({ site }) => {
  const page = await site.open(PAGE);
  const first = await page.evaluate((origin) => {
    const first = surface.serve([origin]);
    Object.assign(globalThis, { first });
    surface.serve([origin]);
    return first.core.app;
  }, AGENT);
  expect(first).toBe("orders");
  const agent = await site.frame(AGENT);
  await agent.evaluate(async (origin) => (await surface.connect(parent, { origin })).invoke("echo", {}), PAGE);
  const handled = await page.evaluate(() => [
    (globalThis as unknown as { first: typeof side }).first.core.held.length,
    side.core.held.length,
  ]);
  expect(handled).toEqual([1, 0]);
});
