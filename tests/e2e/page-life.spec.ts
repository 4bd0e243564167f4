// Pages under load and in a hurry: mounted twice, asked thousands of times, closed in the middle (JS API).

import { expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./page/in-page.ts");

test.use({ entry: "tests/e2e/page/in-page.ts" });

let complaints: string[] = [];

test.beforeEach(async ({ site }) => {
  complaints = [];
  site.page.on("console", (message) => complaints.push(message.text()));
  site.page.on("pageerror", (error) => complaints.push(String(error)));
  await site.open(PAGE);
});

test("mount, unmount and mount in one tick end with one entry; a late remover removes no other", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open();
    const source = { list: () => [{ id: "SO-1" }], id: ({ id }: { id: string }) => id, fields: {} };
    const capability = {
      id: "touch@order",
      description: "Touch",
      effect: "read" as const,
      record: { type: "order" },
      execute: () => "ran",
    };
    const mounts: Record<string, (signal?: AbortSignal) => () => void> = {
      declare: (signal) => page.declare(capability, signal && { signal }),
      records: (signal) => page.records("order", source, signal && { signal }),
      region: (signal) => page.region({ id: "r", title: "R" }, signal && { signal }),
      state: (signal) => page.state("k", () => 1, signal && { signal }),
      object: (signal) => page.object(() => "o", signal && { signal }),
    };
    const codes: unknown[] = [];
    for (const [name, mount] of Object.entries(mounts)) {
      const first = mount();
      first();
      const controller = new AbortController();
      const second = mount(controller.signal);
      controller.abort();
      mount();
      first();
      second();
      second();
      try {
        mount();
      } catch (error) {
        codes.push(`${name} ${(error as { code: string }).code}`);
      }
    }
    const blocked = () => [{ capability: "none", reason: "x" }];
    page.unavailable(blocked)();
    page.unavailable(blocked, { signal: AbortSignal.abort() });
    const described = await page.handle(
      { protocol: "pling.surface/0.1", id: "d", method: "describe" },
      surface.session,
    );
    return {
      codes,
      described,
      ran: await page.handle(surface.invoke("touch@order", { record: "SO-1" }), surface.session),
    };
  });
  expect(seen.codes).toEqual(["declare", "records", "region", "state", "object"].map((name) => `${name} DUPLICATE_ID`));
  expect(seen.described).toMatchObject({
    result: {
      capabilities: [{ id: "touch@order" }],
      context: {
        regions: [{ id: "r" }],
        state: { k: 1 },
        page: { object: "o" },
        records: [{ id: "SO-1" }],
        unavailable: [],
      },
    },
  });
  expect(seen.ran).toMatchObject({ result: { output: "ran" } });
  expect(complaints).toEqual([]);
});

test("thousands of calls at once are all answered, 64 at a time run, and a close ends those under way", async ({
  site,
}) => {
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open();
    let started = 0;
    page.declare({
      id: "a.wait",
      description: "Wait",
      effect: "write",
      approval: "none",
      execute: () => {
        started++;
        return new Promise(() => undefined);
      },
    });
    const sent = Array.from({ length: 3_000 }, (_, index) => {
      const request =
        index % 3 === 0 ? { protocol: "pling.surface/0.1", id: "d", method: "describe" } : surface.invoke("a.wait");
      return page.handle(request, surface.session);
    });
    const { inFlight } = page.stats();
    const closed = page.close();
    const kinds: Record<string, number> = {};
    for (const response of await Promise.all(sent)) {
      let kind = response.ok ? "described" : response.error.code;
      if (response.ok && "status" in response.result) {
        kind = `${response.result.error?.code} ${response.result.status.executed}`;
      }
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
    await closed;
    const late = await page.handle(surface.invoke("a.wait"), surface.session).catch((error) => error.code);
    return { kinds, inFlight, started, late, left: page.stats().inFlight };
  });
  expect(seen.inFlight).toBe(64);
  expect(seen.started).toBe(64);
  expect(seen.kinds["CANCELLED unknown"]).toBe(64);
  expect(Object.values(seen.kinds).reduce((sum, count) => sum + count)).toBe(3_000);
  expect(Object.keys(seen.kinds).sort()).toEqual(["CANCELLED unknown", "RATE_LIMITED", "described"]);
  expect([seen.late, seen.left]).toEqual(["CLOSED", 0]);
  expect(complaints).toEqual([]);
});

test("an onError that throws changes no answer", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open({
      onError: () => {
        throw new Error("onError");
      },
    });
    page.state("broken", () => {
      throw new Error("state");
    });
    page.declare({ id: "a.keep", description: "Keep", effect: "read", execute: () => null });
    const run = await surface.run(page, () => {
      throw new Error("executor");
    });
    const described = await page.handle(
      { protocol: "pling.surface/0.1", id: "d", method: "describe" },
      surface.session,
    );
    return { run, described };
  });
  expect(seen.run).toMatchObject({ ok: true, result: { error: { code: "EXECUTION_FAILED" } } });
  expect(seen.described).toMatchObject({ ok: true, result: { context: { incomplete: ["state:broken"] } } });
});

test("options may be frozen, proxied or of a class; each is read once, at the call", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const reads: string[] = [];
    const watched = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (of, name, self) => {
          reads.push(String(name));
          return Reflect.get(of, name, self);
        },
      });
    const freeze = Object.freeze;
    const page = await surface.createPage(
      freeze({ app: "orders", allow: freeze(["a.*"]) as string[], limits: freeze({ maxRecords: 5 }) }),
    );
    const remove = page.declare(
      watched(freeze({ id: "a.run", description: "Run", effect: "read" as const, execute: () => "ran" })),
    );
    const readAtDeclare = [...new Set(reads)].sort();
    const counted = reads.length;
    const response = await page.handle(
      surface.invoke("a.run"),
      freeze({ ...surface.session, scope: freeze(["*"]) as string[] }),
    );
    remove();
    const refusals: string[] = [];
    for (const options of [undefined, null, 5, "x", [], () => undefined]) {
      refusals.push(
        await surface.createPage(options as never).then(
          () => "",
          (error: { code: string }) => error.code,
        ),
      );
    }
    return { response, readAtDeclare, once: counted === readAtDeclare.length, later: reads.length - counted, refusals };
  });
  expect(seen.response).toMatchObject({ ok: true, result: { output: "ran" } });
  expect(seen.readAtDeclare).toEqual(["description", "effect", "execute", "expect", "id", "record"]);
  expect([seen.once, seen.later]).toEqual([true, 0]);
  expect(seen.refusals).toEqual(new Array(6).fill("INVALID_OPTION"));
});

test("an unknown keyword of a schema is told once, however many places and declarations have it", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open();
    const text = { type: "string", label: "L" } as const;
    const declare = (id: string, more: object = {}) =>
      page.declare({
        id,
        description: "Run",
        effect: "read",
        inputSchema: { type: "object", properties: { a: text, b: text, ...more } } as never,
        outputSchema: text as never,
        execute: () => null,
      });
    declare("a.one")();
    declare("a.one");
    declare("a.two", { c: { other: 1 } });
    await Promise.resolve();
    return surface.errors;
  });
  expect(seen).toEqual([
    expect.stringMatching(/^a\.one: .*\/properties\/a\/label/),
    expect.stringMatching(/^a\.two: .*\/properties\/c\/other/),
  ]);
});
