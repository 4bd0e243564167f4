// The panel beside the table: one order in full, with the two things a person may do to it.

import { el } from "../dom.ts";
import { amount, day, pill, STATUS_NAMES } from "./format.ts";
import type { HistoryEntry, Order } from "./orders.ts";
import type { OrderStore } from "./store.ts";

export interface DetailActions {
  approve(order: Order): void;
  cancel(order: Order): void;
  close(): void;
}

/** Shows the store's open order in `panel`; the panel is rebuilt only when that order changed. */
export function mountDetail(panel: HTMLElement, store: OrderStore, actions: DetailActions): void {
  let drawn: Order | null | undefined;
  const update = () => {
    const order = store.view.open === null ? null : (store.get(store.view.open) ?? null);
    if (order === drawn) return;
    drawn = order;
    const hadFocus = panel.contains(document.activeElement);
    panel.replaceChildren(...(order === null ? [emptyPanel()] : orderPanel(order, actions)));
    // The button that was pressed may be gone; the heading is what a screen reader should say next.
    if (hadFocus) panel.querySelector<HTMLElement>("h2")?.focus();
  };
  store.subscribe(update);
  update();
}

function emptyPanel(): HTMLElement {
  return el("p", { class: "empty" }, "Choose an order to see it here.");
}

function orderPanel(order: Order, actions: DetailActions): HTMLElement[] {
  const close = el("button", { type: "button", class: "close", "aria-label": "Close this order" }, "×");
  close.addEventListener("click", () => actions.close());
  return [
    el("header", {}, el("h2", { tabindex: "-1" }, order.id), pill(order.status), close),
    el("p", { class: "customer" }, el("bdi", {}, order.customer), el("small", {}, el("bdi", {}, order.place))),
    el("p", { class: "total" }, amount(order)),
    el(
      "dl",
      {},
      ...pair("Placed", day(order.placed)),
      ...pair("Card", `•••• ${order.card.slice(-4)}`),
      ...pair("Phone", order.phone),
    ),
    el("ul", { class: "items" }, ...order.items.map((item) => el("li", {}, item))),
    el("h3", {}, "Customer's note"),
    order.note === "" ? el("p", { class: "empty" }, "None.") : el("blockquote", { dir: "auto" }, order.note),
    buttons(order, actions),
    el("h3", {}, "History"),
    el("ol", { class: "history" }, ...order.history.map(historyLine)),
  ];
}

function pair(name: string, value: string): HTMLElement[] {
  return [el("dt", {}, name), el("dd", {}, value)];
}

function buttons(order: Order, actions: DetailActions): HTMLElement {
  const approve = el("button", { type: "button", class: "button primary" }, "Approve");
  const cancel = el("button", { type: "button", class: "button danger" }, "Cancel order…");
  approve.disabled = order.status !== "pending";
  cancel.disabled = order.status === "shipped" || order.status === "cancelled";
  approve.addEventListener("click", () => actions.approve(order));
  cancel.addEventListener("click", () => actions.cancel(order));
  return el("div", { class: "buttons" }, approve, cancel);
}

function historyLine(entry: HistoryEntry): HTMLElement {
  const name = entry.what === "placed" ? "Placed" : STATUS_NAMES[entry.what];
  return el(
    "li",
    { "data-what": entry.what },
    el("strong", {}, name),
    ` by ${entry.by.name}`,
    entry.by.kind === "agent" ? el("span", { class: "agent" }, "agent") : null,
    entry.note === undefined ? null : el("small", {}, el("bdi", {}, entry.note)),
  );
}
