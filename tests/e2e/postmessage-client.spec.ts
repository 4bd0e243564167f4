// "pageport/client" against a page written by hand: errors, cancelling, changes (Surface §8).

import { connected, frames, sent } from "./postmessage/hosted.ts";
import { AGENT, expect, test } from "./postmessage/site.ts";

declare const surface: typeof import("./postmessage/in-page.ts");
declare const client: import("../../js/client.ts").Client;
declare const calls: Record<string, Promise<import("./postmessage/by-hand.ts").Outcome>>;

test("a refusal is an error with its response, a business refusal is a result, and raw never throws", async ({
  site,
}) => {
  const { page, agent } = await connected(site);
  await agent.evaluate(() => {
    calls.invoke = surface.outcome(
      client.invoke("a.b", { x: 1 }, { id: "mine" }).catch((e) => ({ ...e, name: e.name })),
    );
    calls.raw = surface.outcome(client.request({ any: "thing" }));
    calls.business = surface.outcome(client.invoke("c"));
  });
  await sent(page, 3);
  const protocol = "pling.surface/0.1";
  const [first, second, third] = await frames(page);
  expect(first).toEqual({
    type: "request",
    n: 1,
    request: { protocol, id: "mine", method: "invoke", capability: "a.b", input: { x: 1 } },
  });
  expect(second).toEqual({ type: "request", n: 2, request: { any: "thing" } });
  expect(third?.request).toEqual({
    protocol,
    id: expect.stringMatching(/^[0-9a-f]{32}-\d+$/),
    method: "invoke",
    capability: "c",
    input: {},
  });
  const error = { code: "SESSION_EXPIRED", message: "the session has expired", retryable: false };
  const response = { protocol, id: "mine", ok: false, error };
  const result = { status: {}, error: { code: "APPROVAL_DENIED" } };
  await page.evaluate(
    ({ response, result }) => {
      surface.send(0, { type: "response", n: 3, response: { ...response, ok: true, result } });
      surface.send(0, { type: "response", n: 99, response });
      surface.send(0, { type: "response", n: 1, response: null });
      surface.send(0, { type: "mystery" });
      lines[0]?.port.postMessage("{");
      lines[0]?.port.postMessage({ type: "response", n: 1, response });
      surface.send(0, { type: "response", n: 2, response });
      surface.send(0, { type: "response", n: 1, response });
    },
    { response, result },
  );
  const ends = await agent.evaluate(async () => [await calls.invoke, await calls.raw, await calls.business]);
  expect(ends).toEqual([
    { value: { name: "SurfaceProtocolError", code: "SESSION_EXPIRED", response } },
    { value: response },
    { value: result },
  ]);
});

test("a response that breaks the protocol settles its call too", async ({ site }) => {
  const { page, agent } = await connected(site);
  await agent.evaluate(() => {
    calls.ok = surface.outcome(client.invoke("a"));
    calls.no = surface.outcome(client.describe());
  });
  await sent(page, 2);
  await page.evaluate(() => {
    for (const frame of [null, 5, [], { type: "response" }, { type: "response", n: "1", response: { ok: true } }])
      surface.send(0, frame as object);
    surface.send(0, { type: "response", n: 1, response: { ok: true } });
    surface.send(0, { type: "response", n: 2, response: { ok: false } });
  });
  const failure = { name: "SurfaceProtocolError", code: "INTERNAL" };
  expect(await agent.evaluate(async () => [await calls.ok, await calls.no])).toMatchObject([failure, failure]);
});

test("an aborted signal cancels the call and rejects with its reason", async ({ site }) => {
  const { page, agent } = await connected(site);
  const ends = await agent.evaluate(async () => {
    const control = new AbortController();
    const call = surface.outcome(client.invoke("a", {}, { signal: control.signal }));
    control.abort(new RangeError("enough"));
    const early = surface.outcome(client.invoke("b", {}, { signal: AbortSignal.abort(new RangeError("never")) }));
    return [await call, await early];
  });
  expect(ends).toMatchObject([
    { name: "RangeError", message: "enough" },
    { name: "RangeError", message: "never" },
  ]);
  await sent(page, 2);
  expect((await frames(page)).map(({ type, n }) => [type, n])).toEqual([
    ["request", 1],
    ["cancel", 1],
  ]);
  const connecting = await agent.evaluate(async (origin) => {
    const signal = AbortSignal.timeout(50);
    return surface.outcome(surface.connect(window, { origin, signal }));
  }, AGENT);
  expect(connecting).toMatchObject({ name: "TimeoutError" });
});

