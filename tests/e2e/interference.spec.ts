// Calls that page code begins, cancels or outlives while others are under way: each answer goes to its own caller, and
// nobody sees what is hidden from them.

import { expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./page/in-page.ts");

test.use({ entry: "tests/e2e/page/in-page.ts" });

test.beforeEach(async ({ site }) => {
  await site.open(PAGE);
});

test("a call begun while timed-out ones are answered gets its own response", async ({ site }) => {
  await site.page.clock.install();
  await site.page.evaluate(async () => {
    const page = await surface.open();
    const slow = { description: "Slow", effect: "read", timeoutMs: 1000 } as const;
    const seen: { inner?: Promise<unknown> } = {};
    page.declare({
      ...slow,
      id: "a.one",
      execute: (_, { signal }) => {
        signal.addEventListener("abort", () => {
          const envelope = { protocol: "pling.surface/0.1", id: "inner", method: "describe" };
          seen.inner = page.handle(envelope, { ...surface.session, sessionId: "another" });
        });
        return new Promise(() => undefined);
      },
    });
    page.declare({ ...slow, id: "a.two", execute: () => new Promise(() => undefined) });
    const outer = ["a.one", "a.two"].map((id) => page.handle(surface.invoke(id), surface.session));
    Object.assign(globalThis, { outer, seen });
  });
  await site.page.clock.runFor(1_000);
  const [outer, inner] = await site.page.evaluate(async () => {
    const { outer, seen } = globalThis as unknown as { outer: Promise<unknown>[]; seen: { inner: Promise<unknown> } };
    return [await Promise.all(outer), await seen.inner];
  });
  expect(outer).toMatchObject([
    { id: "r-1", result: { error: { code: "TIMED_OUT" } } },
    { id: "r-2", result: { error: { code: "TIMED_OUT" } } },
  ]);
  expect(inner).toMatchObject({ id: "inner", ok: true, result: { session: { sessionId: "another" } } });
});

test("an executor whose call was cancelled from inside leaves nothing in the call that took its place", async ({
  site,
}) => {
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open({ settle: () => new Promise((resolve) => setTimeout(resolve, 50)) });
    const found: Promise<unknown>[] = [];
    for (const later of [false, true]) {
      const abort = new AbortController();
      const id = later ? "a.later" : "a.now";
      page.declare({
        id,
        description: "Cancels itself",
        effect: "read",
        execute: () => {
          abort.abort();
          found.push(page.handle(surface.invoke("b.own"), { ...surface.session, sessionId: "another" }));
          return later ? Promise.resolve({ secret: "of a" }) : { secret: "of a" };
        },
      });
      if (!later) page.declare({ id: "b.own", description: "Own", effect: "read", execute: () => ({ mine: true }) });
      await page.handle(surface.invoke(id), async () => surface.session, { signal: abort.signal });
    }
    return Promise.all(found);
  });
  const own = { ok: true, result: { output: { mine: true } } };
  expect(seen).toMatchObject([own, own]);
});

test("a closing page answers everybody: a describe with what it has, a settling call with its result", async ({
  site,
}) => {
  const seen = await site.page.evaluate(async () => {
    const events: string[] = [];
    const page = await surface.open({
      settle: () => new Promise(() => undefined),
      audit: ({ method, outcome }) => void events.push(`${method} ${outcome}`),
    });
    page.state("slow", () => new Promise(() => undefined) as never);
    page.declare({ id: "a.ran", description: "Ran", effect: "write", approval: "none", execute: () => "done" });
    const describe = page.handle({ protocol: "pling.surface/0.1", id: "d", method: "describe" }, surface.session);
    const ran = page.handle(surface.invoke("a.ran"), surface.session);
    await new Promise((resolve) => setTimeout(resolve, 2_300));
    await page.close();
    return { describe: await describe, ran: await ran, events };
  });
  expect(seen.describe).toMatchObject({ ok: true, result: { context: { incomplete: ["state:slow"] } } });
  expect(seen.ran).toMatchObject({ ok: true, result: { status: { executed: true }, output: "done" } });
  expect(seen.events.sort()).toEqual(["describe ok", "invoke ok"]);
});

