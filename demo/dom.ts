// Builds DOM nodes without ever parsing text as HTML.

type Child = Node | string | null;

/** Creates an element; strings become text nodes, `null` children are left out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/** Finds an element that the page's HTML promises to hold. */
export function need<T extends HTMLElement>(selector: string, kind: abstract new () => T): T {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page lacks ${selector}`);
  return found;
}
