//! Every bound of operations, one table: the page, the host, the docs and the tests read it from here.

limits! {
    /// Milliseconds one attempt to open a session may take (Operations §4).
    OPEN_MS: f64 = 10_000.0;
    /// Milliseconds one attempt to send the page's state may take, its body included (Operations §1).
    STATE_MS: f64 = 5_000.0;
    /// Attempts to send one state (Operations §1).
    STATE_ATTEMPTS: u32 = 3;
    /// Milliseconds between two of them (Operations §1).
    STATE_PAUSE_MS: f64 = 200.0;
    /// Milliseconds an execution waits for a state that is on its way (Operations §2).
    STATE_WAIT_MS: f64 = 16_400.0;
    /// Code points of the title in a state; a longer one is cut (Operations §1).
    TITLE_CHARS: usize = 128;
    /// Code points of `context` in a state (Operations §1).
    CONTEXT_CHARS: usize = 128;
    /// UTF-8 bytes of a page's URL (Host §3).
    PAGE_URL_BYTES: usize = 2_048;
    /// Milliseconds one attempt to claim may take (Operations §2).
    CLAIM_MS: f64 = 5_000.0;
    /// Attempts to claim (Operations §2).
    CLAIM_ATTEMPTS: u32 = 3;
    /// Milliseconds from delivery in which an execution may be claimed (Host §4).
    CLAIM_WINDOW_MS: f64 = 30_000.0;
    /// Milliseconds between two heartbeats of a page (Operations §2).
    HEARTBEAT_MS: f64 = 15_000.0;
    /// Milliseconds one heartbeat may take (Operations §2).
    BEAT_MS: f64 = 5_000.0;
    /// Milliseconds without a successful heartbeat after which the page gives up (Operations §2).
    LOST_MS: f64 = 75_000.0;
    /// Milliseconds without a heartbeat after which the host gives up (Host §4).
    HEARTBEAT_TIMEOUT_MS: f64 = 90_000.0;
    /// Milliseconds between two reports of progress on the wire: four a second (Operations §1).
    PROGRESS_MS: f64 = 250.0;
    /// Milliseconds one attempt of a terminal report may take (Operations §2).
    COMPLETE_MS: f64 = 10_000.0;
    /// Attempts of a terminal report before it is kept (Operations §2).
    COMPLETE_ATTEMPTS: u32 = 3;
    /// Unanswered terminal reports that a page keeps; the oldest goes (Operations §2).
    KEPT_REPORTS: usize = 8;
    /// Attempts to reject; the host's claim window ends what is never heard of (Operations §2).
    REJECT_ATTEMPTS: u32 = 3;
    /// Milliseconds between two attempts of a claim, a reject or a terminal report (Operations §2).
    RETRY_PAUSE_MS: f64 = 200.0;
    /// Executions a page remembers, to ignore events that arrive twice (Operations §2).
    KNOWN_EXECUTIONS: usize = 256;
    /// Events after which a page acknowledges by itself (Operations §4).
    ACK_EVENTS: u32 = 16;
    /// Milliseconds after an event in which a page acknowledges it (Operations §4).
    ACK_MS: f64 = 5_000.0;
    /// Milliseconds between two comments of a stream (Operations §4).
    KEEP_ALIVE_MS: f64 = 15_000.0;
    /// Milliseconds of silence after which a stream counts as lost (Operations §4).
    SILENCE_MS: f64 = 45_000.0;
    /// The first pause before a stream is opened again (Operations §4).
    BACKOFF_MIN_MS: f64 = 500.0;
    /// The longest such pause (Operations §4).
    BACKOFF_MAX_MS: f64 = 30_000.0;
    /// Milliseconds a stream has to last before its end is worth the first pause again (Operations §4).
    STEADY_MS: f64 = 5_000.0;
    /// The longest pause a host may ask for with `retryAfterMs` (Operations §4).
    RETRY_AFTER_MS: f64 = 60_000.0;
    /// UTF-8 bytes of a POST (Operations §4).
    BODY_BYTES: usize = 64 * 1024;
    /// UTF-8 bytes of a `/reply` (Operations §4).
    REPLY_BYTES: usize = 320 * 1024;
    /// UTF-8 bytes of a `/calls` (Operations §4).
    CALLS_BYTES: usize = 512 * 1024;
    /// Entries of a `/calls` (Operations §4).
    CALLS: usize = 64;
    /// UTF-8 bytes of a `/leave` (Operations §4).
    LEAVE_BYTES: usize = 60 * 1024;
    /// Milliseconds a reload ticket lives at most (Operations §5).
    TICKET_MS: f64 = 60_000.0;
    /// The largest rest of life a ticket may claim when it is found again (Operations §5).
    TICKET_FOUND_MS: f64 = 65_000.0;
    /// Characters of a stored ticket (Operations §5).
    TICKET_CHARS: usize = 1_024;
    /// Milliseconds after which a reload that did not happen counts as failed (Operations §5).
    RELOAD_MS: f64 = 30_000.0;
    /// Active executions in all (Host §4).
    ACTIVE: usize = 256;
    /// Active executions of one plugin (Host §4).
    ACTIVE_PLUGIN: usize = 64;
    /// Active executions of one page (Host §4).
    ACTIVE_PAGE: usize = 32;
    /// Executions that run at once (Host §4).
    RUNNING: usize = 8;
    /// Executions of one plugin that run at once (Host §4).
    RUNNING_PLUGIN: usize = 2;
    /// Executions of one page that run at once (Host §4).
    RUNNING_PAGE: usize = 1;
    /// Milliseconds an execution may wait in the queue (Host §4).
    QUEUE_MS: f64 = 300_000.0;
    /// Entries of any array of a result, and the largest `limit` (Host §4).
    ITEMS: usize = 100;
    /// `limit` when the caller says nothing (Host §9).
    ITEMS_DEFAULT: u32 = 20;
    /// UTF-8 bytes of an input (Host §4).
    INPUT_BYTES: usize = 32 * 1024;
    /// UTF-8 bytes of a result (Host §4).
    RESULT_BYTES: usize = 60 * 1024;
    /// UTF-8 bytes of what a plugin's hook makes of a result (Host §4).
    MAPPED_BYTES: usize = 2 * 1024 * 1024;
    /// Tracks of all resources of one result (Host §4).
    TRACKS: usize = 128;
    /// Items of a batch; at least one (Host §4).
    BATCH: usize = 32;
    /// UTF-8 bytes of a page's own cursor (Host §6).
    PAGE_CURSOR_BYTES: usize = 4_096;
    /// Milliseconds a cursor is valid (Host §4).
    CURSOR_MS: f64 = 900_000.0;
    /// Cursors that are valid at once (Host §4).
    CURSORS: usize = 1_000;
    /// Milliseconds an idempotency key is valid (Host §4).
    IDEMPOTENCY_MS: f64 = 86_400_000.0;
    /// Characters of an idempotency key (Host §4).
    KEY_CHARS: usize = 128;
    /// Characters of a batch's idempotency key (Host §4).
    BATCH_KEY_CHARS: usize = 96;
    /// Retries of one execution, one after the other (Host §4).
    RETRIES: usize = 2;
    /// Days the history is kept by default, from 1 (Host §4).
    HISTORY_DAYS: u32 = 7;
    /// Days the history is kept at most (Host §4).
    HISTORY_DAYS_MAX: u32 = 30;
    /// Executions of the history (Host §4).
    HISTORY: usize = 10_000;
    /// Bytes of the history (Host §4).
    HISTORY_BYTES: usize = 32 * 1024 * 1024;
    /// Hours a result is kept by default, from 1 (Host §4).
    RESULT_HOURS: u32 = 2;
    /// Hours a result is kept at most (Host §4).
    RESULT_HOURS_MAX: u32 = 24;
    /// Results that are kept (Host §4).
    RESULTS: usize = 1_000;
    /// Bytes of the kept results (Host §4).
    RESULTS_BYTES: usize = 16 * 1024 * 1024;
    /// The fewest bytes of one text read (Host §4).
    TEXT_MIN_BYTES: usize = 4;
    /// The most bytes of one text read (Host §4).
    TEXT_MAX_BYTES: usize = 32_768;
    /// Bytes of a file whose text may be read (Host §4).
    TEXT_FILE_BYTES: usize = 1024 * 1024;
    /// Events a session keeps until they are acknowledged (Host §3).
    EVENTS: usize = 64;
    /// Sessions of one plugin (Host §3).
    PLUGIN_SESSIONS: usize = 32;
    /// Milliseconds without stream or POST after which a session ends (Host §3).
    SESSION_IDLE_MS: f64 = 300_000.0;
    /// Milliseconds in which a stream may come back before its page counts as gone (Host §3).
    STREAM_GRACE_MS: f64 = 3_000.0;
    /// `/message` and `/state` of one session in ten seconds (Host §3).
    MESSAGES: u32 = 100;
    /// UTF-16 units of a manifest (Host §2).
    MANIFEST_UNITS: usize = 1024 * 1024;
    /// Operations of a manifest (Host §2).
    OPERATIONS: usize = 32;
    /// Page scripts of a manifest (Host §2).
    PAGE_SCRIPTS: usize = 8;
    /// Entries of `domains` (Host §2).
    DOMAINS: usize = 64;
    /// Rules of one `match` or `pageMatch` (Host §2).
    MATCHES: usize = 64;
    /// Characters of an id in a manifest (Host §2).
    NAME_ID_CHARS: usize = 64;
    /// Code points of a name (Host §2).
    NAME_CHARS: usize = 128;
    /// Code points of a description (Host §2).
    DESCRIPTION_CHARS: usize = 2_048;
    /// Entries of `locales` (Host §2).
    LOCALES: usize = 64;
    /// UTF-8 bytes of the compact JSON of one schema (Host §2).
    SCHEMA_BYTES: usize = 16 * 1024;
    /// Examples of an operation (Host §2).
    EXAMPLES: usize = 4;
    /// Seconds an operation may run when it says nothing, or 0 (Host §2).
    TIMEOUT_SECONDS: u32 = 120;
    /// Seconds an operation may run at most (Host §2).
    TIMEOUT_SECONDS_MAX: u32 = 1_800;
    /// Seconds `resultTTLSeconds` may name (Host §2).
    RESULT_TTL_SECONDS_MAX: u32 = 86_400;
}
