// A project that uses the package as npm would install it: from the packed tarball, outside this checkout.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { environment } from "../../scripts/environment.mjs";
import { pkgDir, root } from "../../scripts/paths.mjs";

/** The page's side of every browser consumer: one capability, called in process; the answer is left for the test. */
export const pageScript = `
import { createPage } from "pageport";

async function main() {
  const page = await createPage({ app: "consumer", openMode: { scope: ["*"] } });
  page.declare({
    id: "greet",
    description: "Greets",
    effect: "read",
    inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    execute: (input) => \`Hello, \${input.name}\`,
  });
  const request = { protocol: "pling.surface/0.1", id: "1", method: "invoke", capability: "greet", input: { name: "Ada" } };
  return page.handle(request, null);
}
main().then(
  (response) => { globalThis.outcome = response; },
  (error) => { globalThis.outcome = String(error); },
);
`;

/**
 * Makes a project with these files and the package in its node_modules; it is removed when the test ends.
 *
 * @param {{ after(clean: () => void): void }} context
 * @param {Record<string, string>} files
 */
export function makeConsumer(context, files) {
  const dir = mkdtempSync(join(tmpdir(), "pageport-consumer-"));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  const [{ filename }] = JSON.parse(inDir(dir, "npm", "pack", pkgDir, "--json", "--silent"));
  inDir(dir, "tar", "-xzf", filename);
  mkdirSync(join(dir, "node_modules"));
  renameSync(join(dir, "package"), join(dir, "node_modules", "pageport"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return {
    dir,
    /**
     * Runs a program there; throws with its output when it fails.
     *
     * @param {string} program
     * @param {string[]} args
     */
    run: (program, ...args) => inDir(dir, program, ...args),
  };
}

/**
 * @param {string} cwd
 * @param {string} program
 * @param {string[]} args
 */
function inDir(cwd, program, ...args) {
  try {
    return execFileSync(program, args, {
      cwd,
      env: environment(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout: string, stderr: string }} */ (error);
    throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`.replaceAll(root, "."));
  }
}
