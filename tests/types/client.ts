// The client's surface and the errors. Compiled only.

import { type PageportError, SurfaceError } from "pageport";
import {
  type CapabilityInfo,
  type Client,
  type ConnectOptions,
  connect,
  type InvokeResult,
  type SurfaceProtocolError,
  type SurfaceResponse,
} from "pageport/client";
import { same } from "./expect.ts";

declare const frame: HTMLIFrameElement;
const connecting = connect(frame, { origin: "https://orders.example", credential: { token: "…" }, timeoutMs: 1000 });
same<typeof connecting, Promise<Client>>();
void connect(window.parent, { origin: "null", app: "orders", signal: new AbortController().signal });

export async function use(client: Client): Promise<void> {
  const description = await client.describe({ limit: 5, records: ["4711", { type: "order", id: "4712" }] });
  same<typeof description.capabilities, CapabilityInfo[]>();
  // @ts-expect-error: the client has applied it
  description.capabilityDelta;
  const result = await client.invoke("orders.search", { text: "x" }, { id: "1", timeoutMs: 5 });
  same<typeof result, InvokeResult>();
  if (result.status.executed === "unknown" && result.error) same<typeof result.error.code, string>();
  same<Awaited<ReturnType<Client["request"]>>, SurfaceResponse>();
  const remove = client.onChanged(() => {});
  remove();
  same<Awaited<typeof client.closed>, { reason: string }>();
}

// @ts-expect-error: an origin is needed
void connect(window, {});
// @ts-expect-error: not a window
void connect("https://orders.example", { origin: "*" });
// @ts-expect-error: no such option
const options: ConnectOptions = { origin: "*", timeout: 5 };
void options;

new SurfaceError("ALREADY_APPROVED", "somebody approved it before", {
  executed: false,
  retryable: false,
  details: { by: 1 },
});
// @ts-expect-error: only `false` can be said
new SurfaceError("ALREADY_APPROVED", "x", { executed: true });
// @ts-expect-error: a message is needed
new SurfaceError("ALREADY_APPROVED");

declare const failure: SurfaceProtocolError;
same<typeof failure.outcome, "not_sent" | "unknown" | undefined>();
same<typeof failure.name, "SurfaceProtocolError">();
declare const defect: PageportError;
same<Extract<typeof defect.code, "CLOSED">, "CLOSED">();
