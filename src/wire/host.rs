//! What passes between the kernel and the page's own code: sessions, confirmations, audit events (Surface §5–§7).

use super::{Effect, Json};
use serde::Serialize;

/// A verified grant of a user to an agent. The kernel reads live values instead of this type; it is here for TypeScript.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The agent, 1–256 characters.
    pub agent_id: String,
    /// The session, 1–256 characters.
    pub session_id: String,
    /// The user the agent acts for, 1–256 characters.
    pub user_id: String,
    /// When it ends, in epoch milliseconds: it is over when `now >= expiresAt`.
    pub expires_at: f64,
    /// Exact ids, prefixes ending in `*`, or `*`; at most 256. Empty exposes nothing.
    pub scope: Vec<String>,
    /// The delegation behind it; only the audit sees it.
    #[cfg_attr(feature = "ts", ts(optional, type = "string | null"))]
    pub delegation_id: Option<String>,
    /// When it was revoked, in epoch milliseconds; set means over.
    #[cfg_attr(feature = "ts", ts(optional, type = "number | null"))]
    pub revoked_at: Option<f64>,
}

/// What a person is asked to confirm.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ConfirmRequest {
    /// The capability.
    pub capability: String,
    /// The developer's words for it.
    pub description: String,
    /// What it does to the business state.
    pub effect: Effect,
    /// The record it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<super::RecordRef>,
    /// The agent's arguments, for display only: text from outside.
    #[cfg_attr(feature = "ts", ts(type = "{ [key: string]: Json }"))]
    pub input: Json,
    /// The agent.
    pub agent_id: String,
    /// What the approval is bound to.
    pub binding: ApprovalBinding,
}

/// The facts an approval holds for, and no others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ApprovalBinding {
    /// The user.
    pub user_id: String,
    /// The agent.
    pub agent_id: String,
    /// The session.
    pub session_id: String,
    /// The capability.
    pub capability: String,
    /// The record, for a row action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<super::RecordRef>,
    /// SHA-256 over the RFC 8785 canonical JSON of the arguments, in hex.
    pub arguments_hash: String,
    /// The request.
    pub request_id: String,
    /// When the confirmation ends, in epoch milliseconds.
    pub expires_at: f64,
}

/// One request as the audit sees it: who, what and how it ended; no argument, no content.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct AuditEvent {
    /// When it ended, in epoch milliseconds.
    pub at: f64,
    /// `describe`, `invoke`, `attach`, `observe`, `handoff`, `detach` or `other`.
    #[cfg_attr(
        feature = "ts",
        ts(type = "\"describe\" | \"invoke\" | \"attach\" | \"observe\" | \"handoff\" | \"detach\" | \"other\"")
    )]
    pub method: &'static str,
    /// The request id, when it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The delegation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delegation_id: Option<String>,
    /// The capability, when the page declares it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// The stable code of a refusal or a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: f64,
    /// The approval, as the gate named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_id: Option<String>,
    /// `in-process`, `postmessage`, `sse`, `http`, `mcp`, `webmcp` or the caller's word.
    pub transport: String,
    /// Always `"pling.surface/0.1"`.
    #[cfg_attr(feature = "ts", ts(type = "\"pling.surface/0.1\""))]
    pub protocol: &'static str,
    /// How many refusals this event stands for, when more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It did what was asked.
    Ok,
    /// The page refused it or failed.
    ExecutionError,
    /// It was not understood or not allowed.
    ProtocolError,
}
