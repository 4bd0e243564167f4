// Properties of our own.

/** The same members, without what a site puts on every object. */
export const bare = <T extends object>(own: T): T => ({ __proto__: null, ...own });

/** Defines a property, whatever a site puts on every object. */
export function define(
  target: object,
  name: PropertyKey,
  value: unknown,
  configurable = false,
  enumerable = false,
): void {
  Object.defineProperty(target, name, bare({ value, configurable, enumerable }));
}
