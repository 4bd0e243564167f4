// The built package over postMessage: what becomes of calls whose client, confirmation or page goes away.

import type { PageOptions } from "pageport";
import type { InvokeResult } from "pageport/client";
import { connected, dial, logged } from "./postmessage/connected.ts";
import { AGENT, expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./postmessage/package.ts");
declare const client: import("pageport/client").Client;
declare const calls: Record<string, Promise<import("./postmessage/by-hand.ts").Outcome>>;

test.use({ entry: "tests/e2e/postmessage/package.ts" });

test("giving up a confirmation closes it; a later yes does nothing", async ({ site }) => {
  const host = await site.open(PAGE);
  await host.evaluate(async (origin) => {
    // The gate of this page is answered by the test.
    const confirm: PageOptions["confirm"] = (_, { signal }) =>
      new Promise((resolve) => {
        log.push("asked");
        signal.addEventListener("abort", () => log.push("withdrawn"));
        Object.assign(globalThis, { yes: () => resolve({ approved: true }) });
      });
    await surface.serve(origin, { confirm });
  }, AGENT);
  const agent = await site.frame(AGENT);
  await agent.evaluate(dial, PAGE);
  await agent.evaluate(() => {
    const control = new AbortController();
    calls.write = surface.outcome(client.invoke("orders.write", {}, { signal: control.signal }));
    Object.assign(globalThis, { control });
  });
  await expect.poll(() => logged(host)).toEqual(["asked"]);
  await agent.evaluate(() => (globalThis as unknown as { control: AbortController }).control.abort());
  expect(await agent.evaluate(() => calls.write)).toMatchObject({ name: "AbortError" });
  await expect.poll(() => logged(host)).toContain("withdrawn");
  await host.evaluate(() => (globalThis as unknown as { yes(): void }).yes());
  await expect.poll(() => logged(host)).toContain("audit invoke orders.write execution_error CANCELLED postmessage");
  expect(await logged(host)).not.toContain("written");
});

test("a client that is gone cancels what has not started; a started executor goes on and ends in the audit", async ({
  site,
}) => {
  const { host, agent } = await connected(site);
  await host.evaluate(() => {
    page.declare({
      id: "orders.slow",
      description: "Slow",
      effect: "read",
      execute: async (_, { signal }) => {
        log.push("started");
        await new Promise((resolve) => Object.assign(globalThis, { finish: resolve }));
        log.push(`finished, aborted: ${signal.aborted}`);
      },
    });
  });
  await agent.evaluate(() => void client.invoke("orders.slow").catch(() => {}));
  await expect.poll(() => logged(host)).toContain("started");
  await host.evaluate(() => document.querySelector("iframe")?.remove());
  await expect.poll(() => host.evaluate(() => page.stats().connections)).toBe(0);
  await host.evaluate(() => (globalThis as unknown as { finish(): void }).finish());
  await expect.poll(async () => (await logged(host)).some((line) => line.startsWith("finished"))).toBe(true);
  await expect
    .poll(async () => (await logged(host)).some((line) => line.startsWith("audit invoke orders.slow")))
    .toBe(true);
});

test("a page that closes settles its clients", async ({ site }) => {
  const { host, agent } = await connected(site);
  await agent.evaluate(() => {
    calls.wait = surface.outcome(client.invoke("orders.wait"));
  });
  await expect.poll(() => logged(host)).toContain("started");
  await host.evaluate(() => page.close());
  const [wait, closed] = await agent.evaluate(async () => [await calls.wait, await client.closed]);
  expect(closed).toEqual({ reason: "closed" });
  // Either the answer or the end of the line comes first; both say that it may have run.
  const result = wait?.value as InvokeResult | undefined;
  if (result) expect(result).toMatchObject({ status: { executed: "unknown" }, error: { code: "CANCELLED" } });
  else expect(wait).toMatchObject({ code: "CLOSED", outcome: "unknown" });
  const after = await agent.evaluate(
    (origin) => surface.outcome(surface.connect(parent, { origin, timeoutMs: 500 })),
    PAGE,
  );
  expect(after).toMatchObject({ code: "CONNECT_TIMEOUT" });
  await expect.poll(() => logged(host)).toContain("audit invoke orders.wait execution_error CANCELLED postmessage");
});
