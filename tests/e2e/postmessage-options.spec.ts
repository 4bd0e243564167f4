// What may be asked of the client and of the listener; everything else is refused at the call, with its path.

import { expect, PAGE, test } from "./postmessage/site.ts";

declare const surface: typeof import("./postmessage/in-page.ts");

test("options of the client are checked, with the path of what is wrong", async ({ site }) => {
  const page = await site.open(PAGE);
  const messages = await page.evaluate(async () => {
    const origin = "https://a.test";
    const wrong: [unknown, unknown][] = [
      [null, { origin }],
      ["https://a.test", { origin }],
      [new MessageChannel().port1, { origin }],
      [document.body, { origin }],
      [window, undefined],
      [window, { origin: "https://a.test/" }],
      [window, { origin: 5 }],
      [window, { origin, app: "" }],
      [window, { origin, app: "x".repeat(65) }],
      [window, { origin, timeoutMs: 0 }],
      [window, { origin, timeoutMs: Number.NaN }],
      [window, { origin, signal: {} }],
      [window, { origin, timeout: 5 }],
      [window, { origin: "*", credential: "secret" }],
      [window, { origin: "null", credential: "secret" }],
      [window, { origin, credential: () => {} }],
      [window, { origin, credential: "x".repeat(65_536) }],
    ];
    const { connect, outcome } = surface;
    const ends = await Promise.all(
      wrong.map(([target, options]) => outcome(connect(target as never, options as never))),
    );
    return ends.map(({ name, message }) => `${name}: ${message}`);
  });
  const rule = "options.origin must be an exact origin such as https://orders.example";
  expect(messages).toEqual(
    [
      ...Array(4).fill("target must be a window or an iframe element"),
      "options must be an object",
      rule,
      rule,
      ...Array(2).fill("options.app must be a string of 1 to 64 characters"),
      ...Array(2).fill("options.timeoutMs must be a number of milliseconds from 1 to 2147483647"),
      "options.signal must be an AbortSignal",
      "options.timeout is not an option",
      ...Array(2).fill("options.credential needs an exact options.origin, or anybody could receive it"),
      "options.credential is not JSON",
      "options.credential must be JSON of at most 65536 characters",
    ].map((message) => `TypeError: ${message}`),
  );
});

test("options of the listener are checked, with the path of what is wrong", async ({ site }) => {
  const page = await site.open(PAGE);
  const messages = await page.evaluate(() => {
    const verifySession = () => null;
    const wrong: unknown[] = [
      undefined,
      { origins: [], verifySession, extra: 1 },
      { origins: [] },
      { origins: "https://a.test", verifySession },
      { origins: ["*"], verifySession },
      { origins: ["https://a.test", "null"], verifySession },
      { origins: ["https://a.test/"], verifySession },
      { origins: ["https://A.test"], verifySession },
      { origins: ["https://a.test:443"], verifySession },
      { origins: [{ origin: "null" }], verifySession },
      { origins: [{ origin: "*", source: window }], verifySession },
      { origins: [{ origin: "https://a.test", source: {} }], verifySession },
      { origins: [{ origin: "https://a.test", source: window, from: 1 }], verifySession },
    ];
    return wrong.map((options) => {
      try {
        surface.createListener(window, "orders", options as never);
        return "taken";
      } catch (error) {
        const { name, code, message } = error as Error & { code: string };
        return `${name} ${code} ${message}`;
      }
    });
  });
  const rule = "must be an exact origin such as https://assistant.example";
  expect(messages).toEqual(
    [
      "listen must be an object",
      "listen.extra is not an option",
      "listen.verifySession must be a function",
      "listen.origins must be an array",
      `listen.origins[0] ${rule}`,
      'listen.origins[1] may be "null" only as { origin, source }',
      `listen.origins[0] ${rule}`,
      `listen.origins[0] ${rule}`,
      `listen.origins[0] ${rule}`,
      "listen.origins[0].source must be a window or a function that returns one",
      `listen.origins[0].origin ${rule}`,
      "listen.origins[0].source must be a window or a function that returns one",
      "listen.origins[0].from is not an option",
    ].map((message) => `PageportError INVALID_OPTION ${message}`),
  );
});
