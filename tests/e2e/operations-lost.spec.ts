// A host that is not there, goes away, comes back, or does not want the page.

import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "./operations/fixture.ts";

declare const probe: typeof import("./operations/in-page.ts");

test("a host that is killed shows what ran as interrupted, and the page connects to it again", async ({
  tab,
  site,
  ownHost: host,
}) => {
  await tab.open(site, host);
  const first = await tab.page.evaluate(() => probe.current().pageSessionId);
  const id = await host.submit("slow");
  await expect.poll(async () => (await host.execution(id)).progress).toBe(40);
  await host.kill("SIGKILL");
  await tab.sees("reconnecting");
  await host.run();
  expect(await host.execution(id)).toMatchObject({
    state: "interrupted",
    errorCode: "host_restarted",
    certainty: "unknown",
  });
  await tab.sees("open");
  expect(await tab.page.evaluate(() => probe.aborts)).toEqual(["AbortError lost_connection"]);
  expect(await tab.page.evaluate(() => probe.current().pageSessionId)).not.toBe(first);
  // The state was told to the new session by itself.
  expect(await host.invoke("echo", { say: "again" })).toMatchObject({ state: "succeeded" });
});

test("a host that stops says so, and the page waits for it", async ({ tab, site, ownHost: host }) => {
  await tab.open(site, host);
  const id = await host.submit("slow");
  await expect.poll(async () => (await host.execution(id)).progress).toBe(40);
  await host.kill("SIGTERM");
  await tab.sees("reconnecting");
  await host.run();
  expect(await host.execution(id)).toMatchObject({ state: "interrupted", errorCode: "host_stopped" });
  await tab.sees("open");
});

test("a page that is not wanted says why and stops", async ({ tab, site, ownHost: host }) => {
  await tab.page.goto(site.origin);
  const reason = await tab.page.evaluate(async (endpoint) => {
    const credential = endpoint.credential.slice(0, -43) + "x".repeat(43);
    const connection = await probe.start({ ...endpoint, credential });
    const outcome = probe.ready().then(String, (error) => error.code);
    await new Promise<void>((resolve) => connection.onState(resolve));
    return { state: connection.state, reason: connection.reason, outcome: await outcome };
  }, host.endpoint);
  expect(reason).toEqual({
    state: "stopped",
    reason: { code: "credential_refused", message: expect.stringContaining("credential") },
    outcome: "not_connected",
  });
});

test("a plugin that changes ends what runs, and its pages say that they must be loaded again", async ({
  tab,
  site,
  ownHost: host,
}) => {
  await tab.open(site, host);
  const id = await host.submit("slow");
  await expect.poll(async () => (await host.execution(id)).progress).toBe(40);
  await appendFile(join(host.plugin, "page.js"), "// Another version.\n");
  expect(await host.cli("plugins", "add", host.plugin)).toMatchObject({ code: 0 });
  expect(await host.execution(id)).toMatchObject({ state: "interrupted", errorCode: "plugin_changed" });
  await tab.sees("stopped");
  expect(await tab.page.evaluate(() => [probe.current().reason, probe.aborts])).toEqual([
    { code: "plugin_changed", message: "the plugin has changed; load the page again" },
    ["AbortError lost_connection"],
  ]);
  // The credential is of the generation before.
  await tab.page.reload();
  await tab.page.evaluate((endpoint) => probe.start(endpoint), host.endpoint);
  await tab.sees("stopped");
  expect(await tab.page.evaluate(() => probe.current().reason?.code)).toBe("plugin_changed");
});

test("a page of another origin is refused with what helps", async ({ tab, site, ownHost: host }) => {
  await tab.page.goto(site.origin.replace("localhost", "127.0.0.1"));
  const seen = await tab.page.evaluate(async (endpoint) => {
    const connection = await probe.start(endpoint);
    await new Promise<void>((resolve) => connection.onState(resolve));
    return { state: connection.state, reason: connection.reason };
  }, host.endpoint);
  expect(seen).toEqual({
    state: "stopped",
    reason: {
      code: "origin_refused",
      message:
        "this origin is not allowed; add the site to the plugin's domains, or start the host with --allow-origin",
    },
  });
});

test("a browser that keeps the page from this machine is told apart from a host that is not there", async ({
  tab,
  site,
  ownHost: host,
}) => {
  const script = await (await fetch(`${site.origin}/probe.js`)).text();
  await tab.page.route("https://elsewhere.test/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>x</title>" }),
  );
  await tab.page.goto("https://elsewhere.test/");
  await tab.page.addScriptTag({ content: script });
  await tab.page.evaluate((endpoint) => probe.start(endpoint), host.endpoint);
  await tab.sees("permission_denied");
  expect(await tab.page.evaluate(() => probe.current().reason)).toEqual({
    code: "permission_denied",
    message: "the browser does not let this page reach programs on this machine; allow it in the site's settings",
  });
});

test("a page finds its host once it is there, and asks for it before each session", async ({
  tab,
  site,
  ownHost: host,
}) => {
  await tab.page.goto(site.origin);
  await tab.page.evaluate((endpoint) => {
    let asked = 0;
    const find = async () => {
      asked += 1;
      Object.assign(globalThis, { asked });
      if (asked === 1) throw new Error("nobody knows yet");
      return endpoint;
    };
    return probe.start(endpoint, { host: find });
  }, host.endpoint);
  await tab.sees("open");
  expect(await tab.page.evaluate(() => [probe.errors, (globalThis as { asked?: number }).asked])).toEqual([
    ["host: Error: nobody knows yet"],
    2,
  ]);
  // Nothing was declared about the page so far.
  const refused = await host.call("invoke_plugin_operation", { pluginId: "probe", operationId: "echo", input: {} });
  expect(refused).toMatchObject({ ok: false, error: { code: "page_unavailable", details: { reason: "not_ready" } } });
  await tab.page.evaluate(() => probe.ready());
  expect(await host.invoke("echo")).toMatchObject({ state: "succeeded" });
});

test("what a site does to fetch later on does not reach the bridge", async ({ tab, site, host }) => {
  await tab.page.goto(site.origin);
  await tab.page.evaluate(() => {
    Object.assign(globalThis, { taken: [] as string[] });
    globalThis.fetch = async (...parameters) => {
      (globalThis as unknown as { taken: string[] }).taken.push(String(parameters[0]));
      throw new Error("patched");
    };
    globalThis.JSON.parse = () => ({ stolen: true });
    Response.prototype.text = navigator.sendBeacon = () => {
      throw new Error("patched");
    };
  });
  await tab.connect(host);
  expect(await host.invoke("echo")).toMatchObject({ state: "succeeded" });
  expect(await tab.page.evaluate(() => (globalThis as unknown as { taken: string[] }).taken)).toEqual([]);
});
