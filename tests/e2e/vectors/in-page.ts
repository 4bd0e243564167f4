// Builds the page that a vector declares and takes its steps; runs in the browser, on the built package.

import {
  type AuditEvent,
  type ConfirmReply,
  createPage,
  type Page,
  type PageOptions,
  type Session,
  SurfaceError,
} from "pageport";
import type { Capability, Change, Handler, PageData, RecordData, Step, Vector } from "./format.ts";

/** A vector under way. */
export class Replay {
  readonly #page: Page;
  readonly #stage: Stage;
  readonly #responses = new Map<string, unknown>();
  readonly #aborts = new Map<string, AbortController>();

  constructor(page: Page, stage: Stage) {
    this.#page = page;
    this.#stage = stage;
  }

  /** Takes a step; what came of it is read with {@link Replay.look}. */
  take(step: Step, name: string): void {
    if (step.request !== undefined || step.text !== undefined) {
      const abort = new AbortController();
      this.#aborts.set(name, abort);
      const source = this.#source(step);
      const answered = this.#page.handle(step.text ?? step.request, source, { signal: abort.signal });
      void answered.then((response) => this.#responses.set(name, response));
    }
    if (step.cancel !== undefined) this.#aborts.get(step.cancel)?.abort();
    if (step.change !== undefined) this.#stage.change(step.change);
  }

  /** The response of a call, the executors started, and the audit events since the last look. */
  async look(name: string, audit: boolean): Promise<{ response?: unknown; ran: number; audit?: AuditEvent[] }> {
    await settled();
    const response = this.#responses.get(name);
    this.#responses.delete(name);
    const { ran } = this.#stage;
    return { response, ran, ...(audit && { audit: this.#stage.events.splice(0) }) };
  }

  #source(step: Step): Session | null | (() => Session | null) {
    const { session: name } = step;
    if (name === null || name === undefined) return null;
    const session = () => this.#stage.sessions[name] ?? null;
    return step.resolver === true ? session : session();
  }
}

/** Begins a vector. */
export async function begin(vector: Vector): Promise<Replay> {
  const stage = new Stage(vector);
  const { user, ...options } = vector.page.options ?? {};
  stage.user = user;
  const page = await createPage({
    app: vector.page.app,
    ...options,
    ...(user !== undefined && { user: () => stage.user ?? null }),
    ...(vector.page.confirm && { confirm: confirming(vector.page.confirm) }),
    page: () => ({ title: vector.page.title, route: vector.page.route }),
    audit: (event) => void stage.events.push(event),
    onError: () => undefined,
  });
  stage.open(page, vector.page);
  return new Replay(page, stage);
}

/** What the page's own code works on. */
class Stage {
  readonly sessions: Record<string, Session | null>;
  readonly events: AuditEvent[] = [];
  user: string | null | undefined;
  ran = 0;
  readonly #state: Record<string, unknown> = {};
  readonly #records: RecordData[];
  readonly #removers = new Map<string, () => void>();
  #page: Page | undefined;

  constructor(vector: Vector) {
    this.sessions = vector.sessions;
    this.#records = vector.page.records ?? [];
  }

  open(page: Page, data: PageData): void {
    this.#page = page;
    for (const region of data.regions ?? []) page.region(region);
    for (const source of this.#records) {
      const id = (item: Record<string, unknown>) => String(item[source.idField ?? "id"]);
      page.records<Record<string, unknown>>(source.type, {
        ...(source.region !== undefined && { region: source.region }),
        ...(source.for !== undefined && { for: source.for }),
        list: () => source.items,
        get: (wanted) => source.items.find((item) => id(item) === wanted),
        id,
        fields: source.fields,
      });
    }
    for (const [key, value] of Object.entries(data.state ?? {})) {
      this.#state[key] = value;
      page.state(key, () => this.#state[key] as null);
    }
    for (const capability of data.capabilities) this.#declare(capability);
  }

  change(change: Change): void {
    for (const [name, members] of Object.entries(change.sessions ?? {})) {
      this.sessions[name] = members === null ? null : Object.assign(this.sessions[name] ?? {}, members as Session);
    }
    for (const [type, items] of Object.entries(change.records ?? {})) {
      const source = this.#records.find((known) => known.type === type);
      for (const [id, members] of Object.entries(items)) {
        const at = source?.items.findIndex((item) => item[source.idField ?? "id"] === id) ?? -1;
        if (members === null) source?.items.splice(at, 1);
        else if (at < 0) source?.items.push(members);
        else Object.assign(source?.items[at] ?? {}, members);
      }
    }
    Object.assign(this.#state, change.state);
    if (change.user !== undefined) this.user = change.user;
    for (const id of change.remove ?? []) this.#removers.get(id)?.();
    for (const capability of change.declare ?? []) this.#declare(capability);
  }

  #declare({ handler, ...capability }: Capability): void {
    const remove = this.#page?.declare({
      ...capability,
      execute: (_, ctx) => {
        this.ran++;
        if (handler.said !== undefined) ctx.changed(handler.said);
        return handler.waits === undefined ? this.#end(handler) : later(handler.waits, () => this.#end(handler));
      },
    });
    if (remove) this.#removers.set(capability.id, remove);
  }

  #end(handler: Handler): unknown {
    this.change(handler.changes ?? {});
    if (handler.raises) {
      const { code, message, ...options } = handler.raises;
      throw new SurfaceError(code, message, options);
    }
    if (handler.throws !== undefined) throw new Error(handler.throws);
    return handler.returns;
  }
}

function confirming(confirm: NonNullable<PageData["confirm"]>): NonNullable<PageOptions["confirm"]> {
  const reply = () => {
    if (confirm.throws !== undefined) throw new Error(confirm.throws);
    return confirm.answers as ConfirmReply;
  };
  return async () => (confirm.waits === undefined ? reply() : later(confirm.waits, reply));
}

function later<T>(ms: number, then: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      try {
        resolve(then());
      } catch (error) {
        reject(error);
      }
    }, ms);
  });
}

/** Lets everything run that does not wait for the clock, which stands still. */
async function settled(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });
  }
}
