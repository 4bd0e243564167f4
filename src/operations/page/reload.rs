//! One reload, continued once (Operations §5).

use super::io::{Effect, Outcome, PageCall, StoredTicket};
use super::machine::Page;
use super::post::Purpose;
use super::run::Reload;
use crate::wire::bridge::{AbortReason, Answer, ExecutionId, ReloadAbortBody, ReloadBody, ResumeBody};
use crate::wire::execution::ExecutionCode;
use crate::wire::{Json, operations_limits as limits};

/// A ticket that was found when the page started.
#[derive(Debug)]
pub(super) struct Resume {
    pub(super) execution_id: ExecutionId,
    ticket: Box<str>,
    operation_id: Box<str>,
    pub(super) expires_ms: f64,
    /// The host was asked; it is asked once.
    pub(super) is_asked: bool,
}

impl Page {
    /// `reload()`: refused when it is not allowed, comes a second time, or the page has changed.
    pub(super) fn reload(&mut self, id: ExecutionId, can_store: bool) {
        let can_post = self.can_post();
        let Some(run) = self.run(id) else { return };
        if !run.is_handling() || run.reload != Reload::None || run.has_settled {
            self.effects.push(Effect::ReloadRefused(id));
            return;
        }
        let is_allowed = run.allow_reload && run.reload_count == 0 && run.abort.is_none() && !run.is_orphan;
        let body = ReloadBody { execution_id: id, revision: run.revision, ack: None };
        let beat = run.beat;
        if !is_allowed || !can_store || !can_post || !self.state.fits(body.revision, &self.url) {
            self.effects.push(Effect::ReloadFailed(id));
            if let Some(run) = self.run_mut(id) {
                run.reload = Reload::Failed;
            }
            return;
        }
        // Whatever they would say, it was said before the reload began.
        if let Some(beat) = beat {
            self.drop_post(beat);
        }
        let ticket = self.post(Purpose::Reload(id), limits::CLAIM_MS, PageCall::Reload(body));
        if let Some(run) = self.run_mut(id) {
            run.beat = None;
            run.reload = Reload::Asked(ticket);
        }
    }

    /// The host gave a ticket, or refused one.
    pub(super) fn reload_settled(&mut self, id: ExecutionId, answer: &Answer) {
        let Some(run) = self.run(id).filter(|run| matches!(run.reload, Reload::Asked(_))) else { return };
        let fits = run.abort.is_none() && self.state.fits(run.revision, &self.url) && !self.is_away;
        let operation_id = run.operation_id.clone();
        let until_ms = self.now_ms + limits::RELOAD_MS;
        let Some((ticket, expires_in_ms)) = ticket(answer) else { return self.reload_failed(id) };
        if let Some(run) = self.run_mut(id) {
            run.reload = Reload::Going { ticket: ticket.clone(), until_ms };
        }
        if !fits {
            return self.reload_failed(id);
        }
        self.effects.push(Effect::StoreAndReload(StoredTicket {
            execution_id: id,
            ticket,
            operation_id,
            expires_in_ms,
        }));
    }

    /// The document stays: the execution ends as failed, whatever its handler does now.
    pub(super) fn reload_failed(&mut self, id: ExecutionId) {
        let (now_ms, can_post) = (self.now_ms, self.can_post());
        let Some(run) = self.run_mut(id) else { return };
        let (ticket, asked) = match std::mem::replace(&mut run.reload, Reload::Failed) {
            Reload::Asked(asked) => (None, Some(asked)),
            Reload::Going { ticket, .. } => (Some(ticket.into()), None),
            other => {
                run.reload = other;
                return;
            }
        };
        run.next_beat_ms = now_ms + limits::HEARTBEAT_MS;
        run.last_success_ms = now_ms;
        let body = ReloadAbortBody { execution_id: id, revision: run.revision, ticket, ack: None };
        let deadline_ms = run.deadline_ms;
        self.effects.push(Effect::ReloadFailed(id));
        if let Some(asked) = asked {
            self.drop_post(asked);
        }
        if self.is_away {
            // It was spared while it looked as if the reload hid the page.
            self.abort(id, AbortReason::PageHidden);
        }
        if can_post {
            self.post(Purpose::News, limits::CLAIM_MS, PageCall::ReloadAbort(body));
        }
        let settled = self.run(id).filter(|run| run.has_settled);
        if let Some(body) = settled.map(|run| run.terminal(Some(Outcome::Failed(ExecutionCode::ReloadFailed)))) {
            self.forget_run(id);
            self.report(body, deadline_ms);
        }
    }

    /// A ticket was found when the page started.
    pub(super) fn ticket_found(&mut self, found: StoredTicket) {
        let StoredTicket { execution_id, ticket, operation_id, expires_in_ms } = found;
        let expires_ms = self.now_ms + expires_in_ms;
        self.resume = Some(Resume { execution_id, ticket, operation_id, expires_ms, is_asked: false });
        if !(expires_in_ms > 0.0 && expires_in_ms <= limits::TICKET_FOUND_MS) {
            self.resume_failed();
        }
        self.try_resume();
    }

    /// `hasPendingReload()`.
    #[must_use]
    pub fn has_pending_reload(&self, now_ms: f64) -> bool {
        self.resume.as_ref().is_some_and(|resume| now_ms < resume.expires_ms)
    }

    /// Resumes when the stream is open, the state ready and the handler there: exactly once.
    pub(super) fn try_resume(&mut self) {
        let Some(resume) = &self.resume else { return };
        if resume.is_asked || !self.connection.is_streaming || !self.can_post() {
            return;
        }
        let Some(revision) = self.state.ready_revision(&self.url) else { return };
        if !self.has_handler(&resume.operation_id) {
            return;
        }
        let (execution_id, ticket) = (resume.execution_id, resume.ticket.clone().into());
        let body = ResumeBody { execution_id, ticket, revision, ack: None };
        self.post(Purpose::Resume, limits::CLAIM_MS, PageCall::Resume(body));
        if let Some(resume) = &mut self.resume {
            resume.is_asked = true;
        }
    }

    /// The answer to the resume: an invoke event follows, or nothing does.
    pub(super) fn resume_settled(&mut self, answer: &Answer) {
        if matches!(answer, Answer::Failed(_)) {
            self.resume_failed();
        }
    }

    pub(super) fn resume_failed(&mut self) {
        if let Some(resume) = self.resume.take() {
            self.effects.push(Effect::ResumeFailed(resume.execution_id));
        }
    }

    pub(super) fn resume_due(&mut self) {
        if self.resume.as_ref().is_some_and(|resume| resume.expires_ms <= self.now_ms) {
            self.resume_failed();
        }
    }
}

/// The host's ticket and the milliseconds it is valid.
fn ticket(answer: &Answer) -> Option<(Box<str>, f64)> {
    let Answer::Done(data) = answer else { return None };
    let ticket = data.get("ticket").and_then(Json::as_str).filter(|ticket| (1..=256).contains(&ticket.len()))?;
    let ttl_ms = data.get("ttlMs").and_then(Json::as_f64).filter(|ttl_ms| *ttl_ms > 0.0)?;
    Some((ticket.into(), ttl_ms.min(limits::TICKET_MS)))
}
