// Compares types at compile time; nothing here runs.

/** `true` when both types are the same, optional and readonly members included. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Fails to compile unless `A` and `B` are the same type. */
export declare function same<A, B>(...proof: Same<A, B> extends true ? [] : ["the types differ", A, B]): void;
