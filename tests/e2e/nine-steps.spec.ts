// The nine steps of invoke, seen by what the page's own guards, providers and handlers are called with, in order.

import { expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./page/in-page.ts");

test.use({ entry: "tests/e2e/page/in-page.ts" });

for (const waits of [false, true]) {
  test(`a confirmed row action passes all nine steps in order; guards ${waits ? "wait" : "answer at once"}`, async ({
    site,
  }) => {
    const frame = await site.open(PAGE);
    const log = await frame.evaluate(async (waits) => {
      const log: string[] = [];
      const answer = <T>(name: string, value: T): T => {
        log.push(name);
        return (waits ? Promise.resolve(value) : value) as T;
      };
      const order = { id: "SO-1", status: "pending" };
      const page = await surface.open({
        user: () => {
          log.push("user");
          return "ada";
        },
        rateLimiter: { take: (key) => answer(`limiter ${key}`, { ok: true }) },
        replayGuard: { claim: (session, id) => answer(`guard ${session} ${id.slice(0, 2)}`, true) },
        confirm: async ({ capability, record, binding }) => {
          log.push(`confirm ${capability} ${record?.id} ${binding.argumentsHash.length}`);
          return { approved: true };
        },
        settle: async () => void log.push("settle"),
        audit: ({ outcome }) => void log.push(`audit ${outcome}`),
      });
      page.records("order", {
        get: (id) => answer(`record ${id}`, order),
        id: ({ id }) => id,
        fields: { status: "plain" },
      });
      page.state("filter", () => {
        log.push("state");
        return "";
      });
      page.declare({
        id: "cancel@order",
        description: "Cancel an order.",
        effect: "destructive",
        record: { type: "order" },
        execute: ({ record }, ctx) => {
          log.push(`executor ${record} ${(ctx.record.item as typeof order).status}`);
          order.status = "cancelled";
          return null;
        },
      });
      const session = () => answer("session", surface.session);
      const response = await page.handle(surface.invoke("cancel@order", { record: "SO-1" }), session);
      log.push(`response ${response.ok && "status" in response.result && response.result.status.changed}`);
      await page.close();
      return log;
    }, waits);
    const expected = [
      ...["session", "user"], // 2; 1 and 3 call nothing
      "limiter s-1", // 4
      "guard s-1 r-", // 5; 6 calls nothing
      "record SO-1", // 7a
      "confirm cancel@order SO-1 64", // 7b
      ...["session", "user"], // 7c
      "state", // what `changed` compares with
      "record SO-1", // 7d
      ...(waits ? [] : ["session", "user"]), // 7e; a resolver that answers with promises is not asked again
      "executor SO-1 pending",
      ...["settle", "state", "record SO-1"], // 8
    ];
    expect(log.slice(0, expected.length)).toEqual(expected);
    // 9: neither waits for the other.
    expect(log.slice(expected.length).sort()).toEqual(["audit ok", "response true"]);
  });
}