test("what becomes unavailable while the state is read stops the call", async ({ site }) => {
  const response = await site.page.evaluate(async () => {
    const page = await surface.open();
    let blocked = false;
    page.unavailable(() => (blocked ? [{ capability: "a.run", reason: "closed" }] : []));
    page.state("slow", () => {
      blocked = true;
      return Promise.resolve(1) as never;
    });
    return surface
      .run(page, () => "ran")
      .then(() => {
        page.declare({ id: "a.run", description: "Run", effect: "write", approval: "none", execute: () => "ran" });
        blocked = false;
        return page.handle(surface.invoke("a.run"), surface.session);
      });
  });
  expect(response).toMatchObject({
    ok: true,
    result: { status: { executed: false }, error: { code: "PRECONDITION_FAILED" } },
  });
});

test("expect works on a copy of the output", async ({ site }) => {
  const response = await site.page.evaluate(async () => {
    const page = await surface.open();
    page.declare({
      id: "a.checked",
      description: "Checked",
      effect: "read",
      outputSchema: { type: "object", properties: { n: { type: "number" } }, additionalProperties: false },
      execute: () => ({ n: 1 }),
      expect: ({ output }) => {
        Object.assign(output as object, { big: 1n, again: output });
        return true;
      },
    });
    return page.handle(surface.invoke("a.checked"), surface.session);
  });
  expect(response).toMatchObject({ ok: true, result: { output: { n: 1 } } });
  expect(response.ok && "output" in response.result && Object.keys(response.result.output as object)).toEqual(["n"]);
});

test("a session whose getters call the page is only a session", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open();
    page.declare({ id: "a.run", description: "Run", effect: "read", execute: () => "ran" });
    let inner: Promise<unknown> | undefined;
    const session = {
      ...surface.session,
      get sessionId() {
        inner ??= page.handle(surface.invoke("a.run"), surface.session);
        return "with-getter";
      },
    };
    const outer = await page.handle(surface.invoke("a.run"), session);
    return [outer, await inner];
  });
  expect(seen).toMatchObject([{ result: { output: "ran" } }, { result: { output: "ran" } }]);
});

test("approval material leaves every string, whole, wherever it stands", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const id = "apr-12345678";
    const receipt = `${id}.SIGNATURE-abcdefghijklmnop`;
    const page = await surface.open({
      confirm: async () => ({ approved: true, approvalId: id, receipt }),
      page: () => ({ title: `title ${id}`, route: `/${id}` }),
    });
    page.state("early", () => ({ approvalToken: "x", kept: 1 }));
    page.declare({ id: "a.none", description: "None", effect: "read", execute: () => null });
    const describe = { protocol: "pling.surface/0.1", id: "d", method: "describe" };
    const before = await page.handle(describe, surface.session);
    page.declare({
      id: "a.echo",
      description: "Echo",
      effect: "destructive",
      execute: (_, { approval, feedback }) => {
        feedback({ level: "info", text: receipt, field: id });
        return { receipt: approval?.receipt };
      },
    });
    page.declare({
      id: "a.fail",
      description: "Fail",
      effect: "read",
      execute: () => {
        throw new surface.SurfaceError("MINE", `${"x".repeat(230)}${receipt}`);
      },
    });
    page.state("long", () => `${"x".repeat(2_040)}${receipt}`);
    page.records("order", {
      list: () => [{ id }],
      id: (order) => order.id,
      fields: { id: "plain" },
    });
    const echo = await page.handle(surface.invoke("a.echo"), surface.session);
    const fail = await page.handle(surface.invoke("a.fail"), surface.session);
    const after = await page.handle(describe, surface.session);
    return { before, echo, fail, after };
  });
  expect(seen.before).toMatchObject({ result: { context: { state: { early: { kept: 1 } } } } });
  expect(JSON.stringify(seen.before)).not.toContain("approvalToken");
  expect(seen.echo).toMatchObject({ result: { output: { receipt: "[removed]" } } });
  expect(seen.fail).toMatchObject({ result: { error: { message: `${"x".repeat(230)}[removed]` } } });
  for (const response of [seen.echo, seen.fail, seen.after]) {
    expect(JSON.stringify(response)).not.toMatch(/apr-123|SIGNATURE|abcdefghijk/);
  }
});

