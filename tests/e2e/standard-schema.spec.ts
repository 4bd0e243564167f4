// Inputs by a schema of a library (Surface §9): its JSON Schema is declared, its validator runs after ours.

import { expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./page/standard.ts");

test.use({ entry: "tests/e2e/page/standard.ts" });

test("a Zod schema is declared as JSON Schema, and the handler gets what it makes of the input", async ({ site }) => {
  const frame = await site.open(PAGE);
  const seen = await frame.evaluate(async () => {
    const { open, invoke, given, z } = surface;
    const page = await open({ confirm: async (request) => ({ approved: request.input.text === " tea " }) });
    const input = z.object({ text: z.string().max(20).trim(), count: z.number().int().default(1) });
    page.declare({
      id: "orders.add",
      description: "Adds.",
      effect: "write",
      approval: "always",
      inputSchema: input,
      execute: (value) => {
        given.push(value);
        return value.text.length;
      },
    });
    const describe = { protocol: "pling.surface/0.1", id: "d", method: "describe" };
    const session = { agentId: "a", sessionId: "s", userId: "u", expiresAt: Date.now() + 60_000, scope: ["*"] };
    const described = await page.handle(describe, session);
    const schema =
      described.ok && "capabilities" in described.result && described.result.capabilities?.[0]?.inputSchema;
    const answers = [
      await invoke(page, "orders.add", { text: " tea " }),
      await invoke(page, "orders.add", { text: 5 }),
      await invoke(page, "orders.add", { text: "x".repeat(21) }),
    ];
    return { schema, answers, given };
  });
  expect(seen.schema).toMatchObject({
    type: "object",
    properties: { text: { type: "string", maxLength: 20 }, count: { type: "integer", default: 1 } },
    required: ["text"],
  });
  // The person was shown what came; the handler gets it trimmed, with the default.
  expect(seen.given).toEqual([{ text: "tea", count: 1 }]);
  expect(seen.answers).toMatchObject([
    { ok: true, result: { output: 3 } },
    { ok: false, error: { code: "INVALID_REQUEST", details: { issues: [{ path: "/text", keyword: "type" }] } } },
    { ok: false, error: { code: "INVALID_REQUEST", details: { issues: [{ path: "/text", keyword: "maxLength" }] } } },
  ]);
});

test("what only the library refuses is named by its place, without its words", async ({ site }) => {
  const frame = await site.open(PAGE);
  const answers = await frame.evaluate(async () => {
    const { open, invoke, schema, z } = surface;
    const page = await open();
    const declare = (id: string, inputSchema: ReturnType<typeof schema>) =>
      page.declare({ id, description: "x", effect: "read", inputSchema, execute: (value) => value as never });
    const even = z.object({
      list: z.array(z.object({ "a/b": z.number().refine((n) => n % 2 === 0, "no secret 77") })),
    });
    declare("a.even", even as never);
    declare(
      "a.many",
      schema(() => ({ issues: Array.from({ length: 40 }, (_, at) => ({ message: "m", path: [at] })) })),
    );
    declare(
      "a.later",
      schema(async (value) => ({ value: { made: value } })),
    );
    declare(
      "a.throws",
      schema(() => {
        throw new Error("the library failed");
      }),
    );
    declare(
      "a.rejects",
      schema(async () => Promise.reject(new Error("later"))),
    );
    declare(
      "a.lies",
      schema(() => 5 as never),
    );
    return {
      even: await invoke(page, "a.even", { list: [{ "a/b": 2 }, { "a/b": 77 }] }),
      many: await invoke(page, "a.many", { n: 1 }),
      later: await invoke(page, "a.later", { n: 1 }),
      throws: await invoke(page, "a.throws", { n: 1 }),
      rejects: await invoke(page, "a.rejects", { n: 1 }),
      lies: await invoke(page, "a.lies", { n: 1 }),
      first: await invoke(page, "a.throws", { n: "ours comes first" }),
      errors: surface.errors,
    };
  });
  const refused = (path: string) => ({
    ok: false,
    error: {
      code: "INVALID_REQUEST",
      retryable: false,
      details: { issues: [{ path, keyword: "(standard)", message: "is not valid" }] },
    },
  });
  expect(answers.even).toMatchObject(refused("/list/1/a~1b"));
  expect(JSON.stringify(answers.even)).not.toContain("77");
  expect(answers.many).toMatchObject({ error: { details: { issues: Array(16).fill({ keyword: "(standard)" }) } } });
  expect(answers.later).toMatchObject({ ok: true, result: { output: { made: { n: 1 } } } });
  for (const answer of [answers.throws, answers.rejects, answers.lies]) expect(answer).toMatchObject(refused(""));
  expect(answers.first).toMatchObject({ error: { details: { issues: [{ path: "/n", keyword: "type" }] } } });
  expect(answers.errors.slice(0, 2)).toEqual(["inputSchema: Error: the library failed", "inputSchema: Error: later"]);
  expect(answers.errors.length).toBe(3);
});

test("a row action's record is checked by us, unknown to a strict schema, and still in the input", async ({ site }) => {
  const frame = await site.open(PAGE);
  const seen = await frame.evaluate(async () => {
    const { open, invoke, given, z } = surface;
    const page = await open();
    page.records("order", { list: () => [{ id: "SO-1" }], id: ({ id }) => id, fields: {} });
    page.declare({
      id: "note@order",
      description: "x",
      effect: "read",
      record: { type: "order" },
      inputSchema: z.strictObject({ note: z.string() }),
      execute: (value, { record }) => {
        given.push([value, record.id]);
        return null;
      },
    });
    return [await invoke(page, "note@order", { note: "n", record: "SO-1" }), given];
  });
  expect(seen).toEqual([expect.objectContaining({ ok: true }), [[{ note: "n", record: "SO-1" }, "SO-1"]]]);
});

test("a library that does not tell its JSON Schema is refused with what to do", async ({ site }) => {
  const frame = await site.open(PAGE);
  const messages = await frame.evaluate(async () => {
    const { open, v, z } = surface;
    const page = await open();
    const attempt = (inputSchema: unknown) => {
      try {
        page.declare({
          id: "a.b",
          description: "x",
          effect: "read",
          inputSchema: inputSchema as never,
          execute: () => null,
        });
        return "fine";
      } catch (error) {
        return String(error);
      }
    };
    return [attempt(v.object({ text: v.string() })), attempt(z.object({ when: z.date() })), attempt(z.string())];
  });
  expect(messages).toEqual([
    "PageportError: declare: inputSchema must be JSON Schema: this library does not tell it; pass it beside, as inputSchema",
    "PageportError: declare: inputSchema has no JSON Schema of draft 2020-12; pass one as inputSchema",
    expect.stringContaining("inputSchema"),
  ]);
});

test("a validator that takes over two seconds lets nothing pass", async ({ site }) => {
  await site.installClock();
  const frame = await site.open(PAGE);
  await frame.evaluate(async () => {
    const page = await surface.open();
    const inputSchema = surface.schema(() => new Promise(() => undefined));
    page.declare({
      id: "a.hangs",
      description: "x",
      effect: "read",
      inputSchema,
      execute: () => surface.given.push("ran"),
    });
    Object.assign(globalThis, { answer: surface.invoke(page, "a.hangs", { n: 1 }) });
  });
  await site.stopClock();
  await site.page.clock.runFor(2_001);
  const answer = await frame.evaluate(async () => [await (globalThis as { answer?: unknown }).answer, surface.given]);
  expect(answer).toMatchObject([{ ok: false, error: { code: "INVALID_REQUEST" } }, []]);
});
