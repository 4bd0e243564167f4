// What happens to the document: it navigates, is hidden, left, shown again, and comes online (Operations §1, §3).

import { bare } from "../define.ts";
import { Controller, setTimer } from "./platform.ts";

/** What is told. */
export interface Watcher {
  navigated(): void;
  hidden(): void;
  leave(persisted: boolean): void;
  shown(): void;
  wake(): void;
  /** The document was to go and stays. */
  stayed(): void;
}

/** When a document that said goodbye is still there, it was no goodbye. */
const STILL_HERE_MS = 1_000;

/** Watches until the returned function is called. */
export function watch(watcher: Watcher): () => void {
  const controller = new Controller();
  const { signal } = controller;
  const on = (target: EventTarget, type: string, listener: (event: Event) => void, capture = false) =>
    target.addEventListener(type, listener, bare({ capture, signal }));

  // Handlers that stop at once settle between the first listener and the last.
  on(window, "pagehide", () => watcher.hidden(), true);
  on(window, "pagehide", (event) => {
    watcher.leave((event as PageTransitionEvent).persisted);
    setTimer(() => signal.aborted || watcher.wake(), STILL_HERE_MS);
  });
  on(document, "freeze", () => watcher.hidden(), true);
  on(document, "freeze", () => watcher.leave(true));
  on(document, "resume", () => watcher.shown());
  on(window, "pageshow", () => watcher.shown());
  on(window, "online", () => watcher.wake());
  on(document, "visibilitychange", () => document.visibilityState === "visible" && watcher.wake());

  const undo = watchNavigation(on, watcher);
  return () => {
    controller.abort();
    undo();
  };
}

type On = (target: EventTarget, type: string, listener: () => void) => void;

function watchNavigation(on: On, watcher: Watcher): () => void {
  const { navigation } = window as unknown as { navigation?: unknown };
  const navigated = () => watcher.navigated();
  // Scripts have a variable of that name, and documents an element.
  if (navigation instanceof EventTarget && "currentEntry" in navigation) {
    on(navigation, "currententrychange", navigated);
    on(navigation, "navigateerror", () => watcher.stayed());
    on(navigation, "navigatesuccess", () => watcher.stayed());
    return () => undefined;
  }
  on(window, "popstate", navigated);
  on(window, "hashchange", navigated);
  const undos = (["pushState", "replaceState"] as const).map((name) => {
    const original = history[name];
    const wrapped: History["pushState"] = function (this: History, ...parameters) {
      original.apply(this, parameters);
      navigated();
    };
    history[name] = wrapped;
    return () => {
      // Whoever wrapped it after us keeps what they have.
      if (history[name] === wrapped) history[name] = original;
    };
  });
  return () => {
    for (const undo of undos) undo();
  };
}
