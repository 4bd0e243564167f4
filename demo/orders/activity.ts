// The strip under the table: what the assistant asked for, as the page's audit saw it.

import type { AuditEvent } from "pageport";
import { el } from "../dom.ts";

const KEPT = 50;

const OUTCOMES: Readonly<Record<AuditEvent["outcome"], string>> = {
  ok: "ok",
  execution_error: "not done",
  protocol_error: "refused",
};

/** Adds one line per audit event, newest first. The events carry no arguments and no record content. */
export function showActivity(list: HTMLOListElement, event: AuditEvent): void {
  const time = new Date(event.at).toLocaleTimeString("en-GB");
  list.prepend(
    el(
      "li",
      { class: event.outcome },
      el("time", {}, time),
      el("strong", {}, event.agentId ?? "unknown caller"),
      el("code", {}, event.capability ?? event.method),
      el("span", { class: "outcome" }, event.code ?? OUTCOMES[event.outcome]),
    ),
  );
  while (list.children.length > KEPT) list.lastElementChild?.remove();
}
