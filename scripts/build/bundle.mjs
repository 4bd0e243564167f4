// Bundles the shim, the glue and the wasm into the files that are shipped, and refuses what bundlers or old pages trip over.
import { join } from "node:path";
import { root } from "../paths.mjs";
import { Failure } from "../run.mjs";
import { fileName, globalName } from "./entries.mjs";

/**
 * Makes every format of these entries.
 *
 * @param {import("./entries.mjs").Entry[]} entries
 * @param {string} outDir
 */
export async function bundle(entries, outDir) {
  // Only now: set-up must be able to run without npm packages.
  const esbuild = await import("esbuild");
  const faults = [];
  for (const entry of entries) {
    for (const format of entry.formats) {
      const file = fileName(entry, format);
      const { metafile, outputFiles } = await esbuild.build({
        absWorkingDir: root,
        entryPoints: [entry.source],
        outfile: join(outDir, file),
        bundle: true,
        format,
        ...(format === "iife" && { globalName }),
        minify: true,
        target: "es2022",
        platform: "browser",
        charset: "ascii",
        legalComments: "none",
        plugins: entry.beside === undefined ? [] : [beside(entry.beside, format)],
        metafile: true,
        write: false,
        logLevel: "error",
      });
      const { writeFile } = await import("node:fs/promises");
      for (const { path, contents, text } of outputFiles) {
        await writeFile(path, contents);
        faults.push(...faultsOf(text).map((fault) => `${file}: ${fault}`));
      }
      for (const output of Object.values(metafile.outputs)) {
        const left = output.imports.filter(({ path }) => path !== sibling(entry.beside, format));
        faults.push(...left.map(({ path, kind }) => `${file}: ${kind} of ${path} is left`));
      }
    }
  }
  if (faults.length > 0) throw new Failure(`the bundles cannot be shipped:\n  ${faults.join("\n  ")}`);
}

/**
 * Modules that belong to another entry are taken from its file, so that a page that uses both has them once.
 *
 * @param {string} name
 * @param {string} format
 * @returns {import("esbuild").Plugin}
 */
function beside(name, format) {
  return {
    name: "beside",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\/(index|errors)\.ts$/ }, ({ kind }) =>
        kind === "entry-point" ? undefined : { path: sibling(name, format) ?? "", external: true },
      );
    },
  };
}

/**
 * @param {string | undefined} name
 * @param {string} format
 */
function sibling(name, format) {
  return name && `./${name}.${format === "esm" ? "js" : "cjs"}`;
}

/** What must not be in a shipped file, and why. */
const forbidden = [
  { pattern: /\bimport\s*\(/, why: "holds import(), which classic scripts and workers of some bundlers cannot have" },
  { pattern: /\bimport\.meta\b/, why: "holds import.meta, which is empty outside modules" },
  { pattern: /["'`]node:/, why: "names a Node module" },
  { pattern: /\.wasm["'`]/, why: "names a wasm file, which bundlers would look for" },
  { pattern: /[^\x00-\x7f]/, why: "is not ASCII, so it depends on the charset of the page" },
];

/**
 * @param {string} text
 * @returns {string[]}
 */
export function faultsOf(text) {
  return forbidden.filter(({ pattern }) => pattern.test(text)).map(({ why }) => why);
}
