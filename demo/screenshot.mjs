// Takes demo/screenshot.png of the built demo: `node demo/screenshot.mjs`, after `npm run build`.
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { chromiumFlags, environment } from "../scripts/environment.mjs";
import { Stage, see } from "./once/stage.mjs";
import { startDemo } from "./server.mjs";

/** As sharp as the file may be large: it stays below 300 kB. */
const SCALE = 1.2;
const file = fileURLToPath(new URL("screenshot.png", import.meta.url));

const demo = await startDemo();
const { PAGEPORT_CHROMIUM: executablePath = "chromium" } = environment();
// A frame of another origin takes its scale from the browser, not from the emulated screen.
const args = [...chromiumFlags, `--force-device-scale-factor=${SCALE}`];
const browser = await chromium.launch({ executablePath, args });
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: SCALE,
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  await page.goto(demo.ordersUrl);
  const stage = new Stage(page);
  await stage.read(await stage.exchange("describe"));
  await stage.read(await stage.exchange("orders.open", () => stage.invoke("orders.open", { id: "SO-1004" })));
  const approve = () => stage.invoke("approve@order", { record: "SO-1004", note: "stock is reserved" });
  await stage.read(await stage.exchange("approve@order", approve));
  await see("the row", () => stage.status("SO-1004"), "Approved");
  await page.screenshot({ path: file, animations: "disabled" });
} finally {
  await browser.close();
  await demo.close();
}
