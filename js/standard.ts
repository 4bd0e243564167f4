// Standard Schema: a schema of a library that tells its JSON Schema, and looks at an input after it (Surface §9).

import { invalid } from "./check.ts";
import type { StandardSchema } from "./infer.ts";
import type { Refined } from "./request.ts";

const TARGET = "draft-2020-12";
const ISSUES = 16;

/** Looks at a copy of an input: JSON Pointers of what is wrong; what the handler gets is kept when nothing is. */
export type Refine = (input: object, keep: (refined: Refined) => void) => string[] | Promise<string[]>;

/** Whether this is a schema of a library, not JSON Schema itself. */
export function isStandard(schema: unknown): schema is StandardSchema {
  const { "~standard": standard } = (schema ?? {}) as { "~standard"?: unknown };
  return typeof standard === "object" && standard !== null;
}

/** The JSON Schema of a library's schema, and its validator. `param` names the record in the input of a row action. */
export function fromStandard(schema: StandardSchema, param: string | undefined): { json: unknown; refine: Refine } {
  const standard = schema["~standard"];
  const convert = standard.jsonSchema?.input;
  if (typeof convert !== "function" || typeof standard.validate !== "function") {
    throw invalid(
      "declare",
      "inputSchema",
      "must be JSON Schema: this library does not tell it; pass it beside, as inputSchema",
    );
  }
  let json: unknown;
  try {
    json = convert.call(standard.jsonSchema, { target: TARGET });
  } catch {
    throw invalid("declare", "inputSchema", "has no JSON Schema of draft 2020-12; pass one as inputSchema");
  }
  // The library knows nothing of a member that the kernel has added.
  const added = param !== undefined && !hasProperty(json, param) ? param : undefined;
  const refine: Refine = (input, keep) => {
    const { whole, record } = without(input as Record<string, unknown>, added);
    const settle = (result: Awaited<ReturnType<typeof standard.validate>>): string[] => {
      if (result.issues !== undefined) return result.issues.slice(0, ISSUES).map(({ path }) => pointer(path ?? []));
      const { value } = result;
      keep({ value: added === undefined || !isObject(value) ? value : { ...value, [added]: record } });
      return [];
    };
    const result = standard.validate(whole);
    return "then" in result ? result.then(settle) : settle(result);
  };
  return { json, refine };
}

function hasProperty(schema: unknown, name: string): boolean {
  const { properties } = (schema ?? {}) as { properties?: object };
  return properties !== undefined && Object.hasOwn(properties, name);
}

function without(input: Record<string, unknown>, name: string | undefined): { whole: object; record: unknown } {
  if (name === undefined) return { whole: input, record: undefined };
  const { [name]: record, ...whole } = input;
  return { whole, record };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function pointer(path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  return path
    .map(
      (step) =>
        `/${String(isObject(step) ? step.key : step)
          .replace(/~/g, "~0")
          .replace(/\//g, "~1")}`,
    )
    .join("");
}
