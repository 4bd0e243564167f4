// A page whose own code enters it again at every point, in many orders: whatever comes, every call is answered.

import { expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./page/in-page.ts");

test.use({ entry: "tests/e2e/page/in-page.ts" });

let complaints: string[] = [];

test.beforeEach(async ({ site }) => {
  complaints = [];
  site.page.on("console", (message) => complaints.push(message.text()));
  site.page.on("pageerror", (error) => complaints.push(String(error)));
  await site.open(PAGE);
});

test("what is declared, removed, described, invoked and closed in every order leaves nothing unanswered", async ({
  site,
}) => {
  const seen = await site.page.evaluate(async () => {
    const problems: string[] = [];
    for (let seed = 1; seed <= 150; seed++) {
      let state = seed * 2_654_435_761;
      const pick = (below: number) => {
        state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + seed) >>> 0;
        return state % below;
      };
      const page = await surface.open({ audit: () => undefined, confirm: async () => ({ approved: pick(2) === 0 }) });
      const removers: (() => void)[] = [];
      const waiting: Promise<unknown>[] = [];
      const later = <T>(value: T) => (pick(2) === 0 ? value : (Promise.resolve(value) as never));
      const entered = <T>(depth: number, value: T): T => {
        act(depth + 1);
        return later(value);
      };
      const act = (depth: number): void => {
        if (depth > 3) return;
        const n = pick(3);
        const moves = [
          () =>
            removers.push(
              page.declare({
                id: `c.n${n}@order`,
                description: "C",
                effect: "write",
                record: { type: "order" },
                execute: () => entered(depth, null),
              }),
            ),
          () =>
            removers.push(
              page.records("order", {
                list: () => entered(depth, [{ id: "o" }]),
                id: ({ id }) => id,
                fields: {},
              }),
            ),
          () => removers.push(page.state(`k${n}`, () => entered(depth, 1))),
          () => removers.splice(pick(removers.length + 1), 1)[0]?.(),
          () => {
            const controller = new AbortController();
            const session = pick(2) === 0 ? surface.session : () => entered(depth, surface.session);
            waiting.push(
              page.handle(surface.invoke(`c.n${n}@order`, { record: "o" }), session, { signal: controller.signal }),
            );
            if (pick(3) === 0) controller.abort();
          },
          () =>
            waiting.push(page.handle({ protocol: "pling.surface/0.1", id: "d", method: "describe" }, surface.session)),
        ];
        try {
          moves[pick(moves.length)]?.();
        } catch (error) {
          if ((error as { code?: string }).code !== "DUPLICATE_ID" && (error as { code?: string }).code !== "CLOSED") {
            problems.push(`${seed}: ${error}`);
          }
        }
      };
      for (let step = 0; step < 40; step++) {
        act(0);
        if (pick(5) === 0) await Promise.resolve();
      }
      if (pick(2) === 0) await Promise.allSettled([...waiting]);
      await page.close();
      const settled = await Promise.allSettled(waiting);
      for (const end of settled) {
        const code =
          end.status === "rejected" ? end.reason.code : (end.value as { error?: { code: string } }).error?.code;
        if (code === "INTERNAL" || (end.status === "rejected" && code !== "CLOSED")) problems.push(`${seed}: ${code}`);
      }
      if (page.stats().inFlight !== 0) problems.push(`${seed}: in flight`);
    }
    return problems;
  });
  expect(seen).toEqual([]);
  expect(complaints).toEqual([]);
});
