// How amounts, dates and states read on the page.

import { el } from "../dom.ts";
import type { Order, Status } from "./orders.ts";

// One fixed language: the page reads the same on every machine.
const LANGUAGE = "en-GB";

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  pending: "Pending",
  approved: "Approved",
  shipped: "Shipped",
  cancelled: "Cancelled",
};

export function amount(order: Order): string {
  return new Intl.NumberFormat(LANGUAGE, {
    style: "currency",
    currency: order.currency,
    currencyDisplay: "code",
  }).format(order.total);
}

export function day(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(LANGUAGE, {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
}

export function pill(status: Status): HTMLElement {
  return el("span", { class: `pill ${status}` }, STATUS_NAMES[status]);
}
