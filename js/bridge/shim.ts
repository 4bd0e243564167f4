// What the driver in Rust asks for, performed; the names are those of `Shim` there. It decides nothing.

import type { Json } from "#wire";
import type { Glue } from "../load.ts";
import { randomId } from "../transport/random.ts";
import type { HostEndpoint, HostOptions, HostState } from "../types/operations.ts";
import type { ErrorInfo } from "../types/options.ts";
import { Messages } from "./messages.ts";
import { beacon, Network } from "./network.ts";
import { address, clearTimer, later, mono, random, setTimer, title, wall } from "./platform.ts";
import { Runs } from "./runs.ts";
import { States } from "./states.ts";
import type { TicketStore } from "./ticket.ts";

export type Bridge = InstanceType<Glue["Bridge"]>;

/** A step of the driver; `undefined` once the connection has ended. */
export type Enter = <T>(call: (bridge: Bridge) => T) => T | undefined;

/** The connection around it. */
export interface Around {
  enter: Enter;
  host: HostOptions["host"];
  /** Known once the manifest was read. */
  tickets(): TicketStore;
  /** The connection stands otherwise. */
  turned(word: HostState, reason: { code: string; message: string } | undefined): void;
  /** A POST got no answer. */
  unanswered(): void;
  onError(error: unknown, info: ErrorInfo): void;
}

/** Never throws, and runs no page code before it returns, except for `abort` and `reload`. */
export class Shim {
  readonly mono = mono;
  readonly wall = wall;
  readonly jitter = random;
  readonly states = new States();
  readonly runs: Runs;
  readonly messages: Messages;
  pageSessionId = "";
  readonly #around: Around;
  readonly #network: Network;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #openings = 0;
  #toldUnreachable = false;
  #reloading: string | undefined;

  constructor(around: Around) {
    this.#around = around;
    const { enter, onError } = around;
    this.#network = new Network({
      answered: (number, status, body) => {
        if (status === 0) around.unanswered();
        enter((bridge) => bridge.answered(number, status, body));
      },
      streamed: (number, status, body) => enter((bridge) => bridge.streamed(number, status, body)),
      event: (number, id, data) => enter((bridge) => bridge.event(number, id, data)),
      heard: () => enter((bridge) => bridge.heard()),
      lost: (number, neverReached) => enter((bridge) => bridge.lost(number, neverReached)),
    });
    this.runs = new Runs({
      progress: (execution, value, keep) => enter((bridge) => bridge.progress(execution, value, keep)) ?? true,
      settled: (execution, operation, returned, value) =>
        enter((bridge) => bridge.settled(execution, operation, returned, value)),
      reload: (execution) => enter((bridge) => bridge.reload(execution, around.tickets().canStore())),
      error: (error, operation) => onError(error, { operation }),
    });
    this.messages = new Messages(
      (number) => this.#network.cancel(number),
      (error, provider) => onError(error, { provider }),
    );
  }

  /** Ends everything; nothing is asked for from here on. */
  end(): void {
    clearTimer(this.#timer);
    this.#network.close();
    this.runs.abortAll("lost_connection");
    this.messages.rejectAll("closed", "the connection is closed");
  }

  /** The document was to be reloaded, and stays. */
  stayed(): void {
    const execution = this.#reloading;
    this.#reloading = undefined;
    if (execution !== undefined) this.#around.enter((bridge) => bridge.reloadStayed(execution));
  }

  randomId(): string {
    return randomId();
  }

  wake(afterMs: number): void {
    clearTimer(this.#timer);
    const tick = () => this.#around.enter((bridge) => bridge.tick());
    if (afterMs >= 0) this.#timer = setTimer(tick, Math.ceil(afterMs));
  }

  open(): void {
    void this.#open(++this.#openings);
  }

  async #open(opening: number): Promise<void> {
    const { enter, host } = this.#around;
    try {
      // Page code never runs while the driver works.
      await undefined;
      const found: HostEndpoint = typeof host === "function" ? await host() : host;
      if (opening !== this.#openings) return;
      enter((bridge) => bridge.endpoint({ host: found }, title(), address()));
    } catch (error) {
      if (opening !== this.#openings) return;
      // It is tried again and again; once is enough.
      if (!this.#toldUnreachable) this.#around.onError(error, { provider: "host" });
      this.#toldUnreachable = true;
      enter((bridge) => bridge.unreachable());
    }
  }

  post(number: number, url: string, bearer: string, body: string): void {
    this.#network.post(number, url, bearer, body);
  }

  cancel(number: number): void {
    this.#network.cancel(number);
  }

  stream(number: number, url: string, bearer: string, after: string): void {
    this.#network.stream(number, url, bearer, after);
  }

  endStream(): void {
    this.#network.endStream();
  }

  beacon(url: string, body: string): boolean {
    return beacon(url, body);
  }

  turned(word: string, code: string, message: string): void {
    this.#around.turned(word as HostState, code === "" ? undefined : { code, message });
  }

  opened(pageSessionId: string): void {
    this.pageSessionId = pageSessionId;
    this.#toldUnreachable = false;
  }

  start(execution: string, operation: string, claimed: Parameters<Runs["start"]>[2]): void {
    this.runs.start(execution, operation, claimed);
  }

  abort(execution: string, reason: string): void {
    this.runs.abort(execution, reason);
  }

  statePromise(seq: number): void {
    this.states.announce(seq);
  }

  stateSettled(seq: number, revision: string | undefined, code: string, message: string): void {
    this.states.settle(seq, revision, code, message);
  }

  message(message: Json | undefined): void {
    if (message !== undefined) void later(() => this.messages.deliver(message));
  }

  sent(number: number, data: Json, code: string | undefined, message: string): void {
    this.messages.settle(number, data, code, message);
  }

  reload(execution: string, ticket: string): void {
    this.#reloading = execution;
    if (this.#around.tickets().put(ticket)) location.reload();
    else this.stayed();
  }

  reloadFailed(execution: string, outOfPlace: boolean): void {
    if (!outOfPlace) {
      this.#reloading = undefined;
      this.#around.tickets().take();
    }
    this.runs.reloadFailed(execution, outOfPlace);
  }

  complain(message: string, operation: string | undefined): void {
    const info = operation === undefined ? {} : { operation };
    void later(() => this.#around.onError(new Error(message), info));
  }
}
