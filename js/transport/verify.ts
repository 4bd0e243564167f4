// Asks the page's `verifySession`, for two seconds at most.

import { inTime } from "../in-time.ts";
import type { ConnectInfo, PostMessageOptions, SessionSource } from "../types.ts";
import { VERIFY_MS } from "./limits.ts";

/** `verifySession`, bound to its options. */
export type VerifySession = PostMessageOptions["verifySession"];

/** The session source in a box, because it may be `null`. Rejects for whatever is no yes. */
export async function verify(verifySession: VerifySession, info: ConnectInfo): Promise<{ session: SessionSource }> {
  const session = await inTime(verifySession(info), VERIFY_MS, "verifySession");
  // A forgotten `return` must not open the page to callers without a session.
  if (typeof session !== "object" && typeof session !== "function") {
    throw new TypeError("verifySession must return a session, a resolver or null");
  }
  return { session };
}
