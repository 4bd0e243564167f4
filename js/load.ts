// Loads the WebAssembly that the package carries: inflated, compiled and started once, when the first page asks.

import { PageportError } from "./errors.ts";

/** The glue that wasm-bindgen made, once the module runs. */
export type Glue = typeof import("#glue");

let loading: Promise<Glue> | undefined;

/** The running module. A failed load is forgotten, so that the next call tries again. */
export function load(): Promise<Glue> {
  loading ??= start().catch((cause: unknown) => {
    loading = undefined;
    throw failure(cause);
  });
  return loading;
}

async function start(): Promise<Glue> {
  // Both are part of the same file; this only puts off their evaluation, so that importing the package does nothing.
  const [glue, carried] = await Promise.all([import("#glue"), import("#wasm")]);
  await glue.default({ module_or_path: await inflate(carried.default) });
  return glue;
}

/** From base64 of a zlib stream to bytes, without a Blob, which some test environments lack. */
async function inflate(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new DecompressionStream("deflate");
  const writer = stream.writable.getWriter();
  // A failure to write shows where the other end is read.
  writer.write(packed).catch(() => undefined);
  writer.close().catch(() => undefined);
  const reader = stream.readable.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    length += part.value.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The browser's own message names the wrong remedy, `'unsafe-eval'`. */
function failure(cause: unknown): PageportError {
  const text = cause instanceof Error ? cause.message : "";
  if (/Content.Security|unsafe-eval|disallowed by embedder|blocked by CSP/i.test(text)) {
    const message =
      "the page's Content-Security-Policy blocks WebAssembly; add 'wasm-unsafe-eval' to its script-src directive";
    return new PageportError("WASM_BLOCKED_BY_CSP", message, { cause });
  }
  return new PageportError("WASM_LOAD_FAILED", "the WebAssembly module could not be loaded", { cause });
}