test("what is hidden from a session is hidden in after, in unavailable and in totals", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open();
    const order = { id: "SO-1", secret: "first" };
    page.records("order", {
      for: ["orders.*"],
      get: () => order,
      id: ({ id }) => id,
      list: () => [order],
      fields: { secret: "plain" },
    });
    page.unavailable(() => [{ record: { type: "order", id: "SO-1" }, reason: "locked by ada" }]);
    page.declare({ id: "orders.look", description: "Look", effect: "read", execute: () => null });
    page.declare({ id: "pub.do", description: "Do", effect: "write", approval: "none", execute: () => null });
    const session = { ...surface.session };
    const describe = { protocol: "pling.surface/0.1", id: "d", method: "describe" };
    await page.handle(describe, session);
    session.scope = ["pub.*"];
    order.secret = "second";
    const response = await page.handle(surface.invoke("pub.do"), session);
    const context = await page.handle(describe, session);
    session.scope = [];
    const nothing = await page.handle({ ...describe, input: { records: ["x"] } }, session);
    return { response, context, nothing };
  });
  expect(JSON.stringify(seen.response)).not.toContain("second");
  const hidden = { records: [], unavailable: [], totals: { records: 0, unavailable: 0 } };
  expect(seen.context).toMatchObject({ result: { context: hidden } });
  expect(seen.nothing).toMatchObject({ result: { context: hidden } });
});

test("providers that hang share their two seconds; news that did not fit is told the next time", async ({ site }) => {
  await site.page.clock.install();
  await site.page.evaluate(async () => {
    const page = await surface.open();
    for (const key of ["a", "b", "c", "d"]) page.state(key, () => new Promise(() => undefined) as never);
    page.state("fine", () => 1);
    page.declare({ id: "a.none", description: "None", effect: "read", execute: () => null });
    const describe = { protocol: "pling.surface/0.1", id: "d", method: "describe" };
    Object.assign(globalThis, { described: page.handle(describe, surface.session) });
  });
  await site.page.clock.runFor(2_100);
  const described = await site.page.evaluate(
    () => (globalThis as unknown as { described: Promise<unknown> }).described,
  );
  expect(described).toMatchObject({
    result: { context: { state: { fine: 1 }, incomplete: ["state:a", "state:b", "state:c", "state:d"] } },
  });
  const told = await site.page.evaluate(async () => {
    const page = await surface.open();
    const orders = Array.from({ length: 90 }, (_, n) => ({ id: `SO-${n}`, n: 0 }));
    page.records("order", {
      list: () => orders,
      get: (id) => orders.find((order) => order.id === id),
      id: ({ id }) => id,
      fields: { n: "plain" },
    });
    page.declare({
      id: "a.touch",
      description: "Touch",
      effect: "write",
      approval: "none",
      execute: () => {
        for (const order of orders) order.n = 1;
      },
    });
    const describe = { protocol: "pling.surface/0.1", id: "d", method: "describe", input: { limit: 100 } };
    await page.handle(describe, surface.session);
    const counts: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const response = await page.handle(surface.invoke("a.touch"), surface.session);
      const after = response.ok && "status" in response.result ? response.result.after : undefined;
      counts.push([after?.records.length, after?.truncated]);
    }
    return counts;
  });
  expect(told).toEqual([
    [50, true],
    [40, false],
    [undefined, undefined],
  ]);
});

test("a clock set back starves nobody, and another person signed in is asked again", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const RealDate = Date.now;
    let user = "ada";
    let asked = 0;
    const page = await surface.createPage({
      app: "orders",
      user: () => user,
      confirm: async () => {
        asked++;
        return { approved: true, remember: true };
      },
      limits: { rate: { capacity: 1, perMs: 1_000 } },
      onError: () => undefined,
    });
    page.declare({ id: "a.write", description: "Write", effect: "write", execute: () => null });
    const ask = async () => {
      const response = await page.handle(surface.invoke("a.write"), surface.session);
      return response.ok ? "ok" : response.error.code;
    };
    const wait = () => new Promise((resolve) => setTimeout(resolve, 1_100));
    const codes = [await ask()];
    Date.now = () => RealDate() - 3_600_000;
    await wait();
    codes.push(await ask());
    user = "bob";
    codes.push(await ask());
    user = "ada";
    await wait();
    codes.push(await ask());
    Date.now = RealDate;
    return { codes, asked };
  });
  expect(seen).toEqual({ codes: ["ok", "ok", "SESSION_INVALID", "ok"], asked: 2 });
});
