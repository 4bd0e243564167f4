// A page script, the real host and a program, end to end.

import { expect, test } from "./operations/fixture.ts";

declare const probe: typeof import("./operations/in-page.ts");

test("an operation runs on the page and its result reaches the caller", async ({ tab, site, host }) => {
  await tab.open(site, host);
  const execution = await host.invoke("echo", { say: "héllo" }, { limit: 7 });
  expect(execution).toMatchObject({
    state: "succeeded",
    certainty: "confirmed",
    result: {
      data: { said: "héllo", limit: 7, cursor: "" },
      pagination: { cursor: "", hasMore: false, count: 1, truncated: false },
    },
  });
  expect(await tab.page.evaluate(() => probe.states)).toEqual(["connecting", "open"]);
  expect(await tab.page.evaluate(() => probe.errors)).toEqual([]);
});

test("progress is seen, and a cancel reaches the handler", async ({ tab, site, host }) => {
  await tab.open(site, host);
  const id = await host.submit("slow");
  await expect.poll(async () => (await host.execution(id)).progress).toBe(40);
  const cancelled = await host.call<object>("cancel_plugin_execution", { id });
  expect(cancelled).toMatchObject({ ok: true, data: { state: "running", cancelRequested: true } });
  expect(await host.execution(id, 10_000)).toMatchObject({ state: "cancelled", cancelConfirmed: true });
  expect(await tab.page.evaluate(() => probe.aborts)).toEqual(["AbortError cancelled"]);
  expect(await tab.page.evaluate(() => probe.errors)).toEqual([]);
  expect(await host.invoke("echo")).toMatchObject({ state: "succeeded" });
});

test("whatever a handler does wrong has a code, and only the page learns the rest", async ({ tab, site, host }) => {
  await tab.open(site, host);
  const failed = "page_execution_failed";
  const outcomes = {
    "a string thrown": failed,
    "undefined thrown": failed,
    nothing: "invalid_output",
    "no data": "invalid_output",
    "not JSON": "invalid_output",
    "a cycle": "invalid_output",
    "another shape": "invalid_output",
    "too much": "output_too_large",
    "a wrong page": "invalid_pagination",
  };
  expect(Object.keys(outcomes)).toEqual(await tab.page.evaluate(() => Object.keys(probe.odd)));
  for (const [what, errorCode] of Object.entries(outcomes)) {
    const execution = await host.invoke("odd", { what });
    expect(execution, what).toMatchObject({ state: "failed", errorCode });
    expect(JSON.stringify(execution), what).not.toContain("swordfish");
  }
  expect(await host.invoke("echo")).toMatchObject({ state: "succeeded" });
  expect(await tab.page.evaluate(() => probe.errors)).toEqual([
    "odd: the password is swordfish",
    "odd: undefined",
    "odd: Error: the result must be { data, count?, hasMore?, nextCursor?, truncated? }",
    "odd: Error: the result must be { data, count?, hasMore?, nextCursor?, truncated? }",
    'odd: Error: the result at "/data/when" is not a JSON value',
    expect.stringMatching(/^odd: Error: the result at "\/data(\/self)+" is nested too deeply$/),
    "odd: Error: the result is larger than 60 KiB",
  ]);
});

test("an operation without a handler is refused by the page at once", async ({ tab, site, host }) => {
  await tab.open(site, host);
  expect(await host.invoke("orphan")).toMatchObject({
    state: "failed",
    errorCode: "no_handler",
    certainty: "not_started",
  });
});

test("a handler that ignores its end keeps the page busy until it settles", async ({ tab, site, host }) => {
  await tab.open(site, host);
  expect(await host.invoke("stubborn")).toMatchObject({ state: "timed_out", errorCode: "execution_timeout" });
  expect(await tab.page.evaluate(() => probe.aborts)).toEqual(["timed_out"]);
  const refused = await host.call("invoke_plugin_operation", { pluginId: "probe", operationId: "echo", input: {} });
  expect(refused).toMatchObject({ ok: false, error: { code: "page_busy_unknown" } });
  await tab.page.evaluate(() => probe.letGo());
  await expect
    .poll(
      async () =>
        (await host.call("invoke_plugin_operation", { pluginId: "probe", operationId: "echo", input: {} })).ok,
    )
    .toBe(true);
});

test("what changes the page ends what runs, and the page goes on under its new revision", async ({
  tab,
  site,
  host,
}) => {
  for (const change of ["context", "url"] as const) {
    await tab.open(site, host);
    const id = await host.submit("slow");
    await expect.poll(async () => (await host.execution(id)).progress).toBe(40);
    await tab.page.evaluate(async (change) => {
      if (change === "url") history.pushState(null, "", "/next");
      else await probe.ready({ context: "another" });
    }, change);
    expect(await host.execution(id, 10_000)).toMatchObject({ state: "interrupted", errorCode: "page_changed" });
    expect(await tab.page.evaluate(() => probe.aborts)).toEqual(["AbortError page_changed"]);
    if (change === "url") {
      const refused = await host.call("invoke_plugin_operation", { pluginId: "probe", operationId: "echo", input: {} });
      expect(refused).toMatchObject({
        ok: false,
        error: { code: "page_unavailable", details: { reason: "not_ready" } },
      });
      await tab.page.evaluate(() => probe.ready());
    }
    expect(await host.invoke("echo", { say: change })).toMatchObject({ state: "succeeded" });
  }
});

test("with autoState a page stays ready when its URL changes", async ({ tab, site, host }) => {
  await tab.page.goto(site.origin);
  await tab.page.evaluate(async (endpoint) => {
    await probe.start(endpoint, { autoState: true });
    await probe.ready();
    history.pushState(null, "", "/next");
  }, host.endpoint);
  await tab.sees("open");
  await expect
    .poll(async () => {
      const { data } = await host.call<{ items: { pageUrl: string; ready: boolean }[] }>("list_page_sessions", {});
      return data.items.map(({ pageUrl, ready }) => [new URL(pageUrl).pathname, ready]);
    })
    .toContainEqual(["/next", true]);
});

test("a page that closes in the middle interrupts its execution at once", async ({ context, site, host, tab }) => {
  await tab.open(site, host);
  const id = await host.submit("slow");
  await expect.poll(async () => (await host.execution(id)).progress).toBe(40);
  await tab.page.close({ runBeforeUnload: false });
  expect(await host.execution(id, 10_000)).toMatchObject({ state: "interrupted", errorCode: "page_changed" });
  expect(context.pages()).toEqual([]);
});

test("of several pages one has to be named, and only that one runs", async ({ context, site, ownHost: host, tab }) => {
  await tab.open(site, host, "/one");
  const other = await context.newPage();
  await other.goto(`${site.origin}/two`);
  const session = await other.evaluate(async (endpoint) => {
    const connection = await probe.start(endpoint);
    await probe.ready();
    return connection.pageSessionId;
  }, host.endpoint);
  await expect.poll(() => other.evaluate(() => probe.current().state)).toBe("open");
  const refused = await host.call("invoke_plugin_operation", { pluginId: "probe", operationId: "echo", input: {} });
  expect(refused).toMatchObject({ ok: false, error: { code: "page_ambiguous" } });
  expect(await host.invoke("echo", {}, { pageSessionId: session })).toMatchObject({ state: "succeeded" });
  await other.evaluate(() => probe.current().close());
  expect(await other.evaluate(() => probe.current().state)).toBe("closed");
  expect(await host.invoke("echo")).toMatchObject({ state: "succeeded" });
});
