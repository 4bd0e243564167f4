// Capabilities whose input is a schema of a library; the global `surface` of the tests.

import { createPage, type PageOptions, type StandardSchema } from "pageport";
import * as v from "valibot";
import { z } from "zod";

export { createPage, v, z };

/** What the executors were given, and what was reported. */
export const given: unknown[] = [];
export const errors: string[] = [];
/** How often each id was asked about by a library. */
export const validated: unknown[] = [];

const session = { agentId: "a", sessionId: "s", userId: "u", expiresAt: Date.now() + 3_600_000, scope: ["*"] };

/** A page that reports into `errors`. */
export const open = (options: Partial<PageOptions> = {}) =>
  createPage({ app: "shop", onError: (error, info) => errors.push(`${info.provider}: ${error}`), ...options });

let ids = 0;
/** Invokes a capability and returns the response. */
export const invoke = (page: Awaited<ReturnType<typeof open>>, capability: string, input: object) =>
  page.handle({ protocol: "pling.surface/0.1", id: `r${++ids}`, method: "invoke", capability, input }, session);

/** A schema whose validator does what the test says. */
export function schema(validate: StandardSchema["~standard"]["validate"]): StandardSchema {
  const json = { type: "object", properties: { n: { type: "number" } }, required: ["n"], additionalProperties: false };
  return { "~standard": { version: 1, vendor: "test", validate, jsonSchema: { input: () => json } } };
}
