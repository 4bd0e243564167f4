// "pageport/client" and a page that does not answer: every call ends in time and says what is known (Surface §8).

import { connected, frames, sent } from "./postmessage/hosted.ts";
import { expect, test } from "./postmessage/site.ts";

declare const surface: typeof import("./postmessage/in-page.ts");
declare const client: import("../../js/client.ts").Client;
declare const calls: Record<string, Promise<import("./postmessage/by-hand.ts").Outcome>>;

test("a call that gets no answer ends in time and says what is known", async ({ site }) => {
  await site.installClock();
  const { page, agent } = await connected(site);
  await site.stopClock();
  // The page lives: it answers this one.
  await page.evaluate(() => {
    const port = lines[0]?.port;
    port?.addEventListener("message", ({ data }) => {
      const { n, request } = JSON.parse(data);
      if (request?.alive) surface.send(0, { type: "response", n, response: { ok: true } });
    });
  });
  await agent.evaluate(() => {
    calls.describe = surface.outcome(client.describe());
    calls.short = surface.outcome(client.invoke("a", {}, { timeoutMs: 3_000 }));
    calls.invoke = surface.outcome(client.invoke("a"));
    calls.raw = surface.outcome(client.request({ method: "invoke" }));
  });
  const run = async (ms: number) => {
    // A call that is answered in every silence keeps the line open.
    for (let at = 0; at < ms; at += 9_000) {
      await site.page.clock.runFor(Math.min(9_000, ms - at));
      await agent.evaluate(() => client.request({ alive: true }));
    }
  };
  const left = () =>
    agent.evaluate(async () => {
      const still = Promise.resolve({ name: "still open" });
      return Promise.all(["describe", "short", "invoke", "raw"].map((key) => Promise.race([calls[key], still])));
    });
  await run(2_900);
  expect((await left()).map((end) => end?.name)).toEqual(Array(4).fill("still open"));
  await run(200);
  expect((await left())[1]).toMatchObject({ name: "SurfaceProtocolError", code: "TIMED_OUT", outcome: "unknown" });
  await run(7_000);
  expect((await left())[0]).toEqual({
    name: "SurfaceProtocolError",
    code: "TIMED_OUT",
    message: "the page did not answer in time",
  });
  await run(439_500);
  expect((await left())[2]).toMatchObject({ name: "still open" });
  await run(1_000);
  expect((await left()).slice(2)).toMatchObject(Array(2).fill({ code: "TIMED_OUT", outcome: "unknown" }));
  const cancelled = (await frames(page)).filter(({ type }) => type === "cancel").map(({ n }) => n);
  expect(cancelled.slice(0, 2)).toEqual([2, 1]);
  expect(cancelled).toHaveLength(4);
});

test("a page that does not answer a ping is lost", async ({ site }) => {
  await site.installClock();
  const { page, agent } = await connected(site);
  await site.stopClock();
  await agent.evaluate(() => {
    calls.invoke = surface.outcome(client.invoke("a"));
  });
  await sent(page, 1);
  await site.page.clock.runFor(10_000);
  await sent(page, 2);
  expect((await frames(page))[1]).toMatchObject({ type: "ping" });
  await site.page.clock.runFor(9_900);
  await agent.evaluate(() => client.onChanged(() => Object.assign(calls, { changed: 1 })));
  await page.evaluate(() => surface.send(0, { type: "changed" }));
  await expect.poll(() => agent.evaluate(() => "changed" in calls)).toBe(true);
  // Any frame proves that the page lives; then silence counts anew.
  await site.page.clock.runFor(15_000);
  await sent(page, 3);
  await site.page.clock.runFor(10_000);
  const [invoke, closed, late] = await agent.evaluate(async () => [
    await calls.invoke,
    await client.closed,
    await surface.outcome(client.invoke("a")),
  ]);
  expect(invoke).toMatchObject({ name: "SurfaceProtocolError", code: "CLOSED", outcome: "unknown" });
  expect(closed).toEqual({ reason: "lost" });
  expect(late).toMatchObject({ code: "CLOSED", outcome: "not_sent" });
});
