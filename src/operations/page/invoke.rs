//! From the invoke event to the handler: reject, wait, claim (Operations §2, steps 1–3).

use super::io::{Effect, PageCall, Ticket};
use super::machine::Page;
use super::post::Purpose;
use super::run::{Attempts, Phase, Run};
use crate::wire::bridge::{
    AbortReason, Answer, AttemptId, Call, ClaimBody, Claimed, ExecutionId, Failure, Invoke, Reaction, RejectBody,
    RejectCode, TerminalState,
};
use crate::wire::execution::ExecutionCode;
use crate::wire::operations_limits as limits;

impl Page {
    /// Step 1.
    pub(super) fn invoke(&mut self, invoke: Invoke, attempt_id: AttemptId) {
        let id = invoke.execution_id;
        if self.known.contains(&(id, invoke.reload_count)) || self.run(id).is_some() {
            return;
        }
        if self.known.len() == limits::KNOWN_EXECUTIONS {
            self.known.remove(0);
        }
        self.known.push((id, invoke.reload_count));
        if self.resume.as_ref().is_some_and(|ticket| ticket.execution_id == id) {
            self.resume = None;
        }
        let code = if invoke.remaining_ms <= 0.0 {
            Some(RejectCode::Expired)
        } else if !self.has_handler(&invoke.operation_id) {
            Some(RejectCode::NoHandler)
        } else if self.is_busy() {
            Some(RejectCode::PageBusyUnknown)
        } else {
            None
        };
        self.runs.push(Run::new(invoke, attempt_id, self.now_ms));
        match code {
            Some(code) => self.reject(id, code),
            None => self.check_waiting(),
        }
    }

    /// Whether a handler has not settled, or is about to be called.
    pub(super) fn is_busy(&self) -> bool {
        self.runs.iter().any(|run| match run.phase {
            Phase::Handling => true,
            Phase::Waiting { .. } | Phase::Claiming(_) => run.abort.is_none(),
            Phase::Rejecting(..) => false,
        })
    }

    /// Step 2: no state is on its way, or it took too long.
    pub(super) fn check_waiting(&mut self) {
        let is_settled = !self.state.is_in_flight();
        for id in self.run_ids() {
            let Some(run) = self.run(id) else { continue };
            let Phase::Waiting { until_ms } = run.phase else { continue };
            if run.abort.is_some() || !(is_settled || until_ms <= self.now_ms) {
                continue;
            }
            if self.state.fits(run.revision, &self.url) {
                self.claim(id);
            } else {
                self.reject(id, RejectCode::StaleRevision);
            }
        }
    }

    /// Rejects an execution that was not claimed; too late, nothing is said.
    pub(super) fn reject(&mut self, id: ExecutionId, code: RejectCode) {
        let can_post = self.can_post();
        let now_ms = self.now_ms;
        let Some(run) = self.run_mut(id) else { return };
        let mut attempts = match run.phase {
            Phase::Rejecting(_, attempts) => attempts,
            _ => Attempts::NONE,
        };
        if !can_post || run.window_ms <= now_ms {
            self.forget_run(id);
            return;
        }
        let body = RejectBody { execution_id: id, revision: run.revision, code, ack: None };
        let ticket = self.post(Purpose::Reject(id), limits::CLAIM_MS, PageCall::Call(Call::Reject(body)));
        attempts.begin(ticket);
        if let Some(run) = self.run_mut(id) {
            run.phase = Phase::Rejecting(code, attempts);
        }
    }

    /// Step 3: begins an attempt to claim.
    pub(super) fn claim(&mut self, id: ExecutionId) {
        let can_post = self.can_post();
        let now_ms = self.now_ms;
        let Some(run) = self.run_mut(id) else { return };
        let mut attempts = match run.phase {
            Phase::Claiming(attempts) => attempts,
            _ => Attempts::NONE,
        };
        if !can_post || run.window_ms <= now_ms || run.abort.is_some() {
            return if attempts.made == 0 { self.forget_run(id) } else { self.give_up(id) };
        }
        let body = ClaimBody { execution_id: id, revision: run.revision, attempt_id: run.attempt_id, ack: None };
        let ticket = self.post(Purpose::Claim(id), limits::CLAIM_MS, PageCall::Call(Call::Claim(body)));
        attempts.begin(ticket);
        if let Some(run) = self.run_mut(id) {
            run.phase = Phase::Claiming(attempts);
        }
    }

