// Documents of several origins without a server: every request is answered by the test itself.

import { readFile } from "node:fs/promises";
import { test as base, type Frame, type Page } from "@playwright/test";
import { build } from "esbuild";

/** The origin of the page that declares capabilities. */
export const PAGE = "https://page.test";
/** The origin of the client it lists. */
export const AGENT = "https://agent.test";
/** An origin nobody lists. */
export const STRANGER = "https://stranger.test";

const html =
  '<!doctype html><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,"><script src="/surface.js"></script>';

/** A tab in which every `https://*.test` document has the global `surface`. */
export class Site {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens a document at the top. */
  async open(origin: string): Promise<Frame> {
    await this.page.goto(`${origin}/`);
    return this.page.mainFrame();
  }

  /** Takes the clock of every document out of time's hands; call it before the first document opens. */
  async installClock(): Promise<void> {
    await this.page.clock.install({ time: 0 });
  }

  /** Stops the clock, an hour later; from here on only `runFor` moves it. */
  async stopClock(): Promise<void> {
    await this.page.clock.pauseAt(3_600_000);
  }

  /** Adds a frame to the top document. */
  async frame(origin: string, { name = "agent", sandbox }: { name?: string; sandbox?: string } = {}): Promise<Frame> {
    await this.page.evaluate(
      ([src, name, sandbox]) =>
        new Promise((resolve) => {
          const frame = document.createElement("iframe");
          Object.assign(frame, { src, name, onload: resolve });
          if (sandbox !== undefined) frame.setAttribute("sandbox", sandbox);
          document.body.append(frame);
        }),
      [`${origin}/`, name, sandbox] as const,
    );
    const frame = this.page.frame({ name });
    if (!frame) throw new Error(`no frame ${name}`);
    return frame;
  }
}

/** Bundles an entry point as the classic script that the documents load. */
async function classic(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "iife",
    globalName: "surface",
    target: "es2022",
    charset: "ascii",
    write: false,
    logLevel: "error",
  });
  return `${outputFiles[0]?.text ?? ""};globalThis.surface = surface;`;
}

/** Serves `entry` as the global `surface`: a file to bundle, or text that is ready. */
export const test = base.extend<{ site: Site; entry: string }, { scripts: Map<string, Promise<string>> }>({
  entry: ["tests/e2e/postmessage/in-page.ts", { option: true }],
  scripts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => use(new Map()),
    { scope: "worker" },
  ],
  site: async ({ page, context, entry, scripts }, use) => {
    if (!scripts.has(entry)) scripts.set(entry, entry.endsWith(".ts") ? classic(entry) : readFile(entry, "utf8"));
    const body = await scripts.get(entry);
    await context.route(/^https:\/\/[a-z]+\.test\//, (route) =>
      new URL(route.request().url()).pathname === "/surface.js"
        ? route.fulfill({ contentType: "text/javascript", body: body ?? "" })
        : route.fulfill({ contentType: "text/html", body: html }),
    );
    await use(new Site(page));
  },
});

export { expect } from "@playwright/test";
