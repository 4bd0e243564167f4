// Replays tests/vectors/surface in the browser, on the built package; the clock is the test's.

import { readdirSync, readFileSync } from "node:fs";
import { expect, PAGE, test } from "./postmessage/site.ts";
import type { Vector } from "./vectors/format.ts";

declare const surface: typeof import("./vectors/in-page.ts");
declare const replay: import("./vectors/in-page.ts").Replay;

test.use({ entry: "tests/e2e/vectors/in-page.ts" });

const folder = "tests/vectors/surface";
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

test("there are vectors", () => {
  expect(files.length).toBeGreaterThan(0);
});

for (const file of files) {
  const text = readFileSync(`${folder}/${file}`, "utf8");
  const vector = JSON.parse(text) as Vector;
  test(`${file}: ${vector.behaviour}`, async ({ site }) => {
    await site.page.clock.install({ time: -60_000 });
    const frame = await site.open(PAGE);
    await frame.evaluate(async (text) => {
      Object.assign(globalThis, { replay: await surface.begin(JSON.parse(text)) });
    }, text);
    // The clock ran while the page was loading; the vectors begin at 0.
    await site.page.clock.pauseAt(0);
    const chosen = new Map<string, unknown>();
    let now = 0;
    for (const [index, step] of vector.steps.entries()) {
      if (step.at > now) await site.page.clock.runFor(step.at - now);
      now = step.at;
      const name = step.as ?? step.of ?? `#${index}`;
      await frame.evaluate(([step, name]) => replay.take(JSON.parse(step), name), [
        JSON.stringify(step),
        name,
      ] as const);
      const seen = await frame.evaluate(([name, audit]) => replay.look(name, audit), [
        name,
        step.audit !== undefined,
      ] as const);
      if (step.response !== undefined) expect(bind(seen.response, step.response, chosen)).toEqual(step.response);
      if (step.ran !== undefined) expect(seen.ran).toBe(step.ran);
      if (step.audit !== undefined) expect(bind(seen.audit, step.audit, chosen)).toEqual(step.audit);
    }
  });
}

/** What was found, with each value that the implementation may choose named as the vector names it. */
function bind(found: unknown, expected: unknown, chosen: Map<string, unknown>): unknown {
  if (typeof expected === "string" && expected.startsWith("$")) {
    if (!chosen.has(expected)) chosen.set(expected, found);
    expect(found).toEqual(chosen.get(expected));
    return expected;
  }
  if (typeof found !== "object" || found === null || typeof expected !== "object" || expected === null) return found;
  const inside = (name: string) => (expected as Record<string, unknown>)[name];
  if (Array.isArray(found)) return found.map((item, index) => bind(item, inside(`${index}`), chosen));
  return Object.fromEntries(Object.entries(found).map(([name, member]) => [name, bind(member, inside(name), chosen)]));
}
