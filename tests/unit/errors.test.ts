// The errors a page raises: which codes they take, what they carry, how another copy of the package recognises them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PROTOCOL_CODES } from "#codes";
import { isSurfaceError, PageportError, SurfaceError, SurfaceProtocolError } from "../../js/errors.ts";

const raise = SurfaceError as unknown as new (...args: unknown[]) => SurfaceError;

test("a SurfaceError carries what was said, and is a real Error", () => {
  const cause = { any: 1 };
  const error = new SurfaceError("ALREADY_APPROVED", "somebody approved it", {
    retryable: true,
    retryAfterMs: 5,
    details: { by: "u" },
    executed: false,
    cause,
  });
  assert.ok(error instanceof Error);
  assert.equal(String(error), "SurfaceError: somebody approved it");
  assert.match(error.stack ?? "", /^SurfaceError: somebody approved it\n/);
  assert.equal(error.cause, cause);
  const { name, code, retryable, retryAfterMs, details, executed } = error;
  assert.deepEqual(
    { name, code, retryable, retryAfterMs, details, executed },
    {
      name: "SurfaceError",
      code: "ALREADY_APPROVED",
      retryable: true,
      retryAfterMs: 5,
      details: { by: "u" },
      executed: false,
    },
  );
  const plain = new SurfaceError("NO_STOCK", "sold out");
  assert.equal(plain.retryable, false);
  assert.deepEqual(Object.keys(plain).sort(), ["code", "retryable"]);
  assert.equal("cause" in plain, false);
});

test("protocol-level codes and malformed ones are refused", () => {
  assert.ok(PROTOCOL_CODES.length > 10);
  const wrong = [
    ...PROTOCOL_CODES,
    "NO",
    "nope",
    "1NO",
    "A".repeat(65),
    "NO STOCK",
    "NO_STOCK\n",
    "",
    5,
    undefined,
    null,
  ];
  for (const code of wrong) assert.throws(() => new raise(code, "x"), TypeError, String(code));
  for (const code of ["NO_STOCK", "NO1", "A".repeat(64), "PERMISSION_DENIED", "HANDOFF_REQUIRED"]) {
    assert.equal(new SurfaceError(code, "x").code, code);
  }
});

test("options are checked", () => {
  const wrong = [
    null,
    5,
    { retry: true },
    { retryable: "yes" },
    { retryAfterMs: -1 },
    { retryAfterMs: Number.NaN },
    { retryAfterMs: "5" },
    { executed: true },
    { executed: "unknown" },
  ];
  for (const options of wrong) assert.throws(() => new raise("NO_STOCK", "x", options), TypeError);
  assert.throws(() => new raise("NO_STOCK"), TypeError);
  assert.throws(() => new raise("NO_STOCK", 5), TypeError);
});

test("a message is cut at 256 units, never inside a pair", () => {
  const message = (text: string) => new SurfaceError("NO_STOCK", text).message;
  assert.equal(message("x".repeat(256)), "x".repeat(256));
  assert.equal(message("x".repeat(300)), "x".repeat(256));
  assert.equal(message(`${"x".repeat(255)}😀`), "x".repeat(255));
  assert.equal(message(`${"x".repeat(254)}😀`), `${"x".repeat(254)}😀`);
});

test("a SurfaceError is recognised across copies of the package, and nothing else is", () => {
  const foreign = Object.assign(new Error("x"), { [Symbol.for("pageport.SurfaceError")]: true });
  assert.ok(isSurfaceError(new SurfaceError("NO_STOCK", "x")));
  assert.ok(isSurfaceError(foreign));
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const hostile = new Proxy({}, { get: () => assert.fail("no") });
  for (const value of [new Error("x"), { code: "NO_STOCK" }, "NO_STOCK", null, undefined, revoked.proxy, hostile]) {
    assert.equal(isSurfaceError(value), false);
  }
});

test("the other errors say where they come from", () => {
  const lost = new SurfaceProtocolError("TIMED_OUT", "no answer", { outcome: "unknown" });
  assert.equal(`${lost.name} ${lost.code} ${lost.outcome}`, "SurfaceProtocolError TIMED_OUT unknown");
  assert.equal("response" in lost, false);
  const cause = new Error("y");
  const page = new PageportError("WASM_LOAD_FAILED", "not loaded", { cause });
  assert.equal(`${page.name} ${page.code}`, "PageportError WASM_LOAD_FAILED");
  assert.equal(page.cause, cause);
});
