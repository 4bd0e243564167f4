//! What a page says about its state and its executions (Operations §4).

use super::Service;
use super::inner::{Inner, f64_of};
use super::open::{is_of_origin, limited};
use crate::execution::{Happening, Millis, Outcome, Report, check, limits};
use crate::secret;
use pageport::wire::bridge::{
    AbortReason, BridgeCode, BridgeError, ClaimBody, ClaimReply, CompleteBody, EventNumber, HeartbeatBody,
    HeartbeatReply, PageSessionId, RejectBody, RejectCode, Revision, StateBody, StateReply, TerminalState,
};
use serde::Serialize;
use std::sync::Arc;

/// One call of a page, read.
#[derive(Debug)]
pub enum PageCall {
    /// `/state`
    State(StateBody),
    /// `/claim`
    Claim(ClaimBody),
    /// `/reject`
    Reject(RejectBody),
    /// `/heartbeat`
    Heartbeat(HeartbeatBody),
    /// `/complete`
    Complete(CompleteBody),
    /// `/ack`
    Ack,
}

/// What a call answers.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum PageAnswer {
    /// To a state.
    State(StateReply),
    /// To a claim.
    Claim(Box<ClaimReply>),
    /// To a heartbeat.
    Heartbeat(HeartbeatReply),
    /// To everything else.
    Nothing,
}

impl Service {
    /// Performs calls of one page in order; each stands alone. What a call changed is written down when it is
    /// answered.
    pub fn page_calls(
        &self,
        page: PageSessionId,
        ack: Option<EventNumber>,
        calls: Vec<PageCall>,
    ) -> Vec<Result<PageAnswer, BridgeError>> {
        self.with(|inner, now| {
            if let Some(session) = inner.sessions.get_mut(&page)
                && let Some(ack) = ack
            {
                // A number that was never sent acknowledges nothing.
                session.outbox.acknowledge(ack);
            }
            let answers: Vec<_> = calls.into_iter().map(|call| inner.page_call(page, call, now)).collect();
            inner.settle(now);
            let unsaved = || BridgeError::new(BridgeCode::StorageUnavailable);
            let is_saved = inner.is_saved();
            answers.into_iter().map(|answer| if is_saved { answer } else { answer.and(Err(unsaved())) }).collect()
        })
    }
}

impl Inner {
    fn page_call(&mut self, page: PageSessionId, call: PageCall, now: Millis) -> Result<PageAnswer, BridgeError> {
        let is_counted = matches!(call, PageCall::State(_) | PageCall::Ack);
        if is_counted {
            self.count(page, now)?;
        }
        let answer = match call {
            PageCall::State(body) => self.state(page, body, now).map(PageAnswer::State),
            PageCall::Claim(body) => self.claim(page, &body, now).map(|reply| PageAnswer::Claim(Box::new(reply))),
            PageCall::Reject(body) => self.reject(page, &body, now).map(|()| PageAnswer::Nothing),
            PageCall::Heartbeat(body) => self.heartbeat(page, &body, now).map(PageAnswer::Heartbeat),
            PageCall::Complete(body) => self.complete(page, body, now).map(|()| PageAnswer::Nothing),
            PageCall::Ack => Ok(PageAnswer::Nothing),
        };
        let names_none = |error: &BridgeError| matches!(error.code, BridgeCode::NotFound | BridgeCode::ExecutionEnded);
        if !is_counted && answer.as_ref().is_err_and(names_none) {
            // Calls about outstanding executions are bounded by those; this one named none.
            self.count(page, now)?;
        }
        answer
    }

    fn count(&mut self, page: PageSessionId, now: Millis) -> Result<(), BridgeError> {
        let session = self.sessions.get_mut(&page).ok_or_else(|| BridgeError::new(BridgeCode::SessionGone))?;
        session.counted.count(now, limits::MESSAGES, limits::MESSAGES_MS).map_err(limited)
    }

    pub(super) fn state(
        &mut self,
        page: PageSessionId,
        body: StateBody,
        now: Millis,
    ) -> Result<StateReply, BridgeError> {
        let session = self.sessions.get_mut(&page).ok_or_else(|| BridgeError::new(BridgeCode::SessionGone))?;
        match (session.seq, session.revision) {
            (Some(seq), _) if body.seq < seq => return Err(BridgeError::new(BridgeCode::StaleRevision)),
            (Some(seq), Some(revision)) if body.seq == seq => return Ok(StateReply { revision }),
            _ => {}
        }
        let fault = if !is_of_origin(&body.page_url, &session.origin) {
            "pageUrl must be a URL of the page's origin, without credentials"
        } else if body.title.chars().count() > limits::TITLE_CHARS {
            "title is too long"
        } else if body.context.chars().count() > limits::CONTEXT_CHARS {
            "context is too long"
        } else {
            ""
        };
        if !fault.is_empty() {
            return Err(BridgeError { message: fault.into(), ..BridgeError::new(BridgeCode::InvalidInput) });
        }
        session.seq = Some(body.seq);
        session.title = body.title;
        let is_same = session.url == body.page_url
            && session.context == body.context
            && session.login == body.login
            && session.ready == body.ready;
        if let Some(revision) = session.revision.filter(|_| is_same) {
            return Ok(StateReply { revision });
        }
        let revision = Revision::from_bytes(secret::random());
        session.url = body.page_url;
        session.context = body.context;
        session.login = body.login;
        session.ready = body.ready;
        session.revision = Some(revision);
        self.engine.page_changed(page, Some(revision), now);
        Ok(StateReply { revision })
    }

