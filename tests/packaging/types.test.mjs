// The package's types as TypeScript users resolve them, checked strictly and with the declarations themselves.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pkgDir } from "../../scripts/paths.mjs";
import { makeConsumer } from "./consumer.mjs";

const usage = `
import { createPage, type Page, type SurfaceResponse } from "pageport";
import { connect, type Client } from "pageport/client";
import { loadPlugin, type HostConnection, type PageApi, type PluginManifest } from "pageport/plugin";

export async function use(): Promise<SurfaceResponse> {
  const page: Page = await createPage({ app: "consumer" });
  const remove = page.declare({ id: "greet", description: "Greets", effect: "read", execute: () => "Hello" });
  remove();
  // @ts-expect-error: no such option
  await createPage({ app: "consumer", nonsense: true });
  return page.handle({}, null);
}
export async function connectPlugin(page: Page, manifest: PluginManifest): Promise<PageApi> {
  const script = ({ operations }: PageApi) => {
    operations.handle("search", async ({ input, report, signal }) => {
      await report(50);
      return { data: { q: input["q"] ?? null, aborted: signal.aborted }, count: 0 };
    });
  };
  const host = { url: "http://127.0.0.1:47317/bridge/v1", credential: "catalog~1~…" };
  const connection: HostConnection = await loadPlugin({ host, manifest, scriptId: "page", script, page });
  // @ts-expect-error: the script is a function, never text
  await loadPlugin({ host, manifest, scriptId: "page", script: "text" });
  return (await page.connectHost({ host: () => host, plugin: { manifest, scriptId: "page" } })).pageApi;
}
export const client: Promise<Client> = connect(window, { origin: "https://example.com" });
`;

/** @param {string} module @param {string} moduleResolution */
const config = (module, moduleResolution) =>
  JSON.stringify({
    compilerOptions: {
      module,
      moduleResolution,
      target: "es2022",
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: [],
    },
    include: ["*.ts", "*.mts", "*.cts"],
  });

for (const [module, resolution] of [
  ["node16", "node16"],
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
]) {
  test(`types resolve under moduleResolution ${resolution}, from ES modules and CommonJS`, (context) => {
    const consumer = makeConsumer(context, {
      "tsconfig.json": config(module ?? "", resolution ?? ""),
      "esm.mts": usage,
      "cjs.cts": usage,
    });
    consumer.run("tsc", "-p", ".");
  });
}

test("every TypeScript example in the package's README compiles as it stands", (context) => {
  const readme = readFileSync(join(pkgDir, "README.md"), "utf8");
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ""], index) => [
    `example${index}.mts`,
    text,
  ]);
  if (examples.length === 0) return context.skip("the README has no example");
  const consumer = makeConsumer(context, {
    "tsconfig.json": config("nodenext", "nodenext"),
    ...Object.fromEntries(examples),
  });
  consumer.run("tsc", "-p", ".");
});
