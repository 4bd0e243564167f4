// A page written by hand, and a client of another origin in a frame of it.

import type { Frame } from "@playwright/test";
import { AGENT, expect, PAGE, type Site } from "./site.ts";

declare const surface: typeof import("./in-page.ts");

/** A page that answers nothing by itself, and a connected client in a frame, as the global `client`. */
export async function connected(site: Site): Promise<{ page: Frame; agent: Frame }> {
  const page = await site.open(PAGE);
  await page.evaluate(() => surface.host());
  const agent = await site.frame(AGENT);
  await agent.evaluate(async (origin) => {
    Object.assign(globalThis, { client: await surface.connect(parent, { origin }), calls: {} });
  }, PAGE);
  return { page, agent };
}

/** The frames that came from the client. */
export const frames = (page: Frame) => page.evaluate(() => lines[0]?.got ?? []);
/** Waits until this many came. */
export const sent = (page: Frame, count: number) => expect.poll(async () => (await frames(page)).length).toBe(count);
