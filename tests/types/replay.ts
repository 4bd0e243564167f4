// The replay guard that survives reloads, as a page passes it. Compiled only.

import { indexedDbReplayGuard, type PageOptions, type ReplayGuard } from "pageport";
import { same } from "./expect.ts";

same<typeof indexedDbReplayGuard, (options?: { name?: string }) => ReplayGuard>();

export const options: PageOptions = { app: "orders", replayGuard: indexedDbReplayGuard({ name: "orders.replay" }) };

// @ts-expect-error no such option
indexedDbReplayGuard({ nmae: "x" });
