// The search field, the list and the panel beside it.

import { el, need } from "../dom.ts";
import { matches } from "../words.ts";
import type { Book } from "./books.ts";

/** Shows the books. `openId` names one to open at once, as a link to it does. */
export function mountView(books: readonly Book[], openId: string | null): void {
  const list = need("#books", HTMLOListElement);
  const panel = need("#book", HTMLElement);
  const query = need("#query", HTMLInputElement);
  const rows = books.map((book) => ({ book, ...createRow(book) }));

  const open = (id: string | null) => {
    const book = books.find((one) => one.id === id);
    panel.replaceChildren(...(book === undefined ? [emptyPanel()] : bookPanel(book)));
    for (const row of rows) {
      row.button.setAttribute("aria-expanded", String(row.book === book));
      row.element.classList.toggle("open", row.book === book);
      if (row.book === book) row.element.scrollIntoView({ block: "nearest" });
    }
  };
  const search = () => {
    let found = 0;
    for (const { book, element } of rows) {
      element.hidden = !matches(query.value.trim(), [book.title, book.author, book.about]);
      if (!element.hidden) found++;
    }
    need("#found", HTMLElement).textContent = `${found} of ${books.length} books`;
    need("#nothing", HTMLElement).hidden = found > 0;
  };

  for (const { book, button } of rows) button.addEventListener("click", () => open(book.id));
  query.addEventListener("input", search);
  list.append(...rows.map(({ element }) => element));
  list.addEventListener("keydown", moveFocus);
  search();
  open(openId);
}

function createRow(book: Book): { element: HTMLLIElement; button: HTMLButtonElement } {
  const button = el(
    "button",
    { type: "button", "aria-controls": "book" },
    el("bdi", { class: "title" }, book.title),
    el("bdi", { class: "author" }, book.author),
  );
  return { element: el("li", { "data-book": book.id }, button), button };
}

function emptyPanel(): HTMLElement {
  return el("p", { class: "empty" }, "Choose a book to see it here.");
}

function bookPanel(book: Book): HTMLElement[] {
  return [
    el("h2", {}, el("bdi", { "data-field": "title" }, book.title)),
    el("p", { class: "author" }, el("bdi", { "data-field": "author" }, book.author)),
    el("p", { "data-field": "about" }, book.about),
    el("blockquote", { dir: "auto", "data-field": "opening" }, book.opening),
    el(
      "dl",
      {},
      ...pair("Year", el("span", { "data-field": "year" }, String(book.year))),
      ...pair("Pages", el("span", { "data-field": "pages" }, String(book.pages))),
      ...pair("Number", el("a", { href: `/?book=${encodeURIComponent(book.id)}` }, book.id)),
    ),
  ];
}

function pair(name: string, value: HTMLElement): HTMLElement[] {
  return [el("dt", {}, name), el("dd", {}, value)];
}

/** Up and down walk through the books in view, as in any list. */
function moveFocus(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const list = event.currentTarget;
  if (step === 0 || !(list instanceof HTMLElement)) return;
  const buttons = [...list.querySelectorAll<HTMLButtonElement>("li:not([hidden]) > button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  if (at < 0) return;
  buttons[at + step]?.focus();
  event.preventDefault();
}
