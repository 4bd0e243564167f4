// What the promises of pageApi reject with.

/** A call of a page script came to nothing. */
export class OperationError extends Error {
  override get name(): "OperationError" {
    return "OperationError";
  }

  /** A stable word: `superseded`, `left`, `not_connected`, `no_answer`, `reload_failed`, `closed`, or the host's code. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}
