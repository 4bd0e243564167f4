// Reads the one message that may arrive on a window, among everything else that pages send each other (Surface §8).

import type { Json } from "#wire";
import { CONNECT_ID_CHARS, CREDENTIAL_UNITS } from "./limits.ts";

/** An attempt to connect, as it came. */
export interface Hello {
  readonly origin: string;
  readonly source: MessageEventSource | null;
  readonly connectId: string;
  readonly credential: Json | undefined;
  readonly port: MessagePort;
}

/**
 * Reads a message from a listed window. `undefined`: it is not for this page. `"bad"`: it is, but breaks a rule.
 *
 * The port must be the only one; the credential is copied as JSON, so that nothing else reaches `verifySession`.
 */
export function readHello(
  { data, origin, source }: MessageEvent,
  port: MessagePort,
  app: string,
): Hello | "bad" | undefined {
  try {
    if (typeof data !== "object" || data === null || data["pling.surface"] !== 1 || data.type !== "connect") return;
    const { connectId, app: wanted, credential } = data as Record<string, unknown>;
    if (typeof connectId !== "string" || connectId.length === 0 || connectId.length > CONNECT_ID_CHARS) return "bad";
    if (wanted !== undefined && typeof wanted !== "string") return "bad";
    if (wanted !== undefined && wanted !== app) return;
    return { origin, source, connectId, credential: copy(credential), port };
  } catch {
    // Only a scripted event has getters, or a credential that is too large or no JSON.
    return "bad";
  }
}

function copy(credential: unknown): Json | undefined {
  if (credential === undefined) return undefined;
  const text = JSON.stringify(credential);
  if (text.length > CREDENTIAL_UNITS) throw new RangeError("the credential is too large");
  return JSON.parse(text);
}
