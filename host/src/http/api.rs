//! The automation door (Host §9): the control token, one tool a request.

use super::body::{self, Lost, Misfit};
use super::reply::{self, Refusal};
use super::{Doors, guard, tools};
use crate::execution::limits;
use crate::secret;
use crate::service::ApiError;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use pageport::wire::execution::ApiCode;
use serde::Deserialize;
use serde_json::json;

/// `POST /api/v1/{tool}`
pub(super) async fn call(
    State(doors): State<Doors>,
    tool: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let Ok(Path(tool)) = tool else { return reply::nothing_here().await };
    let (parts, body) = request.into_parts();
    if !guard::is_own_origin(&parts.headers) {
        return reply::stranger("pages do not get in here");
    }
    if !is_authorized(&doors, &parts.headers) {
        let error = ApiError::from(ApiCode::Unauthorized).hint("the token is in control.json of the data folder");
        return Refusal(error).into_response();
    }
    if !body::is_json(&parts.headers) {
        return Refusal(ApiError::from(ApiCode::UnsupportedType).hint("send application/json")).into_response();
    }
    match body::bytes(body, limits::API_BYTES).await {
        Ok(bytes) => match tools::call(&doors.service, &tool, &bytes).await {
            Ok(data) => reply::done(data),
            Err(error) => Refusal(error).into_response(),
        },
        Err(lost) => Refusal(lost.into()).into_response(),
    }
}

fn is_authorized(doors: &Doors, headers: &HeaderMap) -> bool {
    guard::bearer(headers).is_some_and(|token| secret::is_same(&secret::hash(token), &doors.token_hash))
}

impl From<Lost> for ApiError {
    fn from(lost: Lost) -> Self {
        match lost {
            Lost::Size => ApiCode::InputTooLarge.into(),
            Lost::Late => Self::new(ApiCode::InvalidInput, "the body did not arrive in time"),
        }
    }
}

impl From<Misfit> for ApiError {
    fn from(Misfit(phrase): Misfit) -> Self {
        Self::new(ApiCode::InvalidInput, phrase)
    }
}

/// What `/hello` is asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hello {
    nonce: String,
}

/// `GET /hello?nonce=`: proves that this is the host that wrote `control.json`, before it is sent the token.
pub(super) async fn hello(
    State(doors): State<Doors>,
    headers: HeaderMap,
    query: Result<Query<Hello>, QueryRejection>,
) -> Response {
    if !guard::is_own_origin(&headers) {
        return reply::stranger("pages do not get in here");
    }
    let is_nonce =
        |nonce: &str| nonce.len() == 32 && nonce.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    match query.ok().filter(|query| is_nonce(&query.nonce)) {
        Some(query) => reply::done(json!({ "proof": secret::proof(&doors.token, &query.nonce) })),
        None => Refusal(ApiError::new(ApiCode::InvalidInput, "nonce must be 32 lower-case hex digits")).into_response(),
    }
}