    /// The next attempt of a claim or a rejection, when it is due.
    pub(super) fn attempt_due(&mut self, id: ExecutionId) {
        let Some(run) = self.run(id) else { return };
        match run.phase {
            Phase::Claiming(attempts) if attempts.retry_ms <= self.now_ms => self.claim(id),
            Phase::Rejecting(code, attempts) if attempts.retry_ms <= self.now_ms => self.reject(id, code),
            _ => {}
        }
    }

    /// A rejection was answered.
    pub(super) fn reject_settled(&mut self, id: ExecutionId, answer: &Answer) {
        let retry_ms = self.retry_ms(answer);
        let Some(run) = self.run_mut(id) else { return };
        if let Phase::Rejecting(_, attempts) = &mut run.phase
            && let Some(retry_ms) = retry_ms
            && attempts.made < limits::REJECT_ATTEMPTS
        {
            attempts.retry_at(retry_ms.min(run.window_ms));
        } else {
            self.forget_run(id);
        }
    }

    /// A claim was answered.
    pub(super) fn claim_settled(&mut self, id: ExecutionId, ticket: Ticket, answer: &Answer) {
        let claimed = match answer {
            Answer::Done(data) => Claimed::read(data).map_err(|_| Failure::NO_ANSWER),
            Answer::Failed(failure) => Err(*failure),
        };
        match claimed {
            Ok(claimed) => self.claimed(id, ticket, claimed),
            Err(failure) if failure.reaction == Reaction::Retry => {
                let retry_ms = self.retry_ms(&Answer::Failed(failure));
                let Some(run) = self.run_mut(id) else { return };
                if let (Phase::Claiming(attempts), Some(retry_ms), None) = (&mut run.phase, retry_ms, run.abort)
                    && attempts.made < limits::CLAIM_ATTEMPTS
                {
                    attempts.retry_at(retry_ms.min(run.window_ms));
                } else {
                    self.give_up(id);
                }
            }
            Err(_) => self.forget_run(id),
        }
    }

    /// The execution is this page's: the handler starts, unless something changed meanwhile.
    fn claimed(&mut self, id: ExecutionId, ticket: Ticket, claimed: Claimed) {
        let Some(run) = self.run(id) else { return };
        let fits = self.state.fits(run.revision, &self.url);
        let has_handler = self.has_handler(&run.operation_id);
        let is_free = !self.runs.iter().any(Run::is_handling);
        let (operation_id, abort) = (run.operation_id.clone(), run.abort);
        let now_ms = self.now_ms;
        let reason = match abort {
            Some(reason) => Some(reason),
            None if !fits => Some(AbortReason::PageChanged),
            None if claimed.remaining_ms <= 0.0 => Some(AbortReason::TimedOut),
            None => None,
        };
        let Some(run) = self.run_mut(id) else { return };
        run.deadline_ms = now_ms + claimed.remaining_ms;
        if reason.is_some() {
            run.abort = reason;
            return self.give_up(id);
        }
        if !has_handler || !is_free {
            let code = if has_handler { ExecutionCode::PageBusyUnknown } else { ExecutionCode::NoHandler };
            let mut body = run.report(TerminalState::Failed);
            body.code = Some(code.as_str().into());
            body.started = Some(false);
            let deadline_ms = run.deadline_ms;
            self.forget_run(id);
            return self.report(body, deadline_ms);
        }
        run.phase = Phase::Handling;
        run.allow_reload = claimed.allow_reload;
        run.next_beat_ms = now_ms + limits::HEARTBEAT_MS;
        run.last_success_ms = now_ms;
        self.effects.push(Effect::Start { execution_id: id, operation_id, ticket, claimed: Box::new(claimed) });
    }

    /// A claim that may have reached the host comes to nothing: says that the handler never started.
    pub(super) fn give_up(&mut self, id: ExecutionId) {
        let Some(run) = self.run(id) else { return };
        let mut body = run.report(TerminalState::Cancelled);
        body.reason = Some(run.abort.unwrap_or(AbortReason::LostConnection));
        body.started = Some(false);
        let deadline_ms = run.deadline_ms;
        self.forget_run(id);
        self.report(body, deadline_ms);
    }

    /// When a call that came to nothing is tried again; `None` when it is not.
    pub(super) fn retry_ms(&self, answer: &Answer) -> Option<f64> {
        let Answer::Failed(failure) = answer else { return None };
        let pause_ms = failure.retry_after_ms.unwrap_or(0.0).max(limits::RETRY_PAUSE_MS);
        (failure.reaction == Reaction::Retry).then_some(self.now_ms + pause_ms)
    }
}
