//! What a page script hands in: the argument of `setState`, what a handler returns, a stored ticket (Operations §1, §5).

use super::page::{Outcome, Snapshot, StoredTicket};
use crate::wire::bridge::{ExecutionId, Login, OperationResult};
use crate::wire::execution::ExecutionCode;
use crate::wire::operations_limits as limits;
use crate::wire::{FirstMisfit, Json, Misfit};
use std::sync::Arc;

/// Reads the argument of `setState`.
///
/// # Errors
/// What does not fit: a `TypeError` for the script.
pub fn read_state(value: &Json, title: &str, page_url: &str) -> Result<Snapshot, Box<Misfit>> {
    let first = FirstMisfit::new("setState");
    let mut fields = first.fields(value);
    let login = fields.optional_word("login", Login::WORDS).map_or(Login::Unknown, |place| Login::ALL[place]);
    let context = fields.optional_text("context", 0, limits::CONTEXT_CHARS).unwrap_or_default();
    let ready = fields.optional("ready").is_some_and(|ready| *ready.json() == Json::Bool(true));
    fields.finish();
    first.check()?;
    Ok(Snapshot { title: cut_title(title).into(), page_url: page_url.into(), ready, login, context: context.into() })
}

/// The first 128 code points.
#[must_use]
pub fn cut_title(title: &str) -> &str {
    title.char_indices().nth(limits::TITLE_CHARS).map_or(title, |(end, _)| &title[..end])
}

/// Reads what a handler returned, which is JSON; absent members get their defaults.
///
/// Whether the data fits its schema, and the count its limit, is for the host to say.
#[must_use]
pub fn read_result(value: Json) -> Outcome {
    const WRONG: Outcome = Outcome::Failed(ExecutionCode::InvalidOutput);
    let Json::Object(members) = value else { return WRONG };
    let (mut data, mut next_cursor) = (None, String::new());
    let (mut count, mut has_more, mut truncated) = (0.0, false, false);
    for (name, value) in members {
        match (&*name, value) {
            ("data", value) => data = Some(value),
            ("count", Json::Number(number)) => count = number,
            ("nextCursor", Json::String(text)) => next_cursor = text,
            // As JavaScript has it, what is falsy counts as absent.
            ("count", Json::Null | Json::Bool(false)) | ("nextCursor", Json::Null | Json::Bool(false)) => {}
            ("count" | "nextCursor", _) => return WRONG,
            ("hasMore", value) => has_more = value == Json::Bool(true),
            ("truncated", value) => truncated = value == Json::Bool(true),
            _ => {}
        }
    }
    match data {
        Some(data) => Outcome::Returned(Arc::new(OperationResult { data, count, has_more, next_cursor, truncated })),
        None => WRONG,
    }
}

/// Whether this is a progress: 0–100. Anything else is a `RangeError` for the script.
#[must_use]
pub fn is_progress(value: f64) -> bool {
    (0.0..=100.0).contains(&value)
}

/// What is stored across a reload: no input, no URL, no result.
#[must_use]
pub fn ticket_to_json(ticket: &StoredTicket, plugin_version: &str, now_epoch_ms: f64) -> Json {
    Json::object([
        ("executionId", Json::from(ticket.execution_id.to_string())),
        ("ticket", Json::from(&*ticket.ticket)),
        ("expiresAt", Json::from(now_epoch_ms + ticket.expires_in_ms)),
        ("operationId", Json::from(&*ticket.operation_id)),
        ("pluginVersion", Json::from(plugin_version)),
    ])
}

/// Reads a stored ticket of at most 1 KiB; `None` when it is malformed or of another version of the plugin. Whether
/// it has expired is for the page's machine to say.
#[must_use]
pub fn ticket_from_json(stored: &Json, plugin_version: &str, now_epoch_ms: f64) -> Option<StoredTicket> {
    let text = |name| stored.get(name).and_then(Json::as_str);
    if text("pluginVersion") != Some(plugin_version) {
        return None;
    }
    Some(StoredTicket {
        execution_id: ExecutionId::parse(text("executionId")?)?,
        ticket: text("ticket").filter(|ticket| !ticket.is_empty())?.into(),
        operation_id: text("operationId").filter(|id| super::manifest::is_id(id))?.into(),
        expires_in_ms: stored.get("expiresAt").and_then(Json::as_f64)? - now_epoch_ms,
    })
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).expect("JSON")
    }

    #[test]
    fn a_state_has_defaults_and_is_strict_about_the_rest() {
        let state = |text: &str| read_state(&json(text), &"é".repeat(200), "https://a.example/");
        let plain = state("{}").expect("fits");
        assert_eq!((plain.ready, plain.login, &*plain.context), (false, Login::Unknown, ""));
        assert_eq!(plain.title.chars().count(), 128);
        assert!(state(r#"{"ready":true,"login":"authenticated","context":"x"}"#).expect("fits").ready);
        assert!(!state(r#"{"ready":1}"#).expect("fits").ready, "true and nothing else");
        let long = r#"{"context":"CONTEXT"}"#.replace("CONTEXT", &"é".repeat(129));
        for wrong in
            ["null", "[]", r#"{"redy":true}"#, r#"{"login":"yes"}"#, r#"{"login":null}"#, r#"{"context":1}"#, &long]
        {
            assert!(state(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_result_has_data_and_defaults() {
        let full = r#"{"data":1,"count":2,"hasMore":true,"nextCursor":"n","truncated":true}"#;
        let cases = [
            ("only data", r#"{"data":null}"#, true),
            ("everything", full, true),
            ("falsy", r#"{"data":1,"count":null,"nextCursor":null,"hasMore":1}"#, true),
            ("no data", r#"{"count":1}"#, false),
            ("no object", "[]", false),
            ("nothing", "null", false),
            ("a count that is none", r#"{"data":1,"count":"2"}"#, false),
            ("a cursor that is none", r#"{"data":1,"nextCursor":2}"#, false),
        ];
        for (case, text, fits) in cases {
            assert_eq!(matches!(read_result(json(text)), Outcome::Returned(_)), fits, "{case}");
        }
        let Outcome::Returned(result) = read_result(json(full)) else { panic!("fits") };
        assert_eq!((result.count, result.has_more, &*result.next_cursor, result.truncated), (2.0, true, "n", true));
    }

    #[test]
    fn a_ticket_is_read_as_it_was_stored_and_only_by_the_same_version() {
        let ticket = StoredTicket {
            execution_id: ExecutionId::from_bytes([7; 16]),
            ticket: "secret".into(),
            operation_id: "read".into(),
            expires_in_ms: 50_000.0,
        };
        let stored = ticket_to_json(&ticket, "1.0.0", 1e12);
        let found = ticket_from_json(&stored, "1.0.0", 1e12 + 1_000.0).expect("the same version");
        assert_eq!(found, StoredTicket { expires_in_ms: 49_000.0, ..ticket });
        assert_eq!(ticket_from_json(&stored, "1.0.1", 1e12), None);
        for broken in ["null", "{}", r#"{"pluginVersion":"1.0.0","executionId":"x"}"#] {
            assert_eq!(ticket_from_json(&json(broken), "1.0.0", 0.0), None, "{broken}");
        }
    }

    #[test]
    fn progress_is_a_percentage() {
        for (value, expected) in
            [(0.0, true), (100.0, true), (33.3, true), (-0.1, false), (100.1, false), (f64::NAN, false)]
        {
            assert_eq!(is_progress(value), expected, "{value}");
        }
    }
}
