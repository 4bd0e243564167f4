// Starts the catalog: first what people see, then what programs may do, which works by what people see.

import { need } from "../dom.ts";
import { loadBooks } from "./books.ts";
import { complain, keepLinked } from "./link.ts";
import { mountView } from "./view.ts";

loadBooks().then(
  (books) => mountView(books, new URLSearchParams(location.search).get("book")),
  (error: unknown) => complain(new Error(`The books cannot be shown: ${String(error)}`)),
);
keepLinked(need("#allow", HTMLInputElement));
