//! What pages call (Operations §4).

use super::body::{self, Lost, Misfit};
use super::{Doors, guard, reply};
use crate::execution::limits;
use crate::service::{PageCall, Service};
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pageport::wire::bridge::{
    AckBody, BridgeCode, BridgeError, BridgeReply, Call, EventNumber, LeaveBody, OpenApp, PageSessionId,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

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
pub(super) async fn call(
    State(doors): State<Doors>,
    name: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let Ok(Path(name)) = name else { return reply::nothing_here().await };
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
    guard::let_read(response.unwrap_or_else(Refusal::answer), origin)
}

/// Why a call is not done.
enum Refusal {
    Code(BridgeError),
    /// Its body did not arrive in time; the page may send it again.
    Late,
}

impl Refusal {
    fn answer(self) -> Response {
        match self {
            Self::Code(error) => reply::refused(error),
            Self::Late => StatusCode::REQUEST_TIMEOUT.into_response(),
        }
    }
}

impl From<BridgeError> for Refusal {
    fn from(error: BridgeError) -> Self {
        Self::Code(error)
    }
}

impl From<Misfit> for Refusal {
    fn from(misfit: Misfit) -> Self {
        Self::Code(misfit.into())
    }
}

impl From<Misfit> for BridgeError {
    fn from(Misfit(phrase): Misfit) -> Self {
        invalid(&phrase)
    }
}

impl From<Lost> for Refusal {
    fn from(lost: Lost) -> Self {
        match lost {
            Lost::Size => Self::Code(BridgeError::new(BridgeCode::TooLarge)),
            Lost::Late => Self::Late,
        }
    }
}

fn no_origin() -> Response {
    reply::stranger("a page's request names its origin")
}

async fn open(service: &Service, headers: &HeaderMap, origin: &str, body: Body) -> Result<Response, Refusal> {
    let credential = guard::bearer(headers).ok_or_else(|| BridgeError::new(BridgeCode::CredentialRefused))?;
    let bytes = whole(headers, body, limits::BODY_BYTES).await?;
    if body::parse::<OpenApp>(&bytes).is_ok() {
        return Err(invalid("pages without a plugin are not supported by this host").into());
    }
    Ok(reply::done(service.open(credential, origin, body::parse(&bytes)?)?))
}

/// A call that stands alone.
async fn one(
    service: &Service,
    name: &str,
    headers: &HeaderMap,
    origin: &str,
    body: Body,
) -> Result<Response, Refusal> {
    let page = session(service, headers, origin)?;
    let max = limits::BODY_BYTES;
    let (ack, call) = match name {
        "state" => with_ack(read(headers, body, max).await?, |it| it.ack, PageCall::State),
        "claim" => with_ack(read(headers, body, max).await?, |it| it.ack, PageCall::Claim),
        "reject" => with_ack(read(headers, body, max).await?, |it| it.ack, PageCall::Reject),
        "heartbeat" => with_ack(read(headers, body, max).await?, |it| it.ack, PageCall::Heartbeat),
        "complete" => with_ack(read(headers, body, max).await?, |it| it.ack, PageCall::Complete),
        "ack" => with_ack(read(headers, body, max).await?, |it: &AckBody| Some(it.ack), |_| PageCall::Ack),
        _ => return Err(BridgeError::new(BridgeCode::NotFound).into()),
    };
    let answer = service.page_calls(page, ack, vec![call]).pop();
    Ok(reply::done(answer.unwrap_or_else(|| Err(BridgeError::new(BridgeCode::Internal)))?))
}

fn with_ack<B>(
    body: B,
    ack: impl Fn(&B) -> Option<EventNumber>,
    call: impl Fn(B) -> PageCall,
) -> (Option<EventNumber>, PageCall) {
    (ack(&body), call(body))
}

/// What waited while another POST was under way; its entries are read one by one, so that each stands alone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Calls<'b> {
    #[serde(borrow)]
    calls: Vec<&'b RawValue>,
    ack: Option<EventNumber>,
}

async fn calls(service: &Service, headers: &HeaderMap, origin: &str, body: Body) -> Result<Response, Refusal> {
    let page = session(service, headers, origin)?;
    let bytes = whole(headers, body, limits::CALLS_BYTES).await?;
    let body: Calls<'_> = body::parse(&bytes)?;
    if body.calls.len() > limits::CALLS {
        return Err(invalid("at most 64 calls go together").into());
    }
    let read: Vec<_> = body.calls.into_iter().map(entry).collect();
    let acks = read.iter().flatten().filter_map(|(ack, _)| *ack).chain(body.ack);
    let ack = acks.max();
    let mut refused = Vec::new();
    let mut known = Vec::new();
    for entry in read {
        match entry {
            Ok((_, Some(call))) => {
                refused.push(None);
                known.push(call);
            }
            Ok((_, None)) => refused.push(Some(BridgeError::new(BridgeCode::NotFound))),
            Err(error) => refused.push(Some(error)),
        }
    }
    let mut answers = service.page_calls(page, ack, known).into_iter();
    let mut answer = |refused: Option<BridgeError>| match refused {
        Some(error) => Err(error),
        None => answers.next().unwrap_or_else(|| Err(BridgeError::new(BridgeCode::Internal))),
    };
    let entries: Vec<_> = refused
        .into_iter()
        .map(|refused| match answer(refused) {
            Ok(data) => BridgeReply::Done(data),
            Err(error) => BridgeReply::Refused(error),
        })
        .collect();
    Ok(reply::done(entries))
}

/// Reads one entry: what it acknowledges, and the call when the host knows it.
fn entry(text: &RawValue) -> Result<(Option<EventNumber>, Option<PageCall>), BridgeError> {
    let call: Call = body::parse(text.get().as_bytes())?;
    Ok(match call {
        Call::State(it) => (it.ack, Some(PageCall::State(it))),
        Call::Claim(it) => (it.ack, Some(PageCall::Claim(it))),
        Call::Reject(it) => (it.ack, Some(PageCall::Reject(it))),
        Call::Heartbeat(it) => (it.ack, Some(PageCall::Heartbeat(it))),
        Call::Complete(it) => (it.ack, Some(PageCall::Complete(it))),
        Call::Reply(it) => (it.ack, None),
    })
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

async fn read<T: DeserializeOwned>(headers: &HeaderMap, body: Body, max: usize) -> Result<T, Refusal> {
    Ok(body::parse(&whole(headers, body, max).await?)?)
}

/// The bytes of a JSON body.
async fn whole(headers: &HeaderMap, body: Body, max: usize) -> Result<Vec<u8>, Refusal> {
    if !body::is_json(headers) {
        return Err(BridgeError::new(BridgeCode::UnsupportedType).into());
    }
    Ok(body::bytes(body, max).await?)
}

fn invalid(message: &str) -> BridgeError {
    BridgeError { message: message.into(), ..BridgeError::new(BridgeCode::InvalidInput) }
}
