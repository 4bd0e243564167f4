//! Every bound of the Surface, one table: the code, the docs and the tests read it from here.

macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:expr;)+) => {
        $($(#[$doc])* pub const $name: $type = $value;)+

        /// The table as data: name and value.
        pub const ALL: &[(&str, f64)] = &[$((stringify!($name), $value as f64)),+];
    };
}

limits! {
    /// UTF-16 units of a request: of its text, or of the compact JSON of a live object (§1).
    REQUEST_UNITS: usize = 65_536;
    /// Levels of nesting of any value (§1).
    DEPTH: usize = 64;
    /// UTF-16 units of one postMessage frame; a larger one closes its connection (§1).
    FRAME_UNITS: usize = 131_072;
    /// Characters of a request id (§2).
    ID_CHARS: usize = 128;
    /// Characters of `capability` in a request (§2).
    CAPABILITY_CHARS: usize = 128;
    /// Characters of a capability id after tool-name mapping (§3).
    TOOL_NAME_CHARS: usize = 64;
    /// Issues that `details.issues` lists at most (§1).
    ISSUES: usize = 16;
    /// Unanswered requests of one connection (§1).
    OUTSTANDING: usize = 64;
    /// Milliseconds a session resolver, a limiter or a replay guard may take (§1).
    GUARD_MS: f64 = 2_000.0;
    /// Milliseconds a context provider may take (§3).
    PROVIDER_MS: f64 = 2_000.0;
    /// Declarations live on a page at once (§3).
    DECLARATIONS: usize = 256;
    /// UTF-16 units of one schema (§3).
    SCHEMA_UNITS: usize = 16 * 1024;
    /// UTF-16 units of all projected declarations together (§3).
    DECLARED_UNITS: usize = 160 * 1024;
    /// Characters of a description (§3).
    DESCRIPTION_CHARS: usize = 1_024;
    /// Records of one window when `limit` is absent (§3).
    WINDOW_DEFAULT: usize = 20;
    /// Records of one window at most: the host cap (§3).
    WINDOW_MAX: usize = 100;
    /// Entries of `recordIds` (§3).
    RECORD_IDS: usize = 200;
    /// Characters of a record id; a longer one is left out and counted (§3).
    RECORD_ID_CHARS: usize = 256;
    /// Keys of `state` (§3).
    STATE_KEYS: usize = 64;
    /// UTF-16 units of one `state` value (§3).
    STATE_UNITS: usize = 8 * 1024;
    /// UTF-16 units of one context string; a longer one is cut with `…` (§3).
    STRING_UNITS: usize = 2 * 1024;
    /// UTF-16 units of a describe result or an output (§3, §4).
    RESULT_UNITS: usize = 256 * 1024;
    /// Feedback items kept, the newest (§3).
    FEEDBACK: usize = 32;
    /// Notices a page remembers for all its sessions together.
    NOTICES: usize = 256;
    /// Entries of `unavailable` (§3).
    UNAVAILABLE: usize = 64;
    /// Records of one `after` (§4).
    AFTER_RECORDS: usize = 50;
    /// UTF-16 units of one `after` (§4).
    AFTER_UNITS: usize = 64 * 1024;
    /// Capability lists a session may ask the difference to.
    BASELINES: usize = 8;
    /// Values a session has a random name for; beyond it all are named anew.
    REFS: usize = 4_096;
    /// Records a session is remembered to have been shown (§4).
    SHOWN_RECORDS: usize = 256;
    /// Milliseconds `PageOptions.settle` may take (§4).
    SETTLE_MS: f64 = 250.0;
    /// Milliseconds an executor may take when its capability says nothing (§4).
    EXECUTE_MS: f64 = 120_000.0;
    /// The shortest `timeoutMs` of a capability (§4).
    EXECUTE_MS_MIN: f64 = 1_000.0;
    /// The longest `timeoutMs` of a capability (§4).
    EXECUTE_MS_MAX: f64 = 1_800_000.0;
    /// UTF-16 units of an error message (§4).
    MESSAGE_UNITS: usize = 256;
    /// Entries of a session's scope (§5).
    SCOPE_ENTRIES: usize = 256;
    /// Characters of a session's strings (§5).
    SESSION_CHARS: usize = 256;
    /// Sessions remembered: their identity, what they were shown, their bucket (§5).
    SESSIONS: usize = 1_024;
    /// The latest time a session may name, in epoch milliseconds (§5).
    TIME_MAX: f64 = 8_640_000_000_000_000.0;
    /// Tokens of a session's bucket: the burst (§5).
    RATE_CAPACITY: f64 = 20.0;
    /// Milliseconds until a bucket gains one token: 60 a minute (§5).
    RATE_PER_MS: f64 = 1_000.0;
    /// Claims of one session (§5).
    SESSION_CLAIMS: usize = 100_000;
    /// Claims of one open-mode connection (§5).
    OPEN_CLAIMS: usize = 4_096;
    /// Claims in all (§5).
    CLAIMS: usize = 2_000_000;
    /// Milliseconds a confirmation may wait, from being queued (§6).
    APPROVAL_MS: f64 = 300_000.0;
    /// Confirmations of one session that may wait (§6).
    APPROVALS_SESSION: usize = 3;
    /// Confirmations of a page that may wait (§6).
    APPROVALS_PAGE: usize = 16;
    /// Characters from which a string of a receipt counts as approval material (§6).
    MATERIAL_CHARS: usize = 16;
    /// Characters from which an `approvalId` counts as approval material (§6).
    APPROVAL_ID_CHARS: usize = 8;
    /// Approvals whose material is removed from later responses (§6).
    MATERIALS: usize = 256;
    /// Audit events waiting for the sink (§7).
    AUDIT_QUEUE: usize = 1_000;
    /// Milliseconds an audit sink may take (§7).
    AUDIT_MS: f64 = 5_000.0;
    /// Refusals of steps 1–3 a second and connection that are audited one by one (§7).
    REFUSALS_PER_SECOND: u32 = 50;
}
