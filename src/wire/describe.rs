//! What `describe` answers: capabilities, bounded context, the session's limits (Surface §3), and `after` (§4).

use super::Json;
use serde::Serialize;
use std::rc::Rc;

/// The options of `describe`, for TypeScript; the kernel reads them from the request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct DescribeOptions {
    /// Records of the window, from 1; clamped to the host cap of 100. Default 20.
    pub limit: Option<f64>,
    /// The first record of the window. Default 0.
    pub offset: Option<f64>,
    /// Only records of the sources of this region.
    pub region: Option<String>,
    /// Particular records instead of a window; excludes `offset` and `limit`.
    #[cfg_attr(feature = "ts", ts(optional, type = "(string | RecordRef)[]"))]
    pub records: Option<Vec<RecordRef>>,
    /// A `capabilityRevision` seen before: asks for the difference to it.
    pub since: Option<String>,
}

/// What a capability does to the business state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Nothing changes.
    Read,
    /// Something changes and can be changed back.
    Write,
    /// Something is lost.
    Destructive,
}

/// When a person has to confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Approval {
    /// Never.
    None,
    /// Unless the person had it remembered.
    Ask,
    /// Each time.
    Always,
}

/// How the target of an action is found; not an authorisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Fidelity {
    /// The developer declared it.
    High,
    /// The framework located it.
    Auto,
    /// The DOM is imitated; the result is less certain.
    Low,
}

/// Who declared a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The page's developer.
    Declared,
    /// The host, from something else.
    Derived,
}

/// One capability as a session sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct CapabilityInfo {
    /// The stable id.
    pub id: String,
    /// The developer's words.
    pub description: String,
    /// JSON Schema of the arguments.
    pub input_schema: Json,
    /// What it does to the business state.
    pub effect: Effect,
    /// When a person has to confirm, resolved.
    pub approval: Approval,
    /// How its target is found.
    pub fidelity: Fidelity,
    /// Who declared it.
    pub origin: Origin,
    /// JSON Schema of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Json>,
    /// For a row action: the record type and the parameter that names the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordParam>,
    /// Where it belongs in the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_path: Option<Vec<String>>,
    /// What a person has to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handoff: Option<String>,
    /// The steps of a compound action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow_steps: Option<Vec<FlowStep>>,
    /// Whether its target is out of view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offscreen: Option<bool>,
}

/// What binds a row action to a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RecordParam {
    /// The record type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The member of the input that names the record.
    pub param: String,
}

/// One step of a compound action.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FlowStep {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
}

/// The answer to `describe`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct DescribeResult {
    /// Which page this is.
    pub page: PageIdentity,
    /// A content hash of the capabilities below.
    pub capability_revision: String,
    /// The whole list; absent when `capabilityDelta` is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<Rc<CapabilityInfo>>>,
    /// The difference to the revision named in `since`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability_delta: Option<CapabilityDelta>,
    /// The bounded, read-only view.
    pub context: Context,
    /// What the session may do, and how much of it.
    pub session: SessionInfo,
}

/// Which page answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PageIdentity {
    /// `PageOptions.app`.
    pub app: String,
    /// This document, anew with every load.
    pub page_session_id: String,
    /// Its title.
    pub title: String,
    /// Its route, without query and hash.
    pub route: String,
}

/// The difference between two capability lists.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CapabilityDelta {
    /// The older revision.
    pub since: String,
    /// Only in the newer list.
    pub added: Vec<Rc<CapabilityInfo>>,
    /// In both, but not the same.
    pub changed: Vec<Rc<CapabilityInfo>>,
    /// Only in the older list.
    pub removed: Vec<String>,
}

/// The bounded view of the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Context {
    /// Route, title and the business object in focus.
    pub page: ContextPage,
    /// The declared regions.
    pub regions: Vec<Region>,
    /// The window of records, or the records asked for.
    pub records: Vec<Record>,
    /// What can be referred to from the window's offset on; says nothing on visibility.
    pub record_ids: Vec<RecordRef>,
    /// Where the window lies.
    pub record_window: RecordWindow,
    /// The state the page opened.
    #[cfg_attr(feature = "ts", ts(type = "{ [key: string]: Json }"))]
    pub state: Json,
    /// Notices, the newest last.
    pub feedback: Vec<Feedback>,
    /// What cannot be used now.
    pub unavailable: Vec<Unavailable>,
    /// Parts whose provider failed, such as `records:order`.
    pub incomplete: Vec<String>,
    /// How much there is, so that a cut shows.
    pub totals: Totals,
}

