// Decides what the assistant may do here, and lets the person end that at any time.

import type { PostMessageOptions, Session } from "pageport";

/** What this page's own server told it, see `demo/server.mjs`. */
export interface OrdersConfig {
  readonly app: string;
  readonly user: { readonly id: string; readonly name: string };
  readonly assistant: {
    readonly url: string;
    readonly origin: string;
    readonly agentId: string;
    readonly ticket: string;
  };
}

/** `orders.export` is declared, but not in here: the assistant can neither see nor run it. */
const SCOPE = ["orders.search", "orders.open", "approve@order", "cancel@order"];
const HOUR_MS = 60 * 60 * 1000;

export class AssistantAccess {
  readonly #config: OrdersConfig;
  #allowed = true;
  #revocation: { at?: number } = {};

  constructor(config: OrdersConfig) {
    this.#config = config;
  }

  /** Off ends every session there is and refuses new ones; on lets the assistant connect again. */
  allow(allowed: boolean): void {
    this.#allowed = allowed;
    if (allowed) this.#revocation = {};
    else this.#revocation.at = Date.now();
  }

  /** The `listen` option of the page: one exact origin, and who is behind it. */
  get listen(): PostMessageOptions {
    const { user, assistant } = this.#config;
    return {
      origins: [assistant.origin],
      // A real app sends `origin` and `credential` to its backend here, and the backend answers with the session it
      // grants. This demo has no backend: it compares the ticket that its two servers agreed on when they started.
      verifySession: ({ credential }) => {
        if (!this.#allowed || credential !== assistant.ticket) return null;
        const session: Session = {
          agentId: assistant.agentId,
          sessionId: randomId(),
          userId: user.id,
          expiresAt: Date.now() + HOUR_MS,
          scope: SCOPE,
        };
        const revocation = this.#revocation;
        // A resolver instead of a value: it is asked again before anything runs, so "off" holds at once.
        return () => (revocation.at === undefined ? session : { ...session, revokedAt: revocation.at });
      },
    };
  }
}

function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
