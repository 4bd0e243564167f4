// A host that breaks the protocol: everything settles, nothing runs twice, nothing piles up.

import { expect, test } from "./operations/fixture.ts";
import { claimed, done, id, invocation, type Reply, refused } from "./operations/hostile.ts";

declare const probe: typeof import("./operations/in-page.ts");

test("a host that never answers is asked for one session at a time, and found once it answers", async ({
  tab,
  site,
  hostile: host,
}) => {
  host.replies.open = () => "hang";
  await tab.page.clock.install();
  await tab.page.goto(site.origin);
  const outcome = tab.page.evaluate(async (endpoint) => {
    await probe.start(endpoint);
    return probe.ready().then(String, (error) => error.code);
  }, host.endpoint);
  const asked = async () => {
    await tab.page.clock.runFor(10_000);
    return host.count("open");
  };
  await expect.poll(asked, { intervals: [50] }).toBeGreaterThanOrEqual(8);
  expect(await outcome).toBe("not_connected");
  await expect.poll(() => host.open.get("open")).toBe(1);
  delete host.replies.open;
  await tab.page.clock.runFor(60_000);
  await tab.sees("open");
});

test("calls that are never answered do not take the connections of the others", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.page.clock.install();
  await tab.open(site, host);
  host.replies.ack = () => "hang";
  host.event({ type: "message", message: 1 });
  const told = async () => {
    host.write(": alive\n\n");
    await tab.page.clock.runFor(5_000);
    return host.count("ack");
  };
  await expect.poll(told, { intervals: [50], timeout: 20_000 }).toBeGreaterThanOrEqual(8);
  await expect.poll(() => host.open.get("ack")).toBeLessThanOrEqual(1);
  expect(await tab.page.evaluate(() => probe.ready({ context: "b" }))).toEqual({ revision: id(1) });
});

test("answers to /open that are nonsense are tried again, refusals stop", async ({ tab, site, hostile: host }) => {
  await tab.page.clock.install();
  await tab.page.goto(site.origin);
  const nonsense = ["", "<p>Hi</p>", "[]", "null", '{"ok":true}', '{"ok":true,"data":{"pageSessionId":1}}', '{"ok":1}'];
  let tries = 0;
  host.replies.open = () => {
    tries += 1;
    if (tries === 1) return (response) => response.writeHead(302, { location: "/elsewhere" }).end();
    if (tries === 2) return refused(503, "stopping", { retryAfterMs: 1 });
    if (tries === 3) return refused(503, "stopping", { retryAfterMs: -1e9 });
    const body = nonsense[tries - 4];
    return body === undefined ? host.usual("open") : { body };
  };
  await tab.page.evaluate((endpoint) => probe.start(endpoint), host.endpoint);
  const state = async () => {
    await tab.page.evaluate(() => dispatchEvent(new Event("online")));
    await tab.page.clock.runFor(1_000);
    return tab.page.evaluate(() => probe.current().state);
  };
  await expect.poll(state, { intervals: [50], timeout: 20_000 }).toBe("open");
  expect(tries).toBe(nonsense.length + 4);
  expect(host.calls.map(({ call }) => call).includes("elsewhere")).toBe(false);
  for (const [status, code, reason] of [
    [403, "credential_refused", "credential_refused"],
    [410, "plugin_changed", "plugin_changed"],
    [403, "newer_code", "refused"],
    [404, "not_found", "not_found"],
  ] as const) {
    await tab.page.reload();
    host.replies.open = () => refused(status, code, { hint: "try" });
    await tab.page.evaluate((endpoint) => probe.start(endpoint), host.endpoint);
    await tab.sees("stopped");
    const seen = await tab.page.evaluate(() => probe.current().reason);
    expect(seen).toEqual({ code: reason, message: `because of ${code}; try` });
  }
});

