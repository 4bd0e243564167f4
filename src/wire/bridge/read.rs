//! How a page reads the host's answers: what cannot be read counts as no answer, which is safe to try again.

use super::{BridgeCode, PageSessionId, Reaction, ResourceRef, Revision};
use crate::wire::{Fields, FirstMisfit, Json, Misfit};

/// What became of one call.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It was done; `data`, as it came.
    Done(Json),
    /// It was not.
    Failed(Failure),
}

/// Why a call was not done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    /// What the page does about it.
    pub reaction: Reaction,
    /// The code, when the host gave one that is known.
    pub code: Option<BridgeCode>,
    /// Milliseconds the host asks to wait.
    pub retry_after_ms: Option<f64>,
}

impl Failure {
    /// No answer came: the network failed, the time was up, or what came could not be read.
    pub const NO_ANSWER: Self = Self { reaction: Reaction::Retry, code: None, retry_after_ms: None };

    /// The host refused with this code.
    #[must_use]
    pub const fn refused(code: BridgeCode) -> Self {
        Self { reaction: code.reaction(), code: Some(code), retry_after_ms: None }
    }
}

/// Reads the reply to one call; `status` is its HTTP status, `body` its JSON when it is JSON.
#[must_use]
pub fn read_answer(status: u16, body: Option<&Json>) -> Answer {
    let is_ok = body.and_then(|body| body.get("ok")).and_then(Json::as_bool);
    match (is_ok, body) {
        (Some(true), Some(body)) if status == 200 => Answer::Done(body.get("data").cloned().unwrap_or(Json::Null)),
        (Some(false), Some(body)) => Answer::Failed(failure(status, body.get("error"))),
        _ if status == 200 => Answer::Failed(Failure::NO_ANSWER),
        _ => Answer::Failed(failure(status, None)),
    }
}

/// Reads the reply to `/calls`: one answer for each of its `count` entries.
#[must_use]
pub fn read_answers(status: u16, body: Option<&Json>, count: usize) -> Vec<Answer> {
    match read_answer(status, body) {
        Answer::Done(Json::Array(entries)) if entries.len() == count => entries
            .iter()
            .map(|entry| match entry.get("ok").and_then(Json::as_bool) {
                Some(true) => Answer::Done(entry.get("data").cloned().unwrap_or(Json::Null)),
                Some(false) => Answer::Failed(failure(0, entry.get("error"))),
                None => Answer::Failed(Failure::NO_ANSWER),
            })
            .collect(),
        Answer::Done(_) => vec![Answer::Failed(Failure::NO_ANSWER); count],
        failed @ Answer::Failed(_) => vec![failed; count],
    }
}

fn failure(status: u16, error: Option<&Json>) -> Failure {
    let member = |name| error.and_then(|error| error.get(name));
    let code = member("code").and_then(Json::as_str).and_then(BridgeCode::parse);
    let retry_after_ms = member("retryAfterMs").and_then(Json::as_f64).filter(|wait| *wait >= 0.0);
    let retry_after_ms = retry_after_ms.map(|wait| wait.min(crate::wire::operations_limits::RETRY_AFTER_MS));
    let reaction = match (code, status) {
        (Some(code), _) => code.reaction(),
        // An entry of `/calls` with a code from a newer host: its status is not known.
        (None, 0) => Reaction::Fail,
        (None, status) => Reaction::to_status(status),
    };
    Failure { reaction, code, retry_after_ms }
}

/// What a page needs of the reply to `/open`.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The new page session.
    pub page_session_id: PageSessionId,
    /// The bearer of every further call.
    pub token: String,
    /// Where the stream is.
    pub events_url: String,
}

impl Opened {
    /// Reads it.
    ///
    /// # Errors
    /// What does not fit.
    pub fn read(data: &Json) -> Result<Self, Box<Misfit>> {
        let first = FirstMisfit::new("open");
        let mut fields = first.fields(data);
        let page_session_id = id(&mut fields, "pageSessionId", PageSessionId::parse);
        first.unless_wrong(page_session_id.map(|page_session_id| Self {
            page_session_id,
            token: fields.text("token", 1, 1_024).to_owned(),
            events_url: fields.text("eventsUrl", 1, 2_048).to_owned(),
        }))
    }
}

/// What a page needs of the reply to `/claim`, except for the input, which goes to the handler as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Claimed {
    /// The page's own cursor.
    pub cursor: String,
    /// Items wanted at most.
    pub limit: u32,
    /// The resource whose button was pressed.
    pub resource: Option<ResourceRef>,
    /// 1 after the one reload.
    pub reload_count: u8,
    /// Whether the handler may reload the page.
    pub allow_reload: bool,
    /// Milliseconds until the deadline.
    pub remaining_ms: f64,
}

