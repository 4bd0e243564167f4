// The catalog: its page with the real host, driven by the command line, and what the page shows of that.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pluginFolder } from "../../demo/host.mjs";
import { expect, test } from "./catalog/fixture.ts";

const json = JSON.stringify;

/** A search of the command line. */
const search = (q: string, ...more: string[]) => ["invoke", "catalog", "search", "--input", json({ q }), ...more];

test("a search shows on the page and comes back page by page", async ({ terminal, demo, page }) => {
  const item = (id: string, title: string, author: string) => ({
    pluginId: "catalog",
    id,
    kind: "book",
    title,
    author,
    pageUrl: `${demo.catalogUrl}?book=${id}`,
    capabilities: ["detail", "text"],
  });
  const first = await terminal.run(...search("LIGHTHOUSE", "--limit", "2", "--wait"));
  expect(first).toMatchObject({ state: "succeeded", certainty: "confirmed" });
  const { cursor } = first.result.pagination;
  expect(first.result).toEqual({
    data: {
      items: [
        item("B-101", "The Lighthouse Accounts", "Ines Corvo"),
        item("B-106", "What the Tide Table Leaves Out", "Morag Sinclair"),
      ],
    },
    pagination: { count: 2, cursor, hasMore: true, truncated: false },
  });
  await expect(page.locator("#query")).toHaveValue("LIGHTHOUSE");
  await expect(page.locator("#found")).toHaveText("3 of 24 books");
  expect(await terminal.shown()).toEqual(["B-101", "B-106", "B-112"]);

  const second = await terminal.run(...search("LIGHTHOUSE", "--limit", "2", "--cursor", cursor, "--wait"));
  expect(second.result).toEqual({
    data: { items: [item("B-112", "Last Light at Skerry Rock", "Callum Baird")] },
    pagination: { count: 1, cursor: "", hasMore: false, truncated: false },
  });
  const lines = page.locator("#activity > li");
  await expect(lines).toHaveText([/search\{"q":"LIGHTHOUSE"\}, the next pagedone$/, /search\{"q":"LIGHTHOUSE"\}done$/]);

  const none = await terminal.run(...search("no such book", "--wait"));
  expect(none.result.data).toEqual({ items: [] });
  await expect(page.getByText("No book matches this search.")).toBeVisible();
});

test("a book is opened on the page, and read without a change of it", async ({ terminal, page }) => {
  const book = page.getByRole("complementary", { name: "Open book" });
  const read = await terminal.run("invoke", "catalog", "text", "--input", json({ id: "B-105" }), "--wait");
  const text = "雨是星期二开始下的。王家的猫先知道，其次是我，最后才是天气预报。";
  expect(read.result.data).toEqual({ id: "B-105", title: "城南的雨", text });
  await expect(book).toHaveText("Choose a book to see it here.");

  const opened = await terminal.run("invoke", "catalog", "detail", "--input", json({ id: "B-112" }), "--wait");
  expect(opened.result.data).toMatchObject({ id: "B-112", author: "Callum Baird", year: 1998, pages: 221 });
  await expect(book.getByRole("heading")).toHaveText("Last Light at Skerry Rock");
});

test("why a handler failed stands on the page, and nowhere else", async ({ terminal }) => {
  for (const [operation, certainty] of [
    ["text", "confirmed"],
    ["detail", "unknown"],
  ] as const) {
    const end = await terminal.run("invoke", "catalog", operation, "--input", json({ id: "B-999" }), "--wait");
    expect(end).toMatchObject({ state: "failed", errorCode: "page_execution_failed", certainty });
    expect(json(end)).not.toContain("no book");
    expect(await terminal.newest()).toBe("failed: there is no book B-999");
  }
});

