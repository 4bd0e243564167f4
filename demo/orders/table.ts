// The table of orders: one row per order, made once, then only shown, hidden and updated.

import { el } from "../dom.ts";
import { amount, day, pill } from "./format.ts";
import type { Order } from "./orders.ts";
import type { OrderStore } from "./store.ts";

interface Row {
  readonly element: HTMLTableRowElement;
  readonly open: HTMLButtonElement;
  readonly status: HTMLTableCellElement;
}

/** Fills `body` and keeps it in step with the store. `onOpen` runs when the person picks a row. */
export function mountTable(body: HTMLTableSectionElement, store: OrderStore, onOpen: (id: string) => void): void {
  const rows = new Map<string, Row>();
  for (const order of store.orders) {
    const row = createRow(order);
    rows.set(order.id, row);
    body.append(row.element);
    row.element.addEventListener("click", () => onOpen(order.id));
  }

  const update = () => {
    for (const order of store.orders) {
      const row = rows.get(order.id);
      if (row === undefined) continue;
      row.element.hidden = !store.isShown(order);
      row.open.setAttribute("aria-expanded", String(store.view.open === order.id));
      row.element.classList.toggle("open", store.view.open === order.id);
      if (row.element.dataset.status !== order.status) {
        row.element.dataset.status = order.status;
        row.status.replaceChildren(pill(order.status));
      }
    }
  };

  store.subscribe((change) => {
    update();
    if (change.by.kind !== "agent") return;
    const touched = rows.get(change.order ?? store.view.open ?? "")?.element;
    touched?.scrollIntoView({ block: "nearest" });
    if (change.order !== undefined) flash(touched);
  });
  body.addEventListener("keydown", (event) => moveFocus(event, rows));
  update();
}

function createRow(order: Order): Row {
  const open = el("button", { type: "button", class: "id", "aria-controls": "detail" }, order.id);
  const status = el("td", {});
  const element = el(
    "tr",
    { "data-order": order.id },
    el("td", {}, open, el("small", {}, day(order.placed))),
    el("td", {}, el("bdi", {}, order.customer), el("small", {}, el("bdi", {}, order.place))),
    el("td", { class: "number" }, amount(order)),
    status,
  );
  return { element, open, status };
}

/** Marks a row an agent has just changed; the style sheet lets the mark fade. */
function flash(row: HTMLTableRowElement | undefined): void {
  if (row === undefined) return;
  row.classList.remove("touched");
  // Reading a layout value restarts the animation when one row changes twice.
  void row.offsetWidth;
  row.classList.add("touched");
}

/** Up and down walk through the visible rows, as in any list. */
function moveFocus(event: KeyboardEvent, rows: ReadonlyMap<string, Row>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const visible = [...rows.values()].filter((row) => !row.element.hidden);
  const at = visible.findIndex((row) => row.open === document.activeElement);
  if (at < 0) return;
  visible[at + step]?.open.focus();
  event.preventDefault();
}
