// Either end of the transport written by hand, for what the package itself would never send.

declare global {
  /** The lines of this document, numbered from 0. */
  var lines: Line[];
}

/** A port of a client that is written by hand. */
export interface Line {
  port: MessagePort;
  /** The frames that came, parsed. */
  got: Record<string, unknown>[];
}

/** Posts a connect message by hand; `more` overrides its members. */
export function knock(target: Window, more: object = {}): number {
  const { port1, port2 } = new MessageChannel();
  const line: Line = { port: port1, got: [] };
  port1.onmessage = ({ data }) => line.got.push(JSON.parse(data));
  target.postMessage({ "pling.surface": 1, type: "connect", connectId: "c1", ...more }, "*", [port2]);
  globalThis.lines ??= [];
  return globalThis.lines.push(line) - 1;
}

/** A promise as a value, so that a test can look at a rejection too. */
export async function outcome(promise: Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await promise };
  } catch (error) {
    const { name, code, outcome, message } = error as Partial<Record<"name" | "code" | "outcome" | "message", string>>;
    return { name, code, outcome, message };
  }
}

/** How a promise ended. */
export type Outcome = { value?: unknown } & Partial<
  Record<"name" | "code" | "outcome" | "message", string | undefined>
>;

/** Answers every client by hand: `connected`, and nothing else. Its frames are kept as lines. */
export function host(): void {
  globalThis.lines ??= [];
  addEventListener("message", ({ ports: [port] }) => {
    if (!port) return;
    const line: Line = { port, got: [] };
    port.onmessage = ({ data }) => line.got.push(JSON.parse(data));
    port.postMessage('{"type":"connected","pageSessionId":"p","app":"orders"}');
    globalThis.lines.push(line);
  });
}

/** Sends a frame on a line. */
export function send(line: number, frame: object): void {
  globalThis.lines[line]?.port.postMessage(JSON.stringify(frame));
}