test("an export shows how far it is, and stops when it is cancelled", async ({ terminal, page }) => {
  const { executionId } = await terminal.run("invoke", "catalog", "export");
  const bar = page.getByRole("progressbar", { name: "export, percent done" });
  await expect(bar).toHaveAttribute("value", /^[1-9]\d?$/);
  await expect.poll(async () => (await terminal.peek(executionId)).progress).toBeGreaterThan(0);
  expect(await terminal.run("cancel", executionId)).toMatchObject({ state: "running", cancelRequested: true });
  const end = await terminal.run("execution", executionId, "--wait");
  expect(end).toMatchObject({ state: "cancelled", cancelConfirmed: true });
  await expect(bar).toHaveCount(0);
  expect(await terminal.newest()).toBe("cancelled by the caller");
});

test.describe("without the pause between two books", () => {
  test.beforeEach(({ page }) =>
    page.addInitScript(() => {
      const real = window.setTimeout;
      const quick = (run: () => void, ms?: number) => real(run, ms === 500 ? 0 : ms);
      window.setTimeout = quick as typeof window.setTimeout;
    }),
  );

  test("an export that may end holds every book", async ({ terminal, page }) => {
    await terminal.run(...search("lighthouse", "--wait"));
    const { state, result } = await terminal.run("invoke", "catalog", "export", "--wait");
    expect([state, result.data.format]).toEqual(["succeeded", "csv"]);
    const lines = result.data.text.split("\n");
    expect(lines.length).toBe(25);
    expect(lines[5]).toBe('"B-105","城南的雨","沈若溪","2018","296"');
    await expect(page.locator("#found")).toHaveText("24 of 24 books");
  });
});

test("switched off, the page is out of reach; switched on, it is back", async ({ terminal, page }) => {
  const allow = page.getByRole("checkbox", { name: "Programs may use this page" });
  const connection = page.locator("#connection");
  await expect(connection).toHaveText("Connected: programs may use this page.");
  await allow.uncheck();
  await expect(connection).toHaveText("Not connected.");
  const refused = await terminal.execute(["operations", ...search("sea")]);
  expect({ code: refused.code, error: JSON.parse(refused.stderr).code }).toEqual({
    code: 1,
    error: "page_unavailable",
  });
  await allow.check();
  await terminal.connected();
  expect(await terminal.run(...search("sea", "--wait"))).toMatchObject({ state: "succeeded" });
});

test("the page says that the host went away, and works for people all the same", async ({
  terminal: _,
  page,
  host,
  complaints,
}) => {
  await host.close();
  await expect(page.locator("#connection")).toHaveText("The host does not answer. Trying again…");
  await page.getByRole("searchbox", { name: "Search the catalog" }).fill("korhonen");
  await expect(page.locator("#found")).toHaveText("1 of 24 books");
  // The browser names each attempt that found nobody; whatever else it says is not expected.
  expect(complaints.filter((text) => !text.includes("ERR_"))).toEqual([]);
  await page.goto("about:blank");
  complaints.length = 0;
});

test("people find a book and open it with the keyboard, and have a link to it", async ({ terminal: _, page }) => {
  await page.getByRole("searchbox").fill("noel ACHTERBERG");
  await expect(page.locator("#found")).toHaveText("1 of 24 books");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "The Lighthouse Accounts" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.locator("#book h2")).toHaveText("Bread at Minus Thirty");
  await expect(page.getByRole("button", { expanded: true })).toHaveText("Bread at Minus ThirtyAino Räsänen");
  await page.getByRole("link", { name: "B-103" }).click();
  await expect(page).toHaveURL(/\?book=B-103$/);
  await expect(page.locator("#book h2")).toHaveText("Bread at Minus Thirty");
});

test("the plugin is valid, and its script is served as a function", async ({ terminal, demo }) => {
  const lint = await terminal.execute(["plugins", "lint", pluginFolder, "--dev"]);
  expect(JSON.parse(lint.stdout)).toEqual({ ok: true, errors: [], warnings: [] });
  const script = await (await fetch(`${demo.catalogUrl}plugin/page.js`)).text();
  const source = await readFile(join(pluginFolder, "page.js"), "utf8");
  expect(script).toBe(`export default async function (pageApi) { "use strict";\n${source}\n}\n`);
});
