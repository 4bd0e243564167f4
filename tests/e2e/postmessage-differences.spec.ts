// The client asks for differences and hands out whole lists (Surface §3).

import { connected, frames, sent } from "./postmessage/hosted.ts";
import { expect, test } from "./postmessage/site.ts";

declare const surface: typeof import("./postmessage/in-page.ts");
declare const client: import("../../js/client.ts").Client;
declare const calls: Record<string, Promise<import("./postmessage/by-hand.ts").Outcome>>;

test("differences travel, but the caller always gets the whole list", async ({ site }) => {
  const { page, agent } = await connected(site);
  const looks = async (count: number) => {
    await agent.evaluate((count) => {
      for (let i = 0; i < count; i++) calls[i] = surface.outcome(client.describe({ limit: 1 }));
    }, count);
  };
  const sinces = async () =>
    (await frames(page)).map(({ request }) => (request as { input: { since?: string } }).input.since);
  const answer = (n: number, result: object) =>
    page.evaluate(
      ({ n, result }) => surface.send(0, { type: "response", n, response: { id: "x", ok: true, result } }),
      { n, result },
    );
  const list = (i: number) =>
    agent.evaluate(async (i) => {
      const end = (await calls[i]) as { value: Awaited<ReturnType<typeof client.describe>> };
      return end.value.capabilities.map(({ id, description }) => `${id}=${description}`);
    }, i);
  const [a, b, c] = ["a", "b", "c"].map((id) => ({ id, description: "1" }));
  await looks(1);
  await sent(page, 1);
  await answer(1, { capabilityRevision: "r1", capabilities: [a, b] });
  expect(await list(0)).toEqual(["a=1", "b=1"]);
  // Two that overlap both refer to r1.
  await looks(2);
  await sent(page, 3);
  expect(await sinces()).toEqual([undefined, "r1", "r1"]);
  const delta = { since: "r1", added: [c], changed: [{ id: "b", description: "2" }], removed: ["a"] };
  await answer(2, { capabilityRevision: "r2", capabilityDelta: delta });
  await answer(3, { capabilityRevision: "r3", capabilityDelta: { ...delta, added: [] } });
  expect(await list(0)).toEqual(["b=2", "c=1"]);
  expect(await list(1)).toEqual(["b=2"]);
  // A difference to a list that nobody remembers is asked for again, whole.
  await looks(1);
  await sent(page, 4);
  await answer(4, { capabilityRevision: "r9", capabilityDelta: { ...delta, since: "r8" } });
  await sent(page, 5);
  expect((await sinces()).slice(3)).toEqual(["r3", undefined]);
  await answer(5, { capabilityRevision: "r9", capabilities: [c] });
  expect(await list(0)).toEqual(["c=1"]);
  // A page that sends one all the same gets no second chance.
  await looks(1);
  await sent(page, 6);
  await answer(6, { capabilityRevision: "r9", capabilityDelta: { ...delta, since: "r8" } });
  await sent(page, 7);
  await answer(7, { capabilityRevision: "r9", capabilityDelta: { ...delta, since: "r8" } });
  expect(await agent.evaluate(() => calls[0])).toMatchObject({ name: "SurfaceProtocolError", code: "INTERNAL" });
});
