// The log of envelopes: request and response as they went over the line, newest first.

import type { SurfaceResponse } from "pageport/client";
import { el } from "../dom.ts";
import { jsonView } from "./json.ts";
import type { Exchange } from "./line.ts";

const KEPT = 40;

/** Adds a card for `exchange` and completes it when the response is there. */
export function logExchange(list: HTMLElement, { request, response }: Exchange): void {
  const chips = el("span", { class: "chips" }, chip("…", "waiting"));
  const answer = el("details", {}, el("summary", {}, "response"));
  const asked = el("details", {}, el("summary", {}, "request"), jsonView({ ...request }));
  const card = el(
    "li",
    { class: "exchange", "data-call": request.capability ?? request.method, "data-state": "waiting" },
    el("header", {}, el("code", {}, request.capability ?? request.method), chips),
    asked,
    answer,
  );
  asked.open = request.method === "invoke";
  list.prepend(card);
  while (list.children.length > KEPT) list.lastElementChild?.remove();

  const sent = performance.now();
  response.then(
    (envelope) => {
      const took = `${(performance.now() - sent).toFixed(1)} ms`;
      chips.replaceChildren(...statusChips(envelope), el("small", {}, took));
      answer.append(jsonView(envelope));
      answer.open = request.method === "invoke";
      card.dataset.state = "answered";
    },
    (error: unknown) => {
      chips.replaceChildren(chip(error instanceof Error ? error.message : String(error), "bad"));
      card.dataset.state = "lost";
    },
  );
}

/** Accepted, executed and changed are three different facts; an error code is the fourth. */
function statusChips(response: SurfaceResponse): HTMLElement[] {
  if (!response.ok) return [chip(response.error.code, "bad")];
  if (!("status" in response.result)) return [chip("ok", "good")];
  const { status, error } = response.result;
  const facts = (["accepted", "executed", "changed"] as const).map((fact) => {
    const value = status[fact];
    return chip(value === true ? fact : value === false ? `not ${fact}` : `${fact}?`, value === true ? "good" : "idle");
  });
  return error === undefined ? facts : [chip(error.code, "warn"), ...facts];
}

function chip(text: string, tone: "good" | "bad" | "warn" | "idle" | "waiting"): HTMLElement {
  return el("span", { class: `mark ${tone}` }, text);
}
