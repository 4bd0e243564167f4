// What a page script meets at the border: shapes, errors, and what becomes of its promises.

import { expect, test } from "./operations/fixture.ts";

declare const probe: typeof import("./operations/in-page.ts");

test("pageApi is frozen, and its functions work on their own", async ({ tab, site, host }) => {
  await tab.open(site, host);
  const seen = await tab.page.evaluate(async () => {
    const { pageApi, pageSessionId } = probe.current();
    const { handle, setState, hasPendingReload } = pageApi.operations;
    const unregister = handle("orphan", () => ({ data: {} }));
    unregister();
    handle("orphan", () => ({ data: {} }));
    // The first registration is over: it may not remove the second.
    unregister();
    let taken = "";
    try {
      handle("orphan", () => undefined);
    } catch (error) {
      taken = String(error);
    }
    const first = setState({ ready: true, login: "authenticated" });
    const same = first === setState({ ready: true, login: "authenticated" });
    return {
      members: Object.keys(pageApi),
      frozen: [Object.isFrozen(pageApi), Object.isFrozen(pageApi.operations)],
      identity: [pageApi.pluginId, pageApi.pluginVersion, pageApi.scriptId],
      sameSession: pageApi.pageSessionId === pageSessionId && /^[0-9a-f]{32}$/.test(pageSessionId),
      pending: hasPendingReload(),
      same,
      revision: (await first).revision,
      taken,
    };
  });
  expect(seen).toEqual({
    members: ["pluginId", "pluginVersion", "scriptId", "pageSessionId", "operations", "send", "onMessage"],
    frozen: [true, true],
    identity: ["probe", "1.0.0", "page"],
    sameSession: true,
    pending: false,
    same: true,
    revision: expect.stringMatching(/^[0-9a-f]{32}$/),
    taken: 'Error: handle: "orphan" has a handler already',
  });
  expect(await host.invoke("orphan")).toMatchObject({ state: "succeeded" });
});

test("wrong arguments throw at once", async ({ tab, site, host }) => {
  await tab.open(site, host);
  const messages = await tab.page.evaluate(() => {
    const { operations, onMessage } = probe.current().pageApi;
    const attempts: (() => unknown)[] = [
      () => operations.handle("no spaces", () => undefined),
      () => operations.handle(5 as never, () => undefined),
      () => operations.handle("x", "no" as never),
      () => operations.setState(undefined as never),
      () => operations.setState({ redy: true } as never),
      () => operations.setState({ login: "yes" as never }),
      () => operations.setState({ context: "é".repeat(129) }),
      () => onMessage("no" as never),
    ];
    return attempts.map((attempt) => {
      try {
        attempt();
        return "fine";
      } catch (error) {
        return String(error);
      }
    });
  });
  const id = "TypeError: handle: the id must be 1 to 64 letters, digits, dots, hyphens and underscores";
  expect(messages).toEqual([
    id,
    id,
    "TypeError: handle: the handler must be a function",
    expect.stringMatching(/^TypeError: setState: /),
    "TypeError: setState: redy is unknown",
    "TypeError: setState: login must be one of unknown, authenticated, required",
    "TypeError: setState: context must be a string of 0 to 128 characters",
    "TypeError: onMessage: the listener must be a function",
  ]);
});

test("a handler's context is frozen, works destructured, and refuses what is no progress", async ({
  tab,
  site,
  host,
}) => {
  await tab.open(site, host);
  await tab.page.evaluate(() => {
    probe.current().pageApi.operations.handle("orphan", async (ctx) => {
      const { report, reload, signal, executionId, input, cursor, limit, resource, reloadCount } = ctx;
      const told = async (promise: Promise<unknown>) =>
        promise.then(String, (error) => `${error.name} ${error.message}`);
      Object.assign(globalThis, {
        seen: {
          frozen: Object.isFrozen(ctx),
          executionId: /^[0-9a-f]{32}$/.test(executionId),
          rest: { input, cursor, limit, resource: String(resource), reloadCount, aborted: signal.aborted },
          reports: [
            await told(report(0)),
            await told(report()),
            await told(report(101)),
            await told(report("5" as never)),
            await told(report(Number.NaN)),
          ],
          reloads: [await told(reload()), await told(reload())],
        },
      });
      return { data: {} };
    });
  });
  // The host grants no reload: the execution ends as one that failed.
  expect(await host.invoke("orphan")).toMatchObject({ state: "failed", errorCode: "reload_failed" });
  expect(await tab.page.evaluate(() => (globalThis as { seen?: unknown }).seen)).toEqual({
    frozen: true,
    executionId: true,
    rest: { input: {}, cursor: "", limit: 20, resource: "undefined", reloadCount: 0, aborted: false },
    reports: [
      "undefined",
      "undefined",
      "RangeError report: must be a number from 0 to 100",
      "RangeError report: must be a number from 0 to 100",
      "RangeError report: must be a number from 0 to 100",
    ],
    reloads: Array(2).fill("OperationError reload_failed: the page was not reloaded"),
  });
});

