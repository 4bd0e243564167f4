// The environment that the tools need: where they are, and which browser to use.
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { buildDir, root, toolsDir } from "./paths.mjs";

const browserNames = ["chromium", "google-chrome", "google-chrome-stable", "chrome", "chromium-browser"];
const macBrowsers = ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/** Flags for every Chromium the tests start: no sandbox as root in a container, and no traffic of its own. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The environment for everything that the scripts run. Cheap; asks no program.
 *
 * `PAGEPORT_CHROMIUM` and `CHROMEDRIVER` are set when the browser and its driver were found; what the user set stays.
 *
 * @returns {NodeJS.ProcessEnv}
 */
export function environment() {
  const cargoBin = join(process.env.CARGO_HOME || join(homedir(), ".cargo"), "bin");
  // The pinned tools first; Cargo's folder last, for shells that rustup has not reached.
  const pinned = [join(toolsDir, "bin"), join(root, "node_modules", ".bin")];
  const path = [...pinned, process.env.PATH ?? "", cargoBin].join(delimiter);
  const chromium = process.env.PAGEPORT_CHROMIUM || find(browserNames, path) || macBrowsers.find(isProgram);
  const driver = process.env.CHROMEDRIVER || find(["chromedriver"], path);
  return {
    ...process.env,
    PATH: path,
    ...(chromium && { PAGEPORT_CHROMIUM: chromium }),
    ...(driver && { CHROMEDRIVER: driver }),
    // The defaults, 20 s and 5 s, are short for a loaded machine.
    WASM_BINDGEN_TEST_TIMEOUT: "120",
    WASM_BINDGEN_TEST_DRIVER_TIMEOUT: "30",
    WASM_BINDGEN_TEST_WEBDRIVER_JSON: join(buildDir, "webdriver.json"),
  };
}

/**
 * The first of these programs on the path.
 *
 * @param {string[]} names
 * @param {string} [path]
 */
export function find(names, path = environment().PATH ?? "") {
  for (const name of names) {
    for (const folder of path.split(delimiter)) {
      const file = join(folder, name);
      if (isAbsolute(folder) && isProgram(file)) return file;
    }
  }
  return undefined;
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
