// The page's connection to the host, and how it stands in plain words.

import { type HostConnection, type HostState, loadPlugin, type PageApi } from "pageport/plugin";
import { need } from "../dom.ts";
import { watched } from "./activity.ts";

const WORDS: Readonly<Record<HostState, string>> = {
  connecting: "Looking for the host…",
  open: "Connected: programs may use this page.",
  reconnecting: "The host does not answer. Trying again…",
  permission_denied: "The browser does not let this page reach the host",
  stopped: "The host turned this page away",
  closed: "Not connected.",
};

/** Connects while `allow` is switched on, and says in `#connection` how that goes. */
export function keepLinked(allow: HTMLInputElement): void {
  let connection: HostConnection | undefined;
  let last: Promise<void> = Promise.resolve();
  const follow = async () => {
    if (allow.checked && connection === undefined) connection = await connect();
    if (!allow.checked) {
      await connection?.close();
      connection = undefined;
    }
  };
  const next = () => {
    // One after the other: the switch may be quicker than a connection.
    last = last.then(follow).catch(complain);
  };
  allow.addEventListener("change", next);
  next();
}

async function connect(): Promise<HostConnection> {
  // Where the script comes from the site itself, a broken one must not take the site along.
  const [manifest, script] = await Promise.all([readJson("/plugin/manifest.json"), loadScript("/plugin/page.js")]);
  const connection = await loadPlugin({
    manifest,
    scriptId: "page",
    script: (pageApi) => script(watched(pageApi, need("#activity", HTMLOListElement))),
    // Asked before each attempt: a host that was started anew has another credential.
    host: () => readJson("/pageport-host.json"),
    // What a handler threw stands in the list of what programs did.
    onError: (error, { operation }) => operation === undefined && complain(error),
  });
  const show = () => {
    const { state, reason } = connection;
    const status = need("#connection", HTMLElement);
    status.dataset.state = state;
    status.textContent = reason === undefined ? WORDS[state] : `${WORDS[state]}: ${reason.message}`;
    // What did not work on the way is over now.
    if (state === "open" || state === "closed") need("#message", HTMLElement).textContent = "";
  };
  connection.onState(show);
  show();
  return connection;
}

async function loadScript(address: string): Promise<(pageApi: PageApi) => unknown> {
  return (await import(address)).default;
}

async function readJson(address: string) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${(await response.text()).trim()}`);
  return response.json();
}

/** Says on the page what does not work. */
export function complain(error: unknown): void {
  need("#message", HTMLElement).textContent = error instanceof Error ? error.message : String(error);
}
