// What the driver in Rust needs of the platform: parsing, thenables, the shape of a response. It decides nothing.

const { freeze } = Object;
const { isArray } = Array;
const { parse: parseJson } = JSON;

/** Parses JSON text; throws like `JSON.parse`. */
export function parse(text) {
  return parseJson(text);
}

/** Whether awaiting the value would wait: it has a `then`. Reading that may throw. */
export function isThenable(value) {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") && typeof value.then === "function"
  );
}

/** Lets a promise go that nobody waits for: its rejection is no error of the page. */
export function ignore(thenable) {
  try {
    Promise.resolve(thenable).catch(() => undefined);
  } catch {
    // Even telling what kind of promise it is can throw; then there is nothing to let go.
  }
}

/** What a raised error says besides its details. */
export function withoutDetails({ details, ...rest }) {
  return rest;
}

/** The input of an envelope that was copied: reading it runs no page code. */
export function inputOf(envelope) {
  return envelope?.input;
}

/** The id of an envelope that was copied. */
export function idOf(envelope) {
  return envelope?.id;
}

/** A member of a value that page code made; reading it may throw. */
export function memberOf(value, name) {
  return value === null || value === undefined ? undefined : value[name];
}

// One template per way an executor can end well; each is made once, from the text that Rust writes.
const templates = [];

/** Keeps the shape of a response under a number. */
export function keepTemplate(code, text) {
  templates[code] = parseJson(text);
}

/** A response of a kept shape. Nothing in it is shared with another one. */
export function fillTemplate(code, id, output) {
  const { protocol, ok, result } = templates[code];
  const { accepted, executed, changed } = result.status;
  return { protocol, id, ok, result: { status: { accepted, executed, changed }, fidelity: result.fidelity, output } };
}

/** A response from its text, with the output where it belongs. */
export function attachOutput(text, output) {
  const response = parseJson(text);
  const { status, fidelity, ...rest } = response.result;
  response.result = { status, fidelity, output, ...rest };
  return response;
}

/** Who a session stands for, as executors see it. */
export function sessionView(agentId, userId, sessionId) {
  return freeze({ agentId, userId, sessionId });
}

const SESSION_MEMBERS = ["agentId", "sessionId", "userId", "expiresAt", "delegationId", "revokedAt"];
const sessions = new WeakMap();
let tokens = 0;

/**
 * A number for the content of a session object: the same as long as the content is, 0 when it can't be told cheaply.
 * Sessions are presented with every request, and read into Rust only when this number is new.
 */
export function sessionToken(session) {
  const { scope } = session;
  if (!isArray(scope) || scope.length > 256) return 0;
  const known = sessions.get(session);
  if (known !== undefined && isSame(session, scope, known)) return known.token;
  tokens = (tokens + 1) >>> 0;
  const token = tokens;
  sessions.set(session, { token, members: SESSION_MEMBERS.map((name) => session[name]), scope: [...scope] });
  return token;
}

function isSame(session, scope, known) {
  for (let index = 0; index < SESSION_MEMBERS.length; index++) {
    if (session[SESSION_MEMBERS[index]] !== known.members[index]) return false;
  }
  if (scope.length !== known.scope.length) return false;
  for (let index = 0; index < scope.length; index++) if (scope[index] !== known.scope[index]) return false;
  return true;
}
