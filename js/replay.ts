// A replay guard on disk: it survives reloads, and the tabs of an origin share it (Surface §5).

import { checkOptions, invalid } from "./check.ts";
import { load } from "./load.ts";
import type { ReplayGuard } from "./types.ts";

const SESSION_CLAIMS = 100_000;
/** Expired claims that one claim takes away: more than it adds, and few enough not to be felt. */
const SWEPT = 64;

/** What is known of a session, under the hash of its id. */
interface Known {
  /** Its claims. */
  count: number;
  /** When the last of them may go, in epoch milliseconds. */
  untilMs: number;
}

/**
 * A {@link ReplayGuard} in IndexedDB: a request id that was used stays used after a reload, and in every tab of this origin.
 *
 * A claim is decided by one transaction that is on disk (`durability: "strict"`) before the request goes on. A session takes
 * 100 000 claims, then its next one fails; how many sessions there are is bounded by the browser's storage quota alone. Claims
 * are removed once their session has expired, a few with every later claim; those of open mode have no end and stay until
 * the site's data is cleared.
 *
 * On disk stand the SHA-256 of the session's id, the request ids as they are, and when the session ends.
 *
 * A claim rejects when IndexedDB is missing, denied, out of quota or otherwise fails, and the request then ends as
 * `GUARD_UNAVAILABLE`. One that comes back after the kernel's 2 s is spent all the same: ask again under a new id.
 *
 * `name` is the database's, `"pageport.replay"` by default. It is closed when another tab wants to change or delete it.
 */
export function indexedDbReplayGuard(options?: { name?: string }): ReplayGuard {
  const call = "indexedDbReplayGuard";
  const { name = "pageport.replay" } = checkOptions<{ name?: string }>(call, options, { name: "data" });
  if (typeof name !== "string" || name === "") throw invalid(call, "options.name", "must be a string, and not empty");
  let opening: Promise<IDBDatabase> | undefined;
  const forget = () => {
    opening = undefined;
  };
  return {
    async claim(sessionId, requestId, untilMs) {
      opening ??= open(name, forget);
      const [database, { sha256 }] = await Promise.all([opening, load()]);
      return decide(database, sha256(sessionId), requestId, untilMs);
    },
  };
}

/** Opens the database; `forget` is called once it can no longer be used, so that the next claim opens it anew. */
function open(name: string, forget: () => void): Promise<IDBDatabase> {
  return new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("claims");
      request.result.createObjectStore("sessions").createIndex("untilMs", "untilMs");
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = forget;
      database.onversionchange = () => {
        database.close();
        forget();
      };
      resolve(database);
    };
  }).catch((error: unknown) => {
    forget();
    throw error;
  });
}

/** Whether the claim is the first. Says so only once it is on disk. */
function decide(database: IDBDatabase, session: string, requestId: string, untilMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(["claims", "sessions"], "readwrite", { durability: "strict" });
    const claims = transaction.objectStore("claims");
    const sessions = transaction.objectStore("sessions");
    let won = true;
    transaction.oncomplete = () => resolve(won);
    transaction.onabort = () => reject(transaction.error ?? new Error("the session has no room for another claim"));
    const claim = claims.add(0, [session, requestId]);
    claim.onerror = (event) => {
      if (claim.error?.name !== "ConstraintError") return;
      // That the id is taken is an answer, not a failure.
      event.preventDefault();
      won = false;
    };
    claim.onsuccess = () => {
      const known: IDBRequest<Known | undefined> = sessions.get(session);
      known.onsuccess = () => {
        const { count, untilMs: lastMs } = known.result ?? { count: 0, untilMs };
        // Refused, not forgotten; the abort takes the claim back.
        if (count >= SESSION_CLAIMS) return transaction.abort();
        sessions.put({ count: count + 1, untilMs: Math.max(lastMs, untilMs) } satisfies Known, session);
        sweep(claims, sessions, session);
      };
    };
  });
}

/** Removes claims of the session that expired first, other than the one at work. */
function sweep(claims: IDBObjectStore, sessions: IDBObjectStore, current: string): void {
  const oldest = sessions.index("untilMs").getKey(IDBKeyRange.upperBound(Date.now()));
  oldest.onsuccess = () => {
    const session = oldest.result;
    if (session === undefined || session === current) return;
    // A list is above every text.
    const found = claims.getAllKeys(IDBKeyRange.bound([session], [session, []]), SWEPT);
    found.onsuccess = () => {
      for (const key of found.result) claims.delete(key);
      if (found.result.length < SWEPT) sessions.delete(session);
    };
  };
}
