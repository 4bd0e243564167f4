// The bounds of the postMessage transport, in one place (Surface §1, §8).

/** UTF-16 units of a frame that a client sends; a larger one closes the connection with the reason `too_large`. */
export const FRAME_UNITS = 131_072;
/** UTF-16 units of a frame that a page sends: a result and an `after` are larger than a request may be. */
export const RESPONSE_FRAME_UNITS = 524_288;
/** UTF-16 units of a credential, as JSON. */
export const CREDENTIAL_UNITS = 65_536;
/** Characters of an application's name. */
export const APP_CHARS = 64;
/** Characters of a `connectId`. */
export const CONNECT_ID_CHARS = 128;
/** Windows whose newest connect message is kept until the page is ready. */
export const HELD_CONNECTS = 64;
/** Attempts to connect that are remembered for one window, the open ones among them. */
export const ATTEMPTS_PER_WINDOW = 256;
/** Numbers that a port remembers out of order, to notice one that comes twice. */
export const NUMBERS = 4_096;
/** A client repeats its connect message after this many milliseconds. */
export const REPEAT_MS = 250;
/** How long a client tries to connect, unless told otherwise. */
export const CONNECT_MS = 5_000;
/** How long `verifySession` may take. */
export const VERIFY_MS = 2_000;
/** `changed` frames are at least this far apart. */
export const CHANGED_MS = 50;
/** Silence, with calls outstanding, after which a ping is sent. */
export const SILENCE_MS = 10_000;
/** How long a ping may stay without an answer. */
export const PONG_MS = 10_000;
/** How long a client waits for the answer to a describe. */
export const DESCRIBE_MS = 10_000;
/** How long a client waits for the answer to an invoke: a confirmation of five minutes and an executor of two fit. */
export const INVOKE_MS = 450_000;
/** The longest time a browser's timer can wait. */
export const TIMER_MS = 2_147_483_647;
