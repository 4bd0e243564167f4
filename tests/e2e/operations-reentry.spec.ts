// A page script that calls back from everywhere, and handlers that settle in every way but a good one.

import { expect, test } from "./operations/fixture.ts";
import { claimed, id, refused } from "./operations/hostile.ts";

declare const probe: typeof import("./operations/in-page.ts");

test("a state that is set while another one is keeps its own promise", async ({ tab, site, hostile: host }) => {
  await tab.open(site, host);
  host.replies.claim = () => claimed({}, { remainingMs: 100 });
  await tab.page.evaluate(() => {
    const { handle, setState } = probe.current().pageApi.operations;
    const outcome = (promise: Promise<unknown>) => promise.then(String, (error) => error.code);
    const outcomes: Promise<unknown>[] = [];
    Object.assign(globalThis, { outcomes });
    handle("orphan", ({ signal, report }) => {
      signal.addEventListener("abort", () => {
        outcomes.push(outcome(setState({ ready: true, context: "inner" })), report(50));
        handle("another", () => undefined)();
      });
      // The page is kept busy beyond the deadline, so that the next call is what finds it.
      for (const end = performance.now() + 150; performance.now() < end; );
      outcomes.unshift(outcome(setState({ ready: true, context: "outer" })));
      return { data: {} };
    });
  });
  host.invoke(1, "orphan");
  await expect.poll(() => host.bodies("complete")).toMatchObject([{ state: "cancelled", reason: "timed_out" }]);
  const outcomes = await tab.page.evaluate(() =>
    Promise.all((globalThis as unknown as { outcomes: Promise<unknown>[] }).outcomes),
  );
  expect(outcomes).toEqual(["superseded", "[object Object]", undefined]);
  expect(host.bodies("state").at(-1)).toMatchObject({ context: "inner" });
});

test("getters that call back find everything in order", async ({ tab, site, hostile: host }) => {
  await tab.open(site, host);
  const outcomes = await tab.page.evaluate(async () => {
    const { handle, setState } = probe.current().pageApi.operations;
    const inner: Promise<unknown>[] = [];
    const state = {
      get context() {
        inner.push(setState({ ready: true, context: "from the getter" }));
        return "outer";
      },
      ready: true,
    };
    handle("orphan", () => ({
      get data() {
        inner.push(setState({ ready: true, context: "from the result" }));
        handle("later", () => undefined);
        return { fine: true };
      },
    }));
    const outer = setState(state);
    const outcomes = await Promise.allSettled([...inner, outer]);
    return outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason.code));
  });
  expect(outcomes).toEqual(["superseded", { revision: id(1) }]);
  host.invoke(1, "orphan");
  await expect
    .poll(() => host.bodies("complete"))
    .toMatchObject([{ state: "succeeded", result: { data: { fine: true } } }]);
  await expect.poll(() => host.bodies("state").at(-1)).toMatchObject({ context: "from the result" });
});

test("however a handler settles, there is one report, and the page goes on", async ({ tab, site, hostile: host }) => {
  await tab.open(site, host);
  const names = await tab.page.evaluate(() => {
    const never = new Proxy({}, { ownKeys: () => probe.fail("a trap"), get: () => probe.fail("a trap") });
    const ways: Record<string, () => unknown> = {
      "settles twice": () =>
        probe.thenable((done: (value: unknown) => void, failed: (error: unknown) => void) => {
          done({ data: {} });
          failed(new Error("late"));
          done({ data: { second: true } });
        }),
      "throws in then": () => new Proxy({}, { get: () => probe.fail("then") }),
      "a proxy": () => new Proxy({ data: {} }, {}),
      "a proxy that throws": () => ({ data: never }),
      "a getter that throws": () => ({
        get data() {
          return probe.fail("a getter");
        },
      }),
      "a revoked proxy": () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return { data: proxy };
      },
      "a function": () => ({ data: () => 1 }),
      "a symbol thrown": () => {
        throw Symbol("x");
      },
      "null thrown": () => {
        throw null;
      },
      "an error whose message throws": () => {
        throw Object.defineProperty(new Error("x"), "message", { get: () => probe.fail("message") });
      },
      "its own signal's reason": () => {
        throw new DOMException("cancelled", "AbortError");
      },
      deep: () => {
        let data: unknown = 0;
        for (let depth = 0; depth < 50_000; depth += 1) data = [data];
        return { data };
      },
      huge: () => ({ data: Array(200_000).fill("x") }),
    };
    probe.current().pageApi.operations.handle("orphan", ({ input }) => ways[String(input.way)]?.());
    return Object.keys(ways);
  });
  let number = 0;
  for (const way of names) {
    number += 1;
    host.replies.claim = () => claimed({ way });
    host.invoke(number, "orphan");
    const mine = () => host.bodies("complete").filter((body) => body.executionId === id(number));
    await expect.poll(mine, way).toHaveLength(1);
    const good = ["settles twice", "a proxy"].includes(way);
    expect(mine()[0], way).toMatchObject({ state: good ? "succeeded" : "failed", stopped: true, revision: id(1) });
  }
  expect(host.count("complete")).toBe(names.length);
  host.replies.claim = () => refused(409, "execution_ended");
  expect(await tab.page.evaluate(() => probe.current().state)).toBe("open");
});

