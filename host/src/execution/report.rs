//! What a page says about its executions: claims, rejects, heartbeats, reports (Operations §2).

use super::engine::{Effect, Engine};
use super::record::Execution;
use super::results::Outcome;
use super::transition::{Happening, Phase};
use super::{Millis, State};
use pageport::wire::bridge::{AttemptId, BridgeCode, ExecutionId, PageSessionId, Revision};

/// What a claim starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Milliseconds until the deadline.
    pub remaining_ms: u64,
}

/// A page's last word on an execution.
#[derive(Clone, Debug)]
pub struct Report {
    /// What it says happened.
    pub on: Happening,
    /// Whether the handler has settled.
    pub stopped: bool,
    /// Whether it ran at all.
    pub started: bool,
    /// The result, when it says `succeeded` and the result passed.
    pub outcome: Option<Outcome>,
}

impl Engine {
    /// The page takes over; repeating the attempt gives the same answer.
    ///
    /// # Errors
    ///
    /// What the page is answered.
    pub fn claim(
        &mut self,
        id: ExecutionId,
        page: PageSessionId,
        revision: Revision,
        attempt: AttemptId,
        now: Millis,
    ) -> Result<Claimed, BridgeCode> {
        let execution = self.owned(id, page, revision)?;
        match execution.phase {
            Phase::Queued => return Err(BridgeCode::NotFound),
            Phase::Ended => return Err(BridgeCode::ExecutionEnded),
            Phase::Claimed | Phase::Cancelling if execution.attempt != Some(attempt) => {
                return Err(BridgeCode::AlreadyClaimed);
            }
            Phase::Sent | Phase::Claimed | Phase::Cancelling => {}
        }
        let remaining_ms = now.until(execution.deadline.unwrap_or(now));
        self.happen(id, Happening::Claim, now);
        if let Some(execution) = self.all.get_mut(&id) {
            execution.attempt = Some(attempt);
        }
        Ok(Claimed { remaining_ms })
    }

    /// The page will not run it.
    ///
    /// # Errors
    ///
    /// What the page is answered; a repeated reject is accepted.
    pub fn reject(
        &mut self,
        id: ExecutionId,
        page: PageSessionId,
        revision: Revision,
        on: Happening,
        now: Millis,
    ) -> Result<(), BridgeCode> {
        match self.owned(id, page, revision)?.phase {
            Phase::Queued => return Err(BridgeCode::NotFound),
            Phase::Claimed | Phase::Cancelling => return Err(BridgeCode::AlreadyClaimed),
            Phase::Sent | Phase::Ended => {}
        }
        self.happen(id, on, now);
        Ok(())
    }

    /// The page is alive; answers whether a cancel was asked for.
    ///
    /// # Errors
    ///
    /// What the page is answered.
    pub fn heartbeat(
        &mut self,
        id: ExecutionId,
        page: PageSessionId,
        revision: Revision,
        progress: Option<f64>,
        now: Millis,
    ) -> Result<bool, BridgeCode> {
        let execution = self.owned(id, page, revision)?;
        match execution.phase {
            Phase::Queued | Phase::Sent => Err(BridgeCode::NotFound),
            Phase::Ended => Err(BridgeCode::ExecutionEnded),
            Phase::Claimed | Phase::Cancelling => {
                let requested = execution.cancel_requested;
                if let Some(execution) = self.all.get_mut(&id) {
                    execution.heard = Some(now);
                    execution.progress = progress.or(execution.progress);
                }
                Ok(requested)
            }
        }
    }

    /// The page's last word; the first one wins, later ones only say that it stopped.
    ///
    /// # Errors
    ///
    /// What the page is answered.
    pub fn complete(
        &mut self,
        id: ExecutionId,
        page: PageSessionId,
        revision: Revision,
        report: Report,
        now: Millis,
    ) -> Result<(), BridgeCode> {
        let phase = self.owned(id, page, revision)?.phase;
        let reports_cancel =
            matches!(report.on, Happening::PageAborted | Happening::PageTimedOut | Happening::PageCancelled);
        if phase == Phase::Queued || (phase == Phase::Sent && !reports_cancel) {
            return Err(BridgeCode::NotFound);
        }
        if phase == Phase::Ended {
            self.late(id, &report, reports_cancel, now);
            return Ok(());
        }
        self.happen(id, report.on, now);
        if let Some(execution) = self.all.get_mut(&id) {
            execution.take_back(report.started);
        }
        if let Some(outcome) = report.outcome {
            self.keep(id, outcome);
        }
        if report.stopped {
            self.release(id);
        }
        Ok(())
    }

    fn owned(&self, id: ExecutionId, page: PageSessionId, revision: Revision) -> Result<&Execution, BridgeCode> {
        let execution = self.all.get(&id).filter(|it| it.page == page).ok_or(BridgeCode::NotFound)?;
        if execution.revision == revision { Ok(execution) } else { Err(BridgeCode::StaleRevision) }
    }

    /// Keeps the result of a success; the oldest results make room.
    fn keep(&mut self, id: ExecutionId, outcome: Outcome) {
        let Some(execution) = self.all.get_mut(&id).filter(|it| it.state == State::Succeeded) else { return };
        execution.outcome = Some(outcome.result);
        for gone in self.results.keep(id, outcome.bytes) {
            if let Some(execution) = self.all.get_mut(&gone) {
                execution.outcome = None;
                execution.is_evicted = true;
            }
        }
    }

    fn late(&mut self, id: ExecutionId, report: &Report, reports_cancel: bool, now: Millis) {
        let Some(execution) = self.all.get_mut(&id) else { return };
        let before = (execution.cancel_confirmed, execution.certainty);
        execution.cancel_confirmed |= reports_cancel && execution.cancel_requested;
        execution.take_back(report.started);
        if before != (execution.cancel_confirmed, execution.certainty) {
            execution.updated = now;
            self.effects.push(Effect::Save(id));
        }
        if report.stopped {
            self.release(id);
        }
    }
}
