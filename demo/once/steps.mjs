// What the demo shows, step by step, each with what must be seen in the envelopes and on the page.
import { check, see } from "./stage.mjs";

const ORDER = "SO-1002";

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {(stage: import("./stage.mjs").Stage) => Promise<{request: any, response: any, seen: string}>} run
 */

/** @type {Step[]} */
export const steps = [
  {
    title: "The assistant asks the page what may be done on it.",
    async run(stage) {
      const { request, response } = await stage.read(await stage.exchange("describe"));
      check("the answer", response.ok, true);
      const { capabilities, context, session } = response.result;
      const granted = ["orders.search", "orders.open", "approve@order", "cancel@order"];
      check("the capabilities", idsOf(capabilities)?.sort(), [...granted].sort());
      check("the scope", [...session.scope].sort(), [...granted].sort());
      check("the number of records", context.records.length, 48);
      check("the masked card number", context.records[0].fields.card, "••••8812");
      return {
        request,
        response,
        seen: "4 capabilities, 48 records, card numbers masked; orders.export is not among them",
      };
    },
  },
  {
    title: "It searches for 杭州; the person sees the same list.",
    async run(stage) {
      const card = await stage.exchange("orders.search", () => stage.invoke("orders.search", { query: "杭州" }));
      const { request, response } = await stage.read(card);
      check("the answer", response.ok, true);
      check("the orders found", idsOf(response.result.output?.orders), [ORDER]);
      check("the status", response.result.status, { accepted: true, executed: true, changed: false });
      await see("the rows in view", () => stage.shown(), [ORDER]);
      await see("the search field", () => stage.page.locator("#query").inputValue(), "杭州");
      return { request, response, seen: `the page shows ${ORDER} alone` };
    },
  },
  {
    title: `It approves ${ORDER}.`,
    async run(stage) {
      await see("the row before", () => stage.status(ORDER), "Pending");
      const card = await stage.exchange("approve@order", () =>
        stage.invoke("approve@order", { record: ORDER, note: "stock is reserved" }),
      );
      const { request, response } = await stage.read(card);
      check("the answer", response.ok, true);
      check("the status", response.result.status, { accepted: true, executed: true, changed: true });
      check("the output", response.result.output, { id: ORDER, status: "approved", times: 1 });
      await see("the row after", () => stage.status(ORDER), "Approved");
      return { request, response, seen: `the row of ${ORDER} says Approved` };
    },
  },
  {
    title: "It sends the very same envelope again.",
    async run(stage) {
      const first = await stage.read(await stage.exchange("approve@order"));
      const replay = () => stage.frame.getByRole("button", { name: "Replay last invoke" }).click();
      const { request, response } = await stage.read(await stage.exchange("approve@order", replay));
      check("the request", request, first.request);
      check("the refusal", [response.ok, response.error?.code], [false, "REPLAY_DETECTED"]);
      await stage.row(ORDER).click();
      const approvals = stage.page.locator("#detail [data-what=approved]");
      await see("the order's approvals", () => approvals.count(), 1);
      return { request, response, seen: `refused; ${ORDER} was approved once` };
    },
  },
  {
    title: "It tries a capability that the page declared, but not for this session.",
    async run(stage) {
      /** @param {string} id */
      const probe = async (id) => {
        const send = async () => {
          await stage.frame.locator("#probe-id").fill(id);
          await stage.frame.getByRole("button", { name: "Try anyway" }).click();
        };
        return stage.read(await stage.exchange(id, send));
      };
      const { request, response } = await probe("orders.export");
      check("the refusal", [response.ok, response.error?.code], [false, "CAPABILITY_NOT_EXPOSED"]);
      const unknown = await probe("orders.nothing");
      check("the answer to an unknown id", { ...unknown.response, id: response.id }, response);
      return { request, response, seen: "refused, in the same words as for an id that does not exist" };
    },
  },
  {
    title: "It wants to cancel the order; the person is asked and keeps it.",
    async run(stage) {
      const card = await stage.exchange("cancel@order", () =>
        stage.invoke("cancel@order", { record: ORDER, reason: "duplicate" }),
      );
      const dialog = stage.page.getByRole("dialog");
      await see("the dialog", () => dialog.isVisible(), true);
      const keep = dialog.getByRole("button", { name: "Keep order" });
      await see("the focus", () => keep.evaluate((button) => button === document.activeElement), true);
      await keep.click();
      const { request, response } = await stage.read(card);
      check("the refusal", [response.ok, response.result?.error?.code], [true, "APPROVAL_DENIED"]);
      check("the status", response.result.status, { accepted: true, executed: false, changed: false });
      await see("the dialog afterwards", () => dialog.count(), 0);
      await see("the row afterwards", () => stage.status(ORDER), "Approved");
      return { request, response, seen: `refused in the dialog; ${ORDER} is still Approved` };
    },
  },
];

/** @param {{id: string}[] | undefined} list */
function idsOf(list) {
  return list?.map(({ id }) => id);
}
