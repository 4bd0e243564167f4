// Wires the page's HTML to the store: search field, status chips, table, detail panel and messages.

import { el, need } from "../dom.ts";
import { ask } from "./confirm.ts";
import { mountDetail } from "./detail.ts";
import { STATUS_NAMES } from "./format.ts";
import { type Actor, STATUSES, type Status } from "./orders.ts";
import type { OrderStore } from "./store.ts";
import { mountTable } from "./table.ts";

/** Shows the store in the page. Everything the person does goes through the store, as `person`. */
export function mountView(store: OrderStore, person: Actor): void {
  const query = need("#query", HTMLInputElement);
  const message = need("#message", HTMLElement);

  const attempt = (action: () => void) => {
    message.textContent = "";
    try {
      action();
    } catch (error) {
      message.textContent = error instanceof Error ? error.message : String(error);
    }
  };

  query.addEventListener("input", () => store.search(query.value, store.view.status, person));
  need("#export", HTMLButtonElement).addEventListener("click", () => save("orders.csv", store.exportCsv()));

  mountChips(store, person);
  mountTable(need("#rows", HTMLTableSectionElement), store, (id) => attempt(() => store.open(id, person)));
  mountDetail(need("#detail", HTMLElement), store, {
    approve: (order) => attempt(() => store.approve(order.id, person)),
    cancel: async (order) => {
      const sure = await ask({
        title: `Cancel ${order.id}?`,
        text: "The customer is told at once. A cancelled order cannot be brought back.",
        yes: "Cancel order",
        no: "Keep order",
      });
      if (sure) attempt(() => store.cancel(order.id, person));
    },
    close: () => {
      const opened = store.view.open;
      store.close(person);
      document.querySelector<HTMLElement>(`[data-order="${opened}"] .id`)?.focus();
    },
  });

  const update = () => {
    const shown = store.shown.length;
    need("#summary", HTMLElement).textContent = `${shown} of ${store.count(null)} orders`;
    need("#nothing", HTMLElement).hidden = shown > 0;
    // While the person types, the field is ahead of the trimmed query.
    if (query.value.trim() !== store.view.query) query.value = store.view.query;
  };
  store.subscribe(update);
  update();
}

function mountChips(store: OrderStore, person: Actor): void {
  const chips: (readonly [Status | null, HTMLButtonElement, HTMLElement])[] = [null, ...STATUSES].map((status) => {
    const count = el("span", { class: "count" });
    const chip = el(
      "button",
      { type: "button", class: "chip" },
      status === null ? "All" : STATUS_NAMES[status],
      " ",
      count,
    );
    chip.addEventListener("click", () => store.search(store.view.query, status, person));
    return [status, chip, count];
  });
  need("#chips", HTMLElement).append(...chips.map(([, chip]) => chip));
  const update = () => {
    for (const [status, chip, count] of chips) {
      chip.setAttribute("aria-pressed", String(store.view.status === status));
      count.textContent = String(store.count(status));
    }
  };
  store.subscribe(update);
  update();
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  el("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
