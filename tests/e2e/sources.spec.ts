// Record sources that are large, broken in one row, or wrong about themselves (Surface §3, §4).

import { expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./page/in-page.ts");

test.use({ entry: "tests/e2e/page/in-page.ts" });

test.beforeEach(async ({ site }) => {
  await site.open(PAGE);
});

test("100 000 records through page and get cost what 300 cost", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const costs: Record<string, unknown>[] = [];
    for (const size of [300, 100_000]) {
      const page = await surface.open();
      const calls: string[] = [];
      let read = 0;
      const item = (index: number) => ({
        get id() {
          read++;
          return `SO-${index}`;
        },
        n: index,
      });
      page.records("order", {
        page: (offset, limit) => {
          calls.push(`page ${offset} ${limit}`);
          const count = Math.max(0, Math.min(limit, size - offset));
          return { items: Array.from({ length: count }, (_, index) => item(offset + index)), total: size };
        },
        get: (id) => {
          calls.push(`get ${id}`);
          return item(Number(id.slice(3)));
        },
        id: ({ id }) => id,
        fields: { n: "plain" },
      });
      page.declare({
        id: "touch@order",
        description: "Touch",
        effect: "write",
        approval: "none",
        record: { type: "order" },
        execute: () => null,
      });
      const cost: Record<string, unknown> = {};
      const count = async (name: string, request: object) => {
        calls.length = 0;
        read = 0;
        const { ok } = await page.handle(request, surface.session);
        cost[name] = { ok, calls: [...calls], read };
      };
      const ask = (input: object) => ({ protocol: "pling.surface/0.1", id: "d", method: "describe", input });
      await count("unseen", surface.invoke("touch@order", { record: "SO-7" }));
      await count("window", ask({ limit: 3 }));
      await count("later", ask({ offset: 50, limit: 2 }));
      await count("by id", ask({ records: ["SO-99"] }));
      await count("after", surface.invoke("touch@order", { record: "SO-7" }));
      costs.push(cost);
    }
    return costs;
  });
  const [few, many] = seen;
  expect(many).toEqual(few);
  expect(few).toEqual({
    // At 7a, and once the executor has settled; nobody was shown anything.
    unseen: { ok: true, calls: ["get SO-7", "get SO-7"], read: 2 },
    // 200 ids, and 3 rows.
    window: { ok: true, calls: ["page 0 200"], read: 203 },
    later: { ok: true, calls: ["page 50 200"], read: 202 },
    "by id": { ok: true, calls: ["get SO-99"], read: 1 },
    after: {
      ok: true,
      calls: [
        "get SO-7",
        "get SO-7",
        "get SO-0",
        "get SO-1",
        "get SO-2",
        "get SO-50",
        "get SO-51",
        "get SO-99",
        "page 50 200",
      ],
      read: 210,
    },
  });
});

test("a total below what a source gave moves no other source's window", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open();
    page.declare({ id: "a.look", description: "Look", effect: "read", execute: () => null });
    const item = (id: string) => ({ id });
    const orders = ["O-0", "O-1", "O-2"].map(item);
    page.records("order", {
      page: (offset, limit) => ({ items: orders.slice(offset, offset + limit), total: 0 }),
      get: (id) => orders.find((order) => order.id === id),
      id: ({ id }) => id,
      fields: {},
    });
    page.records("invoice", { list: () => ["I-0", "I-1"].map(item), id: ({ id }) => id, fields: {} });
    const windows: unknown[] = [];
    for (const offset of [0, 2, 4]) {
      const input = { offset, limit: 2 };
      const response = await page.handle(
        { protocol: "pling.surface/0.1", id: "d", method: "describe", input },
        surface.session,
      );
      if (!response.ok || !("context" in response.result)) throw new Error("refused");
      const { records, recordIds, recordWindow } = response.result.context;
      const { total, nextOffset } = recordWindow;
      windows.push({ ids: records.map(({ id }) => id), first: recordIds[0]?.id, total, nextOffset });
    }
    return windows;
  });
  expect(seen).toEqual([
    { ids: ["O-0", "O-1"], first: "O-0", total: 5, nextOffset: 2 },
    { ids: ["O-2", "I-0"], first: "O-2", total: 5, nextOffset: 4 },
    // Behind its end it gave nothing that its word could be held against.
    { ids: [], first: undefined, total: 2, nextOffset: null },
  ]);
});

test("a row that cannot be read leaves its source empty and named; other records are reached by id", async ({
  site,
}) => {
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open();
    const rows: Record<string, unknown>[] = [
      { id: "SO-0", n: 0 },
      { id: "SO-1", n: 1n },
      { id: "SO-2", n: 2 },
    ];
    page.records("order", {
      list: () => rows,
      get: (id) => rows.find((row) => row.id === id),
      id: ({ id }) => id as string,
      fields: { n: "plain" },
    });
    page.records("invoice", { list: () => [{ id: "I-0" }], id: ({ id }) => id, fields: {} });
    page.declare({
      id: "look@order",
      description: "Look",
      effect: "read",
      record: { type: "order" },
      execute: (_, { record }) => record?.id ?? null,
    });
    const describe = { protocol: "pling.surface/0.1", id: "d", method: "describe" };
    const broken = await page.handle(describe, surface.session);
    const by = await page.handle({ ...describe, input: { records: ["SO-2", "SO-1"] } }, surface.session);
    const runs: unknown[] = [];
    for (const record of ["SO-2", "SO-1"]) {
      const response = await page.handle(surface.invoke("look@order", { record }), surface.session);
      if (response.ok && "status" in response.result) runs.push(response.result.output ?? response.result.error?.code);
    }
    return { broken, by, runs, errors: surface.errors };
  });
  const invoice = { id: "I-0", type: "invoice", fields: {} };
  expect(seen.broken).toMatchObject({ result: { context: { records: [invoice], incomplete: ["records:order"] } } });
  expect(seen.by).toMatchObject({
    result: {
      context: {
        records: [{ id: "SO-2", type: "order", fields: { n: 2 } }],
        incomplete: ["records:order"],
        unavailable: [{ record: { id: "SO-1" }, reason: "not_found" }],
      },
    },
  });
  expect(seen.runs).toEqual(["SO-2", "RECORD_NOT_AVAILABLE"]);
  expect(seen.errors.slice(0, 1)).toEqual([expect.stringMatching(/^records:order: Error .*\/rows\/1\/fields\/n/)]);
});

test("two rows of one id are shown, and are no news for ever", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open();
    page.records("order", {
      list: () => [
        { id: "O", n: 1 },
        { id: "O", n: 2 },
      ],
      id: ({ id }) => id,
      fields: { n: "plain" },
    });
    page.declare({ id: "a.touch", description: "Touch", effect: "write", approval: "none", execute: () => null });
    const describe = { protocol: "pling.surface/0.1", id: "d", method: "describe" };
    const shown = await page.handle(describe, surface.session);
    const again = await page.handle(surface.invoke("a.touch"), surface.session);
    const record = shown.ok && "context" in shown.result ? shown.result.context.records : undefined;
    return { record, after: again.ok && "status" in again.result ? again.result.after : "refused" };
  });
  expect(seen.record).toHaveLength(2);
  expect(seen.after).toBe(undefined);
});
