// Who waits for the built-in dialog, how long, and how a wait ends (Surface §6).

import { expect, type Stage, test } from "./dialog/fixture.ts";

declare const page: import("pageport").Page;

const anything = { inputSchema: { type: "object" } };
/** What the dialog that is open asks about. */
const asked = async (stage: Stage) => (await stage.text()).find((line) => line.startsWith("n: "));

test("dialogs come one at a time, in the order of their calls", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything });
  for (const n of ["1", "2", "3"]) await stage.ask(n, "a.write", { n });
  for (const n of ["1", "2", "3"]) {
    expect(await stage.count()).toBe(1);
    expect(await asked(stage)).toBe(`n: ${n}`);
    await stage.press(n === "2" ? "Cancel" : "Approve");
    expect(await stage.outcome(n)).toBe(n === "2" ? "APPROVAL_DENIED" : "did a.write");
  }
  expect(await stage.count()).toBe(0);
  expect(await stage.ran()).toEqual(["a.write", "a.write"]);
});

test("a fourth of one session and a seventeenth of the page are denied at once", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything });
  const call = (session: string, n: string) => stage.ask(`${session}-${n}`, "a.write", { n }, { sessionId: session });
  for (const n of ["1", "2", "3", "4"]) await call("s1", n);
  expect(await stage.outcome("s1-4")).toBe("APPROVAL_DENIED");
  for (const session of ["s2", "s3", "s4", "s5"]) for (const n of ["1", "2", "3"]) await call(session, n);
  await call("s6", "1");
  await call("s7", "1");
  expect(await stage.outcome("s7-1")).toBe("APPROVAL_DENIED");
  expect(await stage.page.evaluate(() => page.stats().inFlight)).toBe(16);
  expect(await stage.count()).toBe(1);
  await stage.press("Approve");
  expect(await stage.outcome("s1-1")).toBe("did a.write");
  await call("s1", "5");
  await call("s7", "2");
  expect(await stage.outcome("s7-2")).toBe("APPROVAL_DENIED");
  expect(await stage.page.evaluate(() => page.stats().inFlight)).toBe(16);
  expect(await stage.ran()).toEqual(["a.write"]);
});

test("a double click approves once, and not the next one", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything });
  for (const n of ["1", "2"]) await stage.ask(n, "a.write", { n });
  await stage.pass(1_000);
  const { x, y } = await stage.place("Approve");
  await stage.page.mouse.dblclick(x, y);
  expect(await stage.outcome("1")).toBe("did a.write");
  expect(await asked(stage)).toBe("n: 2");
  await stage.pass(499);
  await stage.page.mouse.dblclick(x, y);
  expect(await stage.ran()).toEqual(["a.write"]);
  await stage.press("Cancel");
  expect(await stage.outcome("2")).toBe("APPROVAL_DENIED");
});

test("cancelled while it is open, the dialog closes and a later click does nothing", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything });
  await stage.page.evaluate(() => {
    const cancel = new AbortController();
    const { surface } = globalThis as unknown as { surface: typeof import("./page/in-page.ts") };
    const call = page.handle(surface.invoke("a.write", { n: "1" }), surface.session, { signal: cancel.signal });
    Object.assign(globalThis, { cancel, calls: { "1": call } });
  });
  await stage.pass(1_000);
  const { x, y } = await stage.place("Approve");
  await stage.page.evaluate(() => (globalThis as unknown as { cancel: AbortController }).cancel.abort());
  expect(await stage.outcome("1")).toBe("CANCELLED");
  expect(await stage.count()).toBe(0);
  await stage.page.mouse.click(x, y);
  expect(await stage.ran()).toEqual([]);
  expect(await stage.page.evaluate(() => document.documentElement.childElementCount)).toBe(2);
});

test("cancelled while it waits, it is never shown", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything });
  await stage.ask("1", "a.write", { n: "1" });
  await stage.page.evaluate(() => {
    const cancel = new AbortController();
    const { surface, calls } = globalThis as unknown as {
      surface: typeof import("./page/in-page.ts");
      calls: Record<string, unknown>;
    };
    calls["2"] = page.handle(surface.invoke("a.write", { n: "2" }), surface.session, { signal: cancel.signal });
    cancel.abort();
  });
  await stage.ask("3", "a.write", { n: "3" });
  expect(await stage.outcome("2")).toBe("CANCELLED");
  expect(await asked(stage)).toBe("n: 1");
  await stage.press("Cancel");
  expect(await stage.outcome("1")).toBe("APPROVAL_DENIED");
  expect(await asked(stage)).toBe("n: 3");
});

test("five minutes after it was queued a call expires, whether its dialog was open or not", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything });
  await stage.ask("1", "a.write", { n: "1" });
  await stage.ask("2", "a.write", { n: "2" });
  await stage.pass(60_000);
  await stage.ask("3", "a.write", { n: "3" });
  await stage.pass(239_000);
  expect(await asked(stage)).toBe("n: 1");
  await stage.pass(1_000);
  expect([await stage.outcome("1"), await stage.outcome("2")]).toEqual(["APPROVAL_EXPIRED", "APPROVAL_EXPIRED"]);
  expect(await asked(stage)).toBe("n: 3");
  await stage.pass(59_000);
  expect(await stage.count()).toBe(1);
  const { x, y } = await stage.place("Approve");
  await stage.pass(1_000);
  expect(await stage.outcome("3")).toBe("APPROVAL_EXPIRED");
  await stage.page.mouse.click(x, y);
  expect(await stage.count()).toBe(0);
  expect(await stage.ran()).toEqual([]);
});

test("a page that closes, and a document that is left, close the dialog", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything });
  await stage.ask("1", "a.write", { n: "1" });
  await stage.ask("2", "a.write", { n: "2" });
  await stage.page.evaluate(() => dispatchEvent(new Event("pagehide")));
  expect([await stage.outcome("1"), await stage.outcome("2")]).toEqual(["CANCELLED", "CANCELLED"]);
  expect(await stage.count()).toBe(0);
  await stage.ask("3", "a.write", { n: "3" });
  expect(await stage.count()).toBe(1);
  await stage.page.evaluate(() => void page.close());
  expect(await stage.outcome("3")).toBe("CANCELLED");
  expect(await stage.count()).toBe(0);
  expect(await stage.ran()).toEqual([]);
});

test("two pages of one document share the one dialog", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything });
  await stage.ask("1", "a.write", { n: "1" });
  await stage.page.evaluate(async () => {
    const { surface } = globalThis as unknown as { surface: typeof import("./page/in-page.ts") };
    const second = await surface.open();
    second.declare({ id: "b.write", description: "Other", effect: "write", execute: () => "other" });
    Object.assign(globalThis, { page: second });
  });
  await stage.ask("2", "b.write");
  expect(await stage.count()).toBe(1);
  expect(await asked(stage)).toBe("n: 1");
  await stage.press("Cancel");
  expect(await stage.outcome("1")).toBe("APPROVAL_DENIED");
  await stage.press("Approve");
  expect(await stage.outcome("2")).toBe("other");
});
