// A Chromium and its driver, and a font for the demo's Chinese names.
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { environment, find } from "../environment.mjs";
import { toolsDir } from "../paths.mjs";
import { ask, stream } from "../run.mjs";
import { aptInstall, hasApt } from "./apt.mjs";

/** @param {string | undefined} program */
function majorVersion(program) {
  return program && / (\d+)\./.exec(ask(program, ["--version"]) ?? "")?.[1];
}

function driverFits() {
  const { PAGEPORT_CHROMIUM, CHROMEDRIVER } = environment();
  const major = majorVersion(PAGEPORT_CHROMIUM);
  return major !== undefined && majorVersion(CHROMEDRIVER) === major;
}

/** Gets a driver of the browser's version: from Debian for Debian's Chromium, else from where Chrome's own come from. */
async function installDriver() {
  const { PAGEPORT_CHROMIUM: browser } = environment();
  if (hasApt() && browser === "/usr/bin/chromium") return aptInstall(["chromium-driver"]);
  const major = majorVersion(browser);
  if (major === undefined) return;
  const args = [
    "--yes",
    "@puppeteer/browsers@2",
    "install",
    `chromedriver@${major}`,
    "--path",
    join(toolsDir, "browsers"),
  ];
  const { output } = await stream("npx", args, { env: environment(), quiet: true });
  const driver = /^chromedriver@\S+ (.+)$/m.exec(output)?.[1];
  if (!driver) return;
  const link = join(toolsDir, "bin", "chromedriver");
  mkdirSync(join(toolsDir, "bin"), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(driver, link);
}

/** @type {import("../setup.mjs").Need[]} */
export const browserNeeds = [
  {
    name: "Chromium",
    purposes: ["browser", "test"],
    present: () => environment().PAGEPORT_CHROMIUM !== undefined,
    get install() {
      return hasApt() ? () => aptInstall(["chromium", "chromium-driver"]) : undefined;
    },
    takes: "30 to 60 s",
    byHand: () => "install Chrome or Chromium, or set PAGEPORT_CHROMIUM to its path",
  },
  {
    name: "a ChromeDriver of the browser's version",
    purposes: ["test"],
    present: driverFits,
    get install() {
      return environment().PAGEPORT_CHROMIUM ? installDriver : undefined;
    },
    takes: "10 s",
    byHand: () =>
      "install ChromeDriver (https://googlechromelabs.github.io/chrome-for-testing/), on PATH or named by CHROMEDRIVER",
  },
  {
    name: "a font with Chinese characters",
    purposes: ["browser", "test"],
    optional: true,
    present: () =>
      process.platform !== "linux" ||
      Boolean(find(["fc-list"]) && ask("fc-list", [":lang=zh", "family"])) ||
      ask("dpkg", ["-s", "fonts-noto-cjk"]) !== undefined,
    get install() {
      return hasApt() ? () => aptInstall(["fonts-noto-cjk"]) : undefined;
    },
    takes: "15 s",
    byHand: () => "names in Chinese will show as boxes; install Noto Sans CJK",
  },
];
