// Uses the catalog of Tidewater Books as a visitor would: with its search field, its list and its panel.

const PAUSE_MS = 500;
const LOAD_MS = 5_000;

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop);
  });
}

// The page may be ready for calls before its list is there.
async function books(signal) {
  for (let waited = 0; waited < LOAD_MS; waited += 100) {
    const rows = [...document.querySelectorAll("#books > li")];
    if (rows.length > 0) return rows;
    await pause(100, signal);
  }
  throw new Error("the catalog did not load");
}

function find(rows, words) {
  const field = document.querySelector("#query");
  field.value = words;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return rows.filter((row) => !row.hidden);
}

function item(row) {
  const id = row.dataset.book;
  return {
    pluginId: pageApi.pluginId,
    id,
    kind: "book",
    title: row.querySelector(".title").textContent,
    author: row.querySelector(".author").textContent,
    pageUrl: new URL(`/?book=${id}`, location.origin).href,
    capabilities: ["detail", "text"],
  };
}

function open(row) {
  row.querySelector("button").click();
  const panel = document.querySelector("#book");
  const field = (name) => panel.querySelector(`[data-field="${name}"]`).textContent;
  return { ...item(row), year: Number(field("year")), pages: Number(field("pages")), about: field("about") };
}

pageApi.operations.handle("search", async ({ input, cursor, limit, signal }) => {
  const found = find(await books(signal), input.q);
  // Our own cursor: how many books came before.
  const start = Number(cursor);
  const items = found.slice(start, start + limit).map(item);
  const hasMore = start + limit < found.length;
  return { data: { items }, count: items.length, hasMore, nextCursor: hasMore ? String(start + limit) : "" };
});

pageApi.operations.handle("detail", async ({ input, signal }) => {
  const row = (await books(signal)).find(({ dataset }) => dataset.book === input.id);
  if (row === undefined) throw new Error(`there is no book ${input.id}`);
  return { data: open(row), count: 1 };
});

pageApi.operations.handle("text", async ({ input, signal }) => {
  const response = await fetch("/books.json", { signal });
  if (!response.ok) throw new Error(`the site answered ${response.status}`);
  const book = (await response.json()).find(({ id }) => id === input.id);
  if (book === undefined) throw new Error(`there is no book ${input.id}`);
  return { data: { id: book.id, title: book.title, text: book.opening }, count: 1 };
});

pageApi.operations.handle("export", async ({ signal, report }) => {
  const rows = find(await books(signal), "");
  const quote = (value) => `"${String(value).replaceAll('"', '""')}"`;
  const lines = ["id,title,author,year,pages"];
  for (const [index, row] of rows.entries()) {
    // One after the other, so that the site is not hurried and whoever watches can follow.
    await pause(PAUSE_MS, signal);
    const { id, title, author, year, pages } = open(row);
    lines.push([id, title, author, year, pages].map(quote).join(","));
    await report(Math.round((100 * (index + 1)) / rows.length));
  }
  return { data: { format: "csv", text: lines.join("\n") } };
});

await pageApi.operations.setState({ ready: true, login: "unknown", context: "catalog" });
