// Format v1 of tests/vectors/surface, as its README describes it.

import type { Effect, Feedback, FieldRule, Json, Limits, Session, SurfaceErrorOptions } from "pageport";

export interface Vector {
  version: 1;
  behaviour: string;
  page: PageData;
  sessions: Record<string, Session | null>;
  steps: Step[];
}

/** What a function of the page does, or a list of it: one a call, the last one for ever. */
export type Codes = Code | Code[];

export interface Code {
  said?: boolean | boolean[];
  feedback?: Feedback[];
  waits?: number;
  hangs?: boolean;
  changes?: Change;
  sends?: Step;
  checks?: boolean;
  returns?: Json;
  throws?: string;
  raises?: SurfaceErrorOptions & { code: string; message: string };
}

/** Something that is shown to some sessions only, by a function of the page. */
export interface Provided {
  for?: string[];
  code?: Codes;
}

export interface PageData {
  app: string;
  title: string;
  route: string;
  options?: { allow?: string[]; openMode?: { scope: string[] }; limits?: Partial<Limits>; user?: string | null };
  identity?: Codes;
  capabilities: Capability[];
  records?: RecordData[];
  regions?: { id: string; title: string; parent?: string }[];
  state?: Record<string, Json>;
  states?: Record<string, Provided>;
  object?: Provided & { value: Json };
  unavailable?: { entries?: Json; code?: Codes };
  confirm?: Codes;
  rateLimiter?: Codes;
  replayGuard?: Codes;
  settle?: Codes;
  policy?: Partial<Record<Effect, Codes>>;
}

export interface Capability {
  id: string;
  description: string;
  effect: Effect;
  handler?: Codes;
  expect?: Codes;
}

export interface RecordData extends Provided {
  type: string;
  region?: string;
  fields: Record<string, FieldRule<Record<string, unknown>>>;
  idField?: string;
  visible?: string;
  lists?: boolean;
  items: Record<string, unknown>[];
}

export interface Change {
  sessions?: Record<string, Partial<Session> | null>;
  records?: Record<string, Record<string, Record<string, unknown> | null>>;
  user?: string | null;
  object?: Json;
  unavailable?: Json;
  remove?: string[];
  removeSources?: string[];
  regions?: PageData["regions"];
  sources?: RecordData[];
  state?: Record<string, Json>;
  feedback?: Feedback[];
  declare?: Capability[];
}

export interface Step {
  at: number;
  request?: unknown;
  text?: string;
  session?: string | null;
  resolver?: Codes;
  transport?: string;
  cancelled?: boolean;
  as?: string;
  of?: string;
  cancel?: string;
  clock?: number;
  change?: Change;
  refused?: { code: string; names?: string };
  response?: Json;
  look?: Record<string, Json>;
  ran?: number;
  aborted?: number;
  audit?: Json;
  calls?: Json;
  errors?: Json;
}
