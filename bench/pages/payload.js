// The same values for everybody: lists of mixed items, by their size as JSON.

export const schema = {
  type: "object",
  properties: {
    query: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, maximum: 100 },
    items: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "integer" },
          name: { type: "string" },
          ok: { type: "boolean" },
          score: { type: "number" },
        },
        required: ["id", "name", "ok", "score"],
        additionalProperties: false,
      },
    },
  },
  required: ["query", "limit", "items"],
  additionalProperties: false,
};

/** A value of about so many bytes. */
export function payload(bytes) {
  const value = { query: "red shoes", limit: 10, items: [] };
  for (let size = 40; size < bytes; ) {
    const id = value.items.length;
    const item = { id, name: `item ${id} ${(id * 7919) % 1000}`, ok: id % 3 === 0, score: ((id * 37) % 1000) / 8 };
    value.items.push(item);
    size += JSON.stringify(item).length + 1;
  }
  return value;
}

/** A session that no limit stops: a new one for every twenty calls. */
export function sessions() {
  let calls = 0;
  let session;
  return () => {
    if (calls++ % 20 === 0) {
      const sessionId = `s-${(calls / 20) | 0}`;
      session = { agentId: "bench", sessionId, userId: "u", expiresAt: Date.now() + 20_000, scope: ["*"] };
    }
    return session;
  };
}
