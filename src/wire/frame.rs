//! The frames of the postMessage transport (Surface §8). The shim sends them; they are here for TypeScript.

use super::{Json, SurfaceRequest, SurfaceResponse};
use serde::Serialize;

/// What a client sends on its port, as JSON text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ClientFrame {
    /// One envelope; `n` is an integer, unique on this port.
    Request {
        /// Pairs the answer.
        n: f64,
        /// The envelope.
        request: Box<SurfaceRequest>,
    },
    /// The client no longer waits for `n`.
    Cancel {
        /// The request.
        n: f64,
    },
    /// The client is gone.
    Closed {
        /// Why, in a word.
        reason: String,
    },
    /// Asks for a `pong`.
    Ping {
        /// Pairs the answer.
        n: f64,
    },
    /// Answers a `ping`.
    Pong {
        /// Of that ping.
        n: f64,
    },
}

/// What a page sends on a port, as JSON text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum PageFrame {
    /// The port is in use.
    #[serde(rename_all = "camelCase")]
    Connected {
        /// The document that answers.
        page_session_id: String,
        /// Its `PageOptions.app`.
        app: String,
    },
    /// The caller was not verified.
    Refused {
        /// A protocol-level code.
        code: String,
    },
    /// The answer to request `n`.
    Response {
        /// Of that request.
        n: f64,
        /// The envelope.
        response: Box<SurfaceResponse>,
    },
    /// The declarations changed; describe again.
    Changed,
    /// The page is gone.
    Closed {
        /// Why, in a word.
        reason: String,
    },
    /// Asks for a `pong`.
    Ping {
        /// Pairs the answer.
        n: f64,
    },
    /// Answers a `ping`.
    Pong {
        /// Of that ping.
        n: f64,
    },
}

/// The one message on the window; the client's port travels with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ConnectMessage {
    /// Always 1.
    #[serde(rename = "pling.surface")]
    #[cfg_attr(feature = "ts", ts(type = "1"))]
    pub version: u32,
    /// Always `"connect"`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "ts", ts(type = "\"connect\""))]
    pub kind: &'static str,
    /// The same for every repetition of one attempt.
    pub connect_id: String,
    /// The `app` the client looks for.
    pub app: Option<String>,
    /// For the page's `verifySession`.
    pub credential: Option<Json>,
}
