// The list of what the page offers: one card per capability, the chosen one opens its form.

import type { CapabilityInfo, DescribeResult, Json } from "pageport/client";
import { el } from "../dom.ts";
import { createForm } from "./form.ts";

type Invoke = (capability: string, input: { [key: string]: Json }) => void;

export class CapabilityList {
  readonly #list: HTMLElement;
  readonly #invoke: Invoke;
  #chosen: string | null = null;
  #drawn = "";

  constructor(list: HTMLElement, invoke: Invoke) {
    this.#list = list;
    this.#invoke = invoke;
  }

  /** Draws the described capabilities; a form being filled in is kept as long as nothing in it is outdated. */
  show({ capabilities = [], capabilityRevision, context }: DescribeResult): void {
    const now = JSON.stringify([capabilityRevision, context.records.map((record) => [record.id, record.offscreen])]);
    if (now === this.#drawn) return;
    this.#drawn = now;
    this.#list.replaceChildren(
      ...capabilities.map((capability) => {
        const form = createForm(capability, context.records, (input) => this.#invoke(capability.id, input));
        return this.#card(capability, form);
      }),
    );
  }

  clear(): void {
    this.#drawn = "";
    this.#list.replaceChildren();
  }

  #card(capability: CapabilityInfo, form: HTMLFormElement): HTMLElement {
    const summary = el(
      "summary",
      {},
      el("code", {}, capability.id),
      el("span", { class: `effect ${capability.effect}` }, capability.effect),
      capability.approval === "none" ? null : el("span", { class: "asks" }, "asks the person"),
    );
    // Details of one name: opening one closes the others.
    const card = el("details", { name: "capability" }, summary, el("p", {}, capability.description), form);
    card.dataset.capability = capability.id;
    card.open = this.#chosen === capability.id;
    card.addEventListener("toggle", () => {
      if (card.open) this.#chosen = capability.id;
      else if (this.#chosen === capability.id) this.#chosen = null;
    });
    return card;
  }
}
