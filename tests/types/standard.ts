// An input by a library's schema: the executor gets its output. Compiled only.

import type { Page, StandardSchema } from "pageport";
import { z } from "zod";
import { same } from "./expect.ts";

export function use(page: Page): void {
  page.declare({
    id: "orders.add",
    description: "Adds.",
    effect: "write",
    inputSchema: z.object({ text: z.string(), count: z.coerce.number().default(1) }),
    execute(input, ctx) {
      same<typeof input, { text: string; count: number }>();
      same<typeof ctx.input, { text: string; count: number }>();
      return null;
    },
  });
  const own: StandardSchema<{ made: number }> = {
    "~standard": { version: 1, vendor: "own", validate: () => ({ value: { made: 1 } }) },
  };
  page.declare({
    id: "note@order",
    description: "Notes.",
    effect: "read",
    record: { type: "order" },
    inputSchema: own,
    execute: (input) => same<typeof input, { made: number; record: string }>(),
  });
}
