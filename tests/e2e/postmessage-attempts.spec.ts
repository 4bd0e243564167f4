// Who counts as the same attempt to connect: a session never goes to anybody who was not verified for it (Surface §8).

import type { Frame } from "@playwright/test";
import { AGENT, expect, PAGE, type Site, STRANGER, test } from "./postmessage/site.ts";

declare const surface: typeof import("./postmessage/in-page.ts");

/** A page for two origins, on which only who presents a credential gets in, and a frame of the first origin. */
async function open(site: Site): Promise<{ page: Frame; agent: Frame }> {
  const page = await site.open(PAGE);
  await page.evaluate(
    ([agent, stranger]) => {
      const verifySession: Parameters<typeof surface.createListener>[2]["verifySession"] = ({ credential }) => {
        if (credential === undefined) throw new Error("nobody");
        return { agentId: String(credential) } as never;
      };
      surface.serve([agent, stranger], { verifySession });
    },
    [AGENT, STRANGER] as const,
  );
  return { page, agent: await site.frame(AGENT) };
}

/** What came on every line of a frame. */
const frames = (frame: Frame) => frame.evaluate(() => lines.map(({ got }) => got.map((it) => it.code ?? it.type)));
const verified = (page: Frame) => page.evaluate(() => side.verified.map((it) => `${it.origin} ${it.credential}`));
const agents = (page: Frame) =>
  page.evaluate(() => side.core.sessions.map((it) => (it as { agentId: string }).agentId));

test("a frame that navigates to another listed origin does not inherit the session", async ({ site }) => {
  const { page, agent } = await open(site);
  await agent.evaluate(() => surface.knock(parent, { credential: "secret" }));
  await expect.poll(() => frames(agent)).toEqual([["connected"]]);
  await agent.goto(`${STRANGER}/`);
  await agent.evaluate(() => surface.knock(parent));
  await expect.poll(() => frames(agent)).toEqual([["GUARD_UNAVAILABLE"]]);
  expect(await verified(page)).toEqual([`${AGENT} secret`, `${STRANGER} undefined`]);
  expect(await agents(page)).toEqual(["secret"]);
});

test("nor does it while the first document is still being verified", async ({ site }) => {
  const { page, agent } = await open(site);
  await page.evaluate(
    ([agent, stranger]) => {
      side.listener.close();
      const verifySession = ({ origin }: { origin: string }) =>
        new Promise<null>((resolve) => Object.assign(globalThis, { [`admit ${origin}`]: () => resolve(null) }));
      surface.serve([agent, stranger], { verifySession });
    },
    [AGENT, STRANGER] as const,
  );
  await agent.evaluate(() => surface.knock(parent, { credential: "secret" }));
  await expect.poll(() => verified(page)).toHaveLength(1);
  await agent.goto(`${STRANGER}/`);
  await agent.evaluate(() => surface.knock(parent));
  await expect.poll(() => verified(page)).toHaveLength(2);
  await page.evaluate((origin) => (globalThis as unknown as Record<string, () => void>)[`admit ${origin}`]?.(), AGENT);
  await site.page.waitForTimeout(50);
  expect(await frames(agent)).toEqual([[]]);
});

test("the same attempt with another credential is verified anew, and ends the older connection", async ({ site }) => {
  const { page, agent } = await open(site);
  await agent.evaluate(() => surface.knock(parent, { credential: "ada" }));
  await expect.poll(() => frames(agent)).toEqual([["connected"]]);
  await agent.evaluate(() => surface.knock(parent, { credential: "bob" }));
  await expect.poll(() => frames(agent)).toEqual([["connected", "closed"], ["connected"]]);
  await agent.evaluate(() => surface.knock(parent));
  await expect
    .poll(() => frames(agent))
    .toEqual([["connected", "closed"], ["connected", "closed"], ["GUARD_UNAVAILABLE"]]);
  expect(await agents(page)).toEqual(["ada", "bob"]);
  expect(await page.evaluate(() => side.listener.counts.connections)).toBe(0);
});

test("an attempt whose port was lost is verified anew", async ({ site }) => {
  const { page, agent } = await open(site);
  await page.evaluate(() => {
    addEventListener("message", ({ ports }) => Object.assign(globalThis, { newest: ports[0] }));
  });
  await agent.evaluate(() => surface.knock(parent, { credential: "ada" }));
  await expect.poll(() => frames(agent)).toEqual([["connected"]]);
  // Not every browser tells by itself that the other end of a port is gone.
  await page.evaluate(() =>
    (globalThis as unknown as { newest: MessagePort }).newest.dispatchEvent(new Event("close")),
  );
  await expect.poll(() => page.evaluate(() => side.listener.counts.connections)).toBe(0);
  await agent.evaluate(() => surface.knock(parent, { credential: "ada" }));
  await expect.poll(() => frames(agent)).toEqual([["connected", "closed"], ["connected"]]);
  expect(await agents(page)).toEqual(["ada", "ada"]);
});
