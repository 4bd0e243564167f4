// Whatever a page does to the built-in dialog, none of it is an approval (Surface §6).

import { expect, type Stage, test } from "./dialog/fixture.ts";
import { PAGE } from "./postmessage/site.ts";

declare const surface: typeof import("./page/in-page.ts");

/** What the page has got hold of. */
declare const taken: { roots: ShadowRoot[]; listeners: EventListener[]; events: Event[] };

/** Opens a dialog whose root the page has got hold of. */
async function open(stage: Stage): Promise<void> {
  await stage.page.evaluate(() => {
    const roots: ShadowRoot[] = [];
    Object.assign(globalThis, { taken: { roots, listeners: [], events: [] } });
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (init) {
      const root = attachShadow.call(this, init);
      roots.push(root);
      return root;
    };
  });
  await stage.declare({ id: "a.write" });
  await stage.page.focus("#before");
  await stage.ask("call", "a.write");
  await stage.pass(1_000);
}

test("clicks and keys that a script makes are ignored", async ({ stage }) => {
  await open(stage);
  await stage.page.evaluate(() => {
    const dialog = taken.roots[0]?.querySelector("dialog");
    for (const button of dialog?.querySelectorAll("button") ?? []) {
      button.click();
      for (const type of ["pointerdown", "mousedown", "mouseup", "click"]) {
        button.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, detail: 1 }));
      }
      button.focus();
      const key = { key: "Enter", bubbles: true, composed: true, cancelable: true };
      for (const type of ["keydown", "keyup"]) button.dispatchEvent(new KeyboardEvent(type, key));
    }
    for (const type of ["cancel", "close"]) dialog?.dispatchEvent(new Event(type, { cancelable: true }));
    for (const key of ["Escape", "Tab"]) dialog?.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  });
  expect(await stage.focus()).toBe("Approve");
  expect(await stage.count()).toBe(1);
  expect(await stage.ran()).toEqual([]);
  await stage.press("Approve");
  expect(await stage.outcome("call")).toBe("did a.write");
  expect(await stage.ran()).toEqual(["a.write"]);
});

test("a click of the first 500 ms, or before the dialog could be seen, was meant for something else", async ({
  stage,
}) => {
  await stage.declare({ id: "a.write" });
  await stage.ask("call", "a.write");
  const approve = await stage.place("Approve");
  const cancel = await stage.place("Cancel");
  const click = async () => {
    for (const { x, y } of [approve, cancel]) await stage.page.mouse.click(x, y);
  };
  await click();
  for (let waited = 0; waited < 480; waited += 120) {
    await stage.pass(120);
    await click();
  }
  expect(await stage.count()).toBe(1);
  expect(await stage.ran()).toEqual([]);
  // The first frame was drawn within 16 ms.
  await stage.pass(36);
  await stage.page.mouse.click(approve.x, approve.y);
  expect(await stage.outcome("call")).toBe("did a.write");
});

const endings: [name: string, end: () => void][] = [
  ["removes it", () => taken.roots[0]?.host.remove()],
  ["moves it", () => document.body.append(taken.roots[0]?.host ?? "")],
  ["replaces the document's element", () => document.documentElement.replaceWith(document.createElement("html"))],
  ["calls close", () => taken.roots[0]?.querySelector("dialog")?.close("approved")],
  ["calls close with true", () => taken.roots[0]?.querySelector("dialog")?.close(true as never)],
];

for (const [name, end] of endings) {
  test(`a page that ${name} has denied`, async ({ stage }) => {
    await open(stage);
    const { x, y } = await stage.place("Approve");
    await stage.page.evaluate(end);
    expect(await stage.outcome("call")).toBe("APPROVAL_DENIED");
    expect(await stage.count()).toBe(0);
    const focused = () => document.activeElement?.id ?? "gone";
    expect(await stage.page.evaluate(focused)).toBe(name.startsWith("replaces") ? "gone" : "before");
    await stage.page.mouse.click(x, y);
    expect(await stage.ran()).toEqual([]);
  });
}

test("natives that the page patches later are not what the dialog works with", async ({ stage }) => {
  await stage.page.evaluate(() => {
    const taken: { listeners: unknown[]; calls: string[] } = { listeners: [], calls: [] };
    Object.assign(globalThis, { taken });
    const spy = (holder: object, names: string[]) => {
      for (const name of names) {
        Object.defineProperty(holder, name, {
          configurable: true,
          value: (...given: unknown[]) => {
            taken.calls.push(name);
            taken.listeners.push(...given.filter((one) => typeof one === "function"));
          },
        });
      }
    };
    spy(EventTarget.prototype, ["addEventListener"]);
    spy(HTMLDialogElement.prototype, ["showModal", "show", "close", "requestClose"]);
    spy(HTMLElement.prototype, ["focus", "blur", "click", "addEventListener"]);
    spy(globalThis, ["requestAnimationFrame", "MutationObserver"]);
    for (const name of ["currentTarget", "timeStamp", "type"]) {
      Object.defineProperty(Event.prototype, name, { configurable: true, get: () => 1e12 });
    }
    const { call, apply, bind } = Function.prototype;
    Object.assign(globalThis, { kept: { call, apply, bind } });
  });
  await stage.declare({ id: "a.write" });
  await stage.ask("1", "a.write");
  expect(await stage.look((dialog) => dialog.matches(":modal"))).toBe(true);
  const called = await stage.page.evaluate(() => {
    const { listeners, calls } = (globalThis as unknown as { taken: { listeners: EventListener[]; calls: string[] } })
      .taken;
    for (const listener of listeners) listener({ isTrusted: true, timeStamp: 1e12 } as Event);
    return calls;
  });
  expect(called.filter((name) => name !== "addEventListener")).toEqual([]);
  expect(await stage.ran()).toEqual([]);
  const { x, y } = await stage.place("Approve");
  await stage.page.mouse.click(x, y);
  expect(await stage.count()).toBe(1);
  await stage.press("Approve");
  expect(await stage.outcome("1")).toBe("did a.write");
  expect(await stage.count()).toBe(0);
});