test("a handler that is unregistered goes on, and the next one does not get its call", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.open(site, host);
  await tab.page.evaluate(() => {
    const { handle } = probe.current().pageApi.operations;
    const unregister = handle("orphan", async () => {
      unregister();
      handle("orphan", () => ({ data: { second: true } }));
      await probe.pause();
      return { data: { first: true } };
    });
  });
  host.invoke(1, "orphan");
  await expect.poll(() => host.bodies("complete")).toMatchObject([{ result: { data: { first: true } } }]);
  host.invoke(2, "orphan");
  await expect.poll(() => host.bodies("complete")[1]).toMatchObject({ result: { data: { second: true } } });
});

test("listeners that add listeners are called once", async ({ tab, site, hostile: host }) => {
  await tab.open(site, host);
  await tab.page.evaluate(() => {
    let calls = 0;
    const { pageApi, onState } = {
      pageApi: probe.current().pageApi,
      onState: probe.current().onState.bind(probe.current()),
    };
    const again = (add: (listener: () => void) => unknown) => {
      add(() => {
        calls += 1;
        Object.assign(globalThis, { calls });
        if (calls < 1_000) again(add);
      });
    };
    again(onState);
    again(pageApi.onMessage);
  });
  host.event({ type: "message", message: 1 });
  const calls = () => tab.page.evaluate(() => (globalThis as { calls?: number }).calls);
  await expect.poll(calls).toBe(1);
  await tab.page.evaluate(() => probe.current().close());
  expect(await calls()).toBe(2);
});

test("a close is not undone by what happens meanwhile, and nothing is left behind", async ({
  tab,
  site,
  hostile: host,
}) => {
  await tab.open(site, host);
  const codes = await tab.page.evaluate(async () => {
    const connection = probe.current();
    const closing = connection.close();
    dispatchEvent(new Event("online"));
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    document.dispatchEvent(new Event("resume"));
    const { setState } = connection.pageApi.operations;
    // Nobody looks at this one, and nobody has to.
    setState({ ready: true });
    const late = setState({ context: "late" }).catch((error) => error.code);
    await closing;
    setState({ ready: true });
    return [await late, await setState({}).catch((error) => error.code), connection.state];
  });
  expect(codes).toEqual(["left", "closed", "closed"]);
  await expect.poll(() => host.bodies("leave")).toMatchObject([{ close: true }]);
  expect(host.streams.length).toBe(1);
});

test("host() may call back, hang and lie", async ({ tab, site, hostile: host }) => {
  await tab.page.clock.install();
  await tab.page.goto(site.origin);
  await tab.page.evaluate(async (endpoint) => {
    let asked = 0;
    const answers: (() => unknown)[] = [
      () => new Promise(() => undefined),
      () => probe.fail("host()"),
      () => undefined,
      () => ({ url: 5 }),
      () => ({ ...endpoint, credential: "other~1~x" }),
      () => ({
        ...endpoint,
        get url() {
          return probe.fail("a getter");
        },
      }),
      () => probe.thenable(() => probe.fail("then")),
      async () => {
        void probe.ready();
        probe.current().pageApi.operations.handle("from-host", () => undefined)();
        return endpoint;
      },
    ];
    await probe.start(endpoint, { host: () => answers[asked++]?.() });
  }, host.endpoint);
  const state = async () => {
    await tab.page.evaluate(() => dispatchEvent(new Event("online")));
    await tab.page.clock.runFor(1_000);
    return tab.page.evaluate(() => probe.current().state);
  };
  await expect.poll(state, { intervals: [50], timeout: 20_000 }).toBe("open");
  expect(host.count("open")).toBe(1);
  // It is asked again and again; the developer hears of it once.
  expect(await tab.page.evaluate(() => probe.errors)).toEqual(["host: Error: host()"]);
});