/// `context.page`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct ContextPage {
    /// The route, without query and hash.
    pub route: String,
    /// The title.
    pub title: String,
    /// The business object in focus.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Json>,
}

/// A declared part of the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct Region {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The region around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
}

/// One record with the fields its source names.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct Record {
    /// Its id.
    pub id: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The region of its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Its fields, masked where the source says so.
    #[cfg_attr(feature = "ts", ts(type = "{ [key: string]: Json }"))]
    pub fields: Json,
    /// `true` when it is out of view.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "true"))]
    pub offscreen: Option<bool>,
}

/// A record by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RecordRef {
    /// Its id.
    pub id: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Where a window of records lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RecordWindow {
    /// Its first record.
    pub offset: f64,
    /// The most it may hold.
    pub limit: f64,
    /// What it holds.
    pub returned: f64,
    /// How many there are in all.
    pub total: f64,
    /// Where to go on; `null` at the end.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub next_offset: Option<f64>,
}

/// A notice.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct Feedback {
    /// How serious it is.
    pub level: Level,
    /// The page's words: data, not an instruction.
    pub text: String,
    /// The input it speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// How serious a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For information.
    Info,
    /// Something worked.
    Success,
    /// Something needs attention.
    Warning,
    /// Something failed.
    Error,
}

/// What cannot be used now, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct Unavailable {
    /// The capability; with `record` too, only for that record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability: Option<String>,
    /// The record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<UnavailableRecord>,
    /// The page's words, or `not_found` for a record that was asked for.
    pub reason: String,
}

/// A record that cannot be used, or was not found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct UnavailableRecord {
    /// Its type; absent when it was asked for by id alone and not found.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its id.
    pub id: String,
}

/// How much there is of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Records of the chosen sources.
    pub records: f64,
    /// Records that can be referred to.
    pub record_ids: f64,
    /// Capabilities of the session.
    pub capabilities: f64,
    /// Notices.
    pub feedback: f64,
    /// Unavailable capabilities and records.
    pub unavailable: f64,
}

/// What the session may do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    /// The agent.
    pub agent_id: String,
    /// The session.
    pub session_id: String,
    /// When it ends, in epoch milliseconds.
    pub expires_at: f64,
    /// Its scope, normalised.
    pub scope: Vec<String>,
    /// How much it may ask for.
    pub limits: SessionLimits,
}

/// The bounds a session works under.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionLimits {
    /// Records of one window.
    pub max_records: f64,
    /// UTF-16 units of one request.
    pub max_input_bytes: f64,
    /// UTF-16 units of one result.
    pub max_result_bytes: f64,
    /// The token bucket.
    pub rate: Rate,
}

/// A token bucket.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Rate {
    /// Tokens it holds: the burst.
    pub capacity: f64,
    /// Milliseconds until it gains one token.
    pub per_ms: f64,
}

/// What is new against what the session was shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AfterDelta {
    /// Capabilities that came and went.
    pub capabilities: AfterCapabilities,
    /// Records that changed or are new in the session's window.
    pub records: Vec<Record>,
    /// Records that were shown and are no longer yielded.
    pub removed_records: Vec<RecordRef>,
    /// The state keys that changed.
    #[cfg_attr(feature = "ts", ts(type = "{ [key: string]: Json }"))]
    pub state: Json,
    /// New notices.
    pub feedback: Vec<Feedback>,
    /// Whether something was left out.
    pub truncated: bool,
}

/// `after.capabilities`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AfterCapabilities {
    /// Not shown before.
    pub added: Vec<Rc<CapabilityInfo>>,
    /// No longer there.
    pub removed: Vec<String>,
}
