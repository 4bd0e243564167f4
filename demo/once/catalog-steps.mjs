// What the demo shows of the catalog, step by step: a program at the command line, and what the page shows of it.
import { check, see } from "./stage.mjs";

const search = ["invoke", "catalog", "search", "--input", '{"q":"lighthouse"}', "--limit", "2"];
const found = ["B-101", "B-106", "B-112"];

/**
 * @typedef {object} CatalogStep
 * @property {string} title
 * @property {(terminal: import("./terminal.mjs").Terminal) => Promise<string>} run answers what was seen
 */

/** @type {CatalogStep[]} */
export const catalogSteps = [
  {
    title: "A program searches the catalog from the command line; the person sees the same list.",
    async run(terminal) {
      const { state, result } = await terminal.run(...search, "--wait");
      check("the state", state, "succeeded");
      check("the books", idsOf(result), found.slice(0, 2));
      check("the pagination", [result.pagination.count, result.pagination.hasMore], [2, true]);
      await see("the books in view", () => terminal.shown(), found);
      return "the page shows 3 books; the reply holds 2 of them and a cursor";
    },
  },
  {
    title: "It asks for the next page with that cursor.",
    async run(terminal) {
      const { cursor } = terminal.last.result.pagination;
      const { state, result } = await terminal.run(...search, "--cursor", cursor, "--wait");
      check("the state", state, "succeeded");
      check("the books", idsOf(result), found.slice(2));
      check("the pagination", result.pagination, { count: 1, cursor: "", hasMore: false, truncated: false });
      return "the third book, and no more";
    },
  },
  {
    title: "It asks for a book that does not exist: the handler throws.",
    async run(terminal) {
      const text = ["invoke", "catalog", "text", "--input", '{"id":"B-999"}', "--wait"];
      const { state, errorCode, certainty } = await terminal.run(...text);
      check("the fate", [state, errorCode, certainty], ["failed", "page_execution_failed", "confirmed"]);
      await see("what the page says", () => terminal.newest(), "failed: there is no book B-999");
      return "the page says why, the reply does not; certain, since text only reads";
    },
  },
  {
    title: "It exports the catalog, looks how far that is, and cancels it.",
    async run(terminal) {
      const id = await exportUnderWay(terminal);
      const { state, progress } = await terminal.run("execution", id);
      check("the state", [state, progress > 0 && progress < 100], ["running", true]);
      const { cancelRequested } = await terminal.run("cancel", id);
      check("the request to cancel", cancelRequested, true);
      const end = await terminal.run("execution", id, "--wait");
      check("the fate", [end.state, end.cancelConfirmed], ["cancelled", true]);
      await see("what the page says", () => terminal.newest(), "cancelled by the caller");
      return "the handler has stopped, and the host knows it";
    },
  },
  {
    title: "It exports again, and the page is closed in the middle.",
    async run(terminal) {
      const id = await exportUnderWay(terminal);
      terminal.note("the person closes the page");
      await terminal.page.close();
      const { state, errorCode, certainty } = await terminal.run("execution", id, "--wait");
      check("the fate", [state, errorCode, certainty], ["interrupted", "page_changed", "unknown"]);
      return "ended at once; what it did before is not known, so nobody repeats it unasked";
    },
  },
];

/**
 * Starts an export and waits until it has come some way.
 *
 * @param {import("./terminal.mjs").Terminal} terminal
 * @returns {Promise<string>} its id
 */
async function exportUnderWay(terminal) {
  const { executionId } = await terminal.run("invoke", "catalog", "export");
  await see("progress", async () => (await terminal.peek(executionId)).progress > 0, true);
  return executionId;
}

/** @param {{data: {items: {id: string}[]}}} result */
function idsOf(result) {
  return result.data.items.map(({ id }) => id);
}
