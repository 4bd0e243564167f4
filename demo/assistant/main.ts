// The assistant: a stand-in for a model, driven by hand. It knows the protocol and nothing about the page around it.

import { need } from "../dom.ts";
import { CapabilityList } from "./capabilities.ts";
import { type AssistantConfig, type Envelope, type Exchange, Line } from "./line.ts";
import { logExchange } from "./log.ts";

const button = (id: string) => need(`#${id}`, HTMLButtonElement);
const config: Promise<AssistantConfig> = fetch("/config.json").then((response) => response.json());
const capabilities = new CapabilityList(need("#capabilities", HTMLElement), (id, input) => {
  send((line) => line.invoke(id, input));
});

let line: Line | null = null;
let lastInvoke: Envelope | null = null;

/** Sends something, if there is a line. A call that gets no answer stands in the log as lost. */
function send(call: (line: Line) => Promise<unknown>): void {
  if (line !== null) call(line).catch(() => undefined);
}

async function open(): Promise<void> {
  line?.close();
  line = null;
  say("connecting", "connecting…");
  const opened = await Line.open(await config, watch);
  line = opened;
  opened.onChanged(() => send(refresh));
  void opened.closed.then(({ reason }) => {
    if (line !== opened) return;
    line = null;
    end(`closed: ${reason}`);
  });
  await refresh(opened);
}

function watch(exchange: Exchange): void {
  if (exchange.request.method === "invoke") lastInvoke = exchange.request;
  button("replay").disabled = lastInvoke === null;
  logExchange(need("#log", HTMLElement), exchange);
}

async function refresh(opened: Line): Promise<void> {
  const response = await opened.describe();
  if (!response.ok) {
    // The session is over; other refusals, such as the rate limit, pass.
    if (response.error.code.startsWith("SESSION_")) end(response.error.code);
  } else if ("capabilityRevision" in response.result) {
    const { page, session } = response.result;
    capabilities.show(response.result);
    say("open", `${session.agentId} on “${page.title}”`);
  }
}

function end(reason: string): void {
  capabilities.clear();
  say("ended", reason);
}

function say(state: "connecting" | "open" | "ended", text: string): void {
  need("#connection", HTMLElement).dataset.state = state;
  need("#connection-text", HTMLElement).textContent = text;
  button("reconnect").hidden = state !== "ended";
  for (const id of ["describe", "probe"]) button(id).disabled = state !== "open";
}

function start(): void {
  open().catch((error: unknown) => end(error instanceof Error ? error.message : String(error)));
}

button("describe").addEventListener("click", () => send(refresh));
button("replay").addEventListener("click", () => send(async (to) => lastInvoke && to.send(lastInvoke)));
button("reconnect").addEventListener("click", start);
need("#probe-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  send((to) => to.invoke(need("#probe-id", HTMLInputElement).value, {}));
});
// A page that comes back from the back-forward cache has lost its line.
window.addEventListener("pageshow", (event) => event.persisted && start());

void config.then(({ probe }) => {
  need("#probe-id", HTMLInputElement).value = probe;
});
start();
