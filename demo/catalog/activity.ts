// What programs did on this page. The page script knows nothing of it: its `pageApi` is watched on the way.

import type { OperationContext, PageApi } from "pageport/plugin";
import { el } from "../dom.ts";

const KEPT = 30;

/** Why the host or the page stopped a handler, by the word in its signal's reason. */
const STOPPED: Readonly<Record<string, string>> = {
  cancelled: "cancelled by the caller",
  page_changed: "stopped, the page is another now",
  page_hidden: "stopped, the page was left",
  lost_connection: "stopped, the host went away",
  timed_out: "stopped, it took too long",
};

/** The same `pageApi`, except that each run of a handler is shown in the list, newest first. */
export function watched(pageApi: PageApi, list: HTMLOListElement): PageApi {
  const handle: PageApi["operations"]["handle"] = (id, handler) =>
    pageApi.operations.handle(id, (ctx) => watch(addLine(list, id, ctx), ctx, handler));
  const operations = { value: Object.freeze({ ...pageApi.operations, handle }), enumerable: true };
  return Object.freeze(Object.create(pageApi, { operations }));
}

interface Line {
  /** Shows how far it is. */
  progress(percent: number): void;
  end(tone: "done" | "stopped" | "failed", words: string): void;
}

async function watch(line: Line, ctx: OperationContext, handler: (ctx: OperationContext) => unknown): Promise<unknown> {
  const report: OperationContext["report"] = (...progress) => {
    if (typeof progress[0] === "number") line.progress(progress[0]);
    return ctx.report(...progress);
  };
  const stopped = () => line.end("stopped", STOPPED[ctx.signal.reason.message] ?? "stopped");
  ctx.signal.addEventListener("abort", stopped);
  try {
    const result = await handler(Object.freeze({ ...ctx, report }));
    if (!ctx.signal.aborted) line.end("done", "done");
    return result;
  } catch (error) {
    // The caller is only told that it failed: the reason stays here.
    if (!ctx.signal.aborted) line.end("failed", `failed: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}

function addLine(list: HTMLOListElement, operation: string, ctx: OperationContext): Line {
  const bar = el("progress", { max: "100", "aria-label": `${operation}, percent done` });
  const outcome = el("span", { class: "outcome" }, "running");
  const time = el("time", {}, new Date().toLocaleTimeString("en-GB"));
  const more = ctx.cursor === "" ? "" : ", the next page";
  const input = el("span", { class: "input" }, el("bdi", {}, JSON.stringify(ctx.input)), more);
  const item = el("li", { "data-operation": operation, class: "running" });
  item.append(time, el("code", {}, operation), input, bar, outcome);
  list.prepend(item);
  while (list.children.length > KEPT) list.lastElementChild?.remove();
  return {
    progress: (percent) => {
      bar.value = percent;
      outcome.textContent = `${percent} %`;
    },
    end: (tone, words) => {
      item.className = tone;
      outcome.textContent = words;
      bar.remove();
    },
  };
}
