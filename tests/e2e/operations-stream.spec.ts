// A stream that breaks the protocol: what can be read is taken once, and the rest does no harm.

import { expect, test } from "./operations/fixture.ts";
import { id } from "./operations/hostile.ts";

declare const probe: typeof import("./operations/in-page.ts");

test("a stream is read however it is cut, and what is no event changes nothing", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.open(site, host);
  await tab.page.evaluate(() => {
    const told: unknown[] = [];
    Object.assign(globalThis, { told });
    probe.current().pageApi.onMessage((message) => told.push(message));
  });
  const bytes = new TextEncoder().encode('id: 1\r\ndata: {"type":"message","message":"é🦀"}\r\n\r\n');
  for (const byte of bytes) host.write(Uint8Array.of(byte));
  host.write(":\n:::\n\nretry: 0\nevent: other\n\n\u{feff}\n\n");
  host.event({ type: "dance" });
  host.event({ type: "surface", request: {}, session: {}, replyTo: 1 });
  host.event({ type: "message", message: "no id" }, null);
  host.write('id: x\ndata: {"type":"message","message":"no number"}\n\n');
  for (const data of ["{", "null", '{"type":5}', '{"type":"invoke"}', '{"type":"cancel","executionId":5}']) {
    host.write(`id: 5\ndata: ${data}\n\n`);
  }
  host.write('id: 3\ndata: {"type":"message","message":"back"}\n\n');
  host.event({ type: "cancel", executionId: id(9), reason: "cancelled" }, 6);
  host.event({ type: "message", message: "last" }, 7);
  await expect.poll(() => tab.page.evaluate(() => (globalThis as { told?: unknown }).told)).toEqual(["é🦀", "last"]);
  expect(await tab.page.evaluate(() => probe.current().state)).toBe("open");
  // All of them arrived, good or not: none is wanted again.
  host.endStream();
  await expect.poll(() => host.streams).toEqual([undefined, "7"]);
});

test("an event that cannot be read is not asked for again", async ({ tab, site, hostile: host }) => {
  await tab.open(site, host);
  host.event({ type: "invoke", executionId: "nonsense" }, 4);
  await expect.poll(() => tab.page.evaluate(() => probe.errors)).toHaveLength(1);
  host.endStream();
  await expect.poll(() => host.streams).toEqual([undefined, "4"]);
});

test("an event without end breaks the stream, and the pauses grow", async ({ tab, site, hostile: host }) => {
  await tab.page.clock.install();
  await tab.open(site, host);
  const huge = `id: 1\ndata: ${"x".repeat(2 ** 20)}`;
  host.replies.events = () => (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(huge);
  };
  host.endStream();
  const seen = async () => {
    await tab.page.clock.runFor(1_000);
    return host.streams.length;
  };
  await expect.poll(seen, { intervals: [50], timeout: 20_000 }).toBe(6);
  // The pauses add up to half a minute now, not to seconds.
  await expect.poll(() => host.open.get("events")).toBe(0);
  await tab.page.clock.runFor(5_000);
  expect(host.streams.length).toBeLessThan(9);
});
