// The ticket of a reload, in the session's storage: one for a plugin's script (Operations §5).

const CHARS = 1_024;

/** Where the ticket of one script is kept. No function throws: storage may be full, or forbidden. */
export class TicketStore {
  readonly #key: string;

  constructor(pluginId: string, scriptId: string) {
    this.#key = `pageport.reload:${pluginId}:${scriptId}`;
  }

  /** Whether it takes a ticket, tried with one that is removed at once. */
  canStore(): boolean {
    const stored = this.put("{}");
    this.take();
    return stored;
  }

  /** Stores a ticket; whether that worked. */
  put(text: string): boolean {
    try {
      sessionStorage.setItem(this.#key, text);
      return sessionStorage.getItem(this.#key) === text;
    } catch {
      return false;
    }
  }

  /** Removes the ticket and returns what it says, if it can be read. */
  take(): unknown {
    try {
      const text = sessionStorage.getItem(this.#key);
      sessionStorage.removeItem(this.#key);
      return text === null || text.length > CHARS ? undefined : JSON.parse(text);
    } catch {
      return undefined;
    }
  }
}
