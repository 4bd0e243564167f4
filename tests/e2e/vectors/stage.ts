// The page that a vector declares: its functions do what the vector says.

import { type AuditEvent, createPage, type Page, type PageOptions, type Session } from "pageport";
import { begin, type Context, end, type Turns } from "./code.ts";
import type { Capability, Change, Codes, PageData, RecordData, Step, Vector } from "./format.ts";

/** What the page's own code works on. */
export class Stage {
  readonly sessions: Record<string, Session | null>;
  readonly audit: AuditEvent[] = [];
  /** What `onError` was told of: the capability or the provider that failed. */
  readonly errors: unknown[] = [];
  /** Which of the page's own functions were called, in order, and with what. */
  readonly calls: unknown[] = [];
  /** The signals that page code saw aborted. */
  readonly aborted = new Set<AbortSignal>();
  ran = 0;
  send: (step: Step) => void = () => undefined;
  page!: Page;
  #user: string | null | undefined;
  #object: unknown;
  #unavailable: unknown;
  readonly #data: PageData;
  readonly #state: Record<string, unknown> = {};
  readonly #records: RecordData[] = [];
  readonly #removers = new Map<string, () => void>();
  readonly #turns: Turns = new Map();

  private constructor({ page, sessions }: Vector) {
    this.#data = page;
    this.sessions = sessions;
    this.#user = page.options?.user;
    this.#object = page.object?.value;
    this.#unavailable = page.unavailable?.entries ?? [];
  }

