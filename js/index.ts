// "pageport": what a page imports. Importing it does nothing: no window, fetch or timer is touched.

export { OperationError } from "./bridge/error.ts";
export { PageportError, SurfaceError, type SurfaceErrorOptions } from "./errors.ts";
export { createPage } from "./page.ts";
export { indexedDbReplayGuard } from "./replay.ts";
export type * from "./types.ts";
