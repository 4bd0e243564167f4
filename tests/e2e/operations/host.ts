// The real host for a test: its own data folder and port, driven over HTTP and by the command line.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { hostBinary } from "../../../scripts/host.mjs";

const probe = fileURLToPath(new URL("plugin", import.meta.url));
const binary = hostBinary();

/** An execution as the host tells it; only what the tests look at. */
export interface Execution {
  executionId: string;
  state: string;
  errorCode?: string;
  certainty: string;
  progress?: number;
  cancelRequested?: boolean;
  cancelConfirmed?: boolean;
  result?: { data: unknown; pagination: { cursor: string; hasMore: boolean; count: number; truncated: boolean } };
}

export interface Reply<T> {
  ok: boolean;
  data: T;
  error?: { code: string; message: string; hint?: string; details?: { reason?: string } };
}

export class Host {
  url = "";
  port = 0;
  credential = "";
  readonly data: string;
  /** The folder of its plugin, a copy that a test may change. */
  readonly plugin: string;
  readonly #dir: string;
  #token = "";
  #child: ChildProcess | undefined;

  private constructor(dir: string) {
    this.#dir = dir;
    this.data = join(dir, "data");
    this.plugin = join(dir, "plugin");
  }

  /** Starts a host with a plugin, that of the tests unless another one is named. */
  static async start(source = probe): Promise<Host> {
    const host = new Host(await mkdtemp(join(tmpdir(), "pageport-e2e-")));
    await cp(source, host.plugin, { recursive: true });
    await host.run();
    return host;
  }

  /** Starts it, also again after `kill`: on the same port and data folder. */
  async run(): Promise<void> {
    const credentialFile = join(this.#dir, "credential.json");
    const args = [
      "serve",
      "--dev",
      "--json",
      "--data",
      this.data,
      "--port",
      String(this.port),
      "--plugin",
      this.plugin,
    ];
    const child = spawn(binary, [...args, "--credential-file", credentialFile], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const { url } = JSON.parse(line) as { url: string };
    this.url = url;
    this.port = Number(new URL(url).port);
    this.#token = JSON.parse(await readFile(join(this.data, "control.json"), "utf8")).token;
    // Only its hash is stored: the file has the newest.
    this.credential = JSON.parse(await readFile(credentialFile, "utf8")).credential;
  }

  get endpoint(): { url: string; credential: string } {
    return { url: `${this.url}/bridge/v1`, credential: this.credential };
  }

  /** Calls a tool as a program does. */
  async call<T>(tool: string, body: object): Promise<Reply<T>> {
    const response = await fetch(`${this.url}/api/v1/${tool}`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Reply<T>;
  }

  /** How many pages are connected. */
  async connected(): Promise<number> {
    const { data } = await this.call<{ items: { connected: boolean }[] }>("list_page_sessions", {});
    return data.items.filter(({ connected }) => connected).length;
  }

  /** Submits an operation of the plugin, and throws when that is refused. */
  async submit(operationId: string, input: object = {}, more: object = {}): Promise<string> {
    const body = { pluginId: "probe", operationId, input, ...more };
    const { ok, data, error } = await this.call<Execution>("invoke_plugin_operation", body);
    if (!ok) throw new Error(`${error?.code}: ${error?.message} ${error?.details?.reason ?? ""}`);
    return data.executionId;
  }

  /** An execution; with `waitMs` once it has ended. */
  async execution(id: string, waitMs = 0): Promise<Execution> {
    const reply = await this.call<Execution>("get_plugin_execution", { id, waitMs });
    if (!reply.ok) throw new Error(JSON.stringify(reply));
    return reply.data;
  }

  /** Submits an operation and waits for its end. */
  async invoke(operationId: string, input: object = {}, more: object = {}): Promise<Execution> {
    return this.execution(await this.submit(operationId, input, more), 20_000);
  }

  /** Runs the command line; the exit code and what it printed. */
  cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      execFile(binary, [...args, "--data", this.data], (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  /** Ends it at once, as a power cut would, or kindly. */
  async kill(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#dir, { recursive: true, force: true });
  }
}
