// Compiles the host as the tests do, so that the demo and the tests share one build: the program is there in half the time.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { environment } from "./environment.mjs";
import { root } from "./paths.mjs";
import { run, say } from "./run.mjs";

/** The host, as `buildHost` leaves it. */
export function hostBinary() {
  return resolve(root, environment().CARGO_TARGET_DIR ?? "target", "debug", "pageport");
}

/** Builds the host. Cargo knows best whether anything changed. */
export async function buildHost() {
  if (!existsSync(hostBinary())) say("compiling the host (two minutes, the first time)");
  await run("cargo", ["build", "--quiet", "--locked", "-p", "pageport-host", "--bin", "pageport"], {
    env: environment(),
  });
}
