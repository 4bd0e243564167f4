// What is measured, and the ratios that it is held to.

/**
 * @typedef {object} Target
 * @property {string} title
 * @property {string} page
 * @property {object} [options]
 * @property {{ of: string, to: string, limit: number }[]} ratios medians of the same run
 */

/**
 * @param {{ page: string, sibling: string, stranger: string }} origins of the page, of another port, and of another site
 * @returns {Target[]}
 */
export function targets({ page, sibling, stranger }) {
  const small = [
    { of: "pageport", to: "penpal", limit: 1 },
    { of: "pageport", to: "comlink", limit: 0.7 },
    { of: "pageport", to: "mcp", limit: 0.4 },
  ];
  const large = [
    { of: "pageport", to: "penpal", limit: 0.85 },
    { of: "pageport", to: "comlink", limit: 0.15 },
  ];
  return [
    {
      title: "In the page: one invoke through all nine steps, 100 bytes",
      page: "in-page",
      ratios: [
        { of: "pageport", to: "@mcp-b/webmcp-polyfill executeTool", limit: 0.5 },
        { of: "pageport", to: "MCP SDK 1.x in memory", limit: 0.3 },
      ],
    },
    {
      title: "To a frame and back, 1 KB, same origin",
      page: "caller",
      options: { origin: page, bytes: 1_000 },
      ratios: small,
    },
    {
      title: "To a frame and back, 1 KB, cross site",
      page: "caller",
      options: { origin: stranger, bytes: 1_000 },
      ratios: small,
    },
    {
      title: "To a frame and back, 60 KB, cross origin",
      page: "caller",
      options: { origin: sibling, bytes: 60_000 },
      ratios: large,
    },
    {
      title: "Describe: 64 capabilities, 20 records",
      page: "describe",
      ratios: [{ of: "of 100 000", to: "of 100", limit: 1.2 }],
    },
  ];
}
