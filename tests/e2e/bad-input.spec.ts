// What page code and callers get wrong, in process: a clear answer each time, and the page goes on.

import { expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./page/in-page.ts");
declare const page: import("pageport").Page;

test.use({ entry: "tests/e2e/page/in-page.ts" });

test.beforeEach(async ({ site }) => {
  const frame = await site.open(PAGE);
  await frame.evaluate(async () => {
    Object.assign(globalThis, { page: await surface.open() });
  });
});

const status = { accepted: true, executed: true, changed: "unknown" };

test("an output that is not JSON is INVALID_OUTPUT, and the developer is told where", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const found: Record<string, unknown> = {};
    for (const [name, execute] of Object.entries(surface.outputs)) found[name] = await surface.run(page, execute);
    found["after all that"] = await surface.run(page, () => ({ fine: true }));
    return { found, errors: surface.errors };
  });
  const { "after all that": last, "a thenable that throws": thenable, ...bad } = seen.found;
  expect(Object.keys(bad).length).toBe(13);
  for (const [name, response] of Object.entries(bad)) {
    expect(response, name).toMatchObject({
      ok: true,
      result: { status, error: { code: "INVALID_OUTPUT", message: "the action returned an unusable output" } },
    });
  }
  expect(thenable).toMatchObject({ ok: true, result: { status, error: { code: "EXECUTION_FAILED" } } });
  expect(last).toMatchObject({ ok: true, result: { output: { fine: true } } });
  expect(seen.errors).toContain('app.run: Error app.run: the output at "/0" is not a JSON value');
});

test("whatever a handler throws, the agent sees a fixed phrase and the page the thing itself", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const found: Record<string, unknown> = {};
    for (const [name, execute] of Object.entries(surface.thrown)) found[name] = await surface.run(page, execute);
    return { found, errors: surface.errors.slice(0, 2) };
  });
  expect(Object.keys(seen.found).length).toBe(7);
  for (const [name, response] of Object.entries(seen.found)) {
    expect(response, name).toMatchObject({
      ok: true,
      result: { status, error: { code: "EXECUTION_FAILED", message: "the action failed", retryable: false } },
    });
    expect(JSON.stringify(response), name).not.toContain("1234");
  }
  expect(seen.errors).toEqual(["app.run: string the password is 1234", "app.run: undefined undefined"]);
});

test("malformed envelopes are refused with the path, and the id is echoed where it can be read", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const protocol = "pling.surface/0.1";
    const deep: unknown[] = [];
    deep.push(deep);
    const envelopes: Record<string, unknown> = {
      undefined: undefined,
      "a number": 5,
      "half of JSON": '{"protocol":',
      "no protocol": { id: "r" },
      "a cycle": { protocol, id: "r", method: "describe", input: { deep } },
      "a bigint": { protocol, id: "r", method: "describe", input: { big: 1n } },
      "a function": { protocol, id: "r", method: "describe", input: { run() {} } },
      "a getter that throws": {
        protocol,
        id: "r",
        method: "describe",
        input: {
          get x() {
            throw new Error("no");
          },
        },
      },
      "70 KB": { protocol, id: "r", method: "describe", input: { since: "x".repeat(70_000) } },
      "a proto key": JSON.parse(`{"protocol":"${protocol}","id":"r","method":"describe","input":{"__proto__":1}}`),
    };
    const found: Record<string, unknown> = {};
    for (const [name, envelope] of Object.entries(envelopes)) {
      const response = await page.handle(envelope, surface.session);
      found[name] = response.ok
        ? response
        : [response.id, response.error.code, response.error.details?.issues?.[0]?.path];
    }
    return found;
  });
  expect(seen).toEqual({
    undefined: [null, "INVALID_REQUEST", ""],
    "a number": [null, "INVALID_REQUEST", ""],
    "half of JSON": [null, "INVALID_REQUEST", ""],
    "no protocol": ["r", "INVALID_REQUEST", "/protocol"],
    "a cycle": ["r", "INVALID_REQUEST", `/input/deep${"/0".repeat(62)}`],
    "a bigint": ["r", "INVALID_REQUEST", "/input/big"],
    "a function": ["r", "INVALID_REQUEST", "/input/run"],
    "a getter that throws": ["r", "INVALID_REQUEST", "/input/x"],
    "70 KB": ["r", "INVALID_REQUEST", "/input/since"],
    "a proto key": ["r", "INVALID_REQUEST", "/input/__proto__"],
  });
});

