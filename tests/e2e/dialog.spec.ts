// The built-in dialog: what it says, and that only a person's own click on Approve is a yes (Surface §6).

import { expect, test } from "./dialog/fixture.ts";

test("approved, a call runs once; nothing of the strict policy is broken", async ({ stage }) => {
  await stage.declare({ id: "a.write" });
  await stage.ask("call", "a.write");
  expect(await stage.count()).toBe(1);
  expect(await stage.ran()).toEqual([]);
  await stage.press("Approve");
  expect(await stage.outcome("call")).toBe("did a.write");
  expect(await stage.ran()).toEqual(["a.write"]);
  expect(await stage.count()).toBe(0);
});
