// Format v1 of tests/vectors/surface, as its README describes it.

import type { Effect, FieldRule, Json, Limits, Session, SurfaceErrorOptions } from "pageport";

export interface Vector {
  version: 1;
  behaviour: string;
  page: PageData;
  sessions: Record<string, Session | null>;
  steps: Step[];
}

export interface PageData {
  app: string;
  title: string;
  route: string;
  options?: { allow?: string[]; openMode?: { scope: string[] }; limits?: Partial<Limits>; user?: string | null };
  capabilities: Capability[];
  records?: RecordData[];
  regions?: { id: string; title: string; parent?: string }[];
  state?: Record<string, Json>;
  confirm?: { waits?: number; answers?: unknown; throws?: string };
}

export interface Capability {
  id: string;
  description: string;
  effect: Effect;
  handler: Handler;
}

export interface Handler {
  changes?: Change;
  said?: boolean;
  waits?: number;
  returns?: Json;
  throws?: string;
  raises?: SurfaceErrorOptions & { code: string; message: string };
}

export interface RecordData {
  type: string;
  region?: string;
  for?: string[];
  fields: Record<string, FieldRule<Record<string, unknown>>>;
  idField?: string;
  items: Record<string, unknown>[];
}

export interface Change {
  sessions?: Record<string, Partial<Session> | null>;
  records?: Record<string, Record<string, Record<string, unknown> | null>>;
  state?: Record<string, Json>;
  user?: string | null;
  remove?: string[];
  declare?: Capability[];
}

export interface Step {
  at: number;
  request?: unknown;
  text?: string;
  session?: string | null;
  resolver?: boolean;
  as?: string;
  of?: string;
  cancel?: string;
  change?: Change;
  response?: Json;
  ran?: number;
  audit?: Json;
}
