// Who is let in by postMessage, and what everybody else gets: nothing (Surface §8).

import { AGENT, expect, PAGE, STRANGER, test } from "./postmessage/site.ts";

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
      cycle["self"] = cycle;
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
  const attempt = (origin: string) =>
    surface.outcome(surface.connect(parent, { origin, timeoutMs: 700 }).then(() => "in"));
  expect(await mine.evaluate(attempt, PAGE)).toEqual({ value: "in" });
  expect(await other.evaluate(attempt, PAGE)).toMatchObject({ code: "CONNECT_TIMEOUT" });
  expect(await page.evaluate(() => side.verified)).toEqual([{ origin: "null" }]);
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

for (const [what, verifySession] of [
  [
    "throws",
    () => {
      throw new Error("no");
    },
  ],
  ["rejects", () => Promise.reject(new Error("no"))],
  ["forgets to return", () => undefined as never],
  ["returns a word", () => "yes" as never],
] as const) {
  test(`a verifySession that ${what} refuses the connection`, async ({ site }) => {
    const page = await site.open(PAGE);
    await page.evaluate(
      ([origin, source]) => {
        // biome-ignore lint/security/noGlobalEval: the function comes from the table above
        surface.serve([origin], { verifySession: eval(`(${source})`) });
      },
      [AGENT, verifySession.toString()] as const,
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
  await site.page.clock.install();
  const page = await site.open(PAGE);
  await page.evaluate((origin) => {
    const verifySession = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), 2_500));
    surface.serve([origin], { verifySession });
  }, AGENT);
  const agent = await site.frame(AGENT);
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
    cycle["self"] = cycle;
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
    Object.assign(globalThis, { connecting: surface.outcome(surface.connect(frame, { origin }).then(() => "in")) });
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

test("options of the listener are checked, with the path of what is wrong", async ({ site }) => {
  const page = await site.open(PAGE);
  const messages = await page.evaluate(() => {
    const verifySession = () => null;
    const wrong: unknown[] = [
      undefined,
      { origins: [], verifySession, extra: 1 },
      { origins: [] },
      { origins: "https://a.test", verifySession },
      { origins: ["*"], verifySession },
      { origins: ["https://a.test", "null"], verifySession },
      { origins: ["https://a.test/"], verifySession },
      { origins: ["https://A.test"], verifySession },
      { origins: ["https://a.test:443"], verifySession },
      { origins: [{ origin: "null" }], verifySession },
      { origins: [{ origin: "*", source: window }], verifySession },
      { origins: [{ origin: "https://a.test", source: {} }], verifySession },
      { origins: [{ origin: "https://a.test", source: window, from: 1 }], verifySession },
    ];
    return wrong.map((options) => {
      try {
        surface.createListener(window, "orders", options as never);
        return "taken";
      } catch (error) {
        const { name, code, message } = error as Error & { code: string };
        return `${name} ${code} ${message}`;
      }
    });
  });
  const rule = "must be an exact origin such as https://assistant.example";
  expect(messages).toEqual(
    [
      "listen must be an object",
      "listen.extra is not an option",
      "listen.verifySession must be a function",
      "listen.origins must be an array",
      `listen.origins[0] ${rule}`,
      'listen.origins[1] may be "null" only as { origin, source }',
      `listen.origins[0] ${rule}`,
      `listen.origins[0] ${rule}`,
      `listen.origins[0] ${rule}`,
      "listen.origins[0].source must be a window or a function that returns one",
      `listen.origins[0].origin ${rule}`,
      "listen.origins[0].source must be a window or a function that returns one",
      "listen.origins[0].from is not an option",
    ].map((message) => `PageportError INVALID_OPTION ${message}`),
  );
});
