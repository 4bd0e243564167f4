// Where a page may stand: beside another copy of the package, in a worker, at any address (JS API, Surface §3, §4).

import { expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./page/in-page.ts");

test.use({ entry: "tests/e2e/page/in-page.ts" });

test("a second copy of the package warns once and works on what was declared with it; nothing runs twice", async ({
  site,
}) => {
  const warnings: string[] = [];
  site.page.on("console", (message) => warnings.push(`${message.type()} ${message.text()}`));
  await site.open(PAGE);
  const seen = await site.page.evaluate(async () => {
    const first = surface;
    const one = await first.open();
    await first.open();
    await new Promise((resolve) => {
      const script = document.createElement("script");
      Object.assign(script, { src: "/surface.js?again", onload: resolve });
      document.head.append(script);
    });
    const second = surface;
    const two = await second.open();
    const ran: string[] = [];
    const capability = (name: string, raise?: () => never) => ({
      id: "a.run",
      description: "Run",
      effect: "read" as const,
      execute: () => {
        ran.push(name);
        return raise === undefined ? name : raise();
      },
    });
    one.declare(capability("one"));
    two.declare(
      capability("two", () => {
        throw new first.SurfaceError("MINE", "of the other copy");
      }),
    );
    const request = first.invoke("a.run");
    const answers = [await one.handle(request, first.session), await two.handle(request, second.session)];
    return { answers, ran, differ: first.createPage !== second.createPage };
  });
  expect(seen.differ).toBe(true);
  expect(seen.ran).toEqual(["one", "two"]);
  expect(seen.answers).toMatchObject([
    { result: { output: "one" } },
    { result: { error: { code: "MINE", message: "of the other copy" } } },
  ]);
  expect(warnings).toEqual([expect.stringMatching(/^warning pageport: two copies/)]);
});

test("the members of an executor's context work on their own, also once it has ended", async ({ site }) => {
  await site.open(PAGE);
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open();
    let kept: (() => unknown)[] = [];
    let order: unknown;
    const item = { id: "SO-1" };
    page.records("order", { list: () => [item], id: ({ id }) => id, fields: {} });
    page.declare({
      id: "touch@order",
      description: "Touch",
      effect: "write",
      approval: "none",
      record: { type: "order" },
      execute: async (_, { input, record, session, requestId, signal, changed, feedback, checkSession, ...rest }) => {
        await checkSession();
        changed(true);
        feedback({ level: "info", text: "done" });
        kept = [() => changed(false), () => feedback({ level: "info", text: "late" }), () => checkSession()];
        order = record?.item;
        return { input, session, requestId, aborted: signal.aborted, rest: Object.keys(rest) };
      },
    });
    const response = await page.handle(surface.invoke("touch@order", { record: "SO-1" }), surface.session);
    const late: string[] = [];
    for (const call of kept) {
      try {
        late.push(String(await call()));
      } catch (error) {
        late.push((error as { code: string }).code);
      }
    }
    const described = await page.handle(
      { protocol: "pling.surface/0.1", id: "d", method: "describe" },
      surface.session,
    );
    return { response, late, described, isItem: order === item };
  });
  expect(seen.response).toMatchObject({
    result: {
      status: { changed: true },
      output: {
        input: { record: "SO-1" },
        session: { agentId: "agent", userId: "ada", sessionId: "s-1" },
        requestId: "r-1",
        aborted: false,
        rest: [],
      },
      after: { feedback: [{ level: "info", text: "done" }] },
    },
  });
  expect(seen.isItem).toBe(true);
  expect(seen.late).toEqual(["undefined", "undefined", "PERMISSION_DENIED"]);
  expect(seen.described).toMatchObject({
    result: { context: { feedback: [{ text: "done" }], totals: { feedback: 1 } } },
  });
});

test("the title and the route are the document's, without query and hash", async ({ site }) => {
  await site.page.goto(`${PAGE}/orders/7?secret=1#secret`);
  const seen = await site.page.evaluate(async () => {
    const page = await surface.open();
    document.title = "Orders";
    const response = await page.handle({ protocol: "pling.surface/0.1", id: "d", method: "describe" }, surface.session);
    return response;
  });
  expect(seen).toMatchObject({
    result: {
      page: { title: "Orders", route: "/orders/7" },
      context: { page: { title: "Orders", route: "/orders/7" } },
    },
  });
  expect(JSON.stringify(seen)).not.toContain("secret");
});

test("in a worker a page works; what needs a person is denied there", async ({ site }) => {
  await site.open(PAGE);
  const seen = await site.page.evaluate(async () => {
    const inWorker = `(async () => {
      importScripts("${location.origin}/surface.js");
      const page = await surface.open();
      page.declare({ id: "a.read", description: "Read", effect: "read", execute: () => "ran" });
      page.declare({ id: "a.write", description: "Write", effect: "write", execute: () => "ran" });
      const ask = (capability) => page.handle(surface.invoke(capability), surface.session);
      const answers = [await ask("a.read"), await ask("a.write")];
      postMessage({ answers, errors: surface.errors });
    })().catch((error) => postMessage(String(error)));`;
    const worker = new Worker(URL.createObjectURL(new Blob([inWorker])));
    return new Promise<unknown>((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
  });
  expect(seen).toMatchObject({
    answers: [{ result: { output: "ran" } }, { result: { error: { code: "APPROVAL_DENIED" } } }],
    errors: [expect.stringContaining("confirm")],
  });
});
