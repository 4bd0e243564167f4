// What goes over the wire, and how: preflights, headers, calls that travel together, the last word.

import { expect, test } from "./operations/fixture.ts";
import { done, id } from "./operations/hostile.ts";

declare const probe: typeof import("./operations/in-page.ts");

test("one preflight a URL, the token in a header, no cookies, and a cache mode of its own for the stream only", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.page.goto(site.origin);
  await tab.page.context().addCookies([{ name: "session", value: "secret", url: host.endpoint.url }]);
  await tab.connect(host);
  for (const context of ["a", "b", "c"]) await tab.page.evaluate((context) => probe.ready({ context }), context);
  host.invoke(1);
  await expect.poll(() => host.count("complete")).toBe(1);
  const posts = host.headers.filter(({ call }) => call !== "events");
  expect(posts.filter(({ call }) => call === "state").length).toBe(4);
  expect(Math.max(...host.preflights.values())).toBe(1);
  expect(posts.map(({ headers }) => headers["cache-control"])).toEqual(posts.map(() => undefined));
  expect(host.headers.find(({ call }) => call === "events")?.headers["cache-control"]).toBe("no-cache");
  for (const { call, headers } of host.headers) {
    const bearer = call === "open" ? host.endpoint.credential : "token-1";
    expect([headers.authorization, headers.cookie, headers.referer], call).toEqual([
      `Bearer ${bearer}`,
      undefined,
      undefined,
    ]);
    expect(call).not.toContain("token");
  }
});

test("what waits while a POST is on its way goes out together, and each call is answered on its own", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.open(site, host);
  let first: (() => void) | undefined;
  host.replies.heartbeat = (_, response) => {
    if (first !== undefined) return done({ cancelRequested: false });
    first = () => response.writeHead(200).end(JSON.stringify(done({ cancelRequested: false }).body));
    return "hang";
  };
  host.invoke(1, "slow");
  await expect.poll(() => first !== undefined).toBe(true);
  await tab.page.evaluate(() => {
    probe.current().pageApi.onMessage((told) => Object.assign(globalThis, { told }));
    Object.assign(globalThis, { state: probe.ready({ context: "next" }) });
  });
  // Nobody handles it: the rejection waits as the state does.
  host.invoke(2, "nobody");
  host.event({ type: "message", message: "that was all" });
  await expect.poll(() => tab.page.evaluate(() => Reflect.get(globalThis, "told"))).toBe("that was all");
  first?.();
  expect(await tab.page.evaluate(() => Reflect.get(globalThis, "state"))).toEqual({ revision: id(1) });
  await expect.poll(() => host.bodies("reject")).toMatchObject([{ executionId: id(2), code: "no_handler" }]);
  expect(host.headers.map(({ call }) => call)).not.toContain("reject");
  expect(host.headers.map(({ call }) => call)).toContain("calls");
});

test("a stream whose own host name is out of reach is read from the base URL", async ({ tab, site, hostile: host }) => {
  host.replies.open = () => {
    const { body } = host.usual("open") as { body: { data: object } };
    return done({ ...body.data, eventsUrl: "http://s1.localhost:1/bridge/v1/events" });
  };
  await tab.open(site, host);
  expect(host.streams).toEqual([undefined]);
});

test("a beacon that the browser does not take goes once more, without results", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.page.goto(site.origin);
  // What is taken when the script is loaded has to be there before.
  await tab.page.addInitScript(() => {
    const beacons: unknown[] = [];
    Object.assign(globalThis, { beacons });
    navigator.sendBeacon = (url, body) => {
      beacons.push([new URL(url).pathname, JSON.parse(String(body))]);
      return false;
    };
  });
  host.replies.complete = () => "hang";
  await tab.open(site, host);
  host.invoke(1);
  await expect.poll(() => host.count("complete")).toBe(1);
  const seen = await tab.page.evaluate(async () => {
    await probe.current().close();
    return (globalThis as unknown as { beacons: unknown[] }).beacons;
  });
  const report = { executionId: id(1), revision: id(1), stopped: true };
  expect(seen).toMatchObject([
    ["/bridge/v1/leave", { token: "token-1", close: true, reports: [{ ...report, state: "succeeded" }] }],
    [
      "/bridge/v1/leave",
      { token: "token-1", close: true, reports: [{ ...report, state: "failed", code: "result_lost" }] },
    ],
  ]);
});

test("a page that is rendered ahead connects when it is shown", async ({ tab, site, hostile: host }) => {
  await tab.page.goto(site.origin);
  await tab.page.evaluate((endpoint) => {
    Object.defineProperty(document, "prerendering", { value: true, configurable: true });
    return probe.start(endpoint);
  }, host.endpoint);
  const state = await tab.page.evaluate(() => probe.current().state);
  expect([state, host.count("open")]).toEqual(["connecting", 0]);
  await tab.page.evaluate(() => document.dispatchEvent(new Event("prerenderingchange")));
  await tab.sees("open");
  expect(host.count("open")).toBe(1);
});

test("an id that the manifest lacks is warned about once, and a message that is too large is an error", async ({
  tab,
  site,
  hostile: host,
}) => {
  const warnings: string[] = [];
  tab.page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
  await tab.open(site, host);
  const error = await tab.page.evaluate(async () => {
    const { operations, send } = probe.current().pageApi;
    for (let count = 0; count < 3; count += 1) operations.handle("newer", () => undefined)();
    return send("x".repeat(65_536)).catch(String);
  });
  expect(warnings).toEqual(['pageport: the manifest names no operation "newer" for this script']);
  expect(error).toBe("TypeError: send: the message is larger than 64 KiB");
});
