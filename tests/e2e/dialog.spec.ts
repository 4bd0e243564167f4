// The built-in dialog: what a person sees of a request, under a policy that allows no style at all (Surface §6).

import { expect, test } from "./dialog/fixture.ts";

declare const page: import("pageport").Page;
declare const violations: string[];

const anything = { inputSchema: { type: "object" } };

test("approved, a call runs once, and the strict policy is not broken", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await stage.ask("call", "a.write");
  expect(await stage.count()).toBe(1);
  expect(await stage.look((dialog) => dialog.matches(":modal"))).toBe(true);
  expect(await stage.ran()).toEqual([]);
  await stage.press("Approve");
  expect(await stage.outcome("call")).toBe("did a.write");
  expect(await stage.ran()).toEqual(["a.write"]);
  expect(await stage.count()).toBe(0);
  expect(await stage.page.evaluate(() => violations)).toEqual([]);
});

test("without style attributes and style elements it is styled all the same", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await stage.ask("call", "a.write");
  const seen = await stage.look((dialog, root) => ({
    styled: getComputedStyle(dialog).display,
    inline: root.querySelectorAll("[style], style, link").length,
    sheets: root.adoptedStyleSheets.length,
    reachable: root.host.shadowRoot !== null,
  }));
  expect(seen).toEqual({ styled: "flex", inline: 0, sheets: 1, reachable: false });
});

test("it says who asks, what will be done to which record, and with which values, the developer's words first", async ({
  stage,
}) => {
  await stage.page.evaluate(() => {
    page.records("order", { list: () => [{ id: "SO-1" }], id: ({ id }) => id, fields: {} });
  });
  await stage.declare({
    ...anything,
    id: "cancel@order",
    description: "Cancel an order.",
    effect: "destructive",
    record: { type: "order" },
  });
  await stage.ask("call", "cancel@order", { record: "SO-1", reason: "late", notify: true, lines: [1, 2], empty: "" });
  expect(await stage.text()).toEqual([
    "Approve this action?",
    "Cancel an order.",
    "Action: cancel@order",
    "Record (order): SO-1",
    "Effect: Deletes or overwrites data; it may not be possible to undo this",
    "Asked for by agent agent",
    "record: SO-1",
    "reason: late",
    "notify: true",
    "lines: [1,2]",
    'empty: ""',
    "Cancel",
    "Approve",
  ]);
});

test("a call without values says so, and each effect has its words", async ({ stage }) => {
  const words = { read: "Reads data", write: "Changes data" };
  for (const [effect, word] of Object.entries(words)) {
    await stage.declare({ id: `a.${effect}`, effect, approval: "always" });
    await stage.ask(effect, `a.${effect}`);
    const text = await stage.text();
    expect(text.slice(1, 6)).toEqual([
      `Do a.${effect}`,
      `Action: a.${effect}`,
      `Effect: ${word}`,
      "Asked for by agent agent",
      "No values.",
    ]);
    await stage.press("Cancel");
    expect(await stage.outcome(effect)).toBe("APPROVAL_DENIED");
  }
});

test("what cannot be seen is spelled out, and markup is text", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything });
  const values = {
    bidi: "invoice\u202egnp.exe",
    isolates: "\u2066a\u2069\u200f",
    control: "a\nb\u0000\u007f\u0085",
    lines: "a\u2028b",
    nothing: "a\u200bb\ufeff\u00ad\u3164",
    tags: "\u{e0041}",
    surplus: "  a  b",
    markup: '<img src="x" onerror="alert(1)"><b>',
    "na\u202eme": { deep: "\u202d" },
  };
  await stage.ask("call", "a.write", values, { agentId: "ag\u202eent" });
  const text = await stage.text();
  expect(text.slice(text.indexOf("Asked for by agent ag[U+202E]ent") + 1, -3)).toEqual([
    "bidi: invoice[U+202E]gnp.exe",
    "isolates: [U+2066]a[U+2069][U+200F]",
    "control: a[U+000A]b[U+0000][U+007F][U+0085]",
    "lines: a[U+2028]b",
    "nothing: a[U+200B]b[U+FEFF][U+00AD][U+3164]",
    "tags: [U+E0041]",
    "surplus:   a  b",
    'markup: <img src="x" onerror="alert(1)"><b>',
    'na[U+202E]me: {"deep":"[U+202D]"}',
  ]);
  expect(await stage.look((_, root) => root.querySelectorAll("img, b").length)).toBe(0);
  expect(await stage.look((_, root) => [...root.querySelectorAll("dd")].every(({ dir }) => dir === "auto"))).toBe(true);
});

