//! What the host answers (Operations §4). A page reads them through [`super::read_answer`].

use super::{BridgeCode, PageSessionId, Revision};
use crate::wire::Json;
use serde::Serialize;

macro_rules! replies {
    ($($item:item)+) => {$(
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[cfg_attr(not(target_arch = "wasm32"), derive(serde::Deserialize))]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
        #[serde(rename_all = "camelCase")]
        $item
    )+};
}

replies! {
    /// To `/open`.
    pub struct OpenReply {
        /// The new page session.
        pub page_session_id: PageSessionId,
        /// The bearer of every further call; names the session.
        pub token: String,
        /// Where the stream is.
        pub events_url: String,
        /// Milliseconds between heartbeats.
        pub heartbeat_ms: f64,
        /// What the host takes.
        pub limits: BridgeLimits,
    }

    /// The bounds a page keeps.
    pub struct BridgeLimits {
        /// Bytes of a body.
        pub body_bytes: usize,
        /// Bytes of a `/reply`.
        pub reply_bytes: usize,
        /// Bytes of a `/calls`.
        pub calls_bytes: usize,
        /// Entries of a `/calls`.
        pub calls: usize,
        /// Bytes of a result.
        pub result_bytes: usize,
        /// Bytes of a `/leave`.
        pub leave_bytes: usize,
        /// Milliseconds in which an execution may be claimed.
        pub claim_ms: f64,
    }

    /// To `/state`.
    pub struct StateReply {
        /// The revision this state has.
        pub revision: Revision,
    }

    /// To `/claim`: the execution is the page's.
    pub struct ClaimReply {
        /// The validated input.
        #[cfg_attr(feature = "ts", ts(type = "{ [key: string]: Json }"))]
        pub input: Json,
        /// The page's own cursor; empty on the first page.
        pub cursor: String,
        /// Items wanted at most, 1–100.
        pub limit: u32,
        /// The resource whose button was pressed.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub resource: Option<ResourceRef>,
        /// 1 after the one reload.
        pub reload_count: u8,
        /// Whether the handler may reload the page once.
        pub allow_reload: bool,
        /// Milliseconds until the deadline; overrides the event's.
        pub remaining_ms: f64,
    }

    /// A resource and the action on it that was asked for.
    pub struct ResourceRef {
        /// The resource.
        pub id: String,
        /// The action.
        pub action_id: String,
    }

    /// To `/heartbeat`.
    pub struct HeartbeatReply {
        /// Whether the caller cancelled: as good as the event.
        pub cancel_requested: bool,
    }

    /// To `/reload`.
    pub struct ReloadReply {
        /// Lets the next document go on; a secret.
        pub ticket: String,
        /// Milliseconds it is valid.
        pub ttl_ms: f64,
    }

    /// Why the host refused.
    pub struct BridgeError {
        /// The stable reason.
        pub code: BridgeCode,
        /// One short phrase.
        pub message: String,
        /// What helps.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub hint: Option<String>,
        /// Milliseconds to wait before the next attempt.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub retry_after_ms: Option<f64>,
    }
}

impl BridgeError {
    /// The error of `code` with its usual phrase.
    #[must_use]
    pub fn new(code: BridgeCode) -> Self {
        Self { code, message: code.message().into(), hint: None, retry_after_ms: None }
    }
}

impl BridgeLimits {
    /// The bounds of the table.
    pub const DEFAULT: Self = {
        use crate::wire::operations_limits as limits;
        Self {
            body_bytes: limits::BODY_BYTES,
            reply_bytes: limits::REPLY_BYTES,
            calls_bytes: limits::CALLS_BYTES,
            calls: limits::CALLS,
            result_bytes: limits::RESULT_BYTES,
            leave_bytes: limits::LEAVE_BYTES,
            claim_ms: limits::CLAIM_WINDOW_MS,
        }
    };
}

/// The body of every reply: `{ ok: true, data }` or `{ ok: false, error }`.
///
/// `data` is `null` where the call answers nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum BridgeReply<D> {
    /// It was done.
    Done(D),
    /// It was refused.
    Refused(BridgeError),
}

impl<D: Serialize> Serialize for BridgeReply<D> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut reply = serializer.serialize_struct("BridgeReply", 2)?;
        match self {
            Self::Done(data) => {
                reply.serialize_field("ok", &true)?;
                reply.serialize_field("data", data)?;
            }
            Self::Refused(error) => {
                reply.serialize_field("ok", &false)?;
                reply.serialize_field("error", error)?;
            }
        }
        reply.end()
    }
}
