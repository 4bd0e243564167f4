// The README's lines about the host run as they are written, beside the open catalog.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, dirname } from "node:path";
import { root } from "../../scripts/paths.mjs";
import { expect, test } from "./catalog/fixture.ts";

/** Runs a line in a shell; its exit code and the JSON it printed. */
function shell(line: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ code: unknown; reply: unknown; stderr: string }>((resolve) => {
    execFile("/bin/sh", ["-c", line], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, reply: JSON.parse(stdout || "null"), stderr }),
    );
  });
}

test("the README's ten lines of the host work as they are written", async ({ host, terminal: _ }) => {
  const [, block = ""] = /^```sh\n(.*?)^```/ms.exec(await readFile(`${root}/README.md`, "utf8")) ?? [];
  const lines = block.trim().split("\n");
  expect(lines.length).toBe(10);
  const [install = "", , serve = ""] = lines;
  expect(install).toBe("cargo install --locked --path host");
  expect(serve).toMatch(/^pageport serve --dev --plugin demo\/catalog\/plugin --credential-file \S+\.json$/);
  const path = [dirname(host.binary), process.env.PATH].join(delimiter);
  const replies: Record<string, unknown> = {};
  for (const line of lines.filter((one) => one !== install && one !== serve)) {
    const { code, reply, stderr } = await shell(line, { ...process.env, PATH: path, PAGEPORT_DATA: host.data });
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: "" });
    replies[line.split(" ").slice(1, 5).join(" ")] = reply;
  }
  const page = expect.objectContaining({ pluginId: "catalog", connected: true, ready: true });
  expect(replies).toEqual({
    "plugins lint demo/catalog/plugin --dev": { ok: true, errors: [], warnings: [] },
    "plugins list": expect.objectContaining({ total: 1 }),
    "operations list": expect.objectContaining({ total: 4 }),
    "operations get catalog search": expect.objectContaining({ operationId: "search", effects: ["read", "page"] }),
    "operations sessions": expect.objectContaining({ items: [page] }),
    "operations invoke catalog detail": expect.objectContaining({ operationId: "detail", state: "succeeded" }),
    "operations invoke catalog text": expect.objectContaining({ operationId: "text", state: "running" }),
    "operations history --plugin catalog": expect.objectContaining({ total: 2 }),
  });
});
