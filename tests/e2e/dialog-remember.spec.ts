// "Remember" in the built-in dialog: for what, for whom, and until when (Surface §6).

import { expect, type Stage, test } from "./dialog/fixture.ts";

declare const page: import("pageport").Page;
declare const surface: typeof import("./page/in-page.ts");
declare let calls: Record<string, Promise<import("pageport").SurfaceResponse>>;
declare const ran: string[];

/** Asks, and lets the person say yes and tick Remember. */
async function remember(stage: Stage, name: string, capability: string, session = {}): Promise<void> {
  await stage.ask(name, capability, {}, session);
  await stage.press("Remember");
  await stage.press("Approve");
  expect(await stage.outcome(name)).toBe(`did ${capability}`);
}

/** Whether a call is asked about; the person says no. */
async function isAsked(stage: Stage, name: string, capability: string, session = {}): Promise<boolean> {
  await stage.ask(name, capability, {}, session);
  const asked = (await stage.count()) === 1;
  if (asked) await stage.press("Cancel");
  expect(await stage.outcome(name)).toBe(asked ? "APPROVAL_DENIED" : `did ${capability}`);
  return asked;
}

test("the checkbox is there for ask, and never for always, nor for what destroys", async ({ stage }) => {
  const cases: [effect: string, approval: string, offered: number][] = [
    ["read", "ask", 1],
    ["write", "ask", 1],
    ["destructive", "ask", 0],
    ["read", "always", 0],
    ["write", "always", 0],
    ["destructive", "always", 0],
  ];
  for (const [effect, approval, offered] of cases) {
    const id = `${effect}.${approval}`;
    await stage.declare({ id, effect, approval });
    await stage.ask(id, id);
    expect(await stage.look((_, root) => root.querySelectorAll("input").length), id).toBe(offered);
    await stage.press("Approve");
    expect(await stage.outcome(id)).toBe(`did ${id}`);
    expect(await isAsked(stage, `${id} again`, id), id).toBe(true);
  }
});

test("a remembered yes counts for this session, capability, user and agent", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await stage.declare({ id: "b.write" });
  await remember(stage, "first", "a.write");
  expect(await isAsked(stage, "again", "a.write")).toBe(false);
  expect(await isAsked(stage, "another capability", "b.write")).toBe(true);
  expect(await isAsked(stage, "another session", "a.write", { sessionId: "s-2" })).toBe(true);
  expect(await isAsked(stage, "and again", "a.write")).toBe(false);
  expect(await stage.ran()).toEqual(["a.write", "a.write", "a.write"]);
});

test("ticked, a no is not remembered, nor a yes that was not ticked", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await stage.ask("no", "a.write");
  await stage.press("Remember");
  await stage.press("Cancel");
  expect(await stage.outcome("no")).toBe("APPROVAL_DENIED");
  await stage.ask("once", "a.write");
  expect(await stage.look((_, root) => root.querySelector("input")?.checked)).toBe(false);
  await stage.press("Approve");
  expect(await stage.outcome("once")).toBe("did a.write");
  expect(await isAsked(stage, "again", "a.write")).toBe(true);
});

test("another scope or another registration is asked anew", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await remember(stage, "first", "a.write");
  expect(await isAsked(stage, "narrower", "a.write", { scope: ["a.*"] })).toBe(true);
  expect(await isAsked(stage, "as before", "a.write")).toBe(true);
  await remember(stage, "second", "a.write");
  expect(await isAsked(stage, "still", "a.write")).toBe(false);

  const asked = await stage.page.evaluate(() => {
    const declare = () =>
      page.declare({
        id: "c.write",
        description: "Do c",
        effect: "write",
        execute: () => {
          ran.push("c.write");
          return "did c.write";
        },
      });
    Object.assign(globalThis, { declare, removeC: declare() });
  });
  expect(asked).toBeUndefined();
  await remember(stage, "c", "c.write");
  expect(await isAsked(stage, "c again", "c.write")).toBe(false);
  await stage.page.evaluate(() => {
    const { removeC, declare } = globalThis as unknown as Record<"removeC" | "declare", () => void>;
    removeC();
    declare();
  });
  expect(await isAsked(stage, "c declared anew", "c.write")).toBe(true);
});

test("another person, and the same one who comes back, are asked anew", async ({ stage }) => {
  await stage.page.evaluate(async () => {
    Object.assign(globalThis, { user: "ada" });
    const mine = await surface.open({ user: () => (globalThis as unknown as { user: string }).user });
    Object.assign(globalThis, { page: mine });
  });
  await stage.declare({ id: "a.write" });
  const signIn = (user: string) => stage.page.evaluate((user) => void Object.assign(globalThis, { user }), user);
  await remember(stage, "first", "a.write");
  expect(await isAsked(stage, "again", "a.write")).toBe(false);
  await signIn("bob");
  await stage.ask("bob", "a.write");
  expect(await stage.outcome("bob")).toBe("SESSION_INVALID");
  await signIn("ada");
  expect(await isAsked(stage, "ada is back", "a.write")).toBe(true);
});