test("a request that is too large is not sent and closes the connection", async ({ site }) => {
  const { page, agent } = await connected(site);
  const ends = await agent.evaluate(async () => {
    const other = surface.outcome(client.invoke("a"));
    const large = surface.outcome(client.invoke("b", { pad: "x".repeat(131_072) }));
    return [await large, await other, await client.closed];
  });
  expect(ends).toMatchObject([
    { code: "CLOSED", outcome: "not_sent" },
    { code: "CLOSED", outcome: "unknown" },
    { reason: "too_large" },
  ]);
  await sent(page, 2);
  expect((await frames(page))[1]).toEqual({ type: "closed", reason: "too_large" });
});

test("an input that is no JSON is the caller's mistake and costs nothing", async ({ site }) => {
  const { page, agent } = await connected(site);
  const ends = await agent.evaluate(async () => {
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    const inputs = [
      { big: 10n },
      { list: [{ n: Number.NaN }] },
      { n: Number.POSITIVE_INFINITY },
      { list: [1, undefined] },
      { list: new Array(1) },
      { run() {} },
      { map: new Map() },
      { when: new Date() },
      cycle,
    ];
    const ends = inputs.map((input) => surface.outcome(client.invoke("a", input)));
    ends.push(surface.outcome(client.request({ input: { n: Number.NaN } })));
    return (await Promise.all(ends)).map(({ name, message }) => `${name}: ${message}`);
  });
  expect(ends).toEqual([
    "TypeError: input.big is not JSON",
    "TypeError: input.list.0.n is not JSON",
    "TypeError: input.n is not JSON",
    "TypeError: input.list.1 is not JSON",
    "TypeError: input.list.0 is not JSON",
    "TypeError: input.run is not JSON",
    "TypeError: input.map is not JSON",
    "TypeError: input.when is not JSON",
    expect.stringMatching(/^TypeError: input\.self\.self.* is not JSON$/),
    "TypeError: envelope.input.n is not JSON",
  ]);
  const wrong = await agent.evaluate(async () => [
    await surface.outcome(client.invoke("a", {}, { timeout: 5 } as never)),
    await surface.outcome(client.invoke("a", {}, { timeoutMs: -5 })),
    await surface.outcome(client.request("x" as never)),
  ]);
  expect(wrong.map(({ name }) => name)).toEqual(Array(3).fill("TypeError"));
  await agent.evaluate(() => client.close());
  await sent(page, 1);
  expect(await frames(page)).toEqual([{ type: "closed", reason: "closed" }]);
  expect(await agent.evaluate(() => client.closed)).toEqual({ reason: "closed" });
});

test("listeners hear of changes until they are removed; one that throws disturbs nobody", async ({ site }) => {
  const thrown: string[] = [];
  site.page.on("pageerror", (error) => thrown.push(error.message));
  const { page, agent } = await connected(site);
  await agent.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    client.onChanged(() => {
      throw new Error("mine");
    });
    const listener = () => heard.push("x");
    const remove = client.onChanged(listener);
    client.onChanged(listener);
    Object.assign(globalThis, { remove });
  });
  const heard = () => agent.evaluate(() => (globalThis as unknown as { heard: string[] }).heard.length);
  await page.evaluate(() => surface.send(0, { type: "changed" }));
  await expect.poll(heard).toBe(2);
  await agent.evaluate(() => {
    const { remove } = globalThis as unknown as { remove(): void };
    remove();
    remove();
  });
  await page.evaluate(() => surface.send(0, { type: "changed" }));
  await expect.poll(heard).toBe(3);
  await expect.poll(() => thrown).toEqual(["mine", "mine"]);
});
