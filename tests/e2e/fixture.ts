// What the end-to-end tests of the demo share: its server on free ports, and its page, open and connected.

import { test as base, expect } from "@playwright/test";
import { Stage } from "../../demo/once/stage.mjs";
import { startDemo } from "../../demo/server.mjs";

export { expect, Stage };

export type Demo = Awaited<ReturnType<typeof startDemo>>;

interface TestFixtures {
  /** The orders page with the assistant connected and described. The test fails when the browser's console complains. */
  stage: Stage;
}

interface WorkerFixtures {
  /** The addresses of the built demo. */
  demo: Demo;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from this pattern
    async ({}, use) => {
      const demo = await startDemo();
      await use(demo);
      await demo.close();
    },
    { scope: "worker" },
  ],
  stage: async ({ page, demo }, use) => {
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    await page.goto(demo.ordersUrl);
    const stage = new Stage(page);
    await expect(stage.frame.locator("#connection")).toHaveAttribute("data-state", "open");
    await use(stage);
    expect(complaints).toEqual([]);
  },
});
