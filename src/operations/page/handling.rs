//! While the handler runs: heartbeats, progress, aborts, and its end (Operations §2, steps 4–7).

use super::io::{Effect, Outcome, PageCall};
use super::machine::Page;
use super::post::Purpose;
use super::run::{Phase, Reload, Run};
use crate::wire::bridge::{
    AbortReason, Answer, BridgeCode, Call, CompleteBody, ExecutionId, HeartbeatBody, Reaction, RejectCode,
    TerminalState,
};
use crate::wire::execution::ExecutionCode;
use crate::wire::{Json, operations_limits as limits};

impl Run {
    /// A terminal report with nothing but its state.
    pub(super) const fn report(&self, state: TerminalState) -> CompleteBody {
        CompleteBody {
            execution_id: self.execution_id,
            revision: self.revision,
            state,
            code: None,
            reason: None,
            started: None,
            stopped: true,
            result: None,
            ack: None,
        }
    }

    /// The terminal report of a handler that ended like this; `None` when it has not, although it was aborted.
    pub(super) fn terminal(&self, outcome: Option<Outcome>) -> CompleteBody {
        if let Some(reason) = self.abort {
            let mut body = self.report(TerminalState::Cancelled);
            body.reason = Some(reason);
            body.stopped = outcome.is_some();
            return body;
        }
        let code = match outcome {
            Some(Outcome::Returned(result)) if self.reload != Reload::Failed => {
                let mut body = self.report(TerminalState::Succeeded);
                body.result = Some(result);
                return body;
            }
            Some(Outcome::Failed(code)) if self.reload != Reload::Failed => code,
            _ => ExecutionCode::ReloadFailed,
        };
        let mut body = self.report(TerminalState::Failed);
        body.code = Some(code.as_str().into());
        body
    }
}

impl Page {
    /// Aborts an execution; the first reason stays.
    pub(super) fn abort(&mut self, id: ExecutionId, reason: AbortReason) {
        let Some(run) = self.run_mut(id) else { return };
        if run.abort.is_some() || matches!(run.phase, Phase::Rejecting(..)) {
            return;
        }
        run.abort = Some(reason);
        match (run.phase, reason) {
            (Phase::Handling, _) if run.has_settled => {}
            (Phase::Handling, _) => self.effects.push(Effect::Abort { execution_id: id, reason }),
            // What is left behind is told by the beacon.
            (_, AbortReason::PageHidden) => {}
            (Phase::Waiting { .. }, AbortReason::Cancelled | AbortReason::LostConnection) => self.forget_run(id),
            (Phase::Waiting { .. }, AbortReason::TimedOut) => self.reject(id, RejectCode::Expired),
            (Phase::Waiting { .. }, AbortReason::PageChanged) => self.reject(id, RejectCode::StaleRevision),
            (Phase::Claiming(attempts), _) if attempts.ticket.is_none() => self.give_up(id),
            (Phase::Claiming(_) | Phase::Rejecting(..), _) => {}
        }
    }

    /// Aborts every execution.
    pub(super) fn abort_all(&mut self, reason: AbortReason) {
        for id in self.run_ids() {
            self.abort(id, reason);
        }
    }

    /// `report(progress)`.
    pub(super) fn progress(&mut self, id: ExecutionId, progress: Option<f64>) {
        let Some(run) = self.run_mut(id) else { return };
        if run.is_beating() && !run.has_settled {
            run.progress = progress.or(run.progress);
            run.has_news = true;
            self.beat_due(id);
        }
    }

    /// Sends a heartbeat, or a progress, when one is due.
    pub(super) fn beat_due(&mut self, id: ExecutionId) {
        let (now_ms, can_post) = (self.now_ms, self.can_post());
        let Some(run) = self.run_mut(id) else { return };
        let is_due = run.next_beat_ms <= now_ms || (run.has_news && run.next_report_ms <= now_ms);
        if !is_due || !can_post || run.beat.is_some() || !run.is_beating() {
            return;
        }
        run.next_beat_ms = now_ms + limits::HEARTBEAT_MS;
        run.next_report_ms = now_ms + limits::PROGRESS_MS;
        run.has_news = false;
        let body = HeartbeatBody { execution_id: id, revision: run.revision, progress: run.progress, ack: None };
        let ticket = self.post(Purpose::Beat(id), limits::BEAT_MS, PageCall::Call(Call::Heartbeat(body)));
        if let Some(run) = self.run_mut(id) {
            run.beat = Some(ticket);
        }
    }

    /// A heartbeat was answered.
    pub(super) fn beat_settled(&mut self, id: ExecutionId, answer: &Answer) {
        let now_ms = self.now_ms;
        let Some(run) = self.run_mut(id) else { return };
        run.beat = None;
        match answer {
            Answer::Done(data) => {
                run.last_success_ms = now_ms;
                if data.get("cancelRequested").and_then(Json::as_bool) == Some(true) {
                    self.abort(id, AbortReason::Cancelled);
                }
            }
            Answer::Failed(failure) if failure.reaction == Reaction::Retry => {}
            Answer::Failed(failure) => {
                run.is_refused = true;
                let is_stale = failure.code == Some(BridgeCode::StaleRevision);
                self.abort(id, if is_stale { AbortReason::PageChanged } else { AbortReason::Cancelled });
            }
        }
    }

    /// A handler returned or threw: its one terminal report, or the news that it has stopped.
    pub(super) fn handler_settled(&mut self, id: ExecutionId, outcome: Outcome) {
        let Some(run) = self.run_mut(id) else { return };
        if !run.is_handling() || run.has_settled {
            return;
        }
        if run.is_reloading() {
            run.has_settled = true;
            return;
        }
        let (body, deadline_ms, is_orphan) = (run.terminal(Some(outcome)), run.deadline_ms, run.is_orphan);
        self.forget_run(id);
        if !is_orphan {
            self.report(body, deadline_ms);
        }
    }
}