test("a value takes 500 characters at most, and says what is left out; no value is left out", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything });
  const numbers = Array.from({ length: 900 }, (_, index) => index);
  const deep = { long: "y".repeat(600), next: 7 };
  const input = { long: "x".repeat(10_000), hidden: "\u202e".repeat(400), numbers, deep, ["k".repeat(900)]: 1 };
  await stage.ask("call", "a.write", input);
  const rows = await stage.look((_, root) =>
    [...root.querySelectorAll("dl:last-of-type > div")].map(({ children: [name, value] }) => [
      name?.textContent ?? "",
      value?.textContent ?? "",
    ]),
  );
  const [long, hidden, ...others] = rows;
  expect(long).toEqual(["long", `${"x".repeat(480)}… (9520 more)`]);
  expect(hidden).toEqual(["hidden", `${"[U+202E]".repeat(60)}… (340 more)`]);
  expect(rows.flat().every((text) => text.length <= 500)).toBe(true);
  const shown = others.filter(([name]) => name === "numbers").flatMap(([, text]) => JSON.parse(text ?? ""));
  expect(shown).toEqual(numbers);
  expect(others.slice(-3)).toEqual([
    ["deep.long", `${"y".repeat(480)}… (120 more)`],
    ["deep.next", "7"],
    [`${"k".repeat(480)}… (420 more)`, "1"],
  ]);
});

test("the list scrolls and the buttons stay in view, on every screen", async ({ stage }) => {
  await stage.declare({ id: "a.write", ...anything, description: "Much to read. ".repeat(70) });
  await stage.ask("call", "a.write", { text: "wide ".repeat(95), more: Array(3_000).fill("z\u0301\u0301") });
  for (const [width, height] of [
    [1280, 720],
    [320, 256],
    [240, 200],
  ] as const) {
    await stage.page.setViewportSize({ width, height });
    const seen = await stage.look((dialog, root) => {
      const list = root.querySelector("section");
      list?.scrollTo(0, 100_000);
      const fits = [...root.querySelectorAll("button, input")].every((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      });
      const { scrollWidth, clientWidth } = list ?? dialog;
      return { fits, scrolled: (list?.scrollTop ?? 0) > 0, sideways: scrollWidth > clientWidth };
    });
    expect(seen, `${width}×${height}`).toEqual({ fits: true, scrolled: true, sideways: false });
  }
  await stage.press("Approve");
  expect(await stage.outcome("call")).toBe("did a.write");
});

test("Chromium's accessibility tree knows the dialog, its words, its buttons and where the focus is", async ({
  stage,
}) => {
  await stage.declare({ id: "a.write", description: "Write it down.", ...anything });
  await stage.ask("call", "a.write", { note: "hello" });
  const nodes = await stage.accessible();
  const found = (role: string) => nodes.filter((node) => node.role?.value === role);
  const property = (node: (typeof nodes)[number] | undefined, name: string) =>
    node?.properties?.find((known) => known.name === name)?.value.value;
  const [dialog, ...others] = found("dialog");
  expect(others).toEqual([]);
  expect(dialog?.name?.value).toBe("Approve this action?");
  expect(dialog?.description?.value).toBe("Write it down.");
  expect(property(dialog, "modal")).toBe(true);
  expect(found("button").map(({ name }) => name?.value)).toEqual(["Cancel", "Approve"]);
  expect(found("button").map((node) => property(node, "focused"))).toEqual([true, undefined]);
  const box = found("checkbox");
  expect(box.map(({ name }) => name?.value)).toEqual(["Remember my approval for this session"]);
  expect(property(box[0], "checked")).toBe("false");
  expect(found("group").map(({ name }) => name?.value)).toContain("Details");
  const names = [found("term"), found("definition")].map((list) => list.length);
  expect(names).toEqual([3, 3]);
  const texts = found("StaticText").map(({ name }) => name?.value);
  for (const text of ["note", "hello", "a.write", "Changes data"]) expect(texts).toContain(text);
});

test("it follows dark mode, moves nothing, and the page's own style does not reach it", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await stage.page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "body, body ~ *, dialog { display: none !important; color: red !important; visibility: hidden; zoom: 3 }",
    );
    document.adoptedStyleSheets = [sheet];
  });
  await stage.ask("call", "a.write");
  const look = () =>
    stage.look((dialog) => {
      const { color, backgroundColor, visibility, animationName, transitionDuration } = getComputedStyle(dialog);
      return { color, backgroundColor, visibility, animationName, transitionDuration, width: dialog.clientWidth > 99 };
    });
  const still = { visibility: "visible", animationName: "none", transitionDuration: "0s", width: true };
  const light = { color: "rgb(0, 0, 0)", backgroundColor: "rgb(255, 255, 255)" };
  expect(await look()).toEqual({ ...light, ...still });
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    await stage.page.emulateMedia({ colorScheme: "dark", reducedMotion });
    expect(await look()).toEqual({ color: "rgb(255, 255, 255)", backgroundColor: "rgb(18, 18, 18)", ...still });
  }
  expect(await stage.page.evaluate(() => document.getAnimations().length)).toBe(0);
});
