//! One execution on the page, from its invoke event until its handler has settled.

use super::Ticket;
use crate::wire::bridge::{AbortReason, AttemptId, ExecutionId, Invoke, RejectCode, Revision};
use crate::wire::operations_limits as limits;

/// Attempts of one call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempts {
    /// How many were made.
    pub(super) made: u32,
    /// The one under way.
    pub(super) ticket: Option<Ticket>,
    /// When the next one is due.
    pub(super) retry_ms: f64,
}

impl Attempts {
    pub(super) const NONE: Self = Self { made: 0, ticket: None, retry_ms: f64::INFINITY };

    /// Another attempt is under way.
    pub(super) const fn begin(&mut self, ticket: Ticket) {
        self.made += 1;
        self.ticket = Some(ticket);
        self.retry_ms = f64::INFINITY;
    }

    /// The attempt under way came to nothing; the next one is due then.
    pub(super) const fn retry_at(&mut self, at_ms: f64) {
        self.ticket = None;
        self.retry_ms = at_ms;
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Phase {
    /// For a state that is on its way.
    Waiting { until_ms: f64 },
    /// For the answer to the claim.
    Claiming(Attempts),
    /// For the answer to the rejection.
    Rejecting(RejectCode, Attempts),
    /// For the handler.
    Handling,
}

/// How far a reload is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reload {
    /// None was asked for.
    None,
    /// The host is asked for a ticket.
    Asked(Ticket),
    /// The document is about to go.
    Going { ticket: Box<str>, until_ms: f64 },
    /// It failed; the execution fails with it.
    Failed,
}

#[derive(Debug)]
pub(super) struct Run {
    pub(super) execution_id: ExecutionId,
    pub(super) operation_id: Box<str>,
    /// Of the invoke event; every call for this execution carries it.
    pub(super) revision: Revision,
    pub(super) reload_count: u8,
    pub(super) attempt_id: AttemptId,
    /// When neither a claim nor a rejection is begun any more.
    pub(super) window_ms: f64,
    pub(super) deadline_ms: f64,
    pub(super) phase: Phase,
    pub(super) abort: Option<AbortReason>,
    pub(super) allow_reload: bool,
    pub(super) reload: Reload,
    /// The handler settled while a reload was under way.
    pub(super) has_settled: bool,
    /// A terminal report went out before the handler settled.
    pub(super) is_reported: bool,
    /// Its session is gone: nobody wants a report.
    pub(super) is_orphan: bool,
    pub(super) progress: Option<f64>,
    pub(super) beat: Option<Ticket>,
    pub(super) next_beat_ms: f64,
    /// The earliest time of the next report on the wire.
    pub(super) next_report_ms: f64,
    /// A progress that was not sent yet.
    pub(super) has_news: bool,
    pub(super) last_success_ms: f64,
    pub(super) is_refused: bool,
}

impl Run {
    pub(super) fn new(invoke: Invoke, attempt_id: AttemptId, now_ms: f64) -> Self {
        Self {
            execution_id: invoke.execution_id,
            operation_id: invoke.operation_id.into(),
            revision: invoke.revision,
            reload_count: invoke.reload_count,
            attempt_id,
            window_ms: now_ms + limits::CLAIM_WINDOW_MS,
            deadline_ms: now_ms + invoke.remaining_ms,
            phase: Phase::Waiting { until_ms: now_ms + limits::STATE_WAIT_MS },
            abort: None,
            allow_reload: false,
            reload: Reload::None,
            has_settled: false,
            is_reported: false,
            is_orphan: false,
            progress: None,
            beat: None,
            next_beat_ms: f64::INFINITY,
            next_report_ms: f64::NEG_INFINITY,
            has_news: false,
            last_success_ms: now_ms,
            is_refused: false,
        }
    }

    /// Whether the handler was called and has not settled.
    pub(super) const fn is_handling(&self) -> bool {
        matches!(self.phase, Phase::Handling)
    }

    pub(super) const fn is_reloading(&self) -> bool {
        matches!(self.reload, Reload::Asked(_) | Reload::Going { .. })
    }

    /// Whether the host still hears of it: until it is aborted, and after a cancel until the handler has stopped.
    pub(super) fn is_beating(&self) -> bool {
        self.is_handling()
            && !self.is_orphan
            && !self.is_reported
            && !self.is_refused
            && !self.is_reloading()
            && matches!(self.abort, None | Some(AbortReason::Cancelled))
    }

    /// Notes everything about it that is due later.
    pub(super) fn due(&self, due: &mut Due) {
        match &self.phase {
            Phase::Waiting { until_ms } => due.at(*until_ms),
            Phase::Claiming(attempts) | Phase::Rejecting(_, attempts) => due.at(attempts.retry_ms),
            Phase::Handling => {}
        }
        if self.abort.is_none() {
            due.at(self.deadline_ms);
        }
        if self.is_beating() {
            due.at(self.last_success_ms + limits::LOST_MS);
            due.at(self.next_beat_ms);
            if self.has_news {
                due.at(self.next_report_ms);
            }
        }
        if let Reload::Going { until_ms, .. } = self.reload {
            due.at(until_ms);
        }
    }
}

/// The earliest time after now.
#[derive(Debug)]
pub(super) struct Due {
    now_ms: f64,
    earliest_ms: f64,
}

impl Due {
    pub(super) const fn after(now_ms: f64) -> Self {
        Self { now_ms, earliest_ms: f64::INFINITY }
    }

    /// What is due already but cannot be done now waits for another input.
    pub(super) const fn at(&mut self, at_ms: f64) {
        if at_ms > self.now_ms {
            self.earliest_ms = self.earliest_ms.min(at_ms);
        }
    }

    pub(super) fn earliest(&self) -> Option<f64> {
        self.earliest_ms.is_finite().then_some(self.earliest_ms)
    }
}
