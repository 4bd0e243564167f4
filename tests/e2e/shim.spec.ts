// What the shim around the kernel has to hold: options are checked, every call ends, nothing is left behind.

import { expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./page/shim.ts");
declare const page: import("pageport").Page;

test.use({ entry: "tests/e2e/page/shim.ts" });

test.beforeEach(async ({ site }) => {
  const frame = await site.open(PAGE);
  await frame.evaluate(async () => {
    Object.assign(globalThis, { page: await surface.open() });
  });
});

test("an executor that removes its own capability is still held to what it expects", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const results: unknown[] = [];
    for (const later of [false, true]) {
      for (const holds of [true, false]) {
        const remove = page.declare({
          id: "app.once",
          description: "Run once",
          effect: "write",
          approval: "none",
          async execute() {
            if (later) await new Promise((resolve) => setTimeout(resolve));
            remove();
            return "done";
          },
          expect: ({ output }) => holds && output === "done",
        });
        const response = await page.handle(surface.invoke("app.once"), surface.session);
        results.push(response.ok && (response.result as { error?: { code: string } }).error?.code);
      }
    }
    return results;
  });
  expect(seen).toEqual([undefined, "EXPECTATION_FAILED", undefined, "EXPECTATION_FAILED"]);
});

test("a signal that many calls share keeps no listener of a finished one", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...words: unknown[]) => {
      listeners++;
      return addEventListener.apply(signal, words as never);
    };
    signal.removeEventListener = (...words: unknown[]) => {
      listeners--;
      return removeEventListener.apply(signal, words as never);
    };
    page.declare({ id: "app.now", description: "Run", effect: "read", execute: () => null });
    page.declare({ id: "app.later", description: "Run", effect: "read", execute: async () => null });
    for (let i = 0; i < 100; i++) {
      await page.handle(surface.invoke(i % 2 ? "app.now" : "app.later"), surface.session, { signal });
    }
    return listeners;
  });
  expect(seen).toBe(0);
});

test("an abort while the call begins, in the page's own confirm, cancels it", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const controller = new AbortController();
    let dialog: AbortSignal | undefined;
    const page = await surface.open({
      confirm: (_, { signal }) => {
        dialog = signal;
        controller.abort();
        return new Promise(() => undefined);
      },
    });
    page.declare({ id: "app.write", description: "Write", effect: "write", execute: () => "written" });
    const { signal } = controller;
    const response = await page.handle(surface.invoke("app.write"), surface.session, { signal });
    return { code: JSON.stringify(response).match(/CANCELLED/)?.[0], aborted: dialog?.aborted };
  });
  expect(seen).toEqual({ code: "CANCELLED", aborted: true });
});

test("a signal aborted while its capability is being declared leaves nothing declared", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const controller = new AbortController();
    const approvalFor = () => {
      controller.abort();
      return "none" as const;
    };
    const page = await surface.open({ policy: { approvalFor } });
    const { signal } = controller;
    page.declare({ id: "app.run", description: "Run", effect: "write", execute: () => "ran" }, { signal });
    return JSON.stringify(await page.handle(surface.invoke("app.run"), surface.session));
  });
  expect(seen).not.toContain("ran");
});

test("onError may call what is being declared: by then it is complete", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const calls: Promise<unknown>[] = [];
    const page = await surface.open({
      onError: () => void calls.push(page.handle(surface.invoke("app.run"), surface.session)),
    });
    const inputSchema = { type: "object", wording: "polite" } as never;
    page.declare({ id: "app.run", description: "Run", effect: "read", inputSchema, execute: () => "ran" });
    await new Promise((resolve) => setTimeout(resolve));
    return Promise.all(calls);
  });
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({ ok: true, result: { output: "ran" } });
});

test("closing the page answers a describe that waits and a call that is settling", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open({ settle: () => new Promise(() => undefined) });
    page.state("never", () => new Promise(() => undefined) as never);
    page.declare({ id: "app.run", description: "Run", effect: "write", approval: "none", execute: () => null });
    const describe = { protocol: "pling.surface/0.1", id: "d-1", method: "describe" };
    const calls = [
      page.handle(surface.invoke("app.run"), surface.session),
      page.handle(describe, () => new Promise(() => undefined)),
      page.handle(describe, surface.session),
    ];
    await Promise.resolve();
    await page.close();
    const late = new Promise((resolve) => setTimeout(resolve, 1_000, "never"));
    return Promise.all(calls.map((call) => Promise.race([call.then(() => "answered"), late])));
  });
  expect(seen).toEqual(["answered", "answered", "answered"]);
});

test("an audit sink that describes for every event leaves the page its turns", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    let events = 0;
    let stop = false;
    const describe = { protocol: "pling.surface/0.1", id: "d", method: "describe" };
    const page = await surface.open({
      audit() {
        events++;
        if (!stop && events < 20_000) void page.handle(describe, surface.session);
      },
    });
    void page.handle(describe, surface.session);
    await new Promise((resolve) => setTimeout(resolve, 20));
    stop = true;
    return events;
  });
  expect(seen).toBeGreaterThan(1);
  expect(seen).toBeLessThan(20_000);
});

test("an option nobody knows is refused, wherever it stands", async ({ site }) => {
  const messages = await site.page.evaluate(async () => {
    const messages: string[] = [];
    const read = () => null;
    const capability = { id: "a.b", description: "x", effect: "read", execute: read };
    const source = { list: () => [], id: () => "1", fields: {} };
    const open = page as unknown as Record<string, (...words: unknown[]) => unknown>;
    const calls: [string, ...unknown[]][] = [
      ["handle", surface.invoke("a.b"), surface.session, { sginal: 1 }],
      ["handle", surface.invoke("a.b"), surface.session, { signal: {} }],
      ["declare", capability, { sig: 1 }],
      ["declare", capability, 5],
      ["declare", capability, null],
      ["records", "order", source, { x: 1 }],
      ["records", "order", { ...source, fro: ["*"] }],
      ["region", { id: "r", title: "R" }, { x: 1 }],
      ["region", { id: "r", title: "R", fro: ["*"] }],
      ["state", "key", read, { fro: ["*"] }],
      ["object", read, { x: 1 }],
      ["unavailable", read, { for: ["*"] }],
      ["feedback", { level: "info", text: "x", fro: ["*"] }],
    ];
    for (const [name, ...words] of calls) {
      try {
        await open[name]?.(...words);
        messages.push(`${name}: fine`);
      } catch (error) {
        const { code, message } = error as { code: string; message: string };
        messages.push(code === "INVALID_OPTION" ? message : `${code} ${message}`);
      }
    }
    return messages;
  });
  expect(messages).toEqual([
    "handle: options.sginal is unknown",
    "handle: options.signal must be an AbortSignal",
    "declare: options.sig is unknown",
    "declare: options must be an object",
    "declare: options must be an object",
    "records: options.x is unknown",
    "records: source.fro is unknown",
    "region: options.x is unknown",
    "region: fro is unknown",
    "state: options.fro is unknown",
    "object: options.x is unknown",
    "unavailable: options.for is unknown",
    expect.stringMatching(/^feedback: .* is unknown$/),
  ]);
});
