// Page code as data: whose turn it is, when it ends, and how.

import { type Feedback, SurfaceError } from "pageport";
import type { Code, Codes } from "./format.ts";

/** How often each list of codes was asked. */
export type Turns = Map<string, number>;

/** What an executor is given, as far as code uses it. */
export interface Context {
  changed(changed: boolean): void;
  feedback(item: Feedback): void;
  checkSession(): Promise<void>;
}

/** Begins the code whose turn it is; `finish` brings it to its end, now or later. */
export function begin(
  turns: Turns,
  key: string,
  codes: Codes | undefined,
  context: Context | undefined,
  finish: (code: Code) => unknown,
): unknown {
  const code = turn(turns, key, codes) ?? {};
  if (context) {
    for (const changed of [code.said ?? []].flat()) context.changed(changed);
    for (const item of code.feedback ?? []) context.feedback(item);
  }
  if (code.hangs === true) return new Promise(() => undefined);
  if (code.waits === undefined) return finish(code);
  if (code.waits === 0) return Promise.resolve().then(() => finish(code));
  return new Promise((resolve) => {
    setTimeout(() => resolve(Promise.resolve().then(() => finish(code))), code.waits);
  });
}

function turn(turns: Turns, key: string, codes: Codes | undefined): Code | undefined {
  if (!Array.isArray(codes)) return codes;
  const taken = turns.get(key) ?? 0;
  turns.set(key, taken + 1);
  return codes[Math.min(taken, codes.length - 1)];
}

/** How the code ends; `natural` is what the function is there for. */
export function end(code: Code, natural: () => unknown, context: Context | undefined): unknown {
  const last = () => {
    if (code.raises) {
      const { code: name, message, ...options } = code.raises;
      throw new SurfaceError(name, message, options);
    }
    if (code.throws !== undefined) throw new Error(code.throws);
    return code.returns === undefined ? natural() : filled(code.returns, context);
  };
  return code.checks === true && context ? context.checkSession().then(last) : last();
}

/** The value with what the context holds in place of each `{ "$context": pointer }`. */
function filled(value: unknown, context: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => filled(item, context));
  if ("$context" in value) {
    let place = context;
    for (const name of String(value.$context).split("/").slice(1)) {
      place = (place as Record<string, unknown> | undefined)?.[name];
    }
    return place ?? null;
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member, context)]));
}
