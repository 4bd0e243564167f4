// Who may ask, how often, and who confirms (Surface §5, §6).

import type { Session } from "#wire";

/**
 * The session of a caller: a value, or a resolver that is asked at step 2 and again at step 7c, so that a revocation
 * takes effect before the next side effect.
 *
 * `null` is a caller without a session: `SESSION_REQUIRED`, or open mode where the page switched it on. A resolver that
 * yields none is always `SESSION_REQUIRED`; one that throws or takes over 2 s is `GUARD_UNAVAILABLE`.
 */
export type SessionSource = Session | null | (() => Session | null | Promise<Session | null>);

/** Decides how often a session may ask. A throw or more than 2 s is `GUARD_UNAVAILABLE`. */
export interface RateLimiter {
  /** Takes one token. `key` is the session's id, or `"open"`; `nowMs` is in epoch milliseconds. */
  take(key: string, nowMs: number): RateDecision | Promise<RateDecision>;
}

/** Whether the request may go on; if not, perhaps when to come back, in milliseconds from now. */
export type RateDecision = { ok: true } | { ok: false; retryAfterMs?: number };

/** Lets each `(sessionId, requestId)` pass once. A throw or more than 2 s is `GUARD_UNAVAILABLE`. */
export interface ReplayGuard {
  /**
   * Claims the pair, atomically. `true` for the first claim, `false` for every later one until `untilMs` (epoch
   * milliseconds: when the session ends).
   */
  claim(sessionId: string, requestId: string, untilMs: number): boolean | Promise<boolean>;
}

/** The answer to a confirmation. Anything but exactly `approved: true` is a no. */
export interface ConfirmReply {
  /** Whether the person said yes. */
  approved: boolean;
  /** Remember the yes for this session, capability, user and agent; never for `destructive`. */
  remember?: boolean;
  /** Names the approval in the audit, and only there; at least 8 characters. */
  approvalId?: string;
  /** For the page's backend: reaches the executor as `ctx.approval.receipt`. Strings in it have at least 16 characters. */
  receipt?: string | { readonly [key: string]: unknown };
}
