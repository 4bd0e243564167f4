// The seam between a transport and the kernel: a transport frames and verifies, the kernel decides.

import type { SessionSource } from "../types.ts";

/** One verified caller. The kernel counts its unanswered requests and holds its session. */
export interface CoreConnection {
  /**
   * Runs one request, already parsed from the frame text; the kernel walks it without copying.
   *
   * `reply` is called exactly once, perhaps before this returns, with the response as JSON text. Never throws.
   * Returns a handle for {@link CoreConnection.cancel}.
   */
  handle(request: unknown, reply: (responseText: string) => void): number;
  /** The caller no longer waits; a call before step 7e ends as `CANCELLED`. An old handle does nothing. */
  cancel(handle: number): void;
  /**
   * The caller is gone: its dialogs close, its calls before step 7e are cancelled, a started executor goes on.
   * Late replies are allowed and dropped.
   */
  close(): void;
}

/** What a transport needs to know of a page. */
export interface CorePort {
  /** `PageOptions.app`. */
  readonly app: string;
  /** This document, anew with every load. */
  readonly pageSessionId: string;
  /** Opens a connection; the kernel resolves `session` at steps 2 and 7c. Throws when the page is closed. */
  open(session: SessionSource, transport: "postmessage"): CoreConnection;
  /** Tells when the declarations changed; returns the remover. */
  onChanged(listener: () => void): () => void;
  /** Takes what page code threw at a transport. Never throws. */
  onError(error: unknown, info: { provider: string }): void;
}