test("a newer state takes the place of the one on its way", async ({ tab, site, host }) => {
  await tab.open(site, host);
  const outcomes = await tab.page.evaluate(async () => {
    const { setState } = probe.current().pageApi.operations;
    const outcome = (promise: Promise<unknown>) =>
      promise.then(
        () => "known",
        (error) => `${error.name} ${error.code}`,
      );
    return Promise.all([outcome(setState({ context: "a" })), outcome(setState({ context: "b", ready: true }))]);
  });
  expect(outcomes).toEqual(["OperationError superseded", "known"]);
});

test("send is refused by a host without hooks, and closing settles everything", async ({ tab, site, host }) => {
  await tab.open(site, host);
  const id = await host.submit("slow");
  await expect.poll(async () => (await host.execution(id)).progress).toBe(40);
  const outcomes = await tab.page.evaluate(async () => {
    const connection = probe.current();
    const { send, operations } = connection.pageApi;
    const outcome = (promise: Promise<unknown>) =>
      promise.then(
        () => "done",
        (error) => `${error.name} ${error.code}`,
      );
    const early = await outcome(send({ any: "thing" }));
    const late = outcome(operations.setState({ context: "never answered" }));
    await connection.close();
    await connection.close();
    return [early, await late, await outcome(operations.setState({})), await outcome(send(1)), connection.state];
  });
  expect(outcomes).toEqual([
    "OperationError not_found",
    "OperationError left",
    "OperationError closed",
    "OperationError not_connected",
    "closed",
  ]);
  expect(await tab.page.evaluate(() => probe.aborts)).toEqual(["AbortError page_hidden"]);
  expect(await host.execution(id, 10_000)).toMatchObject({ state: "interrupted", errorCode: "page_changed" });
});

test("wrong options are refused with the path of what is wrong", async ({ tab, site, host }) => {
  await tab.page.goto(site.origin);
  const messages = await tab.page.evaluate(async (endpoint) => {
    const base = { host: endpoint, manifest: probe.manifest, scriptId: "page", script: () => undefined };
    const attempts: object[] = [
      { script: "text" },
      { hosst: 1 },
      { scriptId: "other" },
      { manifest: { id: "probe" } },
      { host: { url: "http://127.0.0.1:1/", credential: endpoint.credential } },
      { host: { ...endpoint, credential: "nonsense" } },
      { host: 5 },
      { autoState: "yes" },
      { page: Promise.resolve() },
      { signal: AbortSignal.abort(new Error("never mind")) },
    ];
    const messages: string[] = [];
    for (const attempt of attempts) {
      await probe.loadPlugin({ ...base, ...attempt } as never).then(
        () => messages.push("fine"),
        (error) => messages.push(`${error.code ?? error.name} ${error.message}`),
      );
    }
    return messages;
  }, host.endpoint);
  expect(messages).toEqual([
    "INVALID_OPTION loadPlugin: script must be a function",
    "INVALID_OPTION loadPlugin: hosst is unknown",
    "INVALID_OPTION connectHost: plugin.manifest.pageScripts must have the script that scriptId names, with bridge: true",
    "INVALID_OPTION connectHost: plugin.manifest.version is required",
    "INVALID_OPTION connectHost: host.url must be the host's address with /bridge/v1 at the end",
    "INVALID_OPTION connectHost: host.credential must be one that the host issued for this plugin",
    "INVALID_OPTION connectHost: host must be an object or a function",
    "INVALID_OPTION connectHost: autoState must be a boolean",
    "INVALID_OPTION loadPlugin: page.connectHost must be a function",
    "Error never mind",
  ]);
});

test("a script that fails is reported and its connection stays", async ({ tab, site, host }) => {
  await expect.poll(() => host.connected()).toBe(0);
  await tab.page.goto(site.origin);
  const seen = await tab.page.evaluate(async (endpoint) => {
    const script = async ({ operations }: Parameters<Parameters<typeof probe.loadPlugin>[0]["script"]>[0]) => {
      operations.handle("echo", () => ({ data: { said: "still here" } }));
      await operations.setState({ ready: true });
      throw "half way";
    };
    await probe.start(endpoint, { script });
    await probe.ready();
    return probe.errors;
  }, host.endpoint);
  await tab.sees("open");
  await expect.poll(() => tab.page.evaluate(() => probe.errors)).toEqual(["script:page: half way"]);
  expect(seen.length).toBeLessThan(2);
  expect(await host.invoke("echo")).toMatchObject({ state: "succeeded", result: { data: { said: "still here" } } });
});
