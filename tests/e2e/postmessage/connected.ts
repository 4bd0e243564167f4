// A page made with the built package, and a client of another origin in a frame of it.

import type { Frame } from "@playwright/test";
import { AGENT, PAGE, type Site } from "./site.ts";

declare const surface: typeof import("./package.ts");

/** Runs in the client: connects to the page around it, as the global `client`. */
export async function dial(origin: string): Promise<void> {
  Object.assign(globalThis, { client: await surface.connect(parent, { origin }), calls: {} });
}

/** Opens both and connects them. */
export async function connected(site: Site): Promise<{ host: Frame; agent: Frame }> {
  const host = await site.open(PAGE);
  await host.evaluate((origin) => surface.serve(origin), AGENT);
  const agent = await site.frame(AGENT);
  await agent.evaluate(dial, PAGE);
  return { host, agent };
}

/** What happened on the page so far. */
export const logged = (host: Frame) => host.evaluate(() => log);
