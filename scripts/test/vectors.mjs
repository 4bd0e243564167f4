// Checks every response in the test vectors against the wire types: a vector may not expect what no type allows.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesUnder } from "../build/stamp.mjs";
import { environment } from "../environment.mjs";
import { buildDir, root } from "../paths.mjs";
import { stream } from "../run.mjs";
import { expand } from "./expand.mjs";

/**
 * The responses anywhere in a vector, each with its JSON Pointer.
 *
 * @param {unknown} value
 * @param {string} [pointer]
 * @returns {{ pointer: string, response: object }[]}
 */
export function responsesIn(value, pointer = "") {
  if (typeof value !== "object" || value === null) return [];
  if ("protocol" in value && "ok" in value && typeof value.ok === "boolean") return [{ pointer, response: value }];
  return Object.entries(value).flatMap(([key, member]) => responsesIn(member, `${pointer}/${key}`));
}

/**
 * Counts one per vector with a response in it. Literals are checked strictly: a member that no type names is an error.
 *
 * @returns {Promise<import("./stages.mjs").Count>}
 */
export async function checkVectors() {
  const dir = join(buildDir, "vectors");
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  let vectors = 0;
  for (const file of filesUnder("tests/vectors").filter((name) => name.endsWith(".json"))) {
    const responses = responsesIn(expand(JSON.parse(readFileSync(join(root, file), "utf8"))));
    if (responses.length === 0) continue;
    vectors++;
    const lines = responses.map(
      ({ pointer, response }) => `// ${pointer}\n(${JSON.stringify(response, null, 2)}) satisfies SurfaceResponse;\n`,
    );
    const head = 'import type { SurfaceResponse } from "../types/wire.js";\n\n';
    writeFileSync(join(dir, `${file.slice("tests/vectors/".length).replaceAll("/", "~")}.ts`), head + lines.join("\n"));
  }
  const config = { extends: "../../js/tsconfig.json", compilerOptions: { rootDir: ".." }, include: ["."] };
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify(config));
  if (vectors === 0) return { passed: 0, failed: 0 };
  const { code, output } = await stream("tsc", ["-p", dir, "--pretty", "false"], { env: environment() });
  const wrong = new Set([...output.matchAll(/^build\/vectors\/(.+?)\(\d+,\d+\): error/gm)].map(([, file]) => file))
    .size;
  const failed = code !== 0 && wrong === 0 ? 1 : wrong;
  return { passed: vectors - wrong, failed };
}
