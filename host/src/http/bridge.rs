//! What pages call (Operations §4).

use super::body::{self, Fault};
use super::{Doors, guard, reply};
use crate::execution::limits;
use crate::service::{PageCall, Service};
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pageport::wire::bridge::{
    AckBody, BridgeCode, BridgeError, BridgeReply, Call, CallsBody, EventNumber, LeaveBody, OpenBody, PageSessionId,
};
use serde::de::DeserializeOwned;

/// Every page may ask whether it may ask; who it is, is decided by the call itself.
pub(super) async fn preflight(headers: HeaderMap) -> Response {
    let Some(origin) = guard::page_origin(&headers) else { return no_origin() };
    let mut response = guard::let_read(StatusCode::NO_CONTENT.into_response(), origin);
    let headers = response.headers_mut();
    let allowed = HeaderValue::from_static("authorization, content-type, last-event-id");
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
    response
}

/// `POST /bridge/v1/{call}`
pub(super) async fn call(State(doors): State<Doors>, Path(name): Path<String>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let origin = guard::page_origin(&parts.headers);
    if name == "leave" {
        leave(&doors.service, origin, body).await;
        let response = StatusCode::NO_CONTENT.into_response();
        return origin
            .map_or_else(|| StatusCode::NO_CONTENT.into_response(), |origin| guard::let_read(response, origin));
    }
    let Some(origin) = origin else { return no_origin() };
    let response = match name.as_str() {
        "open" => open(&doors.service, &parts.headers, origin, body).await,
        "calls" => calls(&doors.service, &parts.headers, origin, body).await,
        _ => one(&doors.service, &name, &parts.headers, origin, body).await,
    };
    guard::let_read(response.unwrap_or_else(reply::refused), origin)
}

fn no_origin() -> Response {
    reply::stranger("a page's request names its origin")
}

async fn open(service: &Service, headers: &HeaderMap, origin: &str, body: Body) -> Result<Response, BridgeError> {
    let credential = guard::bearer(headers).ok_or_else(|| BridgeError::new(BridgeCode::CredentialRefused))?;
    match read(headers, body, limits::BODY_BYTES).await? {
        OpenBody::Plugin(body) => service.open(credential, origin, body).map(reply::done),
        OpenBody::App(_) => Err(invalid("pages without a plugin are not supported by this host")),
    }
}

/// A call that stands alone.
async fn one(
    service: &Service,
    name: &str,
    headers: &HeaderMap,
    origin: &str,
    body: Body,
) -> Result<Response, BridgeError> {
    let page = session(service, headers, origin)?;
    let max = limits::BODY_BYTES;
    let (ack, call) = match name {
        "state" => with_ack(read(headers, body, max).await?, |it| it.ack, PageCall::State),
        "claim" => with_ack(read(headers, body, max).await?, |it| it.ack, PageCall::Claim),
        "reject" => with_ack(read(headers, body, max).await?, |it| it.ack, PageCall::Reject),
        "heartbeat" => with_ack(read(headers, body, max).await?, |it| it.ack, PageCall::Heartbeat),
        "complete" => with_ack(read(headers, body, max).await?, |it| it.ack, PageCall::Complete),
        "ack" => with_ack(read(headers, body, max).await?, |it: &AckBody| Some(it.ack), |_| PageCall::Ack),
        _ => return Err(BridgeError::new(BridgeCode::NotFound)),
    };
    let answer = service.page_calls(page, ack, vec![call]).pop();
    answer.unwrap_or_else(|| Err(BridgeError::new(BridgeCode::Internal))).map(reply::done)
}

fn with_ack<B>(
    body: B,
    ack: impl Fn(&B) -> Option<EventNumber>,
    call: impl Fn(B) -> PageCall,
) -> (Option<EventNumber>, PageCall) {
    (ack(&body), call(body))
}

/// What waited while another POST was under way.
async fn calls(service: &Service, headers: &HeaderMap, origin: &str, body: Body) -> Result<Response, BridgeError> {
    let page = session(service, headers, origin)?;
    let body: CallsBody = read(headers, body, limits::CALLS_BYTES).await?;
    if body.calls.len() > limits::CALLS {
        return Err(invalid("at most 64 calls go together"));
    }
    let mut acks = vec![body.ack];
    let mut known = Vec::with_capacity(body.calls.len());
    for call in body.calls {
        let (ack, call) = match call {
            Call::State(it) => (it.ack, Some(PageCall::State(it))),
            Call::Claim(it) => (it.ack, Some(PageCall::Claim(it))),
            Call::Reject(it) => (it.ack, Some(PageCall::Reject(it))),
            Call::Heartbeat(it) => (it.ack, Some(PageCall::Heartbeat(it))),
            Call::Complete(it) => (it.ack, Some(PageCall::Complete(it))),
            Call::Reply(it) => (it.ack, None),
        };
        acks.push(ack);
        known.push(call);
    }
    let is_known: Vec<bool> = known.iter().map(Option::is_some).collect();
    let ack = acks.into_iter().flatten().max();
    let mut answers = service.page_calls(page, ack, known.into_iter().flatten().collect()).into_iter();
    let entries: Vec<_> = is_known
        .into_iter()
        .map(|is_known| {
            let answer = if is_known { answers.next() } else { None };
            match answer.unwrap_or_else(|| Err(BridgeError::new(BridgeCode::NotFound))) {
                Ok(data) => BridgeReply::Done(data),
                Err(error) => BridgeReply::Refused(error),
            }
        })
        .collect();
    Ok(reply::done(entries))
}

async fn leave(service: &Service, origin: Option<&str>, body: Body) {
    let Some(origin) = origin else { return };
    let Ok(bytes) = body::bytes(body, limits::LEAVE_BYTES).await else { return };
    if let Ok(body) = body::parse::<LeaveBody>(&bytes) {
        service.leave(origin, body);
    }
}

/// The session of a request's token.
pub(super) fn session(service: &Service, headers: &HeaderMap, origin: &str) -> Result<PageSessionId, BridgeError> {
    let token = guard::bearer(headers).ok_or_else(|| BridgeError::new(BridgeCode::SessionGone))?;
    service.authorize(token, origin)
}

async fn read<T: DeserializeOwned>(headers: &HeaderMap, body: Body, max: usize) -> Result<T, BridgeError> {
    if !body::is_json(headers) {
        return Err(BridgeError::new(BridgeCode::UnsupportedType));
    }
    let bytes = body::bytes(body, max).await.map_err(refuse)?;
    body::parse(&bytes).map_err(refuse)
}

fn refuse(fault: Fault) -> BridgeError {
    match fault {
        Fault::Size => BridgeError::new(BridgeCode::TooLarge),
        Fault::Form(phrase) => invalid(&phrase),
    }
}

fn invalid(message: &str) -> BridgeError {
    BridgeError { message: message.into(), ..BridgeError::new(BridgeCode::InvalidInput) }
}
