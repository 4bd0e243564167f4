// What reaches the audit, and what becomes of it when the sink fails (Surface §7).

import { expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./page/in-page.ts");

test.use({ entry: "tests/e2e/page/in-page.ts" });

test("no event of a busy run holds an argument, an output, a record, or a word of the attacker", async ({ site }) => {
  await site.open(PAGE);
  const seen = await site.page.evaluate(async () => {
    const events: object[] = [];
    const page = await surface.open({
      audit: (event) => void events.push(event),
      confirm: async () => ({ approved: true, receipt: "MARK-receipt-0123456789" }),
      user: () => "ada",
    });
    page.records("order", {
      list: () => [{ id: "MARK-record", n: "MARK-field" }],
      id: ({ id }) => id,
      fields: { n: "plain" },
    });
    page.state("MARKstate", () => "MARK-state");
    page.object(() => "MARK-object");
    page.declare({
      id: "note@order",
      description: "MARK-description",
      effect: "write",
      record: { type: "order" },
      inputSchema: { type: "object", properties: { text: { type: "string", maxLength: 20 } }, required: ["text"] },
      execute: ({ text }, { feedback }) => {
        feedback({ level: "info", text: `MARK-feedback ${text}` });
        if (text === "MARK-raise") throw new surface.SurfaceError("MINE", "MARK-message", { details: "MARK-details" });
        if (text === "MARK-throw") throw new Error("MARK-error");
        return `MARK-output ${text}`;
      },
    });
    const send = (request: unknown, session: unknown = surface.session) => page.handle(request, session as never);
    const note = (text: unknown, record = "MARK-record") => surface.invoke("note@order", { record, text } as object);
    for (const text of ["MARK-text", "MARK-raise", "MARK-throw", "MARK-much-too-long-a-text", 5])
      await send(note(text));
    await send(note("x", "MARK-other-record"));
    const describe = { protocol: "pling.surface/0.1", id: "d", method: "describe" };
    await send({ ...describe, input: { records: ["MARK-record"], "MARK-option": 1 } });
    await send({ ...describe, input: { records: ["MARK-record"] } });
    await send(surface.invoke("MARK.capability"));
    await send({ ...describe, method: "MARK-method" });
    await send({ ...describe, protocol: "MARK-protocol" });
    await send({ ...describe, id: "MARK\nid" });
    await send("{ MARK");
    await send({ ...describe, MARK: "MARK" });
    await send(describe, { ...surface.session, agentId: "", delegationId: "MARK" });
    await send(describe, { ...surface.session, userId: "MARK-user", agentId: "MARK-agent" });
    await send(describe, () => {
      throw new Error("MARK-resolver");
    });
    await page.close();
    return events;
  });
  expect(seen).toHaveLength(17);
  expect(seen.filter((event) => JSON.stringify(event).includes("MARK"))).toEqual([]);
  const members = [...new Set(seen.flatMap((event) => Object.keys(event)))].sort();
  expect(members).toEqual(
    "agentId at capability code durationMs method outcome protocol requestId sessionId transport userId".split(" "),
  );
});

test("events that found no room are counted and told with their number; a started executor's stays", async ({
  site,
}) => {
  await site.installClock();
  await site.open(PAGE);
  await site.page.evaluate(async () => {
    const told: unknown[] = [];
    const sunk: string[] = [];
    let release: () => void = () => undefined;
    const page = await surface.open({
      audit: ({ requestId }) => {
        sunk.push(String(requestId));
        if (sunk.length > 1) return;
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
      onAuditError: (error, { count, outcome }) => {
        told.push([String(error), count, outcome]);
        throw new Error("onAuditError");
      },
    });
    page.declare({ id: "a.run", description: "Run", effect: "write", approval: "none", execute: () => null });
    const ask = (id: string) =>
      page.handle({ protocol: "pling.surface/0.1", id, method: "invoke", capability: "a.run" }, surface.session);
    await ask("first");
    await Promise.resolve();
    // Replays: refusals after step 3, so that each has an event of its own.
    await ask("ran");
    for (let index = 0; index < 1_003; index++) await ask("ran");
    const before = page.stats();
    release();
    await page.close();
    Object.assign(globalThis, { seen: { told, ran: sunk.slice(0, 2), sunk: sunk.length, before } });
  });
  const seen = await site.page.evaluate(() => (globalThis as unknown as { seen: unknown }).seen);
  expect(seen).toMatchObject({
    told: [["Error: 4 events dropped", 4, "protocol_error"]],
    ran: ["first", "ran"],
    sunk: 1_001,
    before: { auditDropped: 4, auditFailures: 0 },
  });
});

test("a sink that throws, rejects or hangs is told of each event, and changes nothing for the caller", async ({
  site,
}) => {
  await site.installClock();
  await site.open(PAGE);
  await site.stopClock();
  await site.page.evaluate(async () => {
    const told: string[] = [];
    const ways = [
      () => {
        throw undefined;
      },
      () => Promise.reject(null),
      () => new Promise<void>(() => undefined),
      () => undefined,
    ];
    const page = await surface.open({
      audit: () => ways.shift()?.(),
      onAuditError: (error, { requestId }) => void told.push(`${requestId} ${error}`),
    });
    page.declare({ id: "a.run", description: "Run", effect: "write", approval: "none", execute: () => null });
    const session = { ...surface.session, expiresAt: 9e12 };
    const oks: boolean[] = [];
    for (const id of ["throws", "rejects", "hangs", "sinks"]) {
      oks.push(
        (await page.handle({ protocol: "pling.surface/0.1", id, method: "invoke", capability: "a.run" }, session)).ok,
      );
    }
    Object.assign(globalThis, { page, told, oks });
  });
  const look = () =>
    site.page.evaluate(() => {
      const { told, oks, page } = globalThis as unknown as {
        told: string[];
        oks: boolean[];
        page: import("pageport").Page;
      };
      return { told, oks, failures: page.stats().auditFailures };
    });
  const first = ["throws undefined", "rejects null"];
  await expect.poll(look).toEqual({ told: first, oks: [true, true, true, true], failures: 2 });
  await site.page.clock.runFor(5_001);
  const late = "hangs Error: the audit sink took over 5 s";
  await expect.poll(look).toEqual({ told: [...first, late], oks: [true, true, true, true], failures: 3 });
});
