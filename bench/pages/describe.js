// What a describe costs when there are many records: 64 capabilities, 20 of N records through `page` and `get`.

import { createPage } from "pageport";
import { sessions } from "./payload.js";
import { measure } from "./rounds.js";

const describe = { protocol: "pling.surface/0.1", id: "d", method: "describe" };

async function of(total) {
  const page = await createPage({ app: "bench" });
  for (let number = 0; number < 64; number++) {
    const inputSchema = { type: "object", properties: { text: { type: "string" } }, additionalProperties: false };
    page.declare({ id: `a.b${number}`, description: "Does.", effect: "read", inputSchema, execute: () => null });
  }
  const item = (number) => ({ id: `r-${number}`, name: `record ${number}` });
  page.records("thing", {
    page: (offset, limit) => ({ items: Array.from({ length: limit }, (_, at) => item(offset + at)), total }),
    get: (id) => item(Number(id.slice(2))),
    id: ({ id }) => id,
    fields: { name: "plain" },
  });
  const session = sessions();
  return async () => {
    const { result } = await page.handle(describe, session());
    if (result.context.records.length !== 20 || result.context.totals.records !== total)
      throw new Error("another answer");
  };
}

globalThis.run = async (options) => measure({ "of 100": await of(100), "of 100 000": await of(100_000) }, options);
