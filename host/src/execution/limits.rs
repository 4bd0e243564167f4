//! The host's view of the one table of bounds (Host §4), times as whole milliseconds, and what only the host has.

use pageport::wire::operations_limits as shared;

pub use shared::{
    ACTIVE, ACTIVE_PAGE, ACTIVE_PLUGIN, BODY_BYTES, CALLS, CALLS_BYTES, CONTEXT_CHARS, CURSORS, EVENTS, INPUT_BYTES,
    ITEMS, ITEMS_DEFAULT, KEY_CHARS, LEAVE_BYTES, MESSAGES, PAGE_CURSOR_BYTES, PAGE_URL_BYTES, PLUGIN_SESSIONS,
    REPLY_BYTES, RESULT_BYTES, RESULTS, RESULTS_BYTES, RUNNING, RUNNING_PAGE, RUNNING_PLUGIN, TITLE_CHARS,
};

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the table holds whole milliseconds")]
const fn ms(value: f64) -> u64 {
    value as u64
}

/// Milliseconds in the queue.
pub const QUEUE_MS: u64 = ms(shared::QUEUE_MS);
/// Milliseconds from dispatch to the page's claim.
pub const CLAIM_MS: u64 = ms(shared::CLAIM_WINDOW_MS);
/// Milliseconds without a heartbeat.
pub const SILENCE_MS: u64 = ms(shared::HEARTBEAT_TIMEOUT_MS);
/// Milliseconds between two heartbeats of a page.
pub const HEARTBEAT_MS: u64 = ms(shared::HEARTBEAT_MS);
/// Milliseconds a cursor is good for.
pub const CURSOR_MS: u64 = ms(shared::CURSOR_MS);
/// Milliseconds an idempotency key answers.
pub const KEY_MS: u64 = ms(shared::IDEMPOTENCY_MS);
/// Milliseconds between two comments of a stream.
pub const KEEP_ALIVE_MS: u64 = ms(shared::KEEP_ALIVE_MS);
/// Milliseconds a session lives without stream and POST.
pub const SESSION_IDLE_MS: u64 = ms(shared::SESSION_IDLE_MS);
/// Milliseconds in which a stream may come back.
pub const GRACE_MS: u64 = ms(shared::STREAM_GRACE_MS);
/// Milliseconds an operation may run when its manifest says nothing.
pub const TIMEOUT_MS: u64 = shared::TIMEOUT_SECONDS as u64 * 1000;
/// Milliseconds a summary is kept.
pub const HISTORY_MS: u64 = shared::HISTORY_DAYS as u64 * 24 * 3_600_000;
/// Summaries kept; the oldest goes.
pub const HISTORY: usize = shared::HISTORY;
/// Milliseconds a result is kept.
pub const RESULT_MS: u64 = shared::RESULT_HOURS as u64 * 3_600_000;

/// Entries of one page of a list (Host §9).
pub const LIST: u32 = 100;
/// Entries of one page of a list that says nothing (Host §9).
pub const LIST_DEFAULT: u32 = 50;
/// Milliseconds a caller may wait for an execution's end (Host §9).
pub const WAIT_MS: u64 = 60_000;
/// Milliseconds of the window of [`MESSAGES`] (Host §3).
pub const MESSAGES_MS: u64 = 10_000;
/// Sessions opened by one plugin in [`OPENS_MS`] (Host §3).
pub const OPENS: u32 = 20;
/// Milliseconds of the window of [`OPENS`] (Host §3).
pub const OPENS_MS: u64 = 60_000;
/// Live credentials of a plugin; the oldest is dropped (Host §3).
pub const CREDENTIALS: usize = 16;
/// Names of the host that carry streams (Host §3).
pub const SHARDS: u32 = 64;
/// Milliseconds in which the body of a request has to arrive.
pub const ARRIVAL_MS: u64 = 10_000;
/// Milliseconds in which the head of a request has to arrive; a connection that is not used ends then, too.
pub const HEAD_MS: u64 = 60_000;
/// Connections at once; the operating system keeps some more waiting.
pub const CONNECTIONS: usize = 512;
/// Milliseconds until a host that ran out of connections tries again.
pub const ACCEPT_PAUSE_MS: u64 = 100;
/// Milliseconds replies may take once the host is told to stop.
pub const STOP_MS: u64 = 1_000;
/// Bytes of a body of the automation door (Host §9).
pub const API_BYTES: usize = 2 * 1024 * 1024;
/// Executions that are remembered beyond [`RESULTS`] until the oldest are forgotten together.
pub const REMEMBERED_SLACK: usize = 64;
/// Frames that wait for a page to read them; a page that reads none of them loses its stream.
pub const STREAM_FRAMES: usize = 256;
/// Milliseconds until a store that failed is tried again.
pub const STORE_RETRY_MS: u64 = 1000;
/// Milliseconds between two clean-ups of the history.
pub const CLEAN_MS: u64 = 60_000;
