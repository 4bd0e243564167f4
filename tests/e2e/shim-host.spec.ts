// What the shim has to hold for the kernel: nothing is ever thrown into it, and every request is answered without it.

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

test("a handle that nothing stands behind never counts as run", async ({ site }) => {
  const raised = await site.page.evaluate(() => {
    const { host } = surface.host();
    const request = new surface.Request({}, { text: () => undefined });
    try {
      return host.execute(request, 7, 0, 0, { id: "r" }, surface.session, undefined, undefined, undefined);
    } catch (error) {
      return host.raised(error);
    }
  });
  expect(raised).toMatchObject({ code: "EXECUTION_FAILED", executed: false });
});

test("a defect of the kernel answers every call, whatever the console does", async ({ site }) => {
  const seen = await site.page.evaluate(() => {
    surface.breakConsole();
    const { kernel, answers, failures } = surface.kernel();
    const call = (id: string) =>
      kernel.begin({
        connection: 0,
        envelope: { id },
        parsed: true,
        session: null,
        reply: { value: ({ id, ok }) => answers.push(`${id} ${ok}`) },
        cancelled: false,
      });
    call("waits");
    call("traps");
    call("late");
    kernel.close();
    return { answers, failures: failures() };
  });
  expect(seen).toEqual({ answers: ["waits false", "traps false", "late false"], failures: 1 });
});

test("what the kernel leaves unanswered when the page closes is answered", async ({ site }) => {
  const seen = await site.page.evaluate(() => {
    const { kernel } = surface.kernel();
    const answers: unknown[] = [];
    const call = { connection: 0, parsed: true, session: null, cancelled: false };
    kernel.begin({ ...call, envelope: { id: "waits" }, reply: { value: (response) => answers.push(response) } });
    kernel.close();
    return answers;
  });
  expect(seen).toMatchObject([{ id: "waits", ok: false, error: { code: "INTERNAL", message: "the page is closed" } }]);
});

test("what is watched may be hostile in every part and still settles as rejected", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const boom = () => {
      throw new Error("boom");
    };
    const withMember = (value: object, name: string, descriptor: object) =>
      Object.defineProperty(value, name, descriptor);
    const hostile: Record<string, () => unknown> = {
      "a constructor that throws": () => withMember(Promise.resolve(1), "constructor", { get: boom }),
      "a then of its own": () => withMember(Promise.resolve(1), "then", { value: boom }),
      "a then that throws": () => withMember({}, "then", { value: boom }),
      "a then that cannot be read": () => withMember({}, "then", { get: boom }),
    };
    const found: Record<string, unknown> = {};
    for (const [name, make] of Object.entries(hostile)) {
      const { host, settled } = surface.host();
      host.watch(make() as PromiseLike<unknown>, 1, 2);
      await new Promise((resolve) => setTimeout(resolve));
      found[name] = settled.map((words) => (words as unknown[]).slice(0, 3));
    }
    const whole = await surface.run(page, hostile["a constructor that throws"] as () => unknown);
    return { found, whole };
  });
  expect(Object.keys(seen.found)).toHaveLength(4);
  for (const [name, settled] of Object.entries(seen.found)) expect(settled, name).toEqual([[1, 2, false]]);
  expect(seen.whole).toMatchObject({ ok: true, result: { error: { code: "EXECUTION_FAILED" } } });
});

test("clocks and timers patched later change nothing, and nothing is thrown into the kernel", async ({ site }) => {
  const seen = await site.page.evaluate(async () => {
    const { setTimeout: timer, clearTimeout: stop } = globalThis;
    const { now } = Date;
    const made = surface.host({
      onError: () => {
        throw new Error("onError");
      },
    });
    const broken = () => {
      throw new Error("patched");
    };
    Object.assign(globalThis, { setTimeout: broken, clearTimeout: broken });
    Date.now = broken;
    performance.now = broken;
    surface.breakConsole();
    const { host } = made;
    const thrown: string[] = [];
    const steps: Record<string, () => unknown> = {
      wall: () => host.wall(),
      mono: () => host.mono(),
      wake: () => host.wake(1),
      again: () => host.wake(0),
      audit: () => host.audit(),
      changed: () => host.changed(),
      error: () => host.error(undefined, undefined, "a.b", undefined),
      pageError: () => host.pageError("CLOSED", "x"),
      abort: () => host.abort(new surface.Request({}, { text: broken })),
      reply: () => host.reply(new surface.Request({}, { text: broken }), { big: 1n }, undefined),
      raised: () => host.raised(Proxy.revocable({}, {})),
    };
    for (const [name, step] of Object.entries(steps)) {
      try {
        step();
      } catch (error) {
        thrown.push(`${name}: ${error}`);
      }
    }
    Object.assign(globalThis, { setTimeout: timer, clearTimeout: stop });
    Date.now = now;
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { thrown, ticks: made.ticks() };
  });
  expect(seen).toEqual({ thrown: [], ticks: 1 });
});

test("a response that cannot become text is answered all the same", async ({ site }) => {
  const texts = await site.page.evaluate(() => {
    const { host } = surface.host();
    const texts: string[] = [];
    const request = new surface.Request({ id: "r-1" }, { text: (text) => texts.push(text) });
    host.reply(request, { ok: true, result: { output: { big: 1n } } }, undefined);
    return texts;
  });
  expect(texts.map((text) => JSON.parse(text))).toMatchObject([
    { id: "r-1", ok: false, error: { code: "INTERNAL", details: { executed: false } } },
  ]);
});
