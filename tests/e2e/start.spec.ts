// `npm start` from outside: what it serves, what it refuses, and how it ends. The build itself is not repeated here.

import { spawn } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment } from "../../scripts/environment.mjs";
import { expect, test } from "./fixture.ts";

const root = join(import.meta.dirname, "../..");

/** Runs one expression of a program of its own, with the functions of the demo at hand. */
function demoProgram(expression: string) {
  const code = `
    import { main } from "./demo/start.mjs";
    import { runOnce } from "./demo/once/run.mjs";
    process.exitCode = await ${expression};`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { cwd: root, env: environment() });
  const out = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    out.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    out.stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, out, ended };
}

test("the server serves its files and nothing else", async ({ demo }) => {
  const answers: [path: string, method: string, status: number, type: string][] = [
    ["", "GET", 200, "text/html; charset=utf-8"],
    ["main.js", "HEAD", 200, "text/javascript; charset=utf-8"],
    ["style.css", "GET", 200, "text/css; charset=utf-8"],
    ["config.json", "GET", 200, "application/json; charset=utf-8"],
    ["missing.js", "GET", 404, "text/plain; charset=utf-8"],
    ["%2e%2e/assistant/main.js", "GET", 404, "text/plain; charset=utf-8"],
    ["..%5cassistant%5cmain.js", "GET", 404, "text/plain; charset=utf-8"],
    ["%", "GET", 404, "text/plain; charset=utf-8"],
    ["", "POST", 405, "text/plain; charset=utf-8"],
  ];
  for (const [path, method, status, type] of answers) {
    const response = await fetch(demo.ordersUrl + path, { method });
    await response.text();
    expect([path, method, response.status, response.headers.get("content-type")]).toEqual([path, method, status, type]);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  }
});

test("a port in use is one clear line and exit code 1", async ({ demo }) => {
  const { port } = new URL(demo.ordersUrl);
  const { out, ended } = demoProgram(`main(["--port", "${port}"], process.env)`);
  expect(await ended).toBe(1);
  expect(out.stderr).toBe(`Port ${port} is in use. Choose another, or 0 for any free one: npm start -- --port 5300\n`);
});

test("an option that does not exist is named", async () => {
  const { out, ended } = demoProgram(`main(["--twice"], process.env)`);
  expect(await ended).toBe(1);
  expect(out.stderr).toBe("Unknown option '--twice'\n");
});

test("an interrupt ends the server with exit code 0", async () => {
  const { child, out, ended } = demoProgram(`main(["--port", "0"], process.env)`);
  await expect.poll(() => out.stdout).toContain("Ctrl+C ends it.");
  const address = /http:\/\/localhost:\d+\//.exec(out.stdout)?.[0] ?? "";
  expect((await fetch(address)).status).toBe(200);
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});

test("--once prints the envelopes of every step and exits 0", async () => {
  test.slow();
  const { out, ended } = demoProgram(`main(["--once"], process.env)`);
  expect(await ended, out.stderr).toBe(0);
  for (const code of ["REPLAY_DETECTED", "CAPABILITY_NOT_EXPOSED", "APPROVAL_DENIED"])
    expect(out.stdout).toContain(code);
  expect(out.stdout).toContain("All 6 steps were seen as they should be.");
});

test("--once exits 1 and names the step that failed", async () => {
  test.slow();
  const folder = await mkdtemp(join(tmpdir(), "pageport-demo-"));
  await cp(join(root, "build/demo"), folder, { recursive: true });
  await writeFile(join(folder, "orders/main.js"), "document.title = 'broken';\n");
  const { out, ended } = demoProgram(`runOnce(process.env, ${JSON.stringify({ folder, limitMs: 3_000 })})`);
  expect(await ended).toBe(1);
  expect(out.stderr).toContain("✗ 1. The assistant asks the page what may be done on it.");
  await rm(folder, { recursive: true });
});