impl Claimed {
    /// Reads it.
    ///
    /// # Errors
    /// What does not fit.
    pub fn read(data: &Json) -> Result<Self, Box<Misfit>> {
        let first = FirstMisfit::new("claim");
        let mut fields = first.fields(data);
        // It goes to the handler as it came, but an object it is.
        let _ = fields.required("input").object();
        let claimed = Self {
            resource: fields.optional_object("resource").map(|mut resource| ResourceRef {
                id: resource.text("id", 1, 4_096).to_owned(),
                action_id: resource.text("actionId", 1, 4_096).to_owned(),
            }),
            cursor: fields.text("cursor", 0, 4_096).to_owned(),
            limit: count(&mut fields, "limit"),
            reload_count: u8::from(fields.required("reloadCount").whole(0, 1) == 1),
            allow_reload: fields.required("allowReload").flag(),
            remaining_ms: number(&mut fields, "remainingMs"),
        };
        first.unless_wrong(Some(claimed))
    }
}

/// Reads the `revision` of a reply or an event.
pub(super) fn revision(fields: &mut Fields<'_>) -> Option<Revision> {
    id(fields, "revision", Revision::parse)
}

/// Reads the reply to `/state`.
///
/// # Errors
/// What does not fit.
pub fn read_revision(data: &Json) -> Result<Revision, Box<Misfit>> {
    let first = FirstMisfit::new("state");
    first.unless_wrong(revision(&mut first.fields(data)))
}

pub(super) fn id<I>(fields: &mut Fields<'_>, name: &str, parse: fn(&str) -> Option<I>) -> Option<I> {
    let id = parse(fields.text(name, 32, 32));
    if id.is_none() {
        fields.refuse(name, "must be 32 lower-case hex digits");
    }
    id
}

pub(super) fn number(fields: &mut Fields<'_>, name: &str) -> f64 {
    let value = fields.required(name).json().as_f64();
    value.unwrap_or_else(|| {
        fields.refuse(name, "must be a number");
        0.0
    })
}

#[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
pub(super) fn count(fields: &mut Fields<'_>, name: &str) -> u32 {
    fields.required(name).whole(0, u32::MAX as usize) as u32
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_done_refused_or_none() {
        let answered = |status, text: &str| read_answer(status, Json::parse(text).ok().as_ref());
        let reacts = |reaction, code| Answer::Failed(Failure { reaction, code, retry_after_ms: None });
        let cases = [
            ("done", 200, r#"{"ok":true,"data":1}"#, Answer::Done(Json::Number(1.0))),
            ("done, without data", 200, r#"{"ok":true}"#, Answer::Done(Json::Null)),
            ("no JSON", 200, "<html>", Answer::Failed(Failure::NO_ANSWER)),
            ("a proxy's page", 502, "<html>", reacts(Reaction::Retry, None)),
            ("a proxy's refusal", 407, "<html>", reacts(Reaction::Fail, None)),
            (
                "a code",
                401,
                r#"{"ok":false,"error":{"code":"session_gone","message":""}}"#,
                reacts(Reaction::Reopen, Some(BridgeCode::SessionGone)),
            ),
            ("a newer code", 409, r#"{"ok":false,"error":{"code":"moon","message":""}}"#, reacts(Reaction::End, None)),
        ];
        for (case, status, text, expected) in cases {
            assert_eq!(answered(status, text), expected, "{case}");
        }
    }

    #[test]
    fn each_entry_of_calls_has_an_answer_of_its_own() {
        let text = r#"{"ok":true,"data":[{"ok":true,"data":null},{"ok":false,"error":{"code":"rate_limited","message":"","retryAfterMs":5}},{}]}"#;
        let body = Json::parse(text).expect("JSON");
        let limited = Failure { retry_after_ms: Some(5.0), ..Failure::refused(BridgeCode::RateLimited) };
        assert_eq!(
            read_answers(200, Some(&body), 3),
            [Answer::Done(Json::Null), Answer::Failed(limited), Answer::Failed(Failure::NO_ANSWER)]
        );
        assert_eq!(read_answers(200, Some(&body), 2), vec![Answer::Failed(Failure::NO_ANSWER); 2], "another number");
        assert_eq!(
            read_answers(503, None, 1),
            [Answer::Failed(Failure { reaction: Reaction::Retry, ..Failure::NO_ANSWER })]
        );
    }
}
