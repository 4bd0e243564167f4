// The command line beside the open catalog, and the catalog's page as someone in front of the screen sees it.
import { execFile } from "node:child_process";
import { StepFailure, see } from "./stage.mjs";

/**
 * @typedef {object} Line one thing that happened, for the transcript
 * @property {string} line as it would stand in a terminal
 * @property {any} [reply] the JSON that was printed
 */

export class Terminal {
  /**
   * @param {import("@playwright/test").Page} page
   * @param {{binary: string, data: string}} host
   */
  constructor(page, host) {
    this.page = page;
    this.host = host;
    /** @type {Line[]} */
    this.lines = [];
    /** @type {any} what was printed last */
    this.last = undefined;
  }

  /**
   * Runs `pageport operations …` and answers what it printed.
   *
   * @param {string[]} args
   * @returns {Promise<any>}
   */
  async run(...args) {
    const command = ["pageport", "operations", ...args].map(quote).join(" ");
    const { code, stdout, stderr } = await this.execute(["operations", ...args]);
    if (code !== 0) throw new StepFailure(command, "exit code 0", stderr.trim() || `exit code ${code}`);
    this.last = JSON.parse(stdout);
    this.lines.push({ line: `$ ${command}`, reply: this.last });
    return this.last;
  }

  /**
   * Looks at an execution without a line in the transcript.
   *
   * @param {string} id
   */
  async peek(id) {
    return JSON.parse((await this.execute(["operations", "execution", id])).stdout);
  }

  /** @param {string} text something that a person does meanwhile */
  note(text) {
    this.lines.push({ line: `# ${text}` });
  }

  /** What was written since the last time. */
  take() {
    return this.lines.splice(0);
  }

  /** Waits until programs may use the page. */
  async connected() {
    const { page } = this;
    await see("the connection", () => page.locator("#connection").getAttribute("data-state"), "open");
    await see("the page's readiness", async () => this.#isReady(), true);
  }

  /** The ids of the books in view. */
  shown() {
    return this.page
      .locator("#books > li:visible")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-book")));
  }

  /** What the page says about the newest call. */
  newest() {
    return this.page.locator("#activity > li .outcome").first().textContent();
  }

  async #isReady() {
    const { stdout } = await this.execute(["operations", "sessions"]);
    return JSON.parse(stdout).items.some((/** @type {{ready: boolean}} */ { ready }) => ready);
  }

  /**
   * Runs `pageport` without a line in the transcript.
   *
   * @param {string[]} args
   * @returns {Promise<{code: unknown, stdout: string, stderr: string}>}
   */
  execute(args) {
    const env = { ...process.env, PAGEPORT_DATA: this.host.data };
    return new Promise((resolve) => {
      execFile(this.host.binary, args, { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      );
    });
  }
}

/**
 * An argument as it has to be typed.
 *
 * @param {string} argument
 */
function quote(argument) {
  return /^[\w./:=-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
