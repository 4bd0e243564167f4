//! The stream of a session (Operations §4).

use super::{Doors, bridge, guard, reply};
use crate::execution::limits;
use crate::service::{Attached, Frame};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use futures_util::stream;
use pageport::wire::bridge::{BridgeCode, BridgeError, EventNumber};
use std::convert::Infallible;
use std::time::Duration;

/// `GET /bridge/v1/events`
pub(super) async fn events(State(doors): State<Doors>, headers: HeaderMap) -> Response {
    let Some(origin) = guard::page_origin(&headers) else {
        return reply::stranger("a page's request names its origin");
    };
    let attached = attach(&doors, &headers, origin);
    guard::let_read(attached.map_or_else(reply::refused, respond), origin)
}

fn attach(doors: &Doors, headers: &HeaderMap, origin: &str) -> Result<Attached, BridgeError> {
    let page = bridge::session(&doors.service, headers, origin)?;
    let last = headers.get("last-event-id").map(|value| {
        let number = value.to_str().ok().and_then(|text| text.parse::<EventNumber>().ok());
        // What was never sent can't have been received.
        number.ok_or_else(|| BridgeError::new(BridgeCode::SessionGone))
    });
    doors.service.attach(page, last.transpose()?)
}

/// Whether a stream has something to say, or has said its last.
enum Turn {
    Start(Attached),
    Go(Attached),
    End,
}

fn respond(attached: Attached) -> Response {
    let frames = stream::unfold(Turn::Start(attached), |turn| async move {
        let mut attached = match turn {
            // A first comment, so that the page sees at once that it is connected.
            Turn::Start(attached) => return Some((Ok::<_, Infallible>(String::from(":\n\n")), Turn::Go(attached))),
            Turn::Go(attached) => attached,
            Turn::End => return None,
        };
        match tokio::time::timeout(Duration::from_millis(limits::KEEP_ALIVE_MS), attached.next()).await {
            Ok(Some(Frame::Event(text))) => Some((Ok(text), Turn::Go(attached))),
            Ok(Some(Frame::Last(text))) => Some((Ok(text), Turn::End)),
            Ok(None) => None,
            Err(_) => Some((Ok(String::from(":\n\n")), Turn::Go(attached))),
        }
    });
    let mut response = Response::new(Body::from_stream(frames));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    response
}
