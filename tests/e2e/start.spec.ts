// `npm start` from outside: what it serves, what it refuses, and how it ends. The build itself is not repeated here.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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
  const choose = "Choose another, or 0 for any free one: npm start --";
  const cases = [
    [["--port", port, "--host-port", "0"], `Port ${port} is in use. ${choose} --port 5300\n`],
    [["--port", "0", "--host-port", port], `Port ${port}, the host's, is in use. ${choose} --host-port 0\n`],
  ];
  for (const [argv, said] of cases) {
    const { out, ended } = demoProgram(`main(${JSON.stringify(argv)}, process.env)`);
    expect(await ended).toBe(1);
    expect(out.stderr).toBe(said);
  }
});

test("an option that does not exist, or that makes no sense, is named", async () => {
  const cases = [
    [["--twice"], "Unknown option '--twice'\n"],
    [["--port", "65534"], '--port takes a whole number from 0 to 65533, not "65534"\n'],
    [["--host-port", ""], '--host-port takes a whole number from 0 to 65535, not ""\n'],
  ];
  for (const [argv, said] of cases) {
    const { out, ended } = demoProgram(`main(${JSON.stringify(argv)}, process.env)`);
    expect(await ended).toBe(1);
    expect(out.stderr).toBe(said);
  }
});

/** What `npm start` has printed once everything is there. */
async function addresses(out: { stdout: string }) {
  await expect.poll(() => out.stdout).toContain("Ctrl+C ends it.");
  const after = (name: string) => new RegExp(`^${name} +(\\S+)`, "m").exec(out.stdout)?.[1] ?? "";
  return { sites: ["Orders page", "Assistant", "Catalog"].map(after), host: after("Host") };
}

/** The data folder of its host. */
const dataOf = (out: { stdout: string }) => /PAGEPORT_DATA='([^']+)'/.exec(out.stdout)?.[1] ?? "";

/** The host answers whoever asks, so that it can be told whether it is there. */
const isThere = (host: string) =>
  fetch(`${host}/hello?nonce=${"0".repeat(32)}`).then(
    ({ ok }) => ok,
    () => false,
  );

test("an interrupt ends the sites and the host with exit code 0", async () => {
  const { child, out, ended } = demoProgram(`main(["--port", "0"], process.env)`);
  const { sites, host } = await addresses(out);
  expect(await Promise.all(sites.map(async (site) => (await fetch(site)).status))).toEqual([200, 200, 200]);
  expect(await isThere(host)).toBe(true);
  const data = dataOf(out);
  expect(existsSync(join(data, "control.json"))).toBe(true);
  child.kill("SIGINT");
  expect(await ended).toBe(0);
  expect(out.stderr).toBe("");
  expect([await isThere(host), existsSync(data)]).toEqual([false, false]);
});

test("the host ends with the demo, even when that is killed", async () => {
  const { child, out, ended } = demoProgram(`main(["--port", "0"], process.env)`);
  const { host } = await addresses(out);
  expect(await isThere(host)).toBe(true);
  child.kill("SIGKILL");
  expect(await ended).toBe(null);
  await expect.poll(() => isThere(host)).toBe(false);
  // Nobody was left to do that.
  await rm(dataOf(out), { recursive: true });
});

/** Ids, ports, how far an export was, and where lines break are different each time. */
function withoutChance(transcript: string) {
  const fixed = transcript.replace(/\b[0-9a-f]{32}\b/g, "ID").replace(/localhost:\d+/g, "SITE");
  return fixed
    .replace(/"progress": \d+/g, '"progress": N')
    .replace(/\s+/g, " ")
    .trim();
}

test("--once prints every step and exits 0; the README shows what it prints of the catalog", async () => {
  test.slow();
  const { out, ended } = demoProgram(`main(["--once"], process.env)`);
  expect(await ended, out.stderr).toBe(0);
  for (const code of ["REPLAY_DETECTED", "CAPABILITY_NOT_EXPOSED", "APPROVAL_DENIED"])
    expect(out.stdout).toContain(code);
  expect(out.stdout).toContain("All 11 steps were seen as they should be.");

  const [, session] = /^```console\n(.*?)^```/ms.exec(await readFile(join(root, "README.md"), "utf8")) ?? [];
  const catalog = out.stdout.slice(out.stdout.indexOf("\n7. "), out.stdout.indexOf("\nAll "));
  const printed = catalog.split("\n").filter((line) => !/^\d+\. |^ {3}✓/.test(line));
  expect(withoutChance(session ?? "")).toBe(withoutChance(printed.join("\n")));
});

test("--once exits 1 and names the step that failed", async () => {
  test.slow();
  const folder = await mkdtemp(join(tmpdir(), "pageport-demo-"));
  await cp(join(root, "build/demo"), folder, { recursive: true });
  await writeFile(join(folder, "orders/main.js"), "document.title = 'broken';\n");
  const { out, ended } = demoProgram(`runOnce(process.env, ${JSON.stringify({ folder, limitMs: 5_000 })})`);
  expect(await ended).toBe(1);
  expect(out.stderr).toContain("✗ 1. The assistant asks the page what may be done on it.");
  await rm(folder, { recursive: true });
});
