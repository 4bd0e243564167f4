// A site that changes what the platform offers, or uses its names for its own things.

import { expect, type Site, type Tab, test } from "./operations/fixture.ts";
import { type HostileHost, id } from "./operations/hostile.ts";

declare const probe: typeof import("./operations/in-page.ts");

/** Runs an operation, moves the page in the middle of another one, and runs one again. */
async function works(tab: Tab, host: HostileHost): Promise<void> {
  host.invoke(1);
  await expect.poll(() => host.bodies("complete")).toMatchObject([{ state: "succeeded", stopped: true }]);
  host.invoke(2, "slow");
  await expect.poll(() => host.bodies("heartbeat")).toMatchObject([{ progress: 40 }]);
  await tab.page.evaluate(() => history.pushState(null, "", "/next"));
  await expect
    .poll(() => host.bodies("complete")[1])
    .toMatchObject({ executionId: id(2), state: "cancelled", reason: "page_changed", stopped: true });
  const [first, moved] = host.bodies("state");
  expect([first?.ready, moved?.ready]).toEqual([true, false]);
  expect(new URL(String(moved?.pageUrl)).pathname).toBe("/next");
  await tab.page.evaluate(() => probe.ready());
  host.invoke(3);
  await expect.poll(() => host.bodies("complete")[2]).toMatchObject({ executionId: id(3), state: "succeeded" });
}

async function open(tab: Tab, site: Site, host: HostileHost, change: () => void): Promise<void> {
  await tab.page.goto(site.origin);
  await tab.page.evaluate(change);
  await tab.connect(host);
}

test("names that the document or a script has taken are no trap", async ({ tab, site, hostile: host }) => {
  await open(tab, site, host, () => {
    document.documentElement.innerHTML =
      '<head><title>Shop</title></head><body><form name="title"></form><form name="prerendering"></form></body>';
    Object.assign(globalThis, { navigation: { items: ["home"] } });
  });
  await works(tab, host);
  expect(host.bodies("state")[0]?.title).toBe("Shop");
  expect(host.bodies("open")[0]?.title).toBe("Shop");
});

test("an element called navigation does not hide that the page moves", async ({ tab, site, hostile: host }) => {
  // A browser without the Navigation API shows the element in its place.
  await open(tab, site, host, () => Object.assign(globalThis, { navigation: document.createElement("nav") }));
  await works(tab, host);
});

test("what a site puts on every object and array is not taken for the host's", async ({ tab, site, hostile: host }) => {
  await open(tab, site, host, () => {
    const more = {
      get: () => 1,
      set: () => 2,
      body: "x",
      method: "PUT",
      once: true,
      resource: { id: "r", actionId: "a" },
    };
    for (const [name, value] of Object.entries(more)) {
      Object.defineProperty(Object.prototype, name, {
        __proto__: null,
        value,
        writable: true,
        configurable: true,
      } as never);
    }
    const toJSON = () => "changed";
    for (const prototype of [Object.prototype, Array.prototype, String.prototype]) Object.assign(prototype, { toJSON });
    probe.handlers.echo = ({ resource }) => ({ data: { said: String(resource) } });
  });
  await works(tab, host);
  expect(host.bodies("complete")[0]?.result).toMatchObject({ data: { said: "undefined" } });
});

test("what a site patches once the script is loaded stays its own", async ({ tab, site, hostile: host }) => {
  await open(tab, site, host, () => {
    const broken = () => {
      throw new Error("patched");
    };
    const names = ["setTimeout", "clearTimeout", "fetch", "AbortController", "EventSource", "XMLHttpRequest"];
    for (const name of names) Object.assign(globalThis, { [name]: broken });
    Object.assign(Math, { random: () => Number.NaN });
    Object.assign(JSON, { parse: broken, stringify: broken });
    Object.assign(performance, { now: broken });
    Object.assign(Date, { now: broken });
    Object.defineProperty(document, "title", { get: broken });
    Object.defineProperty(globalThis, "sessionStorage", { get: broken });
    Reflect.deleteProperty(globalThis, "localStorage");
  });
  await works(tab, host);
  host.endStream();
  await expect.poll(() => host.streams.length).toBe(2);
  const seen = await tab.page.evaluate(async () => {
    const reload = probe.current().pageApi.operations.hasPendingReload();
    await probe.current().close();
    return [reload, probe.current().state];
  });
  expect(seen).toEqual([false, "closed"]);
  await expect.poll(() => host.bodies("leave")).toMatchObject([{ close: true, reports: [] }]);
});