  static async open(vector: Vector): Promise<Stage> {
    const stage = new Stage(vector);
    const data = vector.page;
    stage.page = await createPage(stage.#options(data));
    const { page } = stage;
    if (data.object !== undefined) {
      const { code, for: audience } = data.object;
      page.object(() => stage.#run("object", code, () => stage.#object) as null, audience && { for: audience });
    }
    if (data.unavailable !== undefined) {
      const { code } = data.unavailable;
      page.unavailable(() => stage.#run("unavailable", code, () => stage.#unavailable) as []);
    }
    const { regions = [], records = [], state = {} } = data;
    stage.change({ regions, sources: records, state, declare: data.capabilities });
    return stage;
  }

  #options(data: PageData): PageOptions {
    const { user, ...options } = data.options ?? {};
    const { rateLimiter, replayGuard, settle, policy } = data;
    const identity = () => ({ title: data.title, route: data.route });
    return {
      app: data.app,
      ...options,
      ...(user !== undefined && { user: () => this.#user ?? null }),
      confirm: (request, { signal }) => {
        this.#watch(signal);
        return this.called({ confirm: request }, "confirm", data.confirm, noGate) as Promise<{ approved: boolean }>;
      },
      ...(rateLimiter && {
        rateLimiter: {
          take: (key, nowMs) =>
            this.called({ limiter: { key, nowMs } }, "limiter", rateLimiter, unusable) as { ok: true },
        },
      }),
      ...(replayGuard && {
        replayGuard: {
          claim: (sessionId, requestId, untilMs) =>
            this.called({ guard: { sessionId, requestId, untilMs } }, "guard", replayGuard, unusable) as boolean,
        },
      }),
      ...(settle && { settle: () => this.called("settle", "settle", settle, nothing) as Promise<void> }),
      ...(policy && { policy: { approvalFor: (effect) => this.#run(effect, policy[effect], nothing) as "none" } }),
      page: () => this.#run("page", data.identity, identity) as ReturnType<typeof identity>,
      audit: (event) => void this.audit.push(event),
      onError: (_, info) => void this.errors.push(info),
    };
  }

  change(change: Change): void {
    for (const [name, members] of Object.entries(change.sessions ?? {})) {
      this.sessions[name] = members === null ? null : Object.assign(this.sessions[name] ?? {}, members as Session);
    }
    for (const [type, items] of Object.entries(change.records ?? {})) this.#changeRecords(type, items);
    if (change.user !== undefined) this.#user = change.user;
    if (change.object !== undefined) this.#object = change.object;
    if (change.unavailable !== undefined) this.#unavailable = change.unavailable;
    for (const id of change.remove ?? []) this.#removers.get(id)?.();
    for (const type of change.removeSources ?? []) this.#removers.get(`records:${type}`)?.();
    for (const region of change.regions ?? []) this.page.region(region);
    for (const source of change.sources ?? []) this.#addSource(source);
    for (const [key, value] of Object.entries(change.state ?? {})) {
      if (!(key in this.#state)) {
        const { code, for: audience } = this.#data.states?.[key] ?? {};
        const read = () => this.#run(`state:${key}`, code, () => this.#state[key]) as null;
        this.page.state(key, read, audience && { for: audience });
      }
      this.#state[key] = value;
    }
    for (const item of change.feedback ?? []) this.page.feedback(item);
    for (const capability of change.declare ?? []) this.#declare(capability);
  }

  /** Notes the call of a function of the page and runs its code. */
  called(call: unknown, key: string, codes: Codes | undefined, natural: () => unknown): unknown {
    this.calls.push(structuredClone(call));
    return this.#run(key, codes, natural);
  }

  #run(key: string, codes: Codes | undefined, natural: () => unknown, context?: Context): unknown {
    return begin(this.#turns, key, codes, context, (code) => {
      this.change(code.changes ?? {});
      if (code.sends !== undefined) this.send(code.sends);
      return end(code, natural, context);
    });
  }

  #watch(signal: AbortSignal): void {
    signal.addEventListener("abort", () => this.aborted.add(signal));
  }

  #changeRecords(type: string, items: Record<string, Record<string, unknown> | null>): void {
    const source = this.#records.find((known) => known.type === type);
    for (const [id, members] of Object.entries(items)) {
      const at = source?.items.findIndex((item) => item[source.idField ?? "id"] === id) ?? -1;
      if (members === null) source?.items.splice(at, 1);
      else if (at < 0) source?.items.push(members);
      else Object.assign(source?.items[at] ?? {}, members);
    }
  }

  #addSource(source: RecordData): void {
    const id = (item: Record<string, unknown>) => String(item[source.idField ?? "id"]);
    const give = (natural: () => unknown) => this.#run(`records:${source.type}`, source.code, natural);
    type Items = Record<string, unknown>[];
    const { region, visible, for: audience } = source;
    const remove = this.page.records<Record<string, unknown>>(source.type, {
      ...(region !== undefined && { region }),
      ...(audience !== undefined && { for: audience }),
      ...(visible !== undefined && { visible: (item: Record<string, unknown>) => item[visible] !== false }),
      list: () => give(() => source.items) as Items,
      ...(source.lists !== true && {
        get: (wanted: string) => give(() => source.items.find((item) => id(item) === wanted)) as Items[0],
      }),
      id,
      fields: source.fields,
    });
    this.#records.push(source);
    this.#removers.set(`records:${source.type}`, () => {
      remove();
      this.#records.splice(this.#records.indexOf(source), 1);
    });
  }

  #declare({ handler, expect, ...capability }: Capability): void {
    const remove = this.page.declare({
      ...capability,
      execute: (_, ctx) => {
        this.ran++;
        this.#watch(ctx.signal);
        this.calls.push({ executor: capability.id });
        return this.#run(`handler ${capability.id}`, handler, nothing, ctx as unknown as Context);
      },
      ...(expect && {
        expect: ({ output }) => this.called({ expect: output }, `expect ${capability.id}`, expect, nothing) as boolean,
      }),
    });
    this.#removers.set(capability.id, remove);
  }
}

const nothing = () => undefined;
const unusable = () => undefined;
/** A page without `confirm` has no gate; in a document the built-in dialog would be one. */
const noGate = () => {
  throw new Error("there is no gate");
};
