// The network as the bridge uses it: POSTs of JSON text, one stream read through fetch, a beacon. It only carries.

import { createParser } from "eventsource-parser";
import { bare } from "../define.ts";
import { Controller } from "./platform.ts";

// Pages, tests and extensions patch these later; what is kept is what was there when the script was loaded.
const inPage = typeof document !== "undefined";
const request = globalThis.fetch;
const sendBeacon = inPage ? navigator.sendBeacon.bind(navigator) : () => false;
// In Node even naming it starts something.
const readText = inPage ? Response.prototype.text : async () => "";
const { parse } = JSON;

/** What comes back. */
export interface Receiver {
  /** A POST was answered: its status, 0 without an answer, and its JSON. */
  answered(number: number, status: number, body: unknown): void;
  /** The stream was answered: its status, and its JSON when it was refused. */
  streamed(number: number, status: number, body: unknown): void;
  /** An event: its id and its JSON. */
  event(number: number, id: string, data: unknown): void;
  /** Something arrived on the stream. */
  heard(): void;
  /** The stream ended; `neverReached`: its address did not answer at all. */
  lost(number: number, neverReached: boolean): void;
}

// A stream's line may hold a whole Surface request.
const LINE_UNITS = 1_048_576;

/** The requests of one connection. */
export class Network {
  readonly #receiver: Receiver;
  readonly #posts = new Map<number, AbortController>();
  #stream: AbortController | undefined;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  post(number: number, url: string, bearer: string, body: string): void {
    const controller = new Controller();
    this.#posts.set(number, controller);
    // The default cache mode: with another one each POST would cost a preflight.
    const init = { method: "POST", body, headers: headers(bearer, "application/json"), signal: controller.signal };
    void this.#answer(number, send(url, init));
  }

  async #answer(number: number, response: Promise<Response>): Promise<void> {
    let status = 0;
    let body: unknown;
    try {
      const answered = await response;
      body = json(await readText.call(answered));
      ({ status } = answered);
    } catch {
      // No answer, or half of one.
    }
    if (this.#posts.delete(number)) this.#receiver.answered(number, status, body);
  }

  cancel(number: number): void {
    const controller = this.#posts.get(number);
    this.#posts.delete(number);
    controller?.abort();
  }

  stream(number: number, url: string, bearer: string, after: string): void {
    this.endStream();
    const controller = new Controller();
    this.#stream = controller;
    const more = headers(bearer, undefined);
    if (after !== "") more["last-event-id"] = after;
    void this.#read(
      number,
      controller.signal,
      send(url, { headers: more, cache: "no-store", signal: controller.signal }),
    );
  }

  async #read(number: number, signal: AbortSignal, opening: Promise<Response>): Promise<void> {
    let reached = false;
    try {
      const response = await opening;
      reached = true;
      if (response.status !== 200 || response.body === null) {
        const body = json(await readText.call(response));
        // A success without a stream is as good as an end.
        if (!signal.aborted && response.status !== 200) this.#receiver.streamed(number, response.status, body);
        if (response.status !== 200) return;
      } else if (!signal.aborted) {
        this.#receiver.streamed(number, 200, undefined);
        await this.#deliver(number, signal, response.body.getReader());
      }
    } catch {
      // It broke off.
    }
    if (!signal.aborted) this.#receiver.lost(number, !reached);
  }

  async #deliver(number: number, signal: AbortSignal, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let broken = false;
    const parser = createParser({
      maxBufferSize: LINE_UNITS,
      onEvent: ({ id = "", data }) => {
        if (!signal.aborted) this.#receiver.event(number, id, json(data));
      },
      onError: ({ type }) => {
        broken ||= type === "max-buffer-size-exceeded";
      },
    });
    for (let part = await reader.read(); !part.done && !signal.aborted; part = await reader.read()) {
      this.#receiver.heard();
      parser.feed(decoder.decode(part.value, { stream: true }));
      if (broken) return void reader.cancel();
    }
  }

  endStream(): void {
    this.#stream?.abort();
    this.#stream = undefined;
  }

  /** Ends everything. */
  close(): void {
    this.endStream();
    for (const number of [...this.#posts.keys()]) this.cancel(number);
  }
}

/** Hands the body to the browser, which sends it when the page is gone; `false` when it does not take it. */
export function beacon(url: string, body: string): boolean {
  try {
    return sendBeacon(url, body);
  } catch {
    return false;
  }
}

function headers(bearer: string, contentType: string | undefined): Record<string, string> {
  const authorization = `Bearer ${bearer}`;
  return contentType === undefined ? { authorization } : { authorization, "content-type": contentType };
}

/** `fetch` that never throws at once, and never takes cookies along. */
async function send(url: string, init: RequestInit): Promise<Response> {
  // Not its promise: that would be asked for its `then`.
  return await request(
    url,
    bare<RequestInit>({ ...init, credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" }),
  );
}

function json(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
