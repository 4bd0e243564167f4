// The README's plugin runs as it is written, with the real host and the catalog's manifest.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { expect, Host, test } from "./operations/fixture.ts";

const plugin = "demo/catalog/plugin";

test("the README's page script answers a search from the command line", async ({ page }) => {
  const blocks = [...(await readFile("README.md", "utf8")).matchAll(/^```ts\n(.*?)^```/gms)];
  const contents = blocks.map(([, code = ""]) => code).find((code) => code.includes("loadPlugin({")) ?? "";
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "error",
  });
  const host = await Host.start(plugin);
  const bodies: Record<string, [type: string, body: string]> = {
    "/": [
      "text/html",
      '<!doctype html><title>x</title><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
    ],
    "/main.js": ["text/javascript", outputFiles[0]?.text ?? ""],
    "/plugin/manifest.json": ["application/json", await readFile(`${plugin}/manifest.json`, "utf8")],
    "/pageport-host.json": ["application/json", JSON.stringify(host.endpoint)],
    "/books?q=tides": ["application/json", "[]"],
  };
  const server = createServer((request, response) => {
    const [type, body] = bodies[request.url ?? ""] ?? ["text/plain", "not found"];
    response.setHeader("content-type", type);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  const sessions = () => host.call<{ items: { connected: boolean; ready: boolean }[] }>("list_page_sessions", {});
  await expect.poll(async () => (await sessions()).data.items).toMatchObject([{ connected: true, ready: true }]);
  const { code, stdout } = await host.cli(
    ...["operations", "invoke", "catalog", "search", "--input", '{"q":"tides"}', "--wait"],
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ state: "succeeded", progress: 50, result: { data: { items: [] } } });
  expect(said).toEqual(["connecting"]);
  await host.remove();
  server.closeAllConnections();
  server.close();
});
