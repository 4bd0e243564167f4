// The built package over postMessage: sessions, limits and the nine steps as a client of another origin meets them.

import { connected, dial, logged } from "./postmessage/connected.ts";
import { AGENT, expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./postmessage/package.ts");
declare const client: import("pageport/client").Client;
declare const calls: Record<string, Promise<import("./postmessage/by-hand.ts").Outcome>>;

test.use({ entry: "tests/e2e/postmessage/package.ts" });

test("a client describes and invokes; a new declaration reaches it as a difference", async ({ site }) => {
  const { host, agent } = await connected(site);
  const first = await agent.evaluate(async () => {
    client.onChanged(() => Object.assign(calls, { changed: 1 }));
    const { page, capabilities, session } = await client.describe();
    const result = await client.invoke("orders.echo", { text: "hi" });
    return { page, ids: capabilities.map(({ id }) => id), agentId: session.agentId, result };
  });
  expect(first).toMatchObject({
    page: { app: "orders", title: "test", route: "/" },
    ids: ["orders.echo", "orders.wait", "orders.write"],
    agentId: "agent",
    result: { status: { accepted: true, executed: true, changed: false }, output: { text: "hi" } },
  });
  await host.evaluate(() => {
    page.declare({ id: "orders.more", description: "More", effect: "read", execute: () => null });
  });
  await expect.poll(() => agent.evaluate(() => "changed" in calls)).toBe(true);
  const ids = await agent.evaluate(async () => (await client.describe()).capabilities.map(({ id }) => id));
  expect(ids).toEqual([...first.ids, "orders.more"]);
  const since = await agent.evaluate(async () => {
    const { capabilityRevision } = await client.describe();
    const envelope = {
      protocol: "pling.surface/0.1",
      id: "d",
      method: "describe",
      input: { since: capabilityRevision },
    };
    return client.request(envelope);
  });
  expect(since).toMatchObject({ ok: true, result: { capabilityDelta: { added: [], changed: [], removed: [] } } });
  await expect.poll(() => logged(host)).toContain("audit invoke orders.echo ok postmessage");
});

test("a client that connects before the wasm is ready is served", async ({ site }) => {
  const host = await site.open(PAGE);
  const agent = await site.frame(AGENT);
  await agent.evaluate((origin) => {
    const calls = {
      early: surface.outcome(surface.connect(parent, { origin }).then((client) => client.invoke("orders.echo"))),
    };
    Object.assign(globalThis, { calls });
  }, PAGE);
  await site.page.waitForTimeout(300);
  // The listener must be there when the call returns, long before the wasm is.
  const counted = await host.evaluate(async (origin) => {
    let heard = 0;
    const add = window.addEventListener;
    window.addEventListener = (...given: Parameters<typeof add>) => {
      if (given[0] === "message") heard++;
      add.apply(window, given);
    };
    const ready = surface.serve(origin);
    const atOnce = heard;
    await ready;
    return atOnce;
  }, AGENT);
  expect(counted).toBe(1);
  expect(await agent.evaluate(() => calls.early)).toMatchObject({ value: { output: { text: null } } });
});

test("what a session may not see looks like what is not there; no session is no session", async ({ site }) => {
  const { host, agent } = await connected(site);
  await host.evaluate(() => Object.assign(session ?? {}, { scope: ["orders.echo"] }));
  const ask = (capability: string) =>
    agent.evaluate(
      async (capability) => client.request({ protocol: "pling.surface/0.1", id: "same", method: "invoke", capability }),
      capability,
    );
  const hidden = await ask("orders.write");
  expect(hidden).toMatchObject({ id: "same", ok: false, error: { code: "CAPABILITY_NOT_EXPOSED" } });
  expect(await ask("orders.nothing")).toEqual(hidden);
  await host.evaluate(() => Object.assign(globalThis, { session: null }));
  const failure = await agent.evaluate(() => surface.outcome(client.describe()));
  expect(failure).toMatchObject({ name: "SurfaceProtocolError", code: "SESSION_REQUIRED" });
});

test("open mode serves a caller without a session, within its scope", async ({ site }) => {
  const host = await site.open(PAGE);
  await host.evaluate(async (origin) => {
    const page = await surface.createPage({
      app: "orders",
      openMode: { scope: ["a.*"] },
      listen: { origins: [origin], verifySession: () => null },
    });
    page.declare({ id: "a.one", description: "One", effect: "read", execute: () => 1 });
    page.declare({ id: "b.two", description: "Two", effect: "read", execute: () => 2 });
  }, AGENT);
  const agent = await site.frame(AGENT);
  await agent.evaluate(dial, PAGE);
  const seen = await agent.evaluate(async () => {
    const { capabilities, session } = await client.describe();
    return {
      ids: capabilities.map(({ id }) => id),
      user: session.agentId,
      output: (await client.invoke("a.one")).output,
    };
  });
  expect(seen).toEqual({ ids: ["a.one"], user: "open", output: 1 });
});

test("64 requests may be unanswered; the next is limited and the others go on", async ({ site }) => {
  const { host, agent } = await connected(site);
  const codes = await agent.evaluate(async () => {
    const control = new AbortController();
    const { signal } = control;
    const waiting = Array.from({ length: 64 }, () => surface.outcome(client.invoke("orders.wait", {}, { signal })));
    const limited = await surface.outcome(client.invoke("orders.echo"));
    const described = await surface.outcome(client.describe());
    control.abort();
    const ends = new Set((await Promise.all(waiting)).map(({ name }) => name));
    return [limited.code, described.code, ...ends];
  });
  expect(codes).toEqual(["RATE_LIMITED", "RATE_LIMITED", "AbortError"]);
  await expect.poll(async () => (await logged(host)).filter((line) => line === "aborted").length).toBe(64);
  await expect.poll(() => host.evaluate(() => page.stats().inFlight)).toBe(0);
  expect(await agent.evaluate(async () => (await client.invoke("orders.echo")).output)).toEqual({ text: null });
});

test("a request id runs once per session, also when two clients use it", async ({ site }) => {
  const { agent } = await connected(site);
  const ends = await agent.evaluate(async (origin) => {
    const other = await surface.connect(parent, { origin });
    const once = (client: typeof other) => surface.outcome(client.invoke("orders.echo", {}, { id: "one" }));
    return Promise.all([once(client), once(other)]);
  }, PAGE);
  expect(ends[0]).toMatchObject({ value: { output: { text: null } } });
  expect(ends[1]).toMatchObject({ name: "SurfaceProtocolError", code: "REPLAY_DETECTED" });
});

test("a request of more than 65 536 units is refused on a line that goes on; a large answer fits", async ({ site }) => {
  const { host, agent } = await connected(site);
  const ends = await agent.evaluate(async () => [
    await surface.outcome(client.invoke("orders.echo", { text: "x".repeat(65_536) })),
    await surface.outcome(client.invoke("orders.echo", { text: 5 })),
  ]);
  expect(ends).toMatchObject([{ code: "INVALID_REQUEST" }, { code: "INVALID_REQUEST" }]);
  await host.evaluate(() => {
    page.declare({ id: "orders.large", description: "Large", effect: "read", execute: () => "\u00e9".repeat(262_000) });
  });
  const length = await agent.evaluate(async () => ((await client.invoke("orders.large")).output as string).length);
  expect(length).toBe(262_000);
});

test("stats count what came", async ({ site }) => {
  const { host, agent } = await connected(site);
  await agent.evaluate(() => {
    surface.knock(parent, { connectId: "raw" });
    surface.knock(parent, { connectId: 5 });
  });
  await expect.poll(() => agent.evaluate(() => lines[0]?.got.length)).toBe(1);
  await agent.evaluate(() => lines[0]?.port.postMessage("junk"));
  await expect
    .poll(() => host.evaluate(() => page.stats()))
    .toMatchObject({
      connections: 2,
      inFlight: 0,
      refusedOrigins: 0,
      badFrames: 2,
    });
});
