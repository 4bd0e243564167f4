// The client's end of a connected port: requests out, responses in, and every call settles (Surface §8).

import type { PageFrame, SurfaceResponse } from "#wire";
import { SurfaceProtocolError } from "../errors.ts";
import { Alarm, now } from "./alarm.ts";
import { Heartbeat } from "./heartbeat.ts";
import { FRAME_UNITS, RESPONSE_FRAME_UNITS } from "./limits.ts";

interface Call {
  resolve(response: SurfaceResponse): void;
  reject(error: unknown): void;
  /** Whether something may have run when no response comes. */
  readonly effects: boolean;
  readonly due: number;
}

/** How one request is sent. */
export interface SendOptions {
  effects: boolean;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The calls of one connection. */
export class Calls {
  readonly #port: MessagePort;
  readonly #calls = new Map<number, Call>();
  readonly #heartbeat: Heartbeat;
  readonly #deadlines: Alarm;
  readonly #changed: () => void;
  #sent = 0;
  #open = true;
  #tellClosed!: (closed: { reason: string }) => void;
  /** Resolves when the connection is over. */
  readonly closed = new Promise<{ reason: string }>((resolve) => {
    this.#tellClosed = resolve;
  });

  /** `changed` is called for every `changed` frame. */
  constructor(port: MessagePort, changed: () => void) {
    this.#port = port;
    this.#changed = changed;
    this.#deadlines = new Alarm((time) => this.#expire(time));
    this.#heartbeat = new Heartbeat(
      () => this.#calls.size > 0,
      () => this.#post({ type: "ping", n: ++this.#sent }),
      () => this.close("lost"),
    );
    port.onmessage = ({ data }) => this.#receive(data);
    // Where the browser has the event it comes at once; elsewhere the heartbeat finds out.
    port.addEventListener("close", () => this.close("lost"));
    addEventListener("pagehide", this.#hide);
  }

  /** Sends one envelope and waits for its response, whatever it says. */
  send(envelope: object, { effects, timeoutMs, signal }: SendOptions): Promise<SurfaceResponse> {
    return new Promise((resolve, reject) => {
      if (!this.#open) throw closed("not_sent");
      signal?.throwIfAborted();
      const n = ++this.#sent;
      const frame = JSON.stringify({ type: "request", n, request: envelope });
      if (frame.length > FRAME_UNITS) {
        reject(closed("not_sent"));
        this.close("too_large");
        return;
      }
      const abort = () => this.#abandon(n, signal?.reason);
      signal?.addEventListener("abort", abort);
      const settled = <T>(settle: (value: T) => void) => {
        if (!signal) return settle;
        return (value: T) => {
          signal.removeEventListener("abort", abort);
          settle(value);
        };
      };
      const due = now() + timeoutMs;
      this.#calls.set(n, { resolve: settled(resolve), reject: settled(reject), effects, due });
      if (this.#calls.size === 1) this.#heartbeat.start();
      this.#deadlines.by(due);
      this.#port.postMessage(frame);
    });
  }

  /** Ends the connection: tells the page, rejects what is outstanding. Only the first reason counts. */
  close(reason: string, tell = true): void {
    if (!this.#open) return;
    if (tell) this.#post({ type: "closed", reason });
    this.#open = false;
    this.#port.onmessage = null;
    this.#port.close();
    this.#heartbeat.stop();
    this.#deadlines.stop();
    removeEventListener("pagehide", this.#hide);
    for (const call of this.#calls.values()) call.reject(closed(call.effects ? "unknown" : undefined));
    this.#calls.clear();
    this.#tellClosed({ reason });
  }

  readonly #hide = () => this.close("pagehide");

  #receive(data: unknown): void {
    this.#heartbeat.heard();
    if (typeof data !== "string") return;
    if (data.length > RESPONSE_FRAME_UNITS) {
      this.close("too_large");
      return;
    }
    let frame: PageFrame | null;
    try {
      frame = JSON.parse(data);
    } catch {
      return;
    }
    if (frame?.type === "response") this.#answered(frame.n, frame.response);
    else if (frame?.type === "changed") this.#changed();
    else if (frame?.type === "ping") this.#post({ type: "pong", n: frame.n });
    else if (frame?.type === "closed") this.close(word(frame.reason), false);
  }

  #answered(n: number, response: SurfaceResponse): void {
    const call = this.#calls.get(n);
    // Nobody waits any longer, or it is no response.
    if (!call || typeof response?.ok !== "boolean") return;
    this.#calls.delete(n);
    call.resolve(response);
  }

  #abandon(n: number, error: unknown): void {
    const call = this.#calls.get(n);
    if (!call) return;
    this.#calls.delete(n);
    this.#post({ type: "cancel", n });
    call.reject(error);
  }

  #expire(time: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [n, { due, effects }] of this.#calls) {
      if (due > time) next = Math.min(next, due);
      else this.#abandon(n, lost("TIMED_OUT", "the page did not answer in time", effects ? "unknown" : undefined));
    }
    return next;
  }

  #post(frame: object): void {
    this.#port.postMessage(JSON.stringify(frame));
  }
}

function closed(outcome?: "not_sent" | "unknown"): SurfaceProtocolError {
  return lost("CLOSED", "the connection is closed", outcome);
}

function lost(code: string, message: string, outcome?: "not_sent" | "unknown"): SurfaceProtocolError {
  return new SurfaceProtocolError(code, message, outcome && { outcome });
}

/** The reason as the page gave it, if it is a plain word. */
function word(reason: unknown): string {
  return typeof reason === "string" && /^[\w-]{1,64}$/.test(reason) ? reason : "closed";
}