    fn claim(&mut self, page: PageSessionId, body: &ClaimBody, now: Millis) -> Result<ClaimReply, BridgeError> {
        let claimed = self.engine.claim(body.execution_id, page, body.revision, body.attempt_id, now);
        let claimed = claimed.map_err(BridgeError::new)?;
        let it = self.engine.get(body.execution_id).ok_or_else(|| BridgeError::new(BridgeCode::NotFound))?;
        Ok(ClaimReply {
            input: (*it.input).clone(),
            cursor: it.cursor.clone(),
            limit: it.limit,
            resource: None,
            reload_count: 0,
            // The host can't continue a reload yet, so that no page is invited to one.
            allow_reload: false,
            remaining_ms: f64_of(claimed.remaining_ms),
        })
    }

    fn reject(&mut self, page: PageSessionId, body: &RejectBody, now: Millis) -> Result<(), BridgeError> {
        let on = match body.code {
            RejectCode::Expired => Happening::RejectExpired,
            RejectCode::NoHandler => Happening::RejectNoHandler,
            RejectCode::PageBusyUnknown => Happening::RejectBusy,
            RejectCode::StaleRevision => Happening::RejectStale,
        };
        self.engine.reject(body.execution_id, page, body.revision, on, now).map_err(BridgeError::new)
    }

    fn heartbeat(
        &mut self,
        page: PageSessionId,
        body: &HeartbeatBody,
        now: Millis,
    ) -> Result<HeartbeatReply, BridgeError> {
        if body.progress.is_some_and(|progress| !(0.0..=100.0).contains(&progress)) {
            let message = "progress must be from 0 to 100".into();
            return Err(BridgeError { message, ..BridgeError::new(BridgeCode::InvalidInput) });
        }
        let requested = self.engine.heartbeat(body.execution_id, page, body.revision, body.progress, now);
        Ok(HeartbeatReply { cancel_requested: requested.map_err(BridgeError::new)? })
    }

    pub(super) fn complete(&mut self, page: PageSessionId, body: CompleteBody, now: Millis) -> Result<(), BridgeError> {
        let id = body.execution_id;
        let report = self.report(&body);
        self.engine.complete(id, page, body.revision, report, now).map_err(BridgeError::new)?;
        self.name_cursor(id, now);
        Ok(())
    }

    /// What a report means; a result is checked here.
    fn report(&self, body: &CompleteBody) -> Report {
        let mut outcome = None;
        let on = match body.state {
            TerminalState::Cancelled => match body.reason {
                Some(AbortReason::PageChanged | AbortReason::PageHidden | AbortReason::LostConnection) => {
                    Happening::PageAborted
                }
                Some(AbortReason::TimedOut) => Happening::PageTimedOut,
                Some(AbortReason::Cancelled) | None => Happening::PageCancelled,
            },
            TerminalState::Failed => match body.code.as_deref() {
                Some("invalid_output") => Happening::InvalidOutput,
                Some("output_too_large") => Happening::OutputTooLarge,
                Some("invalid_pagination") => Happening::InvalidPagination,
                Some("reload_failed") => Happening::ReloadFailed,
                Some("result_lost") => Happening::ResultLost,
                _ => Happening::PageFailed,
            },
            TerminalState::Succeeded => match self.checked(body) {
                Ok(result) => {
                    outcome = Some(result);
                    Happening::Succeeded
                }
                Err(happening) => happening,
            },
        };
        Report { on, stopped: body.stopped, started: body.started.unwrap_or(true), outcome }
    }

    fn checked(&self, body: &CompleteBody) -> Result<Outcome, Happening> {
        let result = body.result.as_ref().ok_or(Happening::InvalidOutput)?;
        let it = self.engine.get(body.execution_id).ok_or(Happening::InvalidOutput)?;
        let plugin = self.plugins.get(&*it.plugin).and_then(|entry| entry.plugin.as_ref());
        let operation = plugin.and_then(|plugin| plugin.operation(&it.operation)).ok_or(Happening::PluginChanged)?;
        let bytes = serde_json::to_vec(result).map_or(usize::MAX, |bytes| bytes.len());
        let result = check((**result).clone(), bytes, it.limit, &operation.output);
        result.map(|result| Outcome { result: Arc::new(result), bytes }).map_err(|misfit| misfit.happening())
    }
}
