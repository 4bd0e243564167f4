//! Replies as every door writes them: `{ok: true, data}` or `{ok: false, error}` (Host §11).

use crate::service::ApiError;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pageport::wire::bridge::{BridgeCode, BridgeError, BridgeReply};
use pageport::wire::execution::ApiCode;
use serde::Serialize;

/// A JSON reply.
pub(super) fn json(status: u16, value: &impl Serialize) -> Response {
    // Every type that is answered serialises; an empty reply would be a defect a test finds.
    let text = serde_json::to_string(value).unwrap_or_default();
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// It was done.
pub(super) fn done(data: impl Serialize) -> Response {
    json(200, &BridgeReply::Done(data))
}

/// A page's call was refused.
pub(super) fn refused(error: BridgeError) -> Response {
    json(error.code.status(), &BridgeReply::<()>::Refused(error))
}

/// Somebody else's request was refused.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) ApiError);

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = self.0.code.status();
        json(status, &serde_json::json!({ "ok": false, "error": self.0 }))
    }
}

/// There is no such route.
pub(super) async fn nothing_here() -> Response {
    Refusal(ApiError::from(ApiCode::NotFound)).into_response()
}

/// The request came from, or for, somebody it must not.
pub(super) fn stranger(message: &str) -> Response {
    refused(BridgeError { message: message.into(), ..BridgeError::new(BridgeCode::OriginRefused) })
}
