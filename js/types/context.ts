// The bounded, read-only view a page opens besides its capabilities (Surface §3).

import type { Json } from "#wire";

/** How long something stays registered, and who may see it. */
export interface ProviderOptions {
  /**
   * Capability ids, or prefixes ending in `*`: shown only to sessions that may use one of them.
   *
   * @defaultValue every session that may use anything
   */
  for?: string[];
  /** Removes it when aborted, like the returned remover. */
  signal?: AbortSignal;
}

/** A part of the page that records and capabilities lie in. */
export interface PageRegion {
  /** Its id; `describe` may ask for one region. */
  id: string;
  /** Its title. */
  title: string;
  /** The id of the region around it. */
  parent?: string;
  /** Capability ids, or prefixes ending in `*`: shown only to sessions that may use one of them. */
  for?: string[];
}

/**
 * What leaves the page of one field. `"plain"`: the item's member of that name. `"mask"`: `••••` and at most the last 4,
 * never more than a quarter, of its characters. `"ref"`: a random word per session and value. `"omit"`: nothing.
 * A function computes the value; with `show` it is masked or replaced afterwards.
 *
 * Values are JSON. A `Date`, a `Map` or a `Set` has no members of its own and would be shown as `{}`: say with a function
 * what is meant, such as `({ due }) => due.toISOString()`.
 */
export type FieldRule<T> =
  | "plain"
  | "mask"
  | "ref"
  | "omit"
  | ((item: T) => Json)
  | { value(item: T): Json; show: "mask" | "ref" };

/**
 * Where records of one type come from. One of `list` and `page` is needed; `page` needs `get`.
 *
 * A member that throws, takes over 2 s, or gives a row that cannot be read leaves the whole source's part of a describe
 * empty (`incomplete`) and calls `onError`, which names the row; its other records are still found by their ids. When an
 * action needs its record then, the action ends as `RECORD_NOT_AVAILABLE`.
 */
export interface RecordSource<T> {
  /** The region its records lie in. */
  region?: string;
  /** Capability ids, or prefixes ending in `*`: shown only to sessions that may use one of them. */
  for?: string[];
  /** All records that exist for the user now. */
  list?(): readonly T[] | Promise<readonly T[]>;
  /** For large sets: one window of them, and how many there are. */
  page?(
    offset: number,
    limit: number,
  ): { items: readonly T[]; total: number } | Promise<{ items: readonly T[]; total: number }>;
  /** One record, or `undefined` when it does not exist for the user now. Without it, `list` is searched. */
  get?(id: string): T | undefined | Promise<T | undefined>;
  /** The record's id, 1–256 characters; a record with a longer one is left out and counted. */
  id(item: T): string;
  /**
   * Whether it is in view; a record that is not says `offscreen: true`.
   *
   * @defaultValue every record is in view
   */
  visible?(item: T): boolean;
  /** What leaves the page: only the fields named here do. */
  fields: Record<string, FieldRule<T>>;
}
