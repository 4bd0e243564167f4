// What the transport tests run inside their documents, as the global `surface`: both ends, and a kernel that only records.

import type { CoreConnection, CorePort } from "../../../js/transport/core.ts";
import { createListener, type PostMessageListener } from "../../../js/transport/postmessage.ts";
import type { PostMessageOptions } from "../../../js/types.ts";

export { connect } from "../../../js/client.ts";
export * from "./by-hand.ts";
export { createListener };

/** A request the kernel holds until the test answers it. */
interface Held {
  request: unknown;
  reply(text: string): void;
}

/** Records what a transport asks of the kernel. A request whose `capability` is `"echo"` is answered at once. */
export class RecordingCore implements CorePort {
  readonly app: string = "orders";
  readonly pageSessionId: string = "page-session-1";
  readonly sessions: unknown[] = [];
  readonly held: Held[] = [];
  readonly cancelled: number[] = [];
  readonly errors: string[] = [];
  closed = 0;
  readonly #listeners = new Set<() => void>();

  open(session: unknown): CoreConnection {
    this.sessions.push(session);
    return {
      handle: (request, reply) => {
        const handle = this.held.push({ request, reply }) - 1;
        const { id = null, capability, input } = (request ?? {}) as Record<string, unknown>;
        if (capability === "echo") reply(response(id, { output: input }));
        return handle;
      },
      cancel: (handle) => void this.cancelled.push(handle),
      close: () => void this.closed++,
    };
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onError(error: unknown, { provider }: { provider: string }): void {
    this.errors.push(`${provider}: ${error instanceof Error ? error.message : String(error)}`);
  }

  /** As if a declaration came or went. */
  change(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Answers a held request with this result. */
  answer(handle: number, result: unknown): void {
    const held = this.held[handle];
    held?.reply(response((held.request as { id: string }).id, result));
  }
}

function response(id: unknown, result: unknown): string {
  return JSON.stringify({ protocol: "pling.surface/0.1", id, ok: true, result });
}

/** A listener with its recording kernel, left on the global object for the test to look at. */
export interface Side {
  core: RecordingCore;
  listener: PostMessageListener;
  /** What `verifySession` was called with. */
  verified: { origin: string; credential: unknown }[];
}

declare global {
  var side: Side;
}

/** Listens for `origins`; everybody who is listed is verified, unless `verifySession` says otherwise. */
export function serve(
  origins: PostMessageOptions["origins"],
  { verifySession, attach = true }: { verifySession?: PostMessageOptions["verifySession"]; attach?: boolean } = {},
): Side {
  const core = new RecordingCore();
  const verified: Side["verified"] = [];
  const listener = createListener(window, core.app, {
    origins,
    verifySession(info) {
      verified.push(info);
      return verifySession ? verifySession(info) : null;
    },
  });
  if (attach) listener.attach(core);
  globalThis.side = { core, listener, verified };
  return globalThis.side;
}
