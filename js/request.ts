// One request while it is under way: where its response goes, and what page code holds of it.

import type { ErrorResponse, SurfaceResponse } from "#wire";
import { complain } from "./complain.ts";
import { toText } from "./text.ts";

/** The functions of a declared capability. */
export interface Executor {
  execute(input: unknown, context: object): unknown;
  expect?: ((context: object) => unknown) | undefined;
}

/** What a validator of the page made of an input. */
export interface Refined {
  readonly value: unknown;
}

/** Where a response goes: as a value to a caller in process, as text to a transport. */
export type Reply =
  | { readonly value: (response: SurfaceResponse) => void }
  | { readonly text: (responseText: string) => void };

/** Held by the kernel's driver from the beginning of a request to its response. */
export class Request {
  /** The envelope as it came, to tell its id when the kernel itself fails. */
  readonly envelope: unknown;
  /** What runs; it outlives its own removal by what it does. */
  executor: Executor | undefined;
  /** What its input became, when the declaration has a validator of its own. */
  refined: Refined | undefined;
  /** What the executor was given. */
  context: object | undefined;
  readonly #reply: Reply;
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(envelope: unknown, reply: Reply) {
    this.envelope = envelope;
    this.#reply = reply;
  }

  /** Aborts when nobody waits any longer for the dialog or the executor. Made when it is first asked for. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort(reason());
    return this.#controller.signal;
  }

  /** Never throws. */
  abort(): void {
    this.#aborted = true;
    try {
      this.#controller?.abort(reason());
    } catch (error) {
      complain("error", error);
    }
  }

  /** Answers, whatever happens; `text` is there when the kernel wrote it. */
  answer(response: SurfaceResponse | undefined, text: string | undefined): void {
    try {
      this.#send(response, text);
    } catch (error) {
      // Page code got hold of the response and put something into it that is no JSON.
      this.answerInternal("the response could not be sent");
      complain("error", error);
    }
  }

  #send(response: SurfaceResponse | undefined, text: string | undefined): void {
    const reply = this.#reply;
    if ("text" in reply) reply.text(text ?? toText(response));
    else reply.value(response ?? (JSON.parse(text ?? "null") as SurfaceResponse));
  }

  /** Answers in place of a kernel that cannot. */
  answerInternal(message: string): void {
    const response: ErrorResponse = {
      protocol: "pling.surface/0.1",
      id: idOf(this.envelope),
      ok: false,
      error: {
        code: "INTERNAL",
        message,
        retryable: false,
        details: { executed: this.context === undefined ? false : "unknown" },
      },
    };
    try {
      this.#send(response, undefined);
    } catch (error) {
      complain("error", error);
    }
  }
}

function reason(): DOMException {
  return new DOMException("cancelled", "AbortError");
}

/** The request id by the rule of Surface §2: 1–128 characters, none of them a control character. */
function idOf(envelope: unknown): string | null {
  try {
    const value: unknown = typeof envelope === "string" ? JSON.parse(envelope) : envelope;
    const id = (value as { id?: unknown } | null)?.id;
    return typeof id === "string" && /^\P{Cc}{1,128}$/u.test(id) && !/\p{Surrogate}/u.test(id) ? id : null;
  } catch {
    return null;
  }
}
