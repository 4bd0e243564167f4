// The catalog for a test: its site and a host of its own, the page open and connected, and the command line beside it.

import { test as base, expect } from "@playwright/test";
import { type Host, startHost } from "../../../demo/host.mjs";
import { Terminal } from "../../../demo/once/terminal.mjs";
import { type Demo, startDemo } from "../../../demo/server.mjs";

export { expect };

interface Fixtures {
  host: Host;
  demo: Demo;
  /** What the browser's console complained about; anything that is left in it fails the test. */
  complaints: string[];
  terminal: Terminal;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from this pattern
  host: async ({}, use) => {
    const host = await startHost();
    await use(host);
    await host.close();
  },
  demo: async ({ host }, use) => {
    const demo = await startDemo({ host });
    await use(demo);
    await demo.close();
  },
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    await use(complaints);
    expect(complaints).toEqual([]);
  },
  terminal: async ({ page, demo, host, complaints: _ }, use) => {
    await page.goto(demo.catalogUrl);
    const terminal = new Terminal(page, host);
    await terminal.connected();
    await use(terminal);
  },
});
