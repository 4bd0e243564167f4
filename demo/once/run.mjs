// `npm start -- --once`: the whole demo in headless Chromium, without a person, as a transcript.
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { chromiumFlags } from "../../scripts/environment.mjs";
import { startHost } from "../host.mjs";
import { startDemo } from "../server.mjs";
import { catalogSteps } from "./catalog-steps.mjs";
import { Stage, StepFailure } from "./stage.mjs";
import { steps } from "./steps.mjs";
import { Terminal } from "./terminal.mjs";
import { brief } from "./transcript.mjs";

const LIMIT_MS = 60_000;
/** A browser that hangs must not keep the run from ending. */
const CLEANUP_MS = 5_000;
const INDENT = "     ";

/**
 * Runs every step and prints it. Resolves with the exit code: 0, or 1 after naming the step that failed or hung.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {{folder?: string, limitMs?: number}} [options] another build of the demo, another limit
 */
export async function runOnce(env, { folder, limitMs = LIMIT_MS } = {}) {
  /** @type {{step: string, complaints: string[]}} */
  const at = { step: "starting the host, the sites and Chromium", complaints: [] };
  /** @type {(() => Promise<void>)[]} */
  const cleanup = [];
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${limitMs / 1000} s`)), limitMs);
  });
  try {
    await Promise.race([perform(env, { folder }, at, cleanup), limit]);
    return 0;
  } catch (error) {
    console.error(`\n✗ ${at.step}\n   ${explain(error)}`);
    for (const complaint of at.complaints) console.error(`   The browser's console: ${complaint}`);
    return 1;
  } finally {
    clearTimeout(timer);
    for (const undo of cleanup.reverse())
      await Promise.race([undo().catch(() => {}), pause(CLEANUP_MS, undefined, { ref: false })]);
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {{folder?: string | undefined}} site
 * @param {{step: string, complaints: string[]}} at
 * @param {(() => Promise<void>)[]} cleanup
 */
async function perform(env, site, at, cleanup) {
  const host = await startHost();
  cleanup.push(() => host.close());
  const demo = await startDemo({ ...site, host });
  cleanup.push(() => demo.close());
  const executablePath = env.PAGEPORT_CHROMIUM;
  if (!executablePath) throw new Error("no Chromium was found; set PAGEPORT_CHROMIUM to the path of one");
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  cleanup.push(() => browser.close());
  /** @param {string} url */
  const open = async (url) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.on("pageerror", (error) => at.complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && at.complaints.push(message.text()));
    await page.goto(url);
    return page;
  };

  console.log(`The page       ${demo.ordersUrl}\nThe assistant  ${demo.assistantUrl} in a frame of the page`);
  console.log(`The catalog    ${demo.catalogUrl}\nThe host       ${host.url}`);
  at.step = "opening the demo";
  const stage = new Stage(await open(demo.ordersUrl));
  for (const [index, step] of steps.entries()) {
    at.step = `${index + 1}. ${step.title}`;
    const { request, response, seen } = await step.run(stage);
    console.log(`\n${at.step}\n   → ${brief(request, INDENT)}\n   ← ${brief(response, INDENT)}\n   ✓ ${seen}`);
  }
  at.step = "opening the catalog";
  const terminal = new Terminal(await open(demo.catalogUrl), host);
  await terminal.connected();
  for (const [index, step] of catalogSteps.entries()) {
    at.step = `${steps.length + index + 1}. ${step.title}`;
    const seen = await step.run(terminal);
    console.log(`\n${at.step}\n${terminal.take().map(entry).join("\n")}\n   ✓ ${seen}`);
  }
  at.step = "reading the browser's console";
  if (at.complaints.length > 0) throw new Error("the pages should cause no errors");
  console.log(`\nAll ${steps.length + catalogSteps.length} steps were seen as they should be.`);
}

/** What an execution tells here. The rest, and what is not the case, is only counted. */
const told = new Set(
  "cancelConfirmed cancelRequested certainty errorCode executionId operationId progress result state".split(" "),
);

/** @param {import("./terminal.mjs").Line} entry */
function entry({ line, reply }) {
  if (reply === undefined) return `   ${line}`;
  return `   ${line}\n   ${brief(reply, "   ", (name, value) => told.has(name) && value !== false)}`;
}

/** @param {unknown} error */
function explain(error) {
  if (!(error instanceof StepFailure)) return error instanceof Error ? error.message : String(error);
  return `${error.message}: expected ${JSON.stringify(error.expected)}, got ${JSON.stringify(error.got)}`;
}
