// What a page script gets.

import type { Json } from "#wire";
import { complain } from "../complain.ts";
import type { OperationContext, PageApi, PageState } from "../types/operations.ts";
import { OperationError } from "./error.ts";
import { title } from "./platform.ts";
import type { Enter, Shim } from "./shim.ts";

type Handler = (ctx: OperationContext) => unknown;

/** Makes `pageApi`, frozen; its functions work on their own. */
export function makePageApi(identity: string[], shim: Shim, enter: Enter): PageApi {
  const [pluginId = "", pluginVersion = "", scriptId = ""] = identity;
  const { handlers } = shim.runs;
  const warned = new Set<string>();

  const handle = (id: string, handler: Handler): (() => void) => {
    if (typeof handler !== "function") throw new TypeError("handle: the handler must be a function");
    const operation = typeof id === "string" ? id : "";
    const found = enter((bridge) => bridge.handle(operation)) ?? 0;
    if (found === 1) {
      throw new TypeError("handle: the id must be 1 to 64 letters, digits, dots, hyphens and underscores");
    }
    if (found === 2) throw new Error(`handle: "${operation}" has a handler already`);
    if (found === 3 && !warned.has(operation)) {
      warned.add(operation);
      complain("warn", `pageport: the manifest names no operation "${operation}" for this script`);
    }
    // One registration is not another, though it be of the same function.
    const registered: Handler = (ctx) => handler(ctx);
    handlers.set(operation, registered);
    return () => {
      if (handlers.get(operation) !== registered) return;
      handlers.delete(operation);
      enter((bridge) => bridge.unhandle(operation));
    };
  };

  const setState = (state: PageState): Promise<{ revision: string }> => {
    enter((bridge) => bridge.setState(state, title(), location.href));
    return shim.states.takeAnnounced();
  };

  const send = async (message: Json): Promise<Json> => {
    const number = enter((bridge) => bridge.send(message)) ?? 0;
    if (number === 0) throw new OperationError("not_connected", "the page is not connected to a host");
    return shim.messages.reply(number);
  };

  const onMessage = (listener: (message: Json) => void): (() => void) => {
    if (typeof listener !== "function") throw new TypeError("onMessage: the listener must be a function");
    shim.messages.listeners.add(listener);
    return () => shim.messages.listeners.delete(listener);
  };

  const hasPendingReload = () => enter((bridge) => bridge.hasPendingReload()) ?? false;

  return Object.freeze({
    pluginId,
    pluginVersion,
    scriptId,
    get pageSessionId() {
      return shim.pageSessionId;
    },
    operations: Object.freeze({ handle, setState, hasPendingReload }),
    send,
    onMessage,
  });
}
