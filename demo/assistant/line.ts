// The assistant's line to the page: every envelope that goes out or comes back passes here and is told to a listener.

import { type Client, connect, type SurfaceResponse } from "pageport/client";

/** The page may still be loading when this frame is ready. */
const CONNECT_MS = 20_000;

/** What this frame's own server told it, see `demo/server.mjs`. */
export interface AssistantConfig {
  /** The page to talk to. The origin comes from our server, never from the page that embeds this frame. */
  readonly page: { readonly origin: string; readonly app: string };
  readonly credential: string;
  /** An id this assistant was not granted, to show what the page answers. */
  readonly probe: string;
}

export interface Envelope {
  readonly protocol: "pling.surface/0.1";
  readonly id: string;
  readonly method: "describe" | "invoke";
  readonly capability?: string;
  readonly input?: object;
}

/** One envelope and what became of it. */
export interface Exchange {
  readonly request: Envelope;
  /** Resolves with the response; rejects when the connection ended before there was one. */
  readonly response: Promise<SurfaceResponse>;
}

export class Line {
  readonly #client: Client;
  readonly #listener: (exchange: Exchange) => void;

  private constructor(client: Client, listener: (exchange: Exchange) => void) {
    this.#client = client;
    this.#listener = listener;
  }

  /** Connects to the page around this frame. `listener` sees each exchange when it is sent. */
  static async open({ page, credential }: AssistantConfig, listener: (exchange: Exchange) => void): Promise<Line> {
    return new Line(await connect(window.parent, { ...page, credential, timeoutMs: CONNECT_MS }), listener);
  }

  /** Sends one envelope as it is. A used id may be sent again: that is how a replay looks. */
  send(request: Envelope): Promise<SurfaceResponse> {
    const response = this.#client.request(request);
    this.#listener({ request, response });
    return response;
  }

  describe(): Promise<SurfaceResponse> {
    return this.send({ ...head(), method: "describe", input: { limit: 100 } });
  }

  invoke(capability: string, input: object): Promise<SurfaceResponse> {
    return this.send({ ...head(), method: "invoke", capability, input });
  }

  onChanged(listener: () => void): void {
    this.#client.onChanged(listener);
  }

  close(): void {
    this.#client.close();
  }

  get closed(): Promise<{ reason: string }> {
    return this.#client.closed;
  }
}

function head() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  const id = `a-${btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")}`;
  return { protocol: "pling.surface/0.1", id } as const;
}
