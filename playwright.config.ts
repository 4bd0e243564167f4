// End-to-end tests: the demo's pages in the machine's own Chromium. Each test file starts the server it needs, on port 0.
import { defineConfig } from "@playwright/test";
import { chromiumFlags, environment } from "./scripts/environment.mjs";
import { playwrightReport } from "./scripts/test/browser-tests.mjs";

const { PAGEPORT_CHROMIUM: executablePath, CI } = environment();

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "build/test-results",
  forbidOnly: Boolean(CI),
  fullyParallel: true,
  reporter: [["list"], ["json", { outputFile: playwrightReport }]],
  use: {
    trace: "retain-on-failure",
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: chromiumFlags,
      // The tests of the back/forward cache need it; no other test minds.
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    },
  },
});
