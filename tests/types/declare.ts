// What executors are given, as `declare` infers it. Compiled only.

import type { Capability, InvokeContext, Json, Page, RecordSource, Session, SurfaceResponse } from "pageport";
import { same } from "./expect.ts";

declare const page: Page;
interface Order {
  id: string;
  total: number;
}
declare const orders: RecordSource<Order>;

const remove = page.declare({
  id: "orders.search",
  description: "Search the orders",
  effect: "read",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string" }, page: { type: "integer" } },
    required: ["text"],
  },
  execute(input, ctx) {
    same<typeof input, { text: string; page?: number }>();
    same<typeof ctx.input, typeof input>();
    same<typeof ctx.record, undefined>();
    same<typeof ctx.signal, AbortSignal>();
    return { found: input.text.length };
  },
});
same<typeof remove, () => void>();

// Without a schema there is no input.
page.declare({
  id: "orders.refresh",
  description: "Load the orders again",
  effect: "read",
  execute: (input) => {
    same<keyof typeof input, never>();
  },
});

// A row action gets the record's id as `record`, and the item its source yields.
page.declare({
  id: "approve@order",
  description: "Approve an order",
  effect: "write",
  record: { type: "order", source: orders },
  inputSchema: { type: "object", properties: { note: { type: "string" } }, additionalProperties: false },
  async execute(input, { record, session, changed, feedback, checkSession, approval }) {
    same<typeof input, { record: string; note?: string }>();
    same<typeof record.item, Order>();
    same<typeof record.type, "order">();
    same<typeof session.agentId, string>();
    await checkSession();
    changed(true);
    feedback({ level: "success", text: "Approved" });
    same<NonNullable<typeof approval>["receipt"], string | { readonly [key: string]: Json } | undefined>();
  },
  expect: ({ output, record, input }) => {
    same<typeof output, Json>();
    same<typeof record.item, Order>();
    return input.record === record.id;
  },
});

// The parameter may have another name; without a source nothing is known of the item.
page.declare({
  id: "open@order",
  description: "Show an order",
  effect: "read",
  record: { type: "order", param: "orderId" },
  execute(input, ctx) {
    same<typeof input, { orderId: string }>();
    same<typeof ctx.record.item, unknown>();
  },
});

// The named types work on their own.
declare const capability: Capability<{ type: "object"; properties: { a: { type: "number" } }; required: ["a"] }, Order>;
declare const context: InvokeContext<{ type: "object"; properties: { a: { type: "number" } }; required: ["a"] }, Order>;
same<typeof capability.id, string>();
same<typeof context.input, { a: number }>();
same<NonNullable<typeof context.record>["item"], Order>();

page.records("order", orders);
page.records("order", {
  id: (order: Order) => order.id,
  list: () => [],
  fields: {
    total: "plain",
    id: "ref",
    code: { value: (order) => order.id, show: "mask" },
    double: (order) => order.total * 2,
  },
});

declare const session: Session;
const answer: Promise<SurfaceResponse> = page.handle("{}", session, { transport: "mcp" });
page.handle({}, async () => null);
page.handle({}, null);
void answer.then((response) => {
  if (response.ok) same<typeof response.protocol, "pling.surface/0.1">();
  else same<typeof response.error.retryable, boolean>();
});

// Optional members of a session may also be null.
const short: Session = { agentId: "a", sessionId: "s", userId: "u", expiresAt: 1, scope: ["*"] };
const long: Session = { ...short, delegationId: null, revokedAt: null };
void long;

const listener = page.listen({
  origins: ["https://assistant.example", { origin: "null", source: () => null }],
  verifySession({ origin, credential }) {
    same<typeof origin, string>();
    same<typeof credential, Json | undefined>();
    return async () => session;
  },
});
listener.close();

// @ts-expect-error: an effect is needed
page.declare({ id: "x", description: "x", execute() {} });
// @ts-expect-error: not an effect
page.declare({ id: "x", description: "x", effect: "erase", execute() {} });
const text = { type: "object", properties: { text: { type: "string" } } } as const;
// @ts-expect-error: not what `text` is
page.declare({ id: "x", description: "x", effect: "read", inputSchema: text, execute: (_: { text?: number }) => 1 });
page.declare({ id: "x", description: "x", effect: "read", inputSchema: text, execute: (_: { text?: string }) => 1 });
// @ts-expect-error: the fields say what leaves the page
page.records("order", { id: (order: Order) => order.id, list: () => [] });
// @ts-expect-error: a session needs its scope
page.handle({}, { agentId: "a", sessionId: "s", userId: "u", expiresAt: 1 });
// @ts-expect-error: an entry is an origin or an object
page.listen({ origins: [5], verifySession: () => null });
