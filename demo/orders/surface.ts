// Everything this page offers to agents, in one place. Copy from here.

import { type AuditEvent, createPage, type Page, type RecordSource } from "pageport";
import type { AssistantAccess, OrdersConfig } from "./access.ts";
import { confirmAgent } from "./confirm.ts";
import { type Actor, type Order, STATUSES } from "./orders.ts";
import type { OrderStore } from "./store.ts";

/** Only the fields named here leave the page, in the form given here. */
function orderRecords(store: OrderStore): RecordSource<Order> {
  return {
    region: "orders.list",
    list: () => store.orders,
    get: (id) => store.get(id),
    id: (order) => order.id,
    visible: (order) => store.isShown(order),
    fields: {
      status: "plain",
      customer: "plain",
      place: "plain",
      placed: "plain",
      total: (order) => ({ amount: order.total, currency: order.currency }),
      items: "plain",
      note: "plain",
      card: "mask",
      phone: "mask",
    },
  };
}

/** What a search or an opened order tells the agent about one order. */
function brief(order: Order) {
  return { id: order.id, status: order.status, customer: order.customer, total: order.total, currency: order.currency };
}

/** What an action tells: the new state, and how often this ever happened to the order. */
function outcome(order: Order) {
  const times = order.history.filter((entry) => entry.what === order.status).length;
  return { id: order.id, status: order.status, times };
}

export async function createSurface(
  store: OrderStore,
  config: OrdersConfig,
  access: AssistantAccess,
  audit: (event: AuditEvent) => void,
): Promise<Page> {
  const page = await createPage({
    app: config.app,
    page: () => ({ title: "Orders", route: "/orders" }),
    user: () => config.user.id,
    listen: access.listen,
    confirm: confirmAgent,
    audit,
  });
  const orders = orderRecords(store);
  const agent = ({ session }: { session: { agentId: string } }): Actor => ({ kind: "agent", name: session.agentId });

  page.region({ id: "orders.list", title: "Order list" });
  page.region({ id: "orders.detail", title: "Open order" });
  page.records("order", orders);
  page.state("filter", () => ({ query: store.view.query, status: store.view.status, shown: store.shown.length }));
  page.state("counts", () => Object.fromEntries(STATUSES.map((status) => [status, store.count(status)])));
  page.object(() => (store.view.open === null ? undefined : { type: "order", id: store.view.open }));
  page.unavailable(() =>
    store.orders
      .filter((order) => order.status === "shipped")
      .map(({ id }) => ({ capability: "cancel@order", record: { type: "order", id }, reason: "already shipped" })),
  );

  page.declare({
    id: "orders.search",
    description: "Filter the order list by words and status. The person sees the same list.",
    effect: "read",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", maxLength: 100, description: "Words in the id, customer, place or items" },
        status: { enum: STATUSES, description: "Only orders in this state" },
        limit: { type: "integer", minimum: 1, maximum: 50, default: 10, description: "Most orders to return" },
      },
      additionalProperties: false,
    },
    execute: ({ query = "", status, limit = 10 }, ctx) => {
      const found = store.search(query, status ?? null, agent(ctx));
      return { found: found.length, orders: found.slice(0, limit).map(brief) };
    },
  });

  page.declare({
    id: "orders.open",
    description: "Open one order in the panel beside the list.",
    effect: "read",
    inputSchema: {
      type: "object",
      properties: { id: { type: "string", minLength: 7, maxLength: 7, description: "Like SO-1002" } },
      required: ["id"],
      additionalProperties: false,
    },
    execute: ({ id }, ctx) => {
      const order = store.open(id, agent(ctx));
      return { ...brief(order), items: order.items, note: order.note };
    },
  });

  page.declare({
    id: "approve@order",
    description: "Approve a pending order, so that the warehouse may pack it.",
    effect: "write",
    // Approving can be undone by cancelling, so this page does not ask the person each time.
    approval: "none",
    record: { type: "order", source: orders },
    inputSchema: {
      type: "object",
      properties: { note: { type: "string", maxLength: 200, description: "Kept in the order's history" } },
      additionalProperties: false,
    },
    execute: ({ note }, ctx) => {
      const order = store.approve(ctx.record.id, agent(ctx), note);
      ctx.feedback({ level: "success", text: `${order.id} is approved` });
      return outcome(order);
    },
  });

  page.declare({
    id: "cancel@order",
    description: "Cancel an order and tell the customer. This cannot be undone.",
    // Destructive: the page asks the person every time, see confirm.ts.
    effect: "destructive",
    record: { type: "order", source: orders },
    inputSchema: {
      type: "object",
      properties: {
        reason: {
          enum: ["customer_request", "duplicate", "out_of_stock", "payment_failed"],
          description: "Why the order is cancelled",
        },
      },
      required: ["reason"],
      additionalProperties: false,
    },
    execute: ({ reason }, ctx) => outcome(store.cancel(ctx.record.id, agent(ctx), reason)),
  });

  page.declare({
    id: "orders.export",
    description: "Return the shown orders as CSV.",
    effect: "read",
    execute: () => ({ csv: store.exportCsv() }),
  });

  return page;
}