test("wrong options and declarations are refused at the call, with the path of what is wrong", async ({ site }) => {
  const messages = await site.page.evaluate(async () => {
    const messages: string[] = [];
    const attempt = async (call: () => unknown) => {
      try {
        await call();
        messages.push("fine");
      } catch (error) {
        const { name, code, message } = error as { name: string; code: string; message: string };
        messages.push(`${name} ${code} ${message}`);
      }
    };
    const wrong = (options: object) => attempt(() => surface.createPage({ app: "orders", ...options } as never));
    await wrong({ app: "" });
    await wrong({ lissen: {} });
    await wrong({ limits: { rate: { capacity: 50, perMs: 1000 } } });
    await wrong({ audit: 5 });
    await wrong({ openMode: { scope: ["a*b"] } });
    await wrong({ listen: { origins: ["*"], verifySession: () => null } });
    const base = { id: "a.b", description: "x", effect: "read", execute: () => null };
    const declare = (change: object) => attempt(() => page.declare({ ...base, ...change } as never));
    await declare({ id: "a..b" });
    await declare({ effect: "maybe" });
    await declare({ execute: "no" });
    await declare({ descriptoin: "x" });
    await declare({ inputSchema: { type: "string" } });
    await declare({ inputSchema: { type: "object", properties: { a: { type: "string", minLength: -1 } } } });
    await declare({ inputSchema: { type: "object", unevaluatedProperties: false } });
    await declare({ id: "a@order" });
    await declare({});
    await declare({});
    await attempt(() => page.records("order", { id: () => "1", fields: {} }));
    await attempt(() => page.state("", () => null));
    return messages;
  });
  expect(messages).toEqual([
    "PageportError INVALID_OPTION createPage: app must be a string of 1 to 64 characters",
    "PageportError INVALID_OPTION createPage: lissen is unknown",
    "PageportError INVALID_OPTION createPage: limits.rate.capacity must be a whole number from 1 to 20",
    "PageportError INVALID_OPTION createPage: audit must be a function",
    "PageportError INVALID_OPTION createPage: openMode.scope must be ids, prefixes ending in *, or *",
    expect.stringContaining("PageportError INVALID_OPTION listen.origins[0]"),
    "PageportError INVALID_OPTION declare: id must be dotted words, then perhaps @recordType",
    "PageportError INVALID_OPTION declare: effect must be one of read, write, destructive",
    "PageportError INVALID_OPTION declare: execute must be a function",
    "PageportError INVALID_OPTION declare: descriptoin is unknown",
    expect.stringContaining("PageportError INVALID_OPTION declare: inputSchema"),
    expect.stringContaining('"/properties/a/minLength"'),
    expect.stringContaining('"/unevaluatedProperties"'),
    "PageportError INVALID_OPTION declare: record is required, because the id names a record type",
    "fine",
    'PageportError DUPLICATE_ID declare: "a.b" is declared already',
    "PageportError INVALID_OPTION records: source needs list, or page and get",
    "PageportError INVALID_OPTION state: key must be a string of 1 to 64 characters",
  ]);
});

test("a page closed in mid-call ends its calls as CANCELLED; later calls are refused", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    let aborted = false;
    page.declare({
      id: "app.wait",
      description: "Wait",
      effect: "write",
      approval: "none",
      execute: (_, { signal }) =>
        new Promise(() => {
          signal.onabort = () => {
            aborted = true;
          };
        }),
    });
    const call = page.handle(surface.invoke("app.wait"), surface.session);
    await page.close();
    const response = await call;
    const late = await page.handle(surface.invoke("app.wait"), surface.session).catch((error) => error.code);
    return { response, aborted, late };
  });
  expect(seen).toMatchObject({
    response: {
      ok: true,
      result: { status: { executed: "unknown", changed: "unknown" }, error: { code: "CANCELLED", retryable: false } },
    },
    aborted: true,
    late: "CLOSED",
  });
});

test("a guard that throws or hangs fails closed", async ({ site }) => {
  await site.page.clock.install();
  const codes = await site.page.evaluate(async () => {
    const codes: unknown[] = [];
    const ask = async (options: object) => {
      const page = await surface.open(options);
      page.declare({ id: "app.run", description: "Run", effect: "read", execute: () => codes.push("ran") });
      const response = await page.handle(surface.invoke("app.run"), surface.session);
      codes.push(response.ok ? "ok" : [response.error.code, response.error.retryable]);
    };
    const boom = () => {
      throw new Error("down");
    };
    await ask({ rateLimiter: { take: boom } });
    await ask({ rateLimiter: { take: () => Promise.reject(new Error("down")) } });
    await ask({ rateLimiter: { take: () => "yes" } });
    await ask({ replayGuard: { claim: boom } });
    await ask({ replayGuard: { claim: () => 1 } });
    await ask({ user: boom });
    const hanging = ask({ replayGuard: { claim: () => new Promise(() => undefined) } });
    Object.assign(globalThis, { hanging });
    return codes;
  });
  await site.page.clock.runFor(2_000);
  const last = await site.page.evaluate(async () =>
    (globalThis as unknown as { hanging: Promise<void> }).hanging.then(() => "settled"),
  );
  expect(codes).toEqual(Array(6).fill(["GUARD_UNAVAILABLE", false]));
  expect(last).toBe("settled");
});

test("without 'wasm-unsafe-eval' the load fails with the fix, and the page itself goes on", async ({
  page,
  context,
}) => {
  await context.route("https://strict.test/", (route) =>
    route.fulfill({
      contentType: "text/html",
      headers: { "content-security-policy": "default-src 'none'; script-src 'self'" },
      body: '<!doctype html><title>strict</title><link rel="icon" href="data:,"><script src="/surface.js"></script>',
    }),
  );
  await page.goto("https://strict.test/");
  const errors = await page.evaluate(async () => {
    const attempt = () => surface.open().catch(({ name, code, message }) => ({ name, code, message }));
    return [await attempt(), await attempt()];
  });
  const blocked = {
    name: "PageportError",
    code: "WASM_BLOCKED_BY_CSP",
    message:
      "the page's Content-Security-Policy blocks WebAssembly; add 'wasm-unsafe-eval' to its script-src directive",
  };
  expect(errors).toEqual([blocked, blocked]);
});
