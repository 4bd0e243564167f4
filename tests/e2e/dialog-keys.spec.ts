// The built-in dialog by keyboard: where the focus is, and what the keys do (Surface §6).

import { expect, type Stage, test } from "./dialog/fixture.ts";
import { AGENT, Site } from "./postmessage/site.ts";

declare const page: import("pageport").Page;
declare const surface: typeof import("./page/in-page.ts");

const anything = { inputSchema: { type: "object" } };

/** The id of the element of the page that has the focus, or its name. */
const focused = (stage: Stage) =>
  stage.page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);

test("the focus starts on Cancel and returns to where it was, however the dialog ends", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await stage.page.focus("#before");
  const ends: [how: string, end: () => Promise<void>, outcome: string][] = [
    ["Approve", () => stage.press("Approve"), "did a.write"],
    ["Cancel", () => stage.press("Cancel"), "APPROVAL_DENIED"],
    ["Escape", () => stage.pass(1_000).then(() => stage.page.keyboard.press("Escape")), "APPROVAL_DENIED"],
    ["time", () => stage.pass(300_000), "APPROVAL_EXPIRED"],
  ];
  for (const [how, end, outcome] of ends) {
    await stage.ask(how, "a.write");
    expect(await stage.focus(), how).toBe("Cancel");
    expect(await focused(stage), how).not.toBe("before");
    await end();
    expect(await stage.outcome(how), how).toBe(outcome);
    expect(await focused(stage), how).toBe("before");
  }
  expect(await stage.ran()).toEqual(["a.write"]);
});

test("what is over takes the focus from nobody, also when its call is cancelled later", async ({ stage }) => {
  await stage.page.focus("#before");
  await stage.page.evaluate(() => {
    const cancel = new AbortController();
    const log: string[] = [];
    page.declare({
      id: "a.long",
      description: "Take long",
      effect: "write",
      execute: (_, { signal }) => {
        const field = document.createElement("input");
        field.id = "field";
        document.body.append(field);
        field.focus();
        return new Promise(() => signal.addEventListener("abort", () => log.push("aborted")));
      },
    });
    const call = page.handle(surface.invoke("a.long"), surface.session, { signal: cancel.signal });
    Object.assign(globalThis, { cancel, log, calls: { call } });
  });
  await stage.press("Approve");
  await expect.poll(() => focused(stage)).toBe("field");
  await stage.pass(100);
  expect(await focused(stage)).toBe("field");
  const log = await stage.page.evaluate(() => {
    const { cancel, log } = globalThis as unknown as { cancel: AbortController; log: string[] };
    cancel.abort();
    return log;
  });
  expect(log).toEqual(["aborted"]);
  expect(await stage.outcome("call")).toBe("CANCELLED");
  expect(await focused(stage)).toBe("field");
});

test("after the last of several dialogs the focus is back where it was before the first", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await stage.page.focus("#before");
  await stage.ask("1", "a.write");
  await stage.ask("2", "a.write");
  await stage.press("Cancel");
  expect(await stage.outcome("1")).toBe("APPROVAL_DENIED");
  expect(await stage.focus()).toBe("Cancel");
  await stage.press("Cancel");
  expect(await stage.outcome("2")).toBe("APPROVAL_DENIED");
  expect(await focused(stage)).toBe("before");
});

test("a frame that had the focus gets it back", async ({ stage }) => {
  const frame = await new Site(stage.page).frame(AGENT);
  await frame.evaluate(() => document.body.append(document.createElement("input")));
  await frame.focus("input");
  await stage.declare({ id: "a.write" });
  await stage.ask("call", "a.write");
  expect(await stage.focus()).toBe("Cancel");
  await stage.press("Cancel");
  expect(await stage.outcome("call")).toBe("APPROVAL_DENIED");
  expect(await focused(stage)).toBe("IFRAME");
  // Which element had it in there, Chromium has forgotten: under a modal dialog every frame is inert.
  await expect.poll(() => frame.evaluate(() => document.hasFocus())).toBe(true);
});

test("Tab goes round, in both directions", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await stage.ask("call", "a.write");
  const walk = async (key: string, times: number) => {
    const seen: unknown[] = [];
    for (let step = 0; step < times; step++) {
      await stage.page.keyboard.press(key);
      seen.push(await stage.look((_, root) => root.activeElement?.localName + (root.activeElement?.textContent ?? "")));
    }
    return seen.map((name) => String(name).replace(/^section.*/s, "details"));
  };
  const round = ["buttonApprove", "details", "input", "buttonCancel"];
  expect(await walk("Tab", 5)).toEqual([...round, "buttonApprove"]);
  expect(await walk("Shift+Tab", 5)).toEqual([...round].reverse().concat("buttonCancel"));
});

test("what is asked always has no checkbox, and Tab still goes round", async ({ stage }) => {
  await stage.declare({ id: "a.write", approval: "always" });
  await stage.ask("call", "a.write");
  const seen: unknown[] = [];
  for (let step = 0; step < 3; step++) {
    await stage.page.keyboard.press("Tab");
    seen.push(await stage.look((_, root) => root.activeElement?.localName));
  }
  expect(seen).toEqual(["button", "section", "button"]);
});

test("the arrow keys scroll the list", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything });
  await stage.ask("call", "a.write", { much: Array(2_000).fill("word") });
  await stage.page.keyboard.press("Tab");
  await stage.page.keyboard.press("Tab");
  const scrolled = () => stage.look((_, root) => root.querySelector("section")?.scrollTop ?? 0);
  await stage.page.keyboard.press("End");
  await expect.poll(scrolled).toBeGreaterThan(100);
  // A key that comes while it still scrolls is lost.
  await expect(async () => {
    await stage.page.keyboard.press("Home");
    await expect.poll(scrolled, { timeout: 500 }).toBe(0);
  }).toPass();
});

test("Enter and Space press what has the focus", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  const cases: [name: string, keys: string[], outcome: string][] = [
    ["Enter on Cancel", ["Enter"], "APPROVAL_DENIED"],
    ["Space on Cancel", ["Space"], "APPROVAL_DENIED"],
    ["Enter on Approve", ["Tab", "Enter"], "did a.write"],
    ["Space on Approve", ["Tab", "Space"], "did a.write"],
  ];
  for (const [name, keys, outcome] of cases) {
    await stage.ask(name, "a.write");
    await stage.pass(1_000);
    for (const key of keys) await stage.page.keyboard.press(key);
    expect(await stage.outcome(name), name).toBe(outcome);
  }
  expect(await stage.ran()).toEqual(["a.write", "a.write"]);
});

test("keys of the first 500 ms were meant for something else", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await stage.page.focus("#before");
  await stage.page.keyboard.press("a");
  await stage.ask("call", "a.write");
  for (const key of ["Escape", "Enter", "Space"]) await stage.page.keyboard.press(key);
  await stage.pass(400);
  for (const key of ["Escape", "Enter", "Space", "Tab", "Enter", "Space"]) await stage.page.keyboard.press(key);
  expect(await stage.count()).toBe(1);
  expect(await stage.focus()).toBe("Approve");
  await stage.pass(200);
  await stage.page.keyboard.press("Escape");
  expect(await stage.outcome("call")).toBe("APPROVAL_DENIED");
  expect(await stage.ran()).toEqual([]);
});

test("Escape is a no also when the focus is nowhere", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await stage.ask("call", "a.write");
  await stage.pass(1_000);
  await stage.page.mouse.click(2, 300);
  await stage.page.keyboard.press("Escape");
  expect(await stage.outcome("call")).toBe("APPROVAL_DENIED");
  expect(await stage.count()).toBe(0);
});
