//! Reads a body: its type, its size, then strictly as what it has to be.

use crate::execution::limits;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, header};
use serde::Deserialize;
use std::time::Duration;

/// Why a body did not arrive.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// Too many bytes, or the connection broke.
    Size,
    /// It took too long.
    Late,
}

/// A body is not what was asked for; the phrase holds no value of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Misfit(pub(super) String);

/// Whether the body says that it is JSON.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = value.split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// The bytes of a body of at most `max`, when it arrives in time.
pub(super) async fn bytes(body: Body, max: usize) -> Result<Vec<u8>, Lost> {
    let arriving = tokio::time::timeout(Duration::from_millis(limits::ARRIVAL_MS), to_bytes(body, max));
    arriving.await.map_err(|_| Lost::Late)?.map(Vec::from).map_err(|_| Lost::Size)
}

/// Reads a whole body as `T`: an object without members it does not know, and nothing after it.
pub(super) fn parse<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Result<T, Misfit> {
    // Serde would take a list of the values for an object, too.
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        return Err(Misfit("the body must be an object".into()));
    }
    serde_json::from_slice(bytes).map_err(|error| Misfit(phrase(&error)))
}

/// Messages that hold names of members, which are the caller's own.
const OF_MEMBERS: &[&str] = &["unknown field", "missing field", "duplicate field"];
/// Messages of our own that hold nothing of the caller.
const OF_VALUES: &[&str] = &[
    "must be 32 lower-case hex digits",
    "must be a finite number",
    "must have each name once",
    "must not have a member called __proto__",
    "is nested too deeply",
];

/// What is wrong, without the value, which may be a page's.
fn phrase(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let is_one = |known: &[&str]| text.len() <= 300 && known.iter().any(|start| text.starts_with(start));
    if is_one(OF_MEMBERS) {
        return text;
    }
    if is_one(OF_VALUES) {
        return format!("a value {text}");
    }
    format!("the body is not valid at line {} column {}", error.line(), error.column())
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;
    use pageport::wire::bridge::{AckBody, ClaimBody};
    use std::convert::Infallible;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_arrive_is_not_waited_for() {
        let never = Body::from_stream(stream::pending::<Result<String, Infallible>>());
        assert_eq!(bytes(never, 10).await, Err(Lost::Late));
        assert_eq!(bytes(Body::from("0123456789"), 10).await, Ok(b"0123456789".to_vec()));
        assert_eq!(bytes(Body::from("0123456789x"), 10).await, Err(Lost::Size));
    }

    #[test]
    fn a_body_is_read_strictly_and_its_values_are_not_repeated() {
        let phrase = |text: &str| match parse::<AckBody>(text.as_bytes()) {
            Ok(_) => String::new(),
            Err(Misfit(phrase)) => phrase,
        };
        assert_eq!(phrase(r#"{"ack":1}"#), "");
        assert!(phrase(r#"{"ack":1,"x":2}"#).starts_with("unknown field `x`"));
        assert!(phrase("{}").starts_with("missing field `ack`"));
        let claim = r#"{"executionId":"secret","revision":"","attemptId":""}"#;
        let told = parse::<ClaimBody>(claim.as_bytes()).unwrap_err().0;
        assert_eq!(told, "a value must be 32 lower-case hex digits at line 1 column 23");
        for text in ["[]", " [1]", "\n[{}]"] {
            assert_eq!(phrase(text), "the body must be an object", "{text}");
        }
        for text in [r#"{"ack":"secret"}"#, r#"{"ack":1} 2"#, "", "{", "1"] {
            assert!(phrase(text).starts_with("the body is not valid"), "{text}");
        }
    }
}
