// Shows JSON with light colours. The text content is exactly the indented JSON.

import { el } from "../dom.ts";

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function jsonView(value: object): HTMLPreElement {
  const text = JSON.stringify(value, null, 2);
  const view = el("pre", { tabindex: "0" });
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon] = match;
    view.append(text.slice(at, match.index));
    const kind = colon !== undefined ? "key" : string !== undefined ? "text" : "value";
    view.append(el("span", { class: kind }, string ?? token), colon ?? "");
    at = match.index + token.length;
  }
  view.append(text.slice(at));
  return view;
}
