// The TypeScript declarations of the wire: printed by the Rust crate, which is their one source.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment } from "../environment.mjs";
import { buildDir } from "../paths.mjs";
import { Failure, run } from "../run.mjs";

const typesDir = join(buildDir, "types");
export const wireTypesFile = join(typesDir, "wire.d.ts");

/** Members that are always sent and may be `null` on the wire, as `Type.member`. All other absent members are left out. */
const nullable = [
  "DescribeResponse.id",
  "InvokeResponse.id",
  "ErrorResponse.id",
  "RecordWindow.nextOffset",
  "Session.delegationId",
  "Session.revokedAt",
];

/** Makes `build/types/wire.d.ts`, and `codes.js` beside it for what the shim checks at run time. */
export async function buildWireTypes() {
  const types = await print("types");
  const faults = wireTypeFaults(types);
  if (faults.length > 0) throw new Failure(`the wire types cannot be used as they are:\n  ${faults.join("\n  ")}`);
  const codes = await print("codes");
  mkdirSync(typesDir, { recursive: true });
  writeChanged(wireTypesFile, types);
  writeChanged(join(typesDir, "codes.js"), codes.replace(/^(export const \w+): [^=]+/gm, "$1 "));
  writeChanged(
    join(typesDir, "codes.d.ts"),
    codes.replace(/^export const (\w+: [^=]+?) = .*$/gm, "export declare const $1;"),
  );
}

/** @param {"types" | "codes"} what */
function print(what) {
  const args = ["run", "--quiet", "-p", "pageport", "--features", "ts", "--example", "types", "--", what];
  return run("cargo", args, { env: environment(), quiet: true });
}

/**
 * Leaves a file alone when nothing changed, so that its time stamp does not wake watchers.
 *
 * @param {string} file
 * @param {string} text
 */
function writeChanged(file, text) {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}

/**
 * What is wrong with the declarations, if anything.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function wireTypeFaults(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const faults = [];
  if (/\bbigint\b/.test(code)) faults.push("a number is declared as bigint; JSON has doubles");
  for (const [, type = "", body = ""] of code.matchAll(/export (?:type|interface) (\w+)([\s\S]*?)(?=\nexport |$)/g)) {
    for (const [, member, optional] of body.matchAll(/(\w+)(\?)?:[^,;{}]*\|\s*null\b/g)) {
      if (!nullable.includes(`${type}.${member}`))
        faults.push(
          `${type}.${member} may be null; absent members are left out (${optional ? "remove null" : "make it optional"})`,
        );
    }
  }
  return faults;
}
