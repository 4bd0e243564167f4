// What the built-in dialog is made of. Agent values are text nodes, and no style needs the document's permission: a
// constructed sheet is under no Content-Security-Policy.

import type { ConfirmRequest } from "#wire";
import { lines, visible } from "./visible.ts";

const EFFECTS = {
  read: "Reads data",
  write: "Changes data",
  destructive: "Deletes or overwrites data; it may not be possible to undo this",
};

const STYLE = `
:host{all:initial!important;display:contents!important}
dialog{box-sizing:border-box;width:36em;max-width:calc(100vw - 1em);max-height:calc(100vh - 1em);max-height:calc(100dvh - 1em);
padding:0;border:1px solid GrayText;border-radius:.5em;overflow:hidden;overflow-wrap:anywhere;
color-scheme:light dark;color:CanvasText;background:Canvas;font:16px/1.4 system-ui,sans-serif}
dialog[open]{display:flex;flex-direction:column}
::backdrop{background:#0009}
section{flex:1 1 auto;min-height:0;overflow:auto;overscroll-behavior:contain;padding:1em}
footer{flex:none;display:flex;flex-wrap:wrap;justify-content:end;gap:.5em;padding:.5em 1em;border-top:1px solid GrayText}
h2,h3,p,dl,dd{margin:0 0 .5em;font-size:1em}
h2{font-size:1.2em}
p,dd{white-space:pre-wrap}
dl div{display:flex;gap:1em;overflow:hidden}
dt{flex:0 0 30%;font-weight:600}
dd{flex:1;min-width:0}
label{flex:1 0 100%}
button{font:inherit;min-height:2.75em;min-width:5.5em}
`;

/** The dialog of one request, not shown yet. */
export interface Parts {
  /** Stands in the document; everything else is in its closed shadow root, out of reach of the page's style. */
  host: HTMLElement;
  root: ShadowRoot;
  dialog: HTMLDialogElement;
  approve: HTMLButtonElement;
  cancel: HTMLButtonElement;
  /** Where the answer may be remembered. */
  remember: HTMLInputElement | undefined;
  /** Where the Tab key goes, in this order. */
  stops: HTMLElement[];
}

/** Builds it: first what the page's developer says, then what the agent does. */
export function build(request: ConfirmRequest, mayRemember: boolean): Parts {
  const { capability, description, effect, record, input, agentId } = request;
  const title = make("h2", "Approve this action?");
  const text = make("p", description);
  const said: [string, string][] = [["Action", capability]];
  if (record !== undefined) said.push([`Record (${record.type})`, visible(record.id)]);
  said.push(["Effect", EFFECTS[effect]]);
  const sent = Object.entries(input).flatMap(([name, value]) => lines(name, value));
  const asks = make("h3", "Asked for by agent ", make("bdi", visible(agentId)));
  const details = make(
    "section",
    title,
    text,
    rows(said),
    asks,
    sent.length === 0 ? make("p", "No values.") : rows(sent),
  );
  const cancel = make("button", "Cancel");
  const approve = make("button", "Approve");
  const remember = mayRemember ? make("input") : undefined;
  const footer = make("footer", cancel, approve);
  if (remember !== undefined) {
    remember.type = "checkbox";
    footer.prepend(make("label", remember, " Remember my approval for this session"));
  }
  const dialog = make("dialog", details, footer);
  Object.assign(dialog, { lang: "en", dir: "ltr" });
  title.id = "t";
  text.id = "d";
  text.dir = "auto";
  dialog.setAttribute("aria-labelledby", "t");
  dialog.setAttribute("aria-describedby", "d");
  // A list that scrolls must be within reach of the arrow keys.
  details.tabIndex = 0;
  details.setAttribute("role", "group");
  details.setAttribute("aria-label", "Details");
  cancel.autofocus = true;
  const host = make("div");
  const root = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  root.append(dialog);
  const stops = [details, ...(remember ? [remember] : []), cancel, approve];
  return { host, root, dialog, approve, cancel, remember, stops };
}

function rows(pairs: [name: string, value: string][]): HTMLElement {
  return make("dl", ...pairs.map(([name, value]) => make("div", isolated("dt", name), isolated("dd", value))));
}

/** A text whose direction is its own. */
function isolated(tag: "dt" | "dd", text: string): HTMLElement {
  const element = make(tag, text);
  element.dir = "auto";
  return element;
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.append(...children);
  return element;
}