test("whatever a claim is answered with, a handler runs once or not at all", async ({ tab, site, hostile: host }) => {
  await tab.open(site, host);
  let number = 0;
  const run = async (reply: () => Reply, claims: number) => {
    number += 1;
    let attempts = 0;
    host.replies.claim = () => {
      attempts += 1;
      return reply();
    };
    const before = host.count("complete");
    host.invoke(number);
    await expect.poll(() => attempts).toBe(claims);
    if (claims === 3) await expect.poll(() => host.count("complete")).toBe(before + 1);
    return host.bodies("complete").slice(before);
  };
  // What cannot be read counts as no answer; the host is told that nothing was started.
  for (const bad of [undefined, 5, [], null]) {
    const [report] = await run(() => claimed(bad), 3);
    expect(report, JSON.stringify(bad)).toMatchObject({
      executionId: id(number),
      revision: id(1),
      state: "cancelled",
      reason: "lost_connection",
      started: false,
      stopped: true,
    });
  }
  for (const code of ["already_claimed", "execution_ended", "stale_revision", "reload_pending"]) {
    expect(await run(() => refused(409, code), 1), code).toEqual([]);
  }
  // Twice the same execution, under a number of its own: nothing comes of it.
  host.replies.claim = () => claimed({ say: "once" });
  host.invoke(100);
  host.invoke(100);
  host.event(invocation(100), 1);
  host.invoke(101, "unheard-of");
  await expect.poll(() => host.bodies("reject").map((body) => body.code)).toEqual(["no_handler"]);
  await expect
    .poll(() => host.bodies("complete").filter((body) => body.executionId === id(100)))
    .toMatchObject([{ state: "succeeded", stopped: true, result: { data: { said: "once" } } }]);
});

test("the late answer to a message of a session that is gone does not end the next one", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.open(site, host);
  let late: (() => void) | undefined;
  host.replies.message = (_, response) => {
    late = () => void response.writeHead(401).end(JSON.stringify(refused(401, "session_gone").body));
    return "hang";
  };
  await tab.page.evaluate(() => {
    const sent = probe.current().pageApi.send("hello");
    Object.assign(globalThis, { sent: sent.catch((error) => error.code) });
  });
  await expect.poll(() => late !== undefined).toBe(true);
  host.replies.state = () => {
    delete host.replies.state;
    return refused(401, "session_gone");
  };
  expect(await tab.page.evaluate(() => probe.ready({ context: "b" }))).toEqual({ revision: id(1) });
  await tab.sees("open");
  late?.();
  expect(await tab.page.evaluate(() => (globalThis as { sent?: unknown }).sent)).toBe("session_gone");
  expect(await tab.page.evaluate(() => probe.ready({ context: "c" }))).toEqual({ revision: id(1) });
  expect([host.count("open"), await tab.page.evaluate(() => probe.current().pageSessionId)]).toEqual([2, id(2)]);
});

test("a goodbye has its own words, whatever was refused before; nothing is sent after it", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.open(site, host);
  host.replies.state = () => refused(413, "too_large");
  expect(await tab.page.evaluate(() => probe.ready({ context: "b" }).catch((error) => error.code))).toBe("too_large");
  host.event({ type: "bye", reason: "removed" }, null);
  await tab.sees("stopped");
  const seen = await tab.page.evaluate(async () => {
    const { reason, pageApi } = probe.current();
    const outcome = (promise: Promise<unknown>) => promise.then(String, (error) => error.code);
    return [reason, await outcome(pageApi.send(1)), await outcome(probe.ready())];
  });
  expect(seen).toEqual([{ code: "removed", message: "the plugin was removed" }, "not_connected", "not_connected"]);
  expect(host.count("message")).toBe(0);
});

test("a message that the host refuses for good stops the connection", async ({ tab, site, hostile: host }) => {
  await tab.open(site, host);
  host.replies.message = () => refused(410, "plugin_changed");
  const code = await tab.page.evaluate(() =>
    probe
      .current()
      .pageApi.send(1)
      .catch((error) => error.code),
  );
  expect(code).toBe("plugin_changed");
  await tab.sees("stopped");
});

test("a report that is not taken is kept and sent until it is", async ({ tab, site, hostile: host }) => {
  await tab.page.clock.install();
  await tab.open(site, host);
  const answers = ["hang", refused(429, "rate_limited"), refused(503, "storage_unavailable"), { body: "nonsense" }];
  host.replies.complete = () => (answers.shift() as "hang" | undefined) ?? done();
  host.invoke(1);
  const reported = async () => {
    await tab.page.clock.runFor(1_000);
    return host.count("complete");
  };
  await expect.poll(reported, { intervals: [50], timeout: 20_000 }).toBe(3);
  for (const context of ["b", "c"]) {
    await expect.poll(() => host.open.get("complete")).toBe(0);
    await tab.page.evaluate((context) => probe.ready({ context }), context);
    await expect.poll(() => host.count("complete")).toBe(context === "b" ? 4 : 5);
  }
  const bodies = host.bodies("complete").map(({ ack: _, ...body }) => body);
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  expect(bodies[0]).toMatchObject({ executionId: id(1), revision: id(1), state: "succeeded", stopped: true });
});
