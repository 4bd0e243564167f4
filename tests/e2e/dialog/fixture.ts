// What the tests of the built-in dialog share: a page under a strict Content-Security-Policy whose clock stands still, and
// the one dialog on it, seen through its closed shadow root as DevTools sees it.

import type { CDPSession, Page } from "@playwright/test";
import { test as base, PAGE, type Site } from "../postmessage/site.ts";

declare const surface: typeof import("../page/in-page.ts");
declare const page: import("pageport").Page;
declare const calls: Record<string, Promise<import("pageport").SurfaceResponse>>;
declare const ran: string[];

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'none'; img-src data:; frame-src https:; require-trusted-types-for 'script'";
const BODY =
  '<!doctype html><meta charset="utf-8"><title>strict</title><link rel="icon" href="data:,"><script src="/surface.js"></script><button id="before">Before</button>';

/** What a call came to: the code it was refused with, or its output. */
export type Outcome = string | null | undefined;

/** A node of Chromium's accessibility tree. */
export interface AxNode {
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  description?: { value: string };
  properties?: { name: string; value: { value: unknown } }[];
}

/** The page and its dialog. */
export class Stage {
  readonly page: Page;
  readonly #devtools: CDPSession;

  constructor(page: Page, devtools: CDPSession) {
    this.page = page;
    this.#devtools = devtools;
  }

  /** Declares a capability whose executor only notes that it ran. */
  async declare(capability: { id: string } & Record<string, unknown>): Promise<void> {
    await this.page.evaluate((capability) => {
      const { id } = capability;
      const execute = () => {
        ran.push(id);
        return `did ${id}`;
      };
      page.declare({ description: `Do ${id}`, effect: "write", execute, ...capability } as never);
    }, capability);
  }

  /** Begins a call under this name. */
  async ask(name: string, capability: string, input: object = {}, session: object = {}): Promise<void> {
    await this.page.evaluate(
      ([name, capability, input, session]) => {
        const call = page.handle(surface.invoke(capability, input), { ...surface.session, ...session });
        calls[name] = call;
      },
      [name, capability, input, session] as const,
    );
  }

  /** Waits for the end of a call. */
  outcome(name: string): Promise<Outcome> {
    return this.page.evaluate(async (name) => {
      const response = await calls[name];
      if (!response?.ok) return response?.error.code;
      if (!("status" in response.result)) return undefined;
      return response.result.error?.code ?? String(response.result.output);
    }, name);
  }

  /** The executors that ran, in order. */
  ran(): Promise<string[]> {
    return this.page.evaluate(() => ran);
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    await this.page.clock.runFor(ms);
  }

  /** How many dialogs are open. */
  async count(): Promise<number> {
    return (await this.#find()).length;
  }

  /** Runs a function on the open dialog and its root. */
  async look<R>(see: (dialog: HTMLDialogElement, root: ShadowRoot) => R): Promise<R> {
    const [node] = await this.#find();
    if (node === undefined) throw new Error("no dialog is open");
    const { result, exceptionDetails } = await this.#devtools.send("Runtime.callFunctionOn", {
      objectId: node,
      functionDeclaration: `function () { return (${see})(this, this.getRootNode()); }`,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as R;
  }

  /** What it says, line by line. */
  text(): Promise<string[]> {
    return this.look((_, root) =>
      [...root.querySelectorAll("h2, p, h3, dl > div, label, button")].map(({ tagName, children, textContent }) =>
        tagName === "DIV" ? [...children].map((cell) => cell.textContent).join(": ") : (textContent ?? ""),
      ),
    );
  }

  /** The text of the element that has the focus in it. */
  focus(): Promise<string | undefined> {
    return this.look((_, root) => root.activeElement?.textContent || root.activeElement?.tagName);
  }

  /** The middle of a button or the checkbox. */
  async place(name: "Approve" | "Cancel" | "Remember"): Promise<{ x: number; y: number }> {
    const places = await this.look((dialog) =>
      [...dialog.querySelectorAll("button, label")].map((element) => {
        const { x, y, width, height } = (element.querySelector("input") ?? element).getBoundingClientRect();
        return { text: element.textContent?.trim() ?? "", x: x + width / 2, y: y + height / 2 };
      }),
    );
    const found = places.find(({ text }) => text.startsWith(name));
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  }

  /** A person's click, as soon as the dialog minds it. */
  async press(name: "Approve" | "Cancel" | "Remember"): Promise<void> {
    await this.pass(1_000);
    const { x, y } = await this.place(name);
    await this.page.mouse.click(x, y);
  }

  /** The accessibility tree, without what it ignores. */
  async accessible(): Promise<AxNode[]> {
    const { nodes } = await this.#devtools.send("Accessibility.getFullAXTree");
    return (nodes as AxNode[]).filter(({ ignored }) => !ignored);
  }

  /** DevTools' handles of the open dialogs. */
  async #find(): Promise<string[]> {
    const { root } = await this.#devtools.send("DOM.getDocument", { depth: -1, pierce: true });
    const open: number[] = [];
    type Node = typeof root;
    const visit = (node: Node) => {
      if (node.nodeName === "DIALOG" && node.attributes?.includes("open")) open.push(node.nodeId);
      for (const child of [...(node.children ?? []), ...(node.shadowRoots ?? [])]) visit(child);
    };
    visit(root);
    const objects = open.map(async (nodeId) => (await this.#devtools.send("DOM.resolveNode", { nodeId })).object);
    return (await Promise.all(objects)).flatMap(({ objectId }) => objectId ?? []);
  }
}

/** Opens the page; `options` are what its `createPage` gets besides. */
async function open(site: Site): Promise<void> {
  await site.page.clock.install({ time: 0 });
  await site.page.clock.pauseAt(1_000);
  await site.open(PAGE);
  await site.page.evaluate(async () => {
    const violations: string[] = [];
    document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
    Object.assign(globalThis, { calls: {}, ran: [], violations, page: await surface.open() });
  });
}

export const test = base.extend<{ stage: Stage }>({
  entry: "tests/e2e/page/in-page.ts",
  stage: async ({ site, context }, use) => {
    await context.route(`${PAGE}/`, (route) =>
      route.fulfill({ contentType: "text/html", headers: { "content-security-policy": POLICY }, body: BODY }),
    );
    await open(site);
    const devtools = await context.newCDPSession(site.page);
    await use(new Stage(site.page, devtools));
  },
});

export { expect } from "@playwright/test";
