// The one way anything happens to an order: the person's clicks and the agent's calls both end here.

import { SurfaceError } from "pageport";
import { matches } from "../words.ts";
import { type Actor, initialOrders, type Order, type Status } from "./orders.ts";

/** What the table shows and which order is open beside it. */
export interface View {
  readonly query: string;
  readonly status: Status | null;
  readonly open: string | null;
}

export interface Change {
  readonly by: Actor;
  /** The order that was changed; absent when only the view was. */
  readonly order?: string;
}

export class OrderStore {
  readonly #orders = new Map(initialOrders().map((order) => [order.id, order]));
  readonly #listeners = new Set<(change: Change) => void>();
  #view: View = { query: "", status: null, open: null };

  get orders(): readonly Order[] {
    return [...this.#orders.values()];
  }

  get view(): View {
    return this.#view;
  }

  /** The orders that match the current search, in the order they were placed. */
  get shown(): readonly Order[] {
    return this.orders.filter((order) => this.isShown(order));
  }

  isShown(order: Order): boolean {
    const { query, status } = this.#view;
    if (status !== null && order.status !== status) return false;
    return matches(query, [order.id, order.customer, order.place, ...order.items]);
  }

  get(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  count(status: Status | null): number {
    return status === null ? this.#orders.size : this.orders.filter((order) => order.status === status).length;
  }

  search(query: string, status: Status | null, by: Actor): readonly Order[] {
    this.#view = { ...this.#view, query: query.trim(), status };
    this.#tell({ by });
    return this.shown;
  }

  open(id: string, by: Actor): Order {
    const order = this.#need(id);
    this.#view = { ...this.#view, open: order.id };
    this.#tell({ by });
    return order;
  }

  close(by: Actor): void {
    this.#view = { ...this.#view, open: null };
    this.#tell({ by });
  }

  approve(id: string, by: Actor, note = ""): Order {
    const order = this.#need(id);
    if (order.status === "approved") throw refusal("ALREADY_APPROVED", `${id} is already approved`);
    if (order.status === "shipped") throw refusal("ALREADY_SHIPPED", `${id} has left the warehouse`);
    if (order.status === "cancelled") throw refusal("ORDER_CANCELLED", `${id} was cancelled`);
    return this.#change(order, "approved", by, note);
  }

  cancel(id: string, by: Actor, reason = ""): Order {
    const order = this.#need(id);
    if (order.status === "shipped") throw refusal("ALREADY_SHIPPED", `${id} has left the warehouse`);
    if (order.status === "cancelled") throw refusal("ALREADY_CANCELLED", `${id} is already cancelled`);
    return this.#change(order, "cancelled", by, reason);
  }

  /** The shown orders as CSV, without card and phone numbers. */
  exportCsv(): string {
    const rows = this.shown.map((order) => [order.id, order.status, order.placed, order.customer, order.currency]);
    return [["id", "status", "placed", "customer", "currency"], ...rows]
      .map((row) => row.map(quote).join(","))
      .join("\n");
  }

  /** Calls `listener` after every change; the returned function ends that. */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #need(id: string): Order {
    const order = this.#orders.get(id);
    if (order === undefined) throw refusal("ORDER_NOT_FOUND", "there is no order with this id");
    return order;
  }

  #change(order: Order, status: "approved" | "cancelled", by: Actor, note: string): Order {
    const entry = note === "" ? { what: status, by } : { what: status, by, note };
    const changed: Order = { ...order, status, history: [...order.history, entry] };
    this.#orders.set(order.id, changed);
    this.#tell({ by, order: order.id });
    return changed;
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** A business rule said no before anything happened: the person reads the message, the agent also gets the code. */
function refusal(code: string, message: string): SurfaceError {
  return new SurfaceError(code, message, { executed: false });
}

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
