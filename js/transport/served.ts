// The page's end of a connected port: requests in, responses out; the kernel decides everything else (Surface §8).

import type { PageFrame } from "#wire";
import type { CoreConnection } from "./core.ts";
import { Heartbeat } from "./heartbeat.ts";
import { FRAME_UNITS } from "./limits.ts";
import { Numbers } from "./numbers.ts";

/** What a connection reports to its listener. */
export interface ServedHooks {
  /** A frame broke a rule; it was ignored. */
  bad(): void;
  /** The connection is over; called once. */
  ended(): void;
}

/** One verified client. */
export class Served {
  readonly #core: CoreConnection;
  readonly #hello: string;
  readonly #hooks: ServedHooks;
  /** The kernel's handle of every unanswered request; `undefined` while the kernel is still being called. */
  readonly #calls = new Map<number, number | undefined>();
  readonly #heartbeat: Heartbeat;
  #numbers = new Numbers();
  #port: MessagePort | undefined;
  #pings = 0;
  /** Whether the connection is over. */
  over = false;
  /** Whether it is over because nobody is at the other end. */
  lost = false;

  /** `hello` is the text of the `connected` frame. */
  constructor(core: CoreConnection, hello: string, hooks: ServedHooks) {
    this.#core = core;
    this.#hello = hello;
    this.#hooks = hooks;
    this.#heartbeat = new Heartbeat(
      () => this.#calls.size > 0,
      () => this.#post({ type: "ping", n: ++this.#pings }),
      () => this.end("lost"),
    );
  }

  /** Serves this port from now on, instead of an older one: a client repeats itself until its newest port is answered. */
  serve(port: MessagePort): void {
    this.#drop();
    this.#port = port;
    port.onmessage = ({ data }) => this.#receive(data);
    port.onmessageerror = () => this.#hooks.bad();
    // Where the browser has the event it comes at once; elsewhere the heartbeat finds out.
    port.addEventListener("close", () => this.#port === port && this.end("lost"));
    port.postMessage(this.#hello);
  }

  /** Tells the client that the declarations changed. */
  changed(): void {
    this.#post({ type: "changed" });
  }

  /** Ends the connection and tells the client why; the kernel cancels what has not started. */
  end(reason: string): void {
    if (this.over) return;
    this.over = true;
    this.lost = reason === "lost";
    this.#post({ type: "closed", reason });
    this.#heartbeat.stop();
    this.#calls.clear();
    this.#drop();
    this.#core.close();
    this.#hooks.ended();
  }

  #drop(): void {
    const port = this.#port;
    this.#port = undefined;
    if (port) port.onmessage = null;
    port?.close();
    const handles = [...this.#calls.values()];
    this.#calls.clear();
    this.#numbers = new Numbers();
    for (const handle of handles) if (handle !== undefined) this.#core.cancel(handle);
  }

  #receive(data: unknown): void {
    this.#heartbeat.heard();
    if (typeof data !== "string") {
      this.#hooks.bad();
      return;
    }
    if (data.length > FRAME_UNITS) {
      this.#hooks.bad();
      this.end("too_large");
      return;
    }
    const frame = parse(data);
    if (!frame || !this.#handle(frame)) this.#hooks.bad();
  }

  /** Whether the frame keeps the rules. A type nobody knows does: a newer client may send it. */
  #handle({ type, n, request }: Record<string, unknown>): boolean {
    if (typeof type !== "string") return false;
    if (type === "closed") {
      this.end("closed");
      return true;
    }
    if (type !== "request" && type !== "cancel" && type !== "ping" && type !== "pong") return true;
    if (!isInteger(n)) return false;
    if (type === "request") return this.#request(n, request);
    if (type === "cancel") this.#cancel(n);
    if (type === "ping") this.#post({ type: "pong", n });
    return true;
  }

  #request(n: number, request: unknown): boolean {
    if (!this.#numbers.add(n)) return false;
    const port = this.#port;
    this.#calls.set(n, undefined);
    if (this.#calls.size === 1) this.#heartbeat.start();
    const handle = this.#core.handle(request, (response) => {
      // Perhaps the client is gone, or came back on another port.
      if (this.#port !== port || !this.#calls.delete(n)) return;
      port?.postMessage(`{"type":"response","n":${n},"response":${response}}`);
    });
    if (this.#port === port && this.#calls.has(n)) this.#calls.set(n, handle);
    return true;
  }

  #cancel(n: number): void {
    const handle = this.#calls.get(n);
    if (handle !== undefined) this.#core.cancel(handle);
  }

  #post(frame: PageFrame): void {
    this.#port?.postMessage(JSON.stringify(frame));
  }
}

function isInteger(n: unknown): n is number {
  return Number.isSafeInteger(n);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === "object" && frame !== null ? (frame as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
