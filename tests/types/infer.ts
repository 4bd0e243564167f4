// What `Infer` makes of literal schemas. Compiled only.

import type { Infer, Json, Schema } from "pageport";
import { same } from "./expect.ts";

declare function accepted<const S extends Schema>(schema: S): Infer<S>;

const order = accepted({
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    amount: { type: "number" },
    count: { type: "integer" },
    urgent: { type: "boolean" },
    note: { type: ["string", "null"] },
    kind: { enum: ["new", "used", 3, null] },
    version: { const: 1 },
    tags: { type: "array", items: { type: "string" } },
    anything: {},
    allowed: true,
    address: {
      type: "object",
      properties: { street: { type: "string" }, zip: { type: "string" } },
      required: ["street"],
      additionalProperties: false,
    },
  },
  required: ["name", "kind", "elsewhere"],
});
same<
  typeof order,
  {
    name: string;
    kind: "new" | "used" | 3 | null;
    elsewhere: Json;
    amount?: number;
    count?: number;
    urgent?: boolean;
    note?: string | null;
    version?: 1;
    tags?: string[];
    anything?: Json;
    allowed?: Json;
    address?: { street: string; zip?: string };
  }
>();

// No member at all, any member, members of one type.
const none = accepted({ type: "object", additionalProperties: false });
// biome-ignore lint/complexity/noBannedTypes: an object without members is what is meant
same<typeof none, {}>();
const open = accepted({ type: "object" });
same<typeof open, { [name: string]: Json }>();
const counts = accepted({ type: "object", additionalProperties: { type: "integer" } });
same<typeof counts, { [name: string]: number }>();
const needed = accepted({ type: "object", required: ["id"] });
same<typeof needed, { id: Json }>();

// Named members keep their types beside described others.
const both = accepted({
  type: "object",
  properties: { id: { type: "string" } },
  required: ["id"],
  additionalProperties: { type: "number" },
});
same<typeof both.id, string>();
same<(typeof both)[string], unknown>();

same<Infer<{ type: "array" }>, Json[]>();
same<Infer<{ type: "array"; items: { type: "array"; items: { type: "null" } } }>, null[][]>();
same<Infer<{ type: "array"; prefixItems: [{ type: "string" }] }>, Json[]>();
same<Infer<{ anyOf: readonly [{ type: "string" }, { type: "null" }] }>, string | null>();
same<Infer<{ oneOf: readonly [{ const: 1 }, { type: "boolean" }] }>, 1 | boolean>();
same<Infer<{ type: "string"; anyOf: readonly [{ minLength: 1 }] }>, string>();

// What the schema does not tell is any JSON.
same<Infer<true>, Json>();
same<Infer<{ $ref: "#/$defs/x" }>, Json>();
same<Infer<{ type: string }>, Json>();
same<Infer<Schema>, Json>();

// @ts-expect-error: no such type word
accepted({ type: "objct" });
// @ts-expect-error: a bound is a number
accepted({ type: "object", properties: { n: { type: "number", minimum: "1" } } });
