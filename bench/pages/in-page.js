// One call of a tool inside the page, about 100 bytes: everything that each package does for it.

import { initializeWebMCPPolyfill } from "@mcp-b/webmcp-polyfill";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createPage } from "pageport";
import * as z from "zod";
import { sessions } from "./payload.js";
import { measure } from "./rounds.js";

const inputSchema = {
  type: "object",
  properties: { query: { type: "string", minLength: 1 }, limit: { type: "integer", minimum: 1, maximum: 100 } },
  required: ["query", "limit"],
  additionalProperties: false,
};
const items = [
  { id: 1, name: "red shoe", price: 19.5 },
  { id: 2, name: "blue shoe", price: 29 },
  { id: 3, name: "green shoe", price: 9.25 },
];
const search = async ({ limit }) => ({ items: items.slice(0, limit) });
const inputs = Array.from({ length: 8 }, (_, index) => ({ query: `shoes ${"x".repeat(index)}`, limit: 3 + index }));

async function pageport() {
  const page = await createPage({ app: "bench" });
  page.declare({ id: "search", description: "Searches.", effect: "read", inputSchema, execute: search });
  const session = sessions();
  let id = 0;
  return async (input) => {
    const request = { protocol: "pling.surface/0.1", id: `r${++id}`, method: "invoke", capability: "search", input };
    const response = await page.handle(request, session());
    return response.result.output;
  };
}

async function polyfill() {
  initializeWebMCPPolyfill();
  const { modelContext } = document;
  await modelContext.registerTool({ name: "search", description: "Searches.", inputSchema, execute: search });
  const tool = (await modelContext.getTools()).find(({ name }) => name === "search");
  return async (input) => JSON.parse(await modelContext.executeTool(tool, JSON.stringify(input)));
}

async function mcp() {
  const server = new McpServer({ name: "bench", version: "1" });
  const shape = { query: z.string().min(1), limit: z.number().int().min(1).max(100) };
  server.registerTool("search", { description: "Searches.", inputSchema: shape }, async (input) => ({
    content: [{ type: "text", text: JSON.stringify(await search(input)) }],
  }));
  const client = new Client({ name: "bench", version: "1" });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(left), client.connect(right)]);
  return async (input) => JSON.parse((await client.callTool({ name: "search", arguments: input })).content[0].text);
}

globalThis.run = async (options) => {
  const ways = {
    pageport: await pageport(),
    "@mcp-b/webmcp-polyfill executeTool": await polyfill(),
    "MCP SDK 1.x in memory": await mcp(),
  };
  for (const [name, way] of Object.entries(ways)) {
    if ((await way(inputs[0])).items.length !== 3) throw new Error(`${name} answers something else`);
    ways[name] = (index) => way(inputs[index & 7]);
  }
  return measure(ways, options);
};
