// The README's start runs as it is written: a page of one's own, and an assistant in a frame of another origin.

import { readFileSync } from "node:fs";
import { expect, type Route, test } from "@playwright/test";
import { build } from "esbuild";

const [pageCode, assistantCode] = [...readFileSync("README.md", "utf8").matchAll(/^```ts\n(.*?)^```/gms)].map(
  ([, code]) => code ?? "",
);

/** Bundles one block as a module of a page. */
async function bundle(contents: string | undefined): Promise<string> {
  const stdin = { contents: contents ?? "", resolveDir: process.cwd(), loader: "ts" as const };
  const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false, logLevel: "error" });
  return outputFiles[0]?.text ?? "";
}

test("the README's page and assistant work as they are written", async ({ page, context }) => {
  const lines = (pageCode ?? "").split("\n").filter((line) => line.trim() !== "" && !line.startsWith("//"));
  expect(lines.length).toBeLessThanOrEqual(20);
  const scripts = { shop: await bundle(pageCode), assistant: await bundle(assistantCode) };
  const serve = (script: string, body: string) => (route: Route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/session") {
      const { token } = JSON.parse(route.request().postData() ?? "null");
      expect(token).toBe("…");
      const grant = { agentId: "a", sessionId: "s", userId: "u", expiresAt: Date.now() + 60_000, scope: ["*"] };
      return route.fulfill({ json: grant });
    }
    if (pathname === "/main.js") return route.fulfill({ contentType: "text/javascript", body: script });
    const html = `<!doctype html><title>x</title><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>${body}`;
    return route.fulfill({ contentType: "text/html; charset=utf-8", body: html });
  };
  const frame = '<iframe src="https://assistant.example/"></iframe>';
  await context.route("https://shop.example/**", serve(scripts.shop, frame));
  await context.route("https://assistant.example/**", serve(scripts.assistant, ""));
  const said = page.waitForEvent("console", (message) =>
    message.location().url.startsWith("https://assistant.example"),
  );
  await page.goto("https://shop.example/");
  const [capabilities, status] = await Promise.all((await said).args().map((argument) => argument.jsonValue()));
  expect(capabilities).toMatchObject([{ id: "approve@order", effect: "write", approval: "none" }]);
  expect(status).toEqual({ accepted: true, executed: true, changed: true });
});
