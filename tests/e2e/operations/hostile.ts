// A host that speaks the bridge as a test wants it, right or wrong. Whatever a test does not replace is answered well.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Body = Record<string, unknown>;

/** What a call is answered with; `"hang"` is nothing, ever. */
export type Reply = Answer | "hang" | ((response: ServerResponse) => void);

interface Answer {
  status?: number;
  body: unknown;
}

export const done = (data: unknown = null): Answer => ({ body: { ok: true, data } });
export const refused = (status: number, code: string, more: object = {}): Answer => ({
  status,
  body: { ok: false, error: { code, message: `because of ${code}`, ...more } },
});

/** 32 hex digits. */
export const id = (number: number) => number.toString(16).padStart(32, "0");

const claim = { input: {}, cursor: "", limit: 20, reloadCount: 0, allowReload: false, remainingMs: 60_000 };

export class HostileHost {
  /** Every call in the order of its arrival, those inside `/calls` one by one. */
  readonly calls: { call: string; body: Body }[] = [];
  /** The streams that were asked for: their `Last-Event-ID`. */
  readonly streams: (string | undefined)[] = [];
  /** Preflights, by path, and the headers of everything else. */
  readonly preflights = new Map<string, number>();
  readonly headers: { call: string; headers: IncomingMessage["headers"] }[] = [];
  /** Requests under way, by path. */
  readonly open = new Map<string, number>();
  /** What a test replaces. */
  readonly replies: { [call: string]: (body: Body, response: ServerResponse) => Reply } = {};
  readonly #server: Server = createServer((request, response) => void this.#take(request, response));
  #stream: ServerResponse | undefined;
  #sessions = 0;
  #numbers = 0;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get endpoint(): { url: string; credential: string } {
    const { port } = this.#server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/bridge/v1`, credential: `probe~1~${"x".repeat(43)}` };
  }

  /** How often a call arrived. */
  count(call: string): number {
    return this.bodies(call).length;
  }

  bodies(call: string): Body[] {
    return this.calls.filter((known) => known.call === call).map(({ body }) => body);
  }

  /** Writes to the stream, as it is. */
  write(part: string | Uint8Array): void {
    this.#stream?.write(part);
  }

  /** Sends an event with the next number, with this one, or without any. */
  event(data: unknown, number: number | null = ++this.#numbers): void {
    this.write(`${number === null ? "" : `id: ${number}\n`}data: ${JSON.stringify(data)}\n\n`);
  }

  /** Asks for an execution, 32 hex digits from its number. */
  invoke(number: number, operationId = "echo", more: object = {}): void {
    this.event(invocation(number, operationId, more));
  }

  endStream(): void {
    this.#stream?.end();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("access-control-allow-origin", request.headers.origin ?? "*");
    response.setHeader("access-control-allow-headers", "authorization, content-type, last-event-id");
    response.setHeader("access-control-max-age", "7200");
    const call = request.url?.replace("/bridge/v1/", "") ?? "";
    if (request.method === "OPTIONS") {
      this.preflights.set(call, (this.preflights.get(call) ?? 0) + 1);
      response.writeHead(204).end();
      return;
    }
    this.headers.push({ call, headers: request.headers });
    this.#hold(call, response);
    let text = "";
    for await (const part of request) text += part;
    if (call === "events") return this.#answerStream(request, response);
    const body: Body = text === "" ? {} : JSON.parse(text);
    if (call !== "calls") return answer(response, this.#reply(call, body, response));
    const entries = body.calls as ({ call: string } & Body)[];
    const replies = entries.map(({ call, ...body }) => this.#reply(call, body, response));
    if (replies.includes("hang")) return;
    answer(response, done(replies.map((reply) => (reply as Answer).body)));
  }

  #hold(call: string, response: ServerResponse): void {
    this.open.set(call, (this.open.get(call) ?? 0) + 1);
    response.once("close", () => this.open.set(call, (this.open.get(call) ?? 0) - 1));
  }

  #answerStream(request: IncomingMessage, response: ServerResponse): void {
    this.streams.push(request.headers["last-event-id"] as string | undefined);
    const reply = this.replies.events?.({}, response);
    if (reply !== undefined) {
      answer(response, reply);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": hello\n\n");
    this.#stream = response;
  }

  #reply(call: string, body: Body, response: ServerResponse): Reply {
    this.calls.push({ call, body });
    return this.replies[call]?.(body, response) ?? this.usual(call);
  }

  /** What a good host answers. */
  usual(call: string): Reply {
    switch (call) {
      case "open":
        this.#sessions += 1;
        this.#numbers = 0;
        return done({
          pageSessionId: id(this.#sessions),
          token: `token-${this.#sessions}`,
          eventsUrl: `${this.endpoint.url}/events`,
        });
      case "state":
        return done({ revision: id(1) });
      case "claim":
        return done(claim);
      case "heartbeat":
        return done({ cancelRequested: false });
      default:
        return done();
    }
  }
}

/** The data of an invoke event. */
export const invocation = (number: number, operationId = "echo", more: object = {}) => ({
  type: "invoke",
  executionId: id(number),
  operationId,
  revision: id(1),
  reloadCount: 0,
  remainingMs: 60_000,
  ...more,
});

/** A claim's data with this input. */
export const claimed = (input: unknown, more: object = {}): Answer => done({ ...claim, input, ...more });

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === "hang") return;
  if (typeof reply === "function") {
    reply(response);
    return;
  }
  response.writeHead(reply.status ?? 200, { "content-type": "application/json", "cache-control": "no-cache" });
  response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
}
