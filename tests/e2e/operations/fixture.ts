// A document on localhost with the plugin of the tests, and the real host.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base, expect, type Page } from "@playwright/test";
import { build } from "esbuild";
import { Host } from "./host.ts";
import { HostileHost } from "./hostile.ts";

export { expect, Host };

const html =
  '<!doctype html><meta charset="utf-8"><title>Probe</title><link rel="icon" href="data:,"><script src="/probe.js"></script>';

/** The site of the documents. */
export interface Site {
  origin: string;
}

/** A tab with the plugin. */
export class Tab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the document, connects and waits until operations may run. */
  async open(site: Site, host: Pick<Host, "endpoint">, path = "/"): Promise<void> {
    await this.page.goto(site.origin + path);
    await this.connect(host);
  }

  async connect(host: Pick<Host, "endpoint">): Promise<void> {
    // The browser may take a while to close the page of the test before.
    if (host instanceof Host) await expect.poll(() => host.connected()).toBe(0);
    await this.page.evaluate(async (endpoint) => {
      await probe.start(endpoint);
      await probe.ready();
    }, host.endpoint);
    await this.sees("open");
  }

  /** Waits for a state of the connection. */
  async sees(state: string): Promise<void> {
    await expect.poll(() => this.page.evaluate(() => probe.current().state)).toBe(state);
  }
}

declare const probe: typeof import("./in-page.ts");

interface WorkerFixtures {
  site: Site;
  /** A host that no test ends. */
  host: Host;
}

export const test = base.extend<{ tab: Tab; ownHost: Host; hostile: HostileHost }, WorkerFixtures>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from this pattern
    async ({}, use) => {
      const script = await bundle();
      const server: Server = createServer((request, response) => {
        const isScript = request.url === "/probe.js";
        response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
        response.end(isScript ? script : html);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      await use({ origin: `http://localhost:${(server.address() as AddressInfo).port}` });
      server.closeAllConnections();
      server.close();
    },
    { scope: "worker" },
  ],
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const host = await Host.start();
      await use(host);
      await host.remove();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  ownHost: async ({}, use) => {
    const host = await Host.start();
    await use(host);
    await host.remove();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  hostile: async ({}, use) => {
    const host = await new HostileHost().start();
    await use(host);
    host.stop();
  },
  tab: async ({ page }, use) => {
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.stack ?? String(error)));
    await use(new Tab(page));
    // Neither an error that nobody caught nor a promise that nobody looked at is ever ours to leave.
    expect(faults).toEqual([]);
  },
});

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ["tests/e2e/operations/in-page.ts"],
    bundle: true,
    format: "iife",
    globalName: "probe",
    target: "es2022",
    charset: "ascii",
    write: false,
    logLevel: "error",
  });
  return `${outputFiles[0]?.text ?? ""};globalThis.probe = probe;`;
}
