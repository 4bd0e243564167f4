// The two sides of the open demo as someone in front of the screen sees them: the assistant's frame and the page.

/** A step did not show what it should have. */
export class StepFailure extends Error {
  /**
   * @param {string} what
   * @param {unknown} expected
   * @param {unknown} got
   */
  constructor(what, expected, got) {
    super(what);
    this.expected = expected;
    this.got = got;
  }
}

const PATIENCE_MS = 10_000;

/**
 * Reads until the value is the expected one.
 *
 * @param {string} what
 * @param {() => unknown} read
 * @param {unknown} expected
 */
export async function see(what, read, expected) {
  const deadline = Date.now() + PATIENCE_MS;
  let got;
  do {
    got = await read();
    if (JSON.stringify(got) === JSON.stringify(expected)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  } while (Date.now() < deadline);
  throw new StepFailure(what, expected, got);
}

/**
 * @param {string} what
 * @param {unknown} got
 * @param {unknown} expected
 */
export function check(what, got, expected) {
  if (JSON.stringify(got) !== JSON.stringify(expected)) throw new StepFailure(what, expected, got);
}

export class Stage {
  /** @param {import("@playwright/test").Page} page */
  constructor(page) {
    this.page = page;
    this.frame = page.frameLocator("#assistant");
  }

  /** @param {string} id */
  row(id) {
    return this.page.locator(`tr[data-order="${id}"]`);
  }

  /**
   * What the table says about an order.
   *
   * @param {string} id
   */
  status(id) {
    return this.row(id).locator(".pill").textContent();
  }

  /** The ids of the orders in view. */
  shown() {
    return this.page.locator("#rows tr:visible .id").allTextContents();
  }

  /**
   * Fills a capability's form in the frame and sends it.
   *
   * @param {string} capability
   * @param {Record<string, string>} values
   */
  async invoke(capability, values) {
    const card = this.frame.locator(`[data-capability="${capability}"]`);
    if ((await card.getAttribute("open")) === null) await card.locator("summary").click();
    for (const [name, value] of Object.entries(values)) {
      const field = card.locator(`[name="${name}"]`);
      const isChoice = (await field.evaluate((element) => element.localName)) === "select";
      if (isChoice) await field.selectOption(await optionFor(field, value));
      else await field.fill(value);
    }
    await card.getByRole("button", { name: "Invoke" }).click();
  }

  /** How many envelopes the frame has logged. */
  sent() {
    return this.frame.locator("#log > li").count();
  }

  /**
   * Does something in the frame and reads the envelopes it led to, once the answer is there.
   *
   * @param {string} call the capability or `describe`
   * @param {() => Promise<void>} [action] none: the newest one that is already there
   */
  async exchange(call, action) {
    const cards = this.frame.locator(`#log > li[data-call="${call}"]`);
    const before = action === undefined ? 0 : await cards.count();
    await action?.();
    await see(`the envelope of ${call}`, async () => (await cards.count()) > before, true);
    return cards.first();
  }

  /**
   * @param {import("@playwright/test").Locator} card
   * @returns {Promise<{request: any, response: any}>}
   */
  async read(card) {
    await see("an answer", () => card.getAttribute("data-state"), "answered");
    const [request, response] = await card.locator("pre").allTextContents();
    return { request: JSON.parse(request ?? ""), response: JSON.parse(response ?? "") };
  }
}

/**
 * The option that a person would pick: by its value, or by the words on it.
 *
 * @param {import("@playwright/test").Locator} select
 * @param {string} wanted
 */
async function optionFor(select, wanted) {
  const words = (await select.locator("option").allTextContents()).map((text) => text.trim());
  return words.includes(wanted) ? { label: wanted } : { value: wanted };
}
