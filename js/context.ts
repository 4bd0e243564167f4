// What an executor is given besides its input (Surface §4).

import type { Feedback } from "#wire";
import { PageportError, SurfaceError } from "./errors.ts";
import { inTime } from "./in-time.ts";
import type { Glue } from "./load.ts";
import type { Request } from "./request.ts";

const CHECK_MS = 2_000;

/** The facts that Rust hands over for one execution. */
export interface Execution {
  slot: number;
  ticket: number;
  envelope: { id: string; input?: object };
  session: { agentId: string; userId: string; sessionId: string };
  record: { id: string; type: string } | undefined;
  item: unknown;
  approval: object | undefined;
}

/** The context of one execution; its members work destructured. */
export function makeContext(core: InstanceType<Glue["Core"]>, request: Request, execution: Execution): object {
  const { slot, ticket, envelope, session, record, item, approval } = execution;
  const context = {
    input: request.refined === undefined ? (envelope.input ?? {}) : request.refined.value,
    record: record === undefined ? undefined : { ...record, item },
    session,
    requestId: envelope.id,
    get signal() {
      return request.signal;
    },
    changed: (changed: boolean) => core.callChanged(slot, ticket, changed === true),
    feedback: (item: Feedback) => core.callFeedback(slot, ticket, item),
    checkSession: () => checkSession(core, request, slot, ticket),
  };
  return approval === undefined ? context : Object.assign(context, { approval });
}

/** Resolves the session again; a session that no longer allows the capability aborts the executor's signal. */
async function checkSession(
  core: InstanceType<Glue["Core"]>,
  request: Request,
  slot: number,
  ticket: number,
): Promise<void> {
  const source: unknown = core.callSource(slot, ticket);
  let code: string | undefined;
  try {
    const session = typeof source === "function" ? await inTime(source(), CHECK_MS, "the session resolver") : source;
    code = core.callRecheck(slot, ticket, session, source === null);
  } catch (cause) {
    if (cause instanceof PageportError) throw cause;
    code = "GUARD_UNAVAILABLE";
  }
  if (code === undefined) return;
  request.abort();
  throw new SurfaceError("PERMISSION_DENIED", "the session no longer allows this", { details: { reason: code } });
}
