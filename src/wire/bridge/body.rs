//! What a page sends: one body a call. All are closed: the host refuses members it does not know.

use super::{AbortReason, AttemptId, ExecutionId, Login, RejectCode, Revision, TerminalState};
use crate::wire::Json;
use serde::Serialize;
use std::borrow::Cow;
use std::sync::Arc;

/// The number of an event on a session's stream: its SSE `id`. It only grows.
pub type EventNumber = u32;

macro_rules! bodies {
    ($($item:item)+) => {$(
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[cfg_attr(not(target_arch = "wasm32"), derive(serde::Deserialize))]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        $item
    )+};
}

bodies! {
    /// `POST /open` of a plugin's page script.
    pub struct OpenPlugin {
        /// The plugin.
        pub plugin_id: String,
        /// The page script.
        pub script_id: String,
        /// The version of the plugin the script belongs to.
        pub plugin_version: String,
        /// The generation that the credential names.
        pub generation: u32,
        /// The document's title.
        pub title: String,
        /// The document's URL.
        pub page_url: String,
        /// The operations of the manifest that this script handles.
        pub operations: Vec<String>,
    }

    /// `POST /open` of a page without a plugin.
    pub struct OpenApp {
        /// The app's name.
        pub app: String,
        /// The document's title.
        pub title: String,
        /// The document's URL.
        pub page_url: String,
    }

    /// `POST /state`: what the page is now.
    pub struct StateBody {
        /// Grows with each state; the attempts of one share it.
        pub seq: u32,
        /// The document's title, at most 128 code points.
        pub title: String,
        /// The document's URL.
        pub page_url: String,
        /// Whether operations may run.
        pub ready: bool,
        /// Whether somebody is signed in.
        pub login: Login,
        /// Names the current target, without credentials; at most 128 code points.
        pub context: String,
        /// Every event up to this one arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ack: Option<EventNumber>,
    }

    /// `POST /claim`: the page is about to run an execution.
    pub struct ClaimBody {
        /// The execution.
        pub execution_id: ExecutionId,
        /// The revision of the invoke event.
        pub revision: Revision,
        /// The same for all attempts of one invoke event.
        pub attempt_id: AttemptId,
        /// Every event up to this one arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ack: Option<EventNumber>,
    }

    /// `POST /reject`: the page will not run an execution.
    pub struct RejectBody {
        /// The execution.
        pub execution_id: ExecutionId,
        /// The revision of the invoke event.
        pub revision: Revision,
        /// Why.
        pub code: RejectCode,
        /// Every event up to this one arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ack: Option<EventNumber>,
    }

    /// `POST /heartbeat`: the handler still runs.
    pub struct HeartbeatBody {
        /// The execution.
        pub execution_id: ExecutionId,
        /// The revision it was claimed under.
        pub revision: Revision,
        /// The last progress that was reported, 0–100.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub progress: Option<f64>,
        /// Every event up to this one arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ack: Option<EventNumber>,
    }

    /// `POST /complete`: the one terminal report of an execution, or the news that its handler has stopped.
    pub struct CompleteBody {
        /// The execution.
        pub execution_id: ExecutionId,
        /// The revision it was claimed under.
        pub revision: Revision,
        /// How it ended.
        pub state: TerminalState,
        /// With `failed`: a code of [`ExecutionCode`](crate::wire::execution::ExecutionCode).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional, type = "string"))]
        pub code: Option<Cow<'static, str>>,
        /// With `cancelled`: why the signal was aborted.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub reason: Option<AbortReason>,
        /// `false` when the handler never started; absent means that it did.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub started: Option<bool>,
        /// Whether the handler has settled: the page is free then.
        pub stopped: bool,
        /// With `succeeded`: what the handler returned.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional, type = "OperationResult"))]
        pub result: Option<Arc<OperationResult>>,
        /// Every event up to this one arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ack: Option<EventNumber>,
    }

    /// What a handler returned, with the defaults filled in.
    pub struct OperationResult {
        /// The data; the operation's `outputSchema` describes it.
        pub data: Json,
        /// How many items it holds.
        pub count: f64,
        /// Whether there are more.
        pub has_more: bool,
        /// The page's own cursor for them; empty without more.
        pub next_cursor: String,
        /// Whether something was left out.
        pub truncated: bool,
    }

    /// `POST /reload`: asks for the ticket of the one reload.
    pub struct ReloadBody {
        /// The execution.
        pub execution_id: ExecutionId,
        /// The revision it was claimed under.
        pub revision: Revision,
        /// Every event up to this one arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ack: Option<EventNumber>,
    }

    /// `POST /reload-abort`: the reload will not happen.
    pub struct ReloadAbortBody {
        /// The execution.
        pub execution_id: ExecutionId,
        /// The revision it was claimed under.
        pub revision: Revision,
        /// The ticket, when it arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ticket: Option<String>,
        /// Every event up to this one arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ack: Option<EventNumber>,
    }

    /// `POST /resume`: the page was loaded again and can go on.
    pub struct ResumeBody {
        /// The execution.
        pub execution_id: ExecutionId,
        /// The ticket that was kept across the reload.
        pub ticket: String,
        /// The revision of the new document.
        pub revision: Revision,
        /// Every event up to this one arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ack: Option<EventNumber>,
    }

    /// `POST /message`: something for the plugin's hook.
    pub struct MessageBody {
        /// Any JSON value.
        pub message: Json,
        /// Every event up to this one arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ack: Option<EventNumber>,
    }

    /// `POST /reply`: the page's answer to a `surface` event.
    pub struct ReplyBody {
        /// The `replyTo` of the event.
        pub reply_to: u32,
        /// The envelope.
        #[cfg_attr(feature = "ts", ts(type = "SurfaceResponse"))]
        pub response: Json,
        /// Every event up to this one arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ack: Option<EventNumber>,
    }

    /// `POST /ack`: nothing but the acknowledgement.
    pub struct AckBody {
        /// Every event up to this one arrived.
        pub ack: EventNumber,
    }

    /// `POST /leave`, a beacon: the page is about to be gone.
    pub struct LeaveBody {
        /// The session's token; a beacon has no headers.
        pub token: String,
        /// The last reports; they count before `close` does.
        pub reports: Vec<CompleteBody>,
        /// Whether the page will not come back from a cache.
        pub close: bool,
    }
}

/// `POST /open`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum OpenBody {
    /// A plugin's page script.
    Plugin(OpenPlugin),
    /// A page without a plugin.
    App(OpenApp),
}

/// `POST /calls`: what waited while another POST was under way, in order.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct CallsBody {
    /// At most 64; each stands alone.
    pub calls: Vec<Call>,
    /// Every event up to this one arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ack: Option<EventNumber>,
}

/// A call that may share a POST with others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "call", rename_all = "lowercase")]
pub enum Call {
    /// `/state`
    State(StateBody),
    /// `/claim`
    Claim(ClaimBody),
    /// `/reject`
    Reject(RejectBody),
    /// `/heartbeat`
    Heartbeat(HeartbeatBody),
    /// `/complete`
    Complete(CompleteBody),
    /// `/reply`
    Reply(ReplyBody),
}
