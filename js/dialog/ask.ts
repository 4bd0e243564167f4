// The built-in dialog, which asks the person where the page brings no `confirm` (Surface §6). Only a person's own click on
// Approve is a yes; whatever else ends it is a no.

import type { ConfirmRequest } from "#wire";
import type { ConfirmReply } from "../types.ts";
import { build } from "./parts.ts";

/** Input this soon after the dialog could be seen was meant for something else. */
const EARLY_MS = 500;

// Pages patch these; the dialog keeps those it began with.
const { apply } = Reflect;
const { showModal, close } = globalThis.HTMLDialogElement?.prototype ?? {};
const { addEventListener: listen } = globalThis.EventTarget?.prototype ?? {};
const { requestAnimationFrame: afterFrame, MutationObserver: Observer } = globalThis;
const targetOf = getter("currentTarget");
const timeOf = getter("timeStamp");

let last: Promise<unknown> = Promise.resolve();

/** Resolves with the person's answer. Dialogs come one after another; an aborted `signal` closes this one. */
export function ask(request: ConfirmRequest, signal: AbortSignal, mayRemember: boolean): Promise<ConfirmReply> {
  const answer = last.then(() => (signal.aborted ? { approved: false } : show(request, signal, mayRemember)));
  last = answer.catch(() => undefined);
  return answer;
}

function show(request: ConfirmRequest, signal: AbortSignal, mayRemember: boolean): Promise<ConfirmReply> {
  const { host, root, dialog, approve, cancel, remember, stops } = build(request, mayRemember);
  return new Promise((resolve) => {
    const before = document.activeElement as HTMLElement | null;
    let seenMs = Number.POSITIVE_INFINITY;
    let isOver = false;
    const end = (approved: boolean) => {
      // The close event comes later, and the signal lives on with the executor: the focus may be elsewhere by then.
      if (isOver) return;
      isOver = true;
      observer.disconnect();
      resolve({ approved, remember: approved && remember?.checked === true });
      // Closing gives the focus back to where it was, but not into a frame, nor once the page has removed the dialog.
      apply(close, dialog, []);
      host.remove();
      if (document.activeElement !== before) before?.focus({ preventScroll: true });
    };
    const deny = () => end(false);
    // A page may get hold of a listener and call it: with no event, with its own, or with another one.
    const isMeant = (event: Event, target: EventTarget) =>
      event.isTrusted && apply(targetOf, event, []) === target && apply(timeOf, event, []) - seenMs >= EARLY_MS;
    const on = (target: EventTarget, type: string, act: (event: Event) => void) => apply(listen, target, [type, act]);
    on(approve, "click", (event) => {
      if (isMeant(event, approve)) end(true);
    });
    on(cancel, "click", (event) => {
      if (isMeant(event, cancel)) deny();
    });
    on(dialog, "close", () => {
      if (!dialog.open) deny();
    });
    on(dialog, "keydown", (event) => {
      const { key, shiftKey, isTrusted } = event as KeyboardEvent;
      if (!isTrusted) return;
      if (key === "Tab") {
        const at = stops.indexOf(root.activeElement as HTMLElement);
        stops.at((at + (shiftKey ? -1 : 1)) % stops.length)?.focus();
      } else if (key !== "Escape") return;
      else if (isMeant(event, dialog)) deny();
      event.preventDefault();
    });
    const observer = new Observer((changes) => {
      const isTaken = ({ removedNodes }: MutationRecord) => [...removedNodes].includes(host);
      if (!host.isConnected || changes.some(isTaken)) deny();
    });
    on(signal, "abort", deny);
    // Beside the body, which frameworks rebuild.
    document.documentElement.append(host);
    observer.observe(document, { childList: true, subtree: true });
    try {
      apply(showModal, dialog, []);
    } catch (error) {
      deny();
      throw error;
    }
    // Not before it is painted, nor in a tab that nobody sees.
    afterFrame((nowMs) => {
      seenMs = nowMs;
    });
  });
}

function getter(name: "currentTarget" | "timeStamp"): (this: Event) => never {
  return Object.getOwnPropertyDescriptor(globalThis.Event?.prototype ?? {}, name)?.get as never;
}
