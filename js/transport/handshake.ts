// The client's half of the handshake: a message to a window is lost when nobody listens yet, so it is repeated (Surface §8).

import type { ConnectMessage, PageFrame } from "#wire";
import { SurfaceProtocolError } from "../errors.ts";
import { Alarm, now } from "./alarm.ts";
import { REPEAT_MS } from "./limits.ts";

/** What the handshake needs to know. */
export interface Handshake {
  /** Finds the window now; a frame may navigate while it is being connected to. */
  window(): Window | null;
  /** `targetOrigin` of every message. */
  origin: string;
  hello: ConnectMessage;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/**
 * Resolves with the port that the page answered on.
 *
 * Rejects with `CONNECT_TIMEOUT`, with the code the page refused with, with `CLOSED` when this document goes away, or with
 * the reason of an aborted `signal`.
 */
export function shakeHands({ window: find, origin, hello, timeoutMs, signal }: Handshake): Promise<MessagePort> {
  return new Promise((resolve, reject) => {
    const ports: MessagePort[] = [];
    const end = now() + timeoutMs;
    let pause = REPEAT_MS;

    const attempt = (time: number): number => {
      if (time >= end) {
        fail(refusal("CONNECT_TIMEOUT", "the page did not answer in time"));
        return Number.POSITIVE_INFINITY;
      }
      post();
      return Math.min(time + pause, end);
    };
    const post = () => {
      const window = find();
      if (!window || isElsewhere(window, origin)) return;
      const { port1, port2 } = new MessageChannel();
      ports.push(port1);
      port1.onmessage = ({ data }) => answered(port1, data);
      try {
        window.postMessage(hello, origin === "null" ? "*" : origin, [port2]);
      } catch {
        // The window is gone for good or not there yet; the next attempt looks again.
      }
    };
    const answered = (port: MessagePort, data: unknown) => {
      const frame = read(data);
      if (frame?.type === "refused") fail(refusal(String(frame.code).slice(0, 64), "the page refused the connection"));
      if (frame?.type !== "connected") return;
      if (port === ports.at(-1)) {
        cease();
        for (const other of ports) if (other !== port) other.close();
        resolve(port);
      } else {
        // The page moves to the newest port as soon as it sees it; another repetition would only outrun it again.
        pause = 4 * REPEAT_MS;
      }
    };
    const fail = (error: unknown) => {
      cease();
      for (const port of ports) {
        // The page may just have answered: it learns that nobody is there.
        port.postMessage('{"type":"closed","reason":"closed"}');
        port.close();
      }
      reject(error);
    };
    const cease = () => {
      alarm.stop();
      signal?.removeEventListener("abort", abort);
      removeEventListener("pagehide", hide);
      for (const port of ports) port.onmessage = null;
    };
    const abort = () => fail(signal?.reason);
    const hide = () => fail(refusal("CLOSED", "the document went away"));

    const alarm = new Alarm(attempt);
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    signal?.addEventListener("abort", abort);
    addEventListener("pagehide", hide);
    alarm.by(attempt(now()));
  });
}

function refusal(code: string, message: string): SurfaceProtocolError {
  return new SurfaceProtocolError(code, message, { outcome: "not_sent" });
}

/** Whether the window certainly shows something else still, such as the first empty document of a frame. */
function isElsewhere(window: Window, origin: string): boolean {
  if (origin === "*" || origin === "null") return false;
  try {
    // Only a window of this origin can be read.
    return window.origin !== origin;
  } catch {
    return false;
  }
}

function read(data: unknown): PageFrame | undefined {
  try {
    return JSON.parse(data as string) ?? undefined;
  } catch {
    return undefined;
  }
}
