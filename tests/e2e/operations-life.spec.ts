// A document that is left and comes back, from the browser's cache or by being loaded again.

import { expect, test } from "./operations/fixture.ts";

declare const probe: typeof import("./operations/in-page.ts");

test("a page in the back/forward cache is gone for the host, and goes on when it is back", async ({
  tab,
  site,
  ownHost: host,
}) => {
  await tab.open(site, host);
  const { page } = tab;
  const session = await page.evaluate(() => {
    addEventListener("pageshow", ({ persisted }) => Object.assign(globalThis, { persisted }));
    return probe.current().pageSessionId;
  });
  const id = await host.submit("slow");
  await expect.poll(async () => (await host.execution(id)).progress).toBe(40);
  await page.goto(`${site.origin}/elsewhere`);
  expect(await host.execution(id, 10_000)).toMatchObject({ state: "interrupted", errorCode: "page_changed" });
  // Playwright waits for a load event, which a page from the cache does not have.
  await page.evaluate(() => history.back()).catch(() => undefined);
  await expect
    .poll(() => page.evaluate(() => (globalThis as { persisted?: boolean }).persisted).catch(() => undefined))
    .toBe(true);
  expect(await page.evaluate(() => probe.aborts)).toEqual(["AbortError page_hidden"]);
  await tab.sees("open");
  expect(await page.evaluate(() => probe.current().pageSessionId)).toBe(session);
  // The last state was told again; nothing ran again.
  expect(await host.invoke("echo", { say: "back" })).toMatchObject({ state: "succeeded" });
  expect(await page.evaluate(() => probe.aborts.length)).toBe(1);
});

test("a page that is loaded again is another session", async ({ tab, site, ownHost: host }) => {
  await tab.open(site, host);
  const id = await host.submit("slow");
  await expect.poll(async () => (await host.execution(id)).progress).toBe(40);
  await tab.page.reload();
  expect(await host.execution(id, 10_000)).toMatchObject({ state: "interrupted", errorCode: "page_changed" });
  await tab.connect(host);
  expect(await host.invoke("echo")).toMatchObject({ state: "succeeded" });
  const sessions = await host.call<{ total: number }>("list_page_sessions", {});
  expect(sessions.data.total).toBe(1);
});

test("closing the page closes its connection", async ({ tab, site, ownHost: host }) => {
  await tab.page.goto(site.origin);
  const states = await tab.page.evaluate(async (endpoint) => {
    const page = await probe.createPage({ app: "orders" });
    const connection = await page.connectHost({
      host: endpoint,
      plugin: { manifest: probe.manifest as never, scriptId: "page" },
    });
    const controller = new AbortController();
    const other = await page.connectHost({
      host: () => endpoint,
      plugin: { manifest: probe.manifest as never, scriptId: "page" },
      signal: controller.signal,
    });
    controller.abort();
    await other.close();
    const states = [connection.state, other.state];
    await page.close();
    const late = await page.connectHost({} as never).catch((error) => error.code);
    return [...states, connection.state, late];
  }, host.endpoint);
  expect(states).toEqual(["connecting", "closed", "closed", "CLOSED"]);
});
