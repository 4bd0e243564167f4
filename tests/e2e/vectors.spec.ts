// Replays tests/vectors/surface in the browser, on the built package; the clock is the test's.

import { readdirSync, readFileSync } from "node:fs";
import { expand } from "../../scripts/test/expand.mjs";
import { expect, PAGE, test } from "./postmessage/site.ts";
import type { Step, Vector } from "./vectors/format.ts";

declare const surface: typeof import("./vectors/in-page.ts");
declare const replay: import("./vectors/in-page.ts").Replay;

test.use({ entry: "tests/e2e/vectors/in-page.ts" });

const folder = "tests/vectors/surface";
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

test("there are vectors", () => {
  expect(files.length).toBeGreaterThan(0);
});

for (const file of files) {
  const vector = expand(JSON.parse(readFileSync(`${folder}/${file}`, "utf8"))) as Vector;
  test(`${file}: ${vector.behaviour}`, async ({ site }) => {
    await site.page.clock.install({ time: -60_000 });
    const frame = await site.open(PAGE);
    await frame.evaluate(async (text) => {
      Object.assign(globalThis, { replay: await surface.begin(JSON.parse(text)) });
    }, JSON.stringify(vector));
    // The clock ran while the page was loading; the vectors begin at 0.
    await site.page.clock.pauseAt(0);
    const chosen = new Map<string, unknown>();
    let now = 0;
    for (const [index, step] of vector.steps.entries()) {
      if (step.at > now) await site.page.clock.runFor(step.at - now);
      now = step.at;
      if (step.clock !== undefined) await site.page.clock.setSystemTime(step.clock);
      const name = step.as ?? step.of ?? `#${index}`;
      const wants = (["audit", "calls", "errors"] as const).filter((list) => step[list] !== undefined);
      const seen = await frame.evaluate(
        ([step, name, wants]) => {
          replay.take(JSON.parse(step), name);
          return replay.look(name, wants);
        },
        [JSON.stringify(named(step, chosen)), name, wants] as const,
      );
      compare(step, seen, chosen, `step ${index}`);
    }
    expect(await frame.evaluate(() => replay.left())).toEqual([]);
  });
}

function compare(step: Step, seen: import("./vectors/in-page.ts").Seen, chosen: Map<string, unknown>, name: string) {
  const same = (found: unknown, expected: unknown) => expect(bind(found, expected, chosen), name).toEqual(expected);
  for (const member of ["response", "ran", "aborted", "audit", "calls", "errors"] as const) {
    if (step[member] !== undefined) same(seen[member], step[member]);
  }
  for (const [pointer, expected] of Object.entries(step.look ?? {})) {
    const found = at(seen.response, pointer);
    if (expected === "$none") expect(found, `${name}, ${pointer}`).toBe(undefined);
    else same(found, expected);
  }
  expect(seen.refused?.code, `${name}: ${seen.refused?.message}`).toBe(step.refused?.code);
  if (step.refused?.names !== undefined) expect(seen.refused?.message, name).toContain(step.refused.names);
}

/** What a JSON Pointer leads to. */
function at(value: unknown, pointer: string): unknown {
  const names = pointer.split("/").slice(1);
  const plain = (name: string) => name.replaceAll("~1", "/").replaceAll("~0", "~");
  return names.reduce((place, name) => (place as Record<string, unknown> | undefined)?.[plain(name)], value);
}

/** The value with what was chosen in place of each name that stands for something by now. */
function named(value: unknown, chosen: Map<string, unknown>): unknown {
  if (typeof value === "string") return chosen.has(value) ? chosen.get(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => named(item, chosen));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, named(member, chosen)]));
}

/** What was found, with each value that the implementation may choose named as the vector names it, each another. */
function bind(found: unknown, expected: unknown, chosen: Map<string, unknown>): unknown {
  if (typeof expected === "string" && expected.startsWith("$")) {
    if (!chosen.has(expected)) {
      expect([...chosen.values()], `another value than the other names have: ${expected}`).not.toContainEqual(found);
      chosen.set(expected, found);
    }
    expect(found).toEqual(chosen.get(expected));
    return expected;
  }
  if (typeof found !== "object" || found === null || typeof expected !== "object" || expected === null) return found;
  const inside = (name: string) => (expected as Record<string, unknown>)[name];
  if (Array.isArray(found)) return found.map((item, index) => bind(item, inside(`${index}`), chosen));
  return Object.fromEntries(Object.entries(found).map(([name, member]) => [name, bind(member, inside(name), chosen)]));
}
