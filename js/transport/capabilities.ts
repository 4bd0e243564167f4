// The client's memory of capability lists, so that a describe carries the difference only (Surface §3).

import type { CapabilityInfo, DescribeResult } from "#wire";

const REVISIONS = 8;

/** A describe result that always has the whole list. */
export type Description = Omit<DescribeResult, "capabilityDelta"> & { capabilities: CapabilityInfo[] };

/** The last lists by their revision: answers to describes that overlap may refer to an older one. */
export class CapabilityMemory {
  readonly #lists = new Map<string, readonly CapabilityInfo[]>();
  /** The revision to name in `since`. */
  newest: string | undefined;

  /** Completes a result; `undefined` when it refers to a list that is no longer known. */
  complete({ capabilityDelta: delta, ...result }: DescribeResult): Description | undefined {
    let list = result.capabilities ?? [];
    if (delta) {
      const base = this.#lists.get(delta.since);
      if (!base) return undefined;
      const changed = new Map(delta.changed.map((capability) => [capability.id, capability]));
      list = base
        .filter(({ id }) => !delta.removed.includes(id))
        .map((capability) => changed.get(capability.id) ?? capability);
      list.push(...delta.added);
    }
    this.#remember(result.capabilityRevision, list);
    // The caller's array is its own; the capabilities in it are shared.
    return { ...result, capabilities: [...list] };
  }

  #remember(revision: string, list: readonly CapabilityInfo[]): void {
    this.newest = revision;
    this.#lists.delete(revision);
    this.#lists.set(revision, list);
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= REVISIONS) break;
      this.#lists.delete(oldest);
    }
  }
}
