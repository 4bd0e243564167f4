// Asks the person before something that cannot be undone, in a plain <dialog>.
// The page's own words come first; what an agent sent stands below them, always as text.

import type { ConfirmReply, ConfirmRequest } from "pageport";
import { el } from "../dom.ts";

export interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  /** Values that did not come from the page's developer. */
  readonly sent?: { readonly by: string; readonly values: readonly (readonly [name: string, value: string])[] };
}

/** A click this soon after the dialog appeared was meant for something else. */
const SETTLE_MS = 500;
const MAX_SHOWN = 500;

let last: Promise<unknown> = Promise.resolve();

/** Resolves with the person's answer; dialogs come one after another. An aborted `signal` closes the dialog: `false`. */
export function ask(question: Question, signal?: AbortSignal): Promise<boolean> {
  const answer = last.then(() => (signal?.aborted ? false : show(question, signal)));
  last = answer;
  return answer;
}

/** The `confirm` option of the page: the gate in front of `cancel@order`. */
export async function confirmAgent(
  request: ConfirmRequest,
  { signal }: { signal: AbortSignal },
): Promise<ConfirmReply> {
  const values = Object.entries(request.input).map(([name, value]) => {
    return [name, typeof value === "string" ? value : JSON.stringify(value)] as const;
  });
  const approved = await ask(
    {
      title: "Let the assistant do this?",
      text: request.description,
      yes: "Allow once",
      no: "Keep order",
      sent: { by: request.agentId, values },
    },
    signal,
  );
  return { approved };
}

function show(question: Question, signal?: AbortSignal): Promise<boolean> {
  const no = el("button", { type: "button", class: "button", autofocus: "" }, question.no);
  const yes = el("button", { type: "button", class: "button danger", disabled: "" }, question.yes);
  const dialog = el(
    "dialog",
    { class: "confirm", "aria-labelledby": "confirm-title", "aria-describedby": "confirm-text" },
    el("h2", { id: "confirm-title" }, question.title),
    el("p", { id: "confirm-text" }, question.text),
    question.sent === undefined ? null : sentValues(question.sent),
    el("div", { class: "buttons" }, no, yes),
  );
  document.body.append(dialog);
  return new Promise((resolve) => {
    let approved = false;
    const settled = setTimeout(() => yes.removeAttribute("disabled"), SETTLE_MS);
    const close = () => dialog.close();
    // A script can dispatch a click; only the person's own counts.
    yes.addEventListener("click", (event) => {
      if (!event.isTrusted) return;
      approved = true;
      close();
    });
    no.addEventListener("click", close);
    signal?.addEventListener("abort", close);
    dialog.addEventListener("close", () => {
      clearTimeout(settled);
      signal?.removeEventListener("abort", close);
      dialog.remove();
      resolve(approved && !signal?.aborted);
    });
    // Closing a modal dialog gives the focus back to where it was.
    dialog.showModal();
  });
}

function sentValues(sent: NonNullable<Question["sent"]>): HTMLElement {
  const list = el("dl", {});
  for (const [name, value] of sent.values) list.append(el("dt", {}, name), el("dd", {}, el("bdi", {}, visible(value))));
  return el("div", { class: "sent" }, el("p", {}, "Sent by ", el("strong", {}, visible(sent.by)), ":"), list);
}

/** Shortens a value and shows the characters that could disguise it. */
function visible(value: string): string {
  const short = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
  return short.replace(/[\p{Cc}\p{Cf}]/gu, (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`);
}
