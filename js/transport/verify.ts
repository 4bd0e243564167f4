// Asks the page's `verifySession`, for two seconds at most.

import type { ConnectInfo, PostMessageOptions, SessionSource } from "../types.ts";
import { VERIFY_MS } from "./limits.ts";

/** `verifySession`, bound to its options. */
export type VerifySession = PostMessageOptions["verifySession"];

/** The session source in a box, because it may be `null`. Rejects for whatever is no yes. */
export async function verify(verifySession: VerifySession, info: ConnectInfo): Promise<{ session: SessionSource }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("verifySession took over 2 s")), VERIFY_MS);
  });
  try {
    const session = await Promise.race([verifySession(info), late]);
    // A forgotten `return` must not open the page to callers without a session.
    if (typeof session !== "object" && typeof session !== "function") {
      throw new TypeError("verifySession must return a session, a resolver or null");
    }
    return { session };
  } finally {
    clearTimeout(timer);
  }
}