test("a listener that a page got hold of before is no use: not with a forged event, nor with another click", async ({
  stage,
  context,
}) => {
  // The page comes before the package, and keeps every listener.
  await context.route(`${PAGE}/`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>first</title><link rel="icon" href="data:,"><button id="bait">Bait</button><script>
        globalThis.taken = { listeners: [], events: [] };
        const { addEventListener } = EventTarget.prototype;
        EventTarget.prototype.addEventListener = function (type, listener, ...rest) {
          if (type === "click" || type === "keydown") taken.listeners.push(listener);
          return addEventListener.call(this, type, listener, ...rest);
        };
        bait.onclick = (event) => taken.events.push(event);
      </script><script src="/surface.js"></script>`,
    }),
  );
  await stage.page.goto(`${PAGE}/`);
  await stage.page.click("#bait");
  await stage.page.evaluate(async () => {
    Object.assign(globalThis, { calls: {}, ran: [], page: await surface.open() });
  });
  await stage.declare({ id: "a.write" });
  await stage.ask("call", "a.write");
  await stage.pass(1_000);
  const tried = await stage.page.evaluate(() => {
    const [real] = taken.events;
    const approve = real?.target;
    const forged = { isTrusted: true, currentTarget: approve, target: approve, timeStamp: 1e12 };
    const proxy = real && new Proxy(real, { get: (event, name) => Reflect.get(event, name, event) });
    let tried = 0;
    for (const listener of taken.listeners) {
      for (const event of [real, proxy, forged, Object.setPrototypeOf(forged, Event.prototype), undefined]) {
        tried++;
        try {
          listener(event as Event);
        } catch {
          // Refused with a TypeError: no event at all.
        }
      }
    }
    return { tried, trusted: real?.isTrusted };
  });
  expect(tried).toEqual({ tried: 15, trusted: true });
  expect(await stage.count()).toBe(1);
  expect(await stage.ran()).toEqual([]);
  await stage.press("Cancel");
  expect(await stage.outcome("call")).toBe("APPROVAL_DENIED");
});

test("where no dialog can be shown, what needs one is denied and the page is told", async ({ stage, context }) => {
  await stage.page.evaluate(() => {
    Object.assign(document, {
      createElement: () => {
        throw new Error("no elements today");
      },
    });
  });
  await stage.declare({ id: "a.write" });
  await stage.ask("call", "a.write");
  expect(await stage.outcome("call")).toBe("APPROVAL_DENIED");
  expect(await stage.page.evaluate(() => surface.errors)).toEqual(["confirm: Error no elements today"]);
  await stage.page.evaluate(() => Reflect.deleteProperty(document, "createElement"));
  await stage.ask("next", "a.write");
  await stage.press("Approve");
  expect(await stage.outcome("next")).toBe("did a.write");

  await context.route(`${PAGE}/worker.js`, (route) =>
    route.fulfill({ contentType: "text/javascript", body: 'importScripts("/surface.js"); postMessage("ready");' }),
  );
  const worker = stage.page.waitForEvent("worker");
  await stage.page.evaluate(() => {
    type Policies = { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
    const { trustedTypes } = globalThis as unknown as { trustedTypes: Policies };
    const policy = trustedTypes.createPolicy("test", { createScriptURL: (url: string) => url });
    return new Promise((resolve) => {
      const worker = new Worker(policy.createScriptURL("/worker.js"));
      worker.onmessage = resolve;
      Object.assign(globalThis, { worker });
    });
  });
  const seen = await (await worker).evaluate(async () => {
    const { surface } = globalThis as unknown as { surface: typeof import("./page/in-page.ts") };
    const page = await surface.open();
    page.declare({ id: "a.write", description: "Write", effect: "write", execute: () => "ran" });
    const response = await page.handle(surface.invoke("a.write"), surface.session);
    return [response.ok && "status" in response.result && response.result.error?.code, surface.errors];
  });
  expect(seen).toEqual(["APPROVAL_DENIED", ["confirm: Error no confirm, and no document to ask in"]]);
});
