// The outer document: calls the frame through each package, one fresh frame for each.

import { IframeParentTransport } from "@mcp-b/transports";
import { Client } from "@modelcontextprotocol/client";
import * as Comlink from "comlink";
import { connect as connectPageport } from "pageport/client";
import { connect as connectPenpal, WindowMessenger } from "penpal";
import { payload } from "./payload.js";
import { measure } from "./rounds.js";

const ways = {
  async pageport(frame, origin) {
    const client = await connectPageport(frame, { origin });
    return async (value) => (await client.invoke("echo", value)).output;
  },
  async comlink(frame) {
    const remote = Comlink.wrap(Comlink.windowEndpoint(frame.contentWindow));
    return (value) => remote.echo(value);
  },
  async penpal(frame, origin) {
    const messenger = new WindowMessenger({ remoteWindow: frame.contentWindow, allowedOrigins: [origin] });
    const remote = await connectPenpal({ messenger }).promise;
    return (value) => remote.echo(value);
  },
  async mcp(frame, targetOrigin) {
    const client = new Client({ name: "bench", version: "1" });
    await client.connect(new IframeParentTransport({ iframe: frame, targetOrigin }));
    return async (value) => (await client.callTool({ name: "echo", arguments: value })).structuredContent;
  },
};

/** Opens the frame that answers for one package. */
async function open(origin, name) {
  const frame = document.createElement("iframe");
  frame.src = `${origin}/frame.html?${name}`;
  const ready = new Promise((resolve) => {
    addEventListener("message", function listen({ source, data }) {
      if (source !== frame.contentWindow || data !== "ready") return;
      removeEventListener("message", listen);
      resolve();
    });
  });
  document.body.append(frame);
  await ready;
  return frame;
}

globalThis.run = async ({ origin, bytes, ...options }) => {
  const value = payload(bytes);
  const calls = {};
  for (const [name, way] of Object.entries(ways)) {
    const call = await way(await open(origin, name), origin);
    if (JSON.stringify(await call(value)) !== JSON.stringify(value)) throw new Error(`${name} answers something else`);
    calls[name] = () => call(value);
  }
  return measure(calls, options);
};
