// What a page declares: capabilities and what their executors are given (Surface §3, §4).

import type { Approval, Effect, Feedback, Fidelity, FlowStep, Json } from "#wire";
import type { Input, NoInput, Schema, StandardSchema } from "../infer.ts";
import type { RecordSource } from "./context.ts";

/**
 * A business action of the page. `declare` takes it together with its `execute`.
 *
 * `S` is the literal type of `inputSchema`, `R` the record type of `record.source`, `K` the type word of `record` and
 * `P` the name of its parameter; all four are inferred.
 */
export interface Capability<
  S extends Schema | StandardSchema = Schema,
  R = undefined,
  K extends string = string,
  P extends string = string,
> {
  /**
   * The stable id, such as `orders.refresh`, or `verb@recordType` for a row action; at most 64 characters after the
   * tool-name mapping of Surface §8. No `__`, no `_` beside `.` or `@`.
   */
  id: string;
  /** Plain developer text for the agent, 1–1024 characters; never built from records. */
  description: string;
  /** What it does to the business state. Decides the approval when `approval` is absent. */
  effect: Effect;
  /**
   * JSON Schema of the input; the root `type` must be `"object"`, at most 16 384 UTF-16 units. Or a schema of a library
   * that tells its JSON Schema, see `StandardSchema`.
   *
   * @defaultValue `{ type: "object", additionalProperties: false }`
   */
  inputSchema?: S;
  /** JSON Schema of the output; an output that does not match ends as `INVALID_OUTPUT`. */
  outputSchema?: Schema;
  /**
   * When a person has to confirm.
   *
   * @defaultValue the page's policy: `none` for `read`, `ask` for `write`, `always` for `destructive`
   */
  approval?: Approval;
  /**
   * How the target is found; with `low`, only an observed difference counts as changed.
   *
   * @defaultValue `"high"`
   */
  fidelity?: Fidelity;
  /** Binds a row action to records of one type; required for an id with `@`. */
  record?: RecordTarget<R, K, P>;
  /** Where it belongs in the page: at most 8 steps of at most 64 characters. */
  scopePath?: string[];
  /** What a person has to do, at most 256 characters. The executor raises `HANDOFF_REQUIRED` itself. */
  handoff?: string;
  /** The steps of a compound action, at most 32. */
  flowSteps?: FlowStep[];
  /** Whether its target is out of view now. */
  offscreen?: boolean;
  /**
   * How long the executor may take, in milliseconds, 1 000–1 800 000. Counted from its start; a dialog before it does
   * not count. When it passes, the caller gets `TIMED_OUT` with `executed: "unknown"` and `signal` is aborted.
   *
   * @defaultValue `120_000`
   */
  timeoutMs?: number;
  /** Looked at after the executor; `false` or a throw ends as `EXPECTATION_FAILED`. */
  expect?(ctx: InvokeContext<S, R, K, P> & { readonly output: Json }): boolean | Promise<boolean>;
}

/** What binds a row action to records. */
export interface RecordTarget<R = undefined, K extends string = string, P extends string = string> {
  /** The record type: the part of the capability's id after `@`, and the name of a source given to `records`. */
  type: K;
  /**
   * The member of the input that holds the record's id; the kernel adds it to `inputSchema` as a required string.
   *
   * @defaultValue `"record"`
   */
  param?: P;
  /** Types `ctx.record.item`; it must be the source registered for `type`. */
  source?: RecordSource<R>;
}

/** The executor's input: the values of the schema, with the record's parameter. */
export type InputOf<S, K extends string, P extends string> = string extends K ? Input<S, never, never> : Input<S, K, P>;

/** What an executor is given. Every member also works destructured. */
export interface InvokeContext<
  S extends Schema | StandardSchema = NoInput,
  R = undefined,
  K extends string = string,
  P extends string = string,
> {
  /** The validated input, a copy of its own. */
  readonly input: InputOf<S, K, P>;
  /** The target of a row action, resolved again right before the executor started (step 7d). */
  readonly record: RecordOf<R, K>;
  /** Who acts, for whom. */
  readonly session: { readonly agentId: string; readonly userId: string; readonly sessionId: string };
  /** The request's id, unique in its session. */
  readonly requestId: string;
  /** Aborted when the caller cancels, the time is over, the session ends or the page goes away. */
  readonly signal: AbortSignal;
  /** What the confirmation left for the page's backend; absent when none was needed. */
  readonly approval?: InvokeApproval;
  /** States whether the business state changed; the last call counts (Surface §4). */
  readonly changed: (changed: boolean) => void;
  /** Leaves a notice for this session only. */
  readonly feedback: (item: Feedback) => void;
  /**
   * Resolves the session again; throws and aborts `signal` when it no longer allows this capability. Call it before
   * each further side effect of a handler that has several.
   */
  readonly checkSession: () => Promise<void>;
}

/** `ctx.record` for a declaration with, perhaps with, or without `record`. */
export type RecordOf<R, K extends string> = [K] extends [never]
  ? undefined
  : string extends K
    ? TargetRecord<R, K> | undefined
    : TargetRecord<R, K>;

/** The record an action is about. */
export interface TargetRecord<R = undefined, K extends string = string> {
  /** Its id. */
  readonly id: string;
  /** Its type. */
  readonly type: K;
  /** What the source yielded; `unknown` unless `record.source` names the source. */
  readonly item: [R] extends [undefined] ? unknown : R;
}

/** What the confirmation left for the page's backend. Its material is removed from everything an agent sees (Surface §6). */
export interface InvokeApproval {
  /** The receipt that `confirm` returned. */
  readonly receipt?: string | { readonly [key: string]: Json };
}
