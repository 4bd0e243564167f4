// The package's type declarations: what tsc makes of js/, plus the wire types, each for ESM and for CJS.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { environment } from "../environment.mjs";
import { buildDir } from "../paths.mjs";
import { Failure, run } from "../run.mjs";
import { wireTypesFile } from "./wire-types.mjs";

const specifier = /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(["'])([^"']+)\2/g;

/**
 * Writes `<entry>.d.ts` and `<entry>.d.cts` and, under `types/`, the declarations they lead to.
 *
 * @param {import("./entries.mjs").Entry[]} entries
 * @param {string} outDir
 */
export async function writeDeclarations(entries, outDir) {
  const emitted = join(buildDir, "types", "js");
  rmSync(emitted, { recursive: true, force: true });
  // `npm run check` is what checks types; a build must not wait for the last of them.
  const emit = ["--noCheck", "--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", emitted];
  await run("tsc", ["-p", "js", ...emit], { env: environment() });

  mkdirSync(join(outDir, "types"), { recursive: true });
  const waiting = entries.map(({ source }) => basename(source, ".ts"));
  const written = new Set();
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (written.has(module)) continue;
    written.add(module);
    const text = readFileSync(module === "wire" ? wireTypesFile : join(emitted, `${module}.d.ts`), "utf8");
    waiting.push(...writeTwins(module, text, emitted, outDir));
  }
  for (const { name, source } of entries) {
    for (const [types, code] of [
      ["d.ts", "js"],
      ["d.cts", "cjs"],
    ]) {
      writeFileSync(join(outDir, `${name}.${types}`), `export * from "./types/${basename(source, ".ts")}.${code}";\n`);
    }
  }
}

/**
 * Writes one module for both module systems, and returns the modules it refers to.
 *
 * @param {string} module path below `types/`, without extension
 * @param {string} text
 * @param {string} emitted
 * @param {string} outDir
 */
function writeTwins(module, text, emitted, outDir) {
  /** @type {string[]} */
  const references = [];
  const depth = module.split("/").length - 1;
  const up = depth === 0 ? "./" : "../".repeat(depth);
  /** @param {string} extension */
  const rewrite = (extension) =>
    text.replace(specifier, (_, keyword, quote, path) => {
      const target = path === "#wire" ? "wire" : resolveModule(module, path, emitted);
      references.push(target);
      return `${keyword}${quote}${up}${target}${extension}${quote}`;
    });
  mkdirSync(join(outDir, "types", module, ".."), { recursive: true });
  writeFileSync(join(outDir, "types", `${module}.d.ts`), rewrite(".js"));
  writeFileSync(join(outDir, "types", `${module}.d.cts`), rewrite(".cjs"));
  return references;
}

/**
 * @param {string} from
 * @param {string} path
 * @param {string} emitted
 */
function resolveModule(from, path, emitted) {
  const target = join(from, "..", path).replace(/\.(ts|js)$/, "");
  if (path.startsWith(".") && existsSync(join(emitted, `${target}.d.ts`))) return target;
  throw new Failure(`js/${from}.ts: its public types refer to "${path}", which is not part of the package`);
}
