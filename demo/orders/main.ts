// Starts the orders page: its own view first, then what it offers to agents.

import { need } from "../dom.ts";
import { AssistantAccess, type OrdersConfig } from "./access.ts";
import { showActivity } from "./activity.ts";
import type { Actor } from "./orders.ts";
import { OrderStore } from "./store.ts";
import { createSurface } from "./surface.ts";
import { mountView } from "./view.ts";

async function start(): Promise<void> {
  const config: OrdersConfig = await (await fetch("/config.json")).json();
  const store = new OrderStore();
  const access = new AssistantAccess(config);
  const person: Actor = { kind: "person", name: config.user.name };

  need("#user", HTMLElement).textContent = config.user.name;
  mountView(store, person);

  const allow = need("#allow", HTMLInputElement);
  allow.addEventListener("change", () => access.allow(allow.checked));

  const activity = need("#activity", HTMLOListElement);
  const surface = createSurface(store, config, access, (event) => showActivity(activity, event));
  // The page listens already; the assistant may load while the kernel does.
  need("#assistant", HTMLIFrameElement).src = config.assistant.url;
  await surface;
  document.documentElement.dataset.surface = "ready";
}

start().catch((error: unknown) => {
  console.error(error);
  need("#message", HTMLElement).textContent = `The assistant cannot be offered: ${String(error)}`;
});