test("a site's own promises are not needed", async ({ tab, site, hostile: host }) => {
  await tab.open(site, host);
  await tab.page.evaluate(() => {
    const { Promise: Own } = globalThis;
    const broken = () => {
      throw new Error("patched");
    };
    Object.assign(globalThis, { Promise: broken });
    const kept = Object.fromEntries(["then", "catch"].map((name) => [name, Reflect.get(Own.prototype, name)]));
    for (const name of ["then", "catch"]) Object.assign(Own.prototype, { [name]: broken });
    const { setState } = probe.current().pageApi.operations;
    setState({ ready: true, context: "a" });
    const state = setState({ ready: true, context: "b" });
    for (const [name, own] of Object.entries(kept)) Object.assign(Own.prototype, { [name]: own });
    Object.assign(globalThis, { state });
  });
  expect(await tab.page.evaluate(() => (globalThis as { state?: unknown }).state)).toEqual({ revision: id(1) });
  expect(host.bodies("state").at(-1)).toMatchObject({ context: "b" });
});

test("a title of a megabyte is cut, and a URL that the host does not take keeps nobody out", async ({
  tab,
  site,
  ownHost: host,
}) => {
  await tab.page.goto(`${site.origin}/long?q=${"x".repeat(3_000)}`);
  const seen = await tab.page.evaluate(async (endpoint) => {
    document.title = "é".repeat(2 ** 20);
    await probe.start(endpoint);
    const refused = await probe.ready().catch((error) => error.code);
    history.replaceState(null, "", "/short");
    await probe.ready();
    return refused;
  }, host.endpoint);
  expect(seen).toBe("invalid_input");
  await tab.sees("open");
  expect(await host.invoke("echo", { say: "short" })).toMatchObject({ state: "succeeded" });
  const { data } = await host.call<{ items: { title: string }[] }>("list_page_sessions", {});
  expect(data.items.map(({ title }) => title)).toEqual(["é".repeat(128)]);
});

test("a storm of events that the page made up costs little and breaks nothing", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.open(site, host);
  host.invoke(1, "slow");
  await expect.poll(() => host.bodies("heartbeat")).toMatchObject([{ progress: 40 }]);
  await tab.page.evaluate(() => {
    for (let count = 0; count < 300; count += 1) {
      dispatchEvent(new Event("online"));
      dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
      dispatchEvent(new PageTransitionEvent("pagehide", { persisted: count % 2 > 0 }));
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
      document.dispatchEvent(new Event("visibilitychange"));
      document.dispatchEvent(new Event("resume"));
    }
  });
  await tab.sees("open");
  expect(await tab.page.evaluate(() => probe.ready())).toEqual({ revision: id(1) });
  const reports = [...host.bodies("complete"), ...host.bodies("leave").flatMap(({ reports }) => reports as object[])];
  expect(reports.filter((report) => (report as { stopped: boolean }).stopped)).toMatchObject([
    { executionId: id(1), revision: id(1), state: "cancelled", reason: "page_hidden" },
  ]);
  expect(host.streams.length).toBeLessThan(100);
  expect(host.count("state")).toBeLessThan(100);
  host.invoke(2);
  await expect.poll(() => host.bodies("complete").at(-1)).toMatchObject({ executionId: id(2), state: "succeeded" });
});
