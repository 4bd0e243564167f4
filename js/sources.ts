// Calls the functions of a record source and hands over what they give; masks and bounds are applied in Rust.

import { checkFunction, checkMembers, invalid } from "./check.ts";
import type { RecordSource } from "./types.ts";

/** A record as it goes to Rust: only the fields the source names. */
export interface Row {
  id: string;
  offscreen: boolean;
  fields: Record<string, unknown>;
}

/** A part of a source. */
export interface WindowPart {
  total: number;
  ids: string[];
  rows: Row[];
}

/** What Rust is told of a source. */
export interface SourceData {
  type: string;
  region?: string;
  for?: string[];
  gets: boolean;
  fields: Record<string, "plain" | "mask" | "ref">;
}

type Reader = (item: unknown) => unknown;
type Items = readonly unknown[];

const MEMBERS = {
  region: "data",
  for: "data",
  list: "function",
  page: "function",
  get: "function",
  id: "function",
  visible: "function",
  fields: "object",
} as const;

/** One registered source. */
export class Source {
  readonly data: SourceData;
  readonly #source: RecordSource<unknown>;
  readonly #fields: [name: string, read: Reader][] = [];

  constructor(type: string, source: RecordSource<unknown>) {
    checkMembers("records", "source", source, MEMBERS);
    checkFunction("records", "source.id", source.id);
    if (source.page === undefined && source.list === undefined && source.get === undefined) {
      throw invalid("records", "source", "needs list, or page and get");
    }
    if (source.page !== undefined && source.get === undefined) {
      throw invalid("records", "source.get", "is required beside page");
    }
    if (typeof source.fields !== "object") throw invalid("records", "source.fields", "must be an object");
    const shows: SourceData["fields"] = {};
    for (const [name, rule] of Object.entries(source.fields)) {
      if (rule === "omit") continue;
      const [show, read] = field(name, rule);
      shows[name] = show;
      this.#fields.push([name, read]);
    }
    this.#source = source;
    this.data = { type, gets: source.get !== undefined, fields: shows };
    if (source.region !== undefined) this.data.region = source.region;
    if (source.for !== undefined) this.data.for = source.for;
  }

  /** `limit` records with fields and `ids` ids, from `offset` on. */
  window(offset: number, limit: number, ids: number): WindowPart | Promise<WindowPart> {
    const source = this.#source;
    if (source.page !== undefined) {
      // Some backends take a limit of 0 for "all", so that one record is asked for when only the total is wanted.
      const wanted = Math.max(limit, ids, 1);
      return after(source.page(offset, wanted), ({ items, total }) => this.#part(items, total, limit, ids));
    }
    if (source.list === undefined) return { total: 0, ids: [], rows: [] };
    return after(source.list(), (items) => {
      const span = items.slice(offset, offset + Math.max(limit, ids));
      return this.#part(span, items.length, limit, ids);
    });
  }

  /** The record called `id`, if the source yields it now. */
  record(id: string): { row: Row; item: unknown } | undefined | Promise<{ row: Row; item: unknown } | undefined> {
    const source = this.#source;
    const found =
      source.get !== undefined
        ? source.get(id)
        : after(source.list?.() ?? [], (items: Items) => items.find((item) => source.id(item) === id));
    return after(found, (item) => (item === undefined || item === null ? undefined : { row: this.#row(item), item }));
  }

  #part(items: Items, total: number, limit: number, ids: number): WindowPart {
    return {
      total,
      ids: items.slice(0, ids).map((item) => this.#source.id(item)),
      rows: items.slice(0, limit).map((item) => this.#row(item)),
    };
  }

  #row(item: unknown): Row {
    const source = this.#source;
    const fields: Record<string, unknown> = {};
    for (const [name, read] of this.#fields) fields[name] = read(item);
    return { id: source.id(item), offscreen: source.visible !== undefined && !source.visible(item), fields };
  }
}

function field(name: string, rule: unknown): [show: "plain" | "mask" | "ref", read: Reader] {
  if (rule === "plain" || rule === "mask" || rule === "ref") {
    return [rule, (item) => (item as Record<string, unknown>)[name]];
  }
  if (typeof rule === "function") return ["plain", rule as Reader];
  const place = `source.fields.${name}`;
  if (typeof rule !== "object" || rule === null) {
    throw invalid("records", place, 'must be "plain", "mask", "ref", "omit", a function, or { value, show }');
  }
  const { value, show } = checkMembers<{ value?: Reader; show?: unknown }>("records", place, rule, {
    value: "function",
    show: "data",
  });
  if (value === undefined) throw invalid("records", `${place}.value`, "is required");
  if (show !== "mask" && show !== "ref") throw invalid("records", `${place}.show`, 'must be "mask" or "ref"');
  return [show, value];
}

/** Goes on at once with a value, and later with a promise of one. */
function after<T, R>(value: T | PromiseLike<T>, next: (value: T) => R): R | Promise<R> {
  if (typeof (value as PromiseLike<T> | undefined)?.then === "function") return Promise.resolve(value).then(next);
  return next(value as T);
}
