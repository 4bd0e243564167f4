// From a literal JSON Schema to the TypeScript type of the values it accepts; what it cannot tell becomes `Json`.

import type { Json } from "#wire";

/** The `type` words of JSON Schema. */
export type SchemaType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/**
 * A JSON Schema, draft 2020-12, as Surface §9 profiles it.
 *
 * Refused at declaration: `$dynamicRef`, `$dynamicAnchor`, `unevaluated*` and a `$ref` that leaves the schema. Other
 * keywords that are not listed here are annotations; an unknown one warns once. At most 16 384 UTF-16 units.
 */
export interface Schema {
  readonly type?: SchemaType | readonly SchemaType[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: { readonly [name: string]: Schema | boolean };
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly patternProperties?: { readonly [pattern: string]: Schema | boolean };
  readonly propertyNames?: Schema | boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: { readonly [name: string]: readonly string[] };
  readonly dependentSchemas?: { readonly [name: string]: Schema | boolean };
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly (Schema | boolean)[];
  readonly contains?: Schema | boolean;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression, read with the `u` flag; one that nests unbounded quantifiers is refused. */
  readonly pattern?: string;
  /** An annotation: it is not checked. */
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly allOf?: readonly (Schema | boolean)[];
  readonly anyOf?: readonly (Schema | boolean)[];
  readonly oneOf?: readonly (Schema | boolean)[];
  readonly not?: Schema | boolean;
  readonly if?: Schema | boolean;
  readonly then?: Schema | boolean;
  readonly else?: Schema | boolean;
  readonly $schema?: string;
  readonly $id?: string;
  readonly $anchor?: string;
  readonly $ref?: string;
  readonly $defs?: { readonly [name: string]: Schema | boolean };
  readonly $comment?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly contentSchema?: Schema | boolean;
}

/**
 * A schema of a library that follows Standard Schema 1 and tells its JSON Schema, such as Zod 4 or ArkType.
 *
 * Its validator runs after the JSON Schema, for at most 2 s, and the executor gets what it returns. Everything else, the
 * confirmation and the audit too, sees the input as it was sent.
 */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a validator of Standard Schema returns. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** The schema of a capability that declares none: an object without members. */
export interface NoInput {
  readonly type: "object";
  readonly additionalProperties: false;
}

/**
 * The values that the schema `S` accepts.
 *
 * Exact for `type` (one or several), `properties`, `required`, `additionalProperties`, `items`, `enum`, `const`, nested;
 * a union for `anyOf` and `oneOf` without `type`. Other keywords narrow what is accepted, not the type. Where the schema
 * says nothing, or is not a literal, the type is `Json`.
 */
export type Infer<S> =
  S extends StandardSchema<infer Output>
    ? Output
    : S extends true
      ? Json
      : S extends false
        ? never
        : S extends { readonly const: infer Value }
          ? Value
          : S extends { readonly enum: readonly (infer Value)[] }
            ? Value
            : S extends { readonly type: readonly (infer Type)[] }
              ? OfType<S, Type>
              : S extends { readonly type: infer Type }
                ? OfType<S, Type>
                : S extends { readonly anyOf: readonly (infer Branch)[] }
                  ? Infer<Branch>
                  : S extends { readonly oneOf: readonly (infer Branch)[] }
                    ? Infer<Branch>
                    : Json;

/** What a handler gets: the schema's values and, for a row action, the parameter that names the record. */
export type Input<S, K extends string, P extends string> = [K] extends [never]
  ? Infer<S>
  : Flat<Infer<S> & { [Name in P]: string }>;

/** Distributes over a union of type words; a `type` that is not a literal says nothing. */
type OfType<S, Type> = Type extends "object"
  ? ObjectOf<S>
  : Type extends "array"
    ? ArrayOf<S>
    : Type extends "string"
      ? string extends Type
        ? Json
        : string
      : Type extends "number" | "integer"
        ? number
        : Type extends "boolean"
          ? boolean
          : Type extends "null"
            ? null
            : Json;

type ArrayOf<S> = S extends { readonly prefixItems: unknown }
  ? Json[]
  : S extends { readonly items: infer Items }
    ? Infer<Items>[]
    : Json[];

type ObjectOf<S> = S extends { readonly properties: infer Properties }
  ? Flat<Members<Properties, Needed<S>> & Extra<S>>
  : Needed<S> extends never
    ? Open<S>
    : Flat<{ [Name in Needed<S>]: Json } & Extra<S>>;

/** An object without `properties`. */
type Open<S> = S extends { readonly additionalProperties: false }
  ? Flat<unknown>
  : S extends { readonly additionalProperties: infer Rest }
    ? { [name: string]: Infer<Rest> }
    : { [name: string]: Json };

type Needed<S> = S extends { readonly required: readonly (infer Name extends string)[] } ? Name : never;

type Members<Properties, Names extends string> = {
  -readonly [Name in keyof Properties as Name extends Names ? Name : never]: Infer<Properties[Name]>;
} & {
  -readonly [Name in keyof Properties as Name extends Names ? never : Name]?: Infer<Properties[Name]>;
} & { [Name in Exclude<Names, keyof Properties>]: Json };

/** Members beyond the named ones, when a schema describes them; `unknown` there, so that the named ones keep their types. */
type Extra<S> = S extends { readonly additionalProperties: false | true }
  ? unknown
  : S extends { readonly additionalProperties: object }
    ? { [name: string]: unknown }
    : unknown;

type Flat<T> = { [Name in keyof T]: T[Name] } & {};
