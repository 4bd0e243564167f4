// The frame: answers with what it was sent, through the package that its address names. Pageport and MCP validate it.

import { IframeChildTransport } from "@mcp-b/transports";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import * as Comlink from "comlink";
import { createPage } from "pageport";
import { connect, WindowMessenger } from "penpal";
import { schema } from "./payload.js";

const outer = window.parent;
const ways = {
  async pageport() {
    const origin = new URL(document.referrer).origin;
    // A resolver, as a page has one; each call of it may give another session.
    const session = { agentId: "bench", sessionId: "s", userId: "u", expiresAt: Date.now() + 3_600_000, scope: ["*"] };
    const page = await createPage({
      app: "bench",
      listen: { origins: [origin], verifySession: () => session },
      // Twenty a second would be the limit; what it costs is in the other figures.
      rateLimiter: { take: () => ({ ok: true }) },
    });
    page.declare({
      id: "echo",
      description: "Answers with its input.",
      effect: "read",
      inputSchema: schema,
      execute: (input) => input,
    });
  },
  comlink: () => Comlink.expose({ echo: (value) => value }, Comlink.windowEndpoint(outer)),
  penpal() {
    const messenger = new WindowMessenger({ remoteWindow: outer, allowedOrigins: ["*"] });
    connect({ messenger, methods: { echo: (value) => value } });
  },
  async mcp() {
    const server = new McpServer({ name: "bench", version: "1" });
    const tool = { description: "Answers with its input.", inputSchema: fromJsonSchema(schema) };
    server.registerTool("echo", tool, async (input) => ({ content: [], structuredContent: input }));
    await server.connect(new IframeChildTransport({ allowedOrigins: ["*"] }));
  },
};

await ways[location.search.slice(1)]();
outer.postMessage("ready", "*");
