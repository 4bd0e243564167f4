//! The request and response envelopes of `pling.surface/0.1` and the errors they carry (Surface §1, §4).

use super::{AfterDelta, DescribeResult, Fidelity, Json, ProtocolCode};
use serde::{Serialize, Serializer};

/// The protocol string, exactly.
pub const PROTOCOL: &str = "pling.surface/0.1";

/// A request, as a client sends it. The kernel reads live values instead of this type; it is here for TypeScript.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct SurfaceRequest {
    /// Always `"pling.surface/0.1"`.
    #[cfg_attr(feature = "ts", ts(type = "\"pling.surface/0.1\""))]
    pub protocol: &'static str,
    /// 1–128 characters without control characters; unique within the session for `invoke`.
    pub id: String,
    /// What is asked for.
    pub method: Method,
    /// The capability to run; for `invoke` only.
    pub capability: Option<String>,
    /// The describe options, or the arguments of the capability; absent means `{}`.
    #[cfg_attr(feature = "ts", ts(optional, type = "{ [key: string]: Json }"))]
    pub input: Option<Json>,
}

/// The two methods of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Reads what may be done and the bounded context.
    Describe,
    /// Runs one capability.
    Invoke,
}

/// The one response that every request gets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum SurfaceResponse {
    /// The answer to `describe`.
    Described(Box<DescribeResponse>),
    /// The answer to `invoke`, a business refusal included.
    Invoked(Box<InvokeResponse>),
    /// The request was not understood or not allowed.
    Refused(ErrorResponse),
}

macro_rules! response {
    ($(#[$doc:meta])* $name:ident, $ok:literal, $ok_ts:literal, $(#[$body_doc:meta])* $body:ident: $type:ty) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        pub struct $name {
            /// Always `"pling.surface/0.1"`.
            #[cfg_attr(feature = "ts", ts(type = "\"pling.surface/0.1\""))]
            pub protocol: &'static str,
            /// The request's id; `null` when it broke its own rule.
            #[cfg_attr(feature = "ts", ts(type = "string | null"))]
            pub id: Option<String>,
            /// Whether the request was understood and allowed.
            #[cfg_attr(feature = "ts", ts(type = $ok_ts))]
            pub ok: bool,
            $(#[$body_doc])*
            pub $body: $type,
        }

        impl $name {
            /// Wraps the body for the request `id`.
            #[must_use]
            pub const fn new(id: Option<String>, $body: $type) -> Self {
                Self { protocol: PROTOCOL, id, ok: $ok, $body }
            }
        }
    };
}

response!(
    /// A response to `describe`.
    DescribeResponse, true, "true",
    /// What the session may see.
    result: DescribeResult
);
response!(
    /// A response to `invoke` that reached the page.
    InvokeResponse, true, "true",
    /// What became of the call.
    result: InvokeResult
);
response!(
    /// A refusal at protocol level.
    ErrorResponse, false, "false",
    /// Why.
    error: ProtocolError
);

/// `error` of a response with `ok: false`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ProtocolError {
    /// The stable reason.
    pub code: ProtocolCode,
    /// One short phrase; never page data, never a secret.
    pub message: String,
    /// Whether sending the same request again can help.
    pub retryable: bool,
    /// Milliseconds to wait before that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<f64>,
    /// What exactly is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<ErrorDetails>,
}

impl ProtocolError {
    /// The error of `code` with its usual phrase; retryable only for `RATE_LIMITED`.
    #[must_use]
    pub fn new(code: ProtocolCode) -> Self {
        let retryable = code == ProtocolCode::RateLimited;
        Self { code, message: code.message().into(), retryable, retry_after_ms: None, details: None }
    }

    /// An `INVALID_REQUEST` that lists `issues`.
    #[must_use]
    pub fn invalid(issues: Vec<Issue>) -> Self {
        let details = Some(ErrorDetails { issues: Some(issues), ..ErrorDetails::default() });
        Self { details, ..Self::new(ProtocolCode::InvalidRequest) }
    }
}

/// `error.details` at protocol level.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct ErrorDetails {
    /// With `INVALID_REQUEST`: what is wrong and where, at most 16.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issues: Option<Vec<Issue>>,
    /// With `PROTOCOL_VERSION_UNSUPPORTED`: the versions that are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supported: Option<Vec<&'static str>>,
    /// With `INTERNAL`: whether an executor had started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executed: Option<Certainty>,
}

/// One violation: where and which rule, never the value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Issue {
    /// A JSON Pointer relative to `input`, or to the envelope.
    pub path: String,
    /// The schema keyword, or a word in brackets for a rule of the protocol.
    pub keyword: &'static str,
    /// One short phrase.
    pub message: String,
}

impl Issue {
    /// The declaration's own validator refuses what stands there. Its words may hold values, so they stay in the page.
    #[must_use]
    pub fn of_validator(path: String) -> Self {
        Self { path, keyword: "(standard)", message: "is not valid".into() }
    }
}

/// `result` of an `invoke`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct InvokeResult {
    /// Accepted, executed and changed, told apart.
    pub status: InvokeStatus,
    /// How far the result can be trusted.
    pub fidelity: Fidelity,
    /// What the executor returned. The browser driver attaches it without copying it through here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Json>,
    /// Why the page did not do it; instead of `output`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<BusinessError>,
    /// What is new against what this session was shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<AfterDelta>,
}

/// What is certain about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct InvokeStatus {
    /// The request was understood and allowed: always `true` here.
    pub accepted: bool,
    /// The executor ran.
    pub executed: Certainty,
    /// The business state is another one.
    pub changed: Certainty,
}

/// Yes, no, or not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "boolean | \"unknown\""))]
pub enum Certainty {
    /// `true`
    Yes,
    /// `false`
    No,
    /// `"unknown"`
    Unknown,
}

impl Serialize for Certainty {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Yes => serializer.serialize_bool(true),
            Self::No => serializer.serialize_bool(false),
            Self::Unknown => serializer.serialize_str("unknown"),
        }
    }
}

/// `result.error`: the page understood the call and refused it, or it failed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct BusinessError {
    /// A code of the business table, or the application's own.
    pub code: String,
    /// One short phrase, at most 256 units.
    pub message: String,
    /// Whether the same action may be tried again, under a new request id.
    pub retryable: bool,
    /// Milliseconds to wait before that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<f64>,
    /// What the application added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Json>,
}
