// Runs the tests that need no browser of their own: tests/**/*.test.mjs and *.test.ts; *.long.test.* in the long run only.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { filesUnder } from "../build/stamp.mjs";
import { environment } from "../environment.mjs";
import { buildDir, root } from "../paths.mjs";
import { stream } from "../run.mjs";
import { tapCount } from "./counts.mjs";

/**
 * @param {"short" | "long"} which
 * @returns {Promise<import("./stages.mjs").Count>}
 */
export async function runNodeTests(which) {
  const files = filesUnder("tests").filter(
    (file) => /\.test\.(mjs|ts)$/.test(file) && /\.long\.test\./.test(file) === (which === "long"),
  );
  if (files.length === 0) return { passed: 0, failed: 0 };
  const outDir = join(buildDir, "node-tests");
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const typed = files.filter((file) => file.endsWith(".ts"));
  if (typed.length > 0) await compile(typed, outDir);
  const runnable = files.map((file) => (file.endsWith(".ts") ? join(outDir, file.replace(/\.ts$/, ".mjs")) : file));
  const tap = join(buildDir, "node-tests.tap");
  rmSync(tap, { force: true });
  const reporters = ["--test-reporter=spec", "--test-reporter-destination=stdout"];
  const toFile = ["--test-reporter=tap", `--test-reporter-destination=${tap}`];
  const { code } = await stream(
    process.execPath,
    ["--test", "--enable-source-maps", ...reporters, ...toFile, ...runnable],
    {
      env: environment(),
    },
  );
  return tapCount(code, existsSync(tap) ? readFileSync(tap, "utf8") : "");
}

/**
 * @param {string[]} files
 * @param {string} outdir
 */
async function compile(files, outdir) {
  const esbuild = await import("esbuild");
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: files,
    outdir,
    outbase: ".",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    logLevel: "error",
  });
}
