//! One execution as the host remembers it.

use super::transition::{Goal, Phase, Sureness, Transition};
use super::{Certainty, EndCode, Source, State};
use super::{Millis, limits};
use pageport::wire::Json;
use pageport::wire::bridge::{AttemptId, ExecutionId, OperationResult, PageSessionId, Revision};
use std::sync::Arc;

/// What the manifest says of an operation, as far as an execution depends on it; fixed at submit.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// How long it may run from dispatch on.
    pub timeout_ms: u64,
    /// Whether a claimed run may be cancelled.
    pub cancellable: bool,
    /// Whether it only reads and may be repeated.
    pub safe_retry: bool,
    /// Whether it may reload its page once.
    pub allow_reload: bool,
    /// How long its result is kept.
    pub result_ms: u64,
}

/// One run of an operation.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Its id.
    pub id: ExecutionId,
    /// The plugin it belongs to.
    pub plugin: Arc<str>,
    /// The plugin's version at submit.
    pub plugin_version: Arc<str>,
    /// The operation it runs.
    pub operation: Arc<str>,
    /// The page it is bound to.
    pub page: PageSessionId,
    /// The page's revision it is bound to.
    pub revision: Revision,
    /// Who called.
    pub source: Source,
    /// What the manifest said at submit.
    pub rules: Rules,
    /// The validated input.
    pub input: Arc<Json>,
    /// The plugin's own cursor; empty on the first page.
    pub cursor: String,
    /// How many entries are asked for.
    pub limit: u32,
    /// Where it is.
    pub phase: Phase,
    /// Where it is, as callers see it.
    pub state: State,
    /// What is known of its effects.
    pub certainty: Certainty,
    /// Why it ended.
    pub code: Option<EndCode>,
    /// The last progress, 0–100.
    pub progress: Option<f64>,
    /// Whether a cancel was asked for while it ran.
    pub cancel_requested: bool,
    /// Whether it is certain that it was cancelled.
    pub cancel_confirmed: bool,
    /// Whether it holds its page and its slots: claimed, and not known to have stopped.
    pub is_held: bool,
    /// The attempt that claimed it.
    pub attempt: Option<AttemptId>,
    /// When it was submitted.
    pub created: Millis,
    /// When it last changed.
    pub updated: Millis,
    /// When it was dispatched.
    pub started: Option<Millis>,
    /// When it was claimed.
    pub accepted: Option<Millis>,
    /// When its time is over.
    pub deadline: Option<Millis>,
    /// When the page was last heard of.
    pub heard: Option<Millis>,
    /// What it returned; only in memory.
    pub outcome: Option<Arc<OperationResult>>,
    /// Whether what it returned had to make room.
    pub is_evicted: bool,
    /// The host's name for the cursor in it.
    pub next_cursor: Option<String>,
}

impl Execution {
    /// The next moment at which it ends by itself.
    #[must_use]
    pub fn due(&self) -> Option<Millis> {
        let deadline = self.deadline.unwrap_or(Millis(u64::MAX));
        match self.phase {
            Phase::Queued => Some(self.created.after(limits::QUEUE_MS)),
            Phase::Sent => Some(self.started.unwrap_or_default().after(limits::CLAIM_MS).min(deadline)),
            Phase::Claimed | Phase::Cancelling => {
                Some(self.heard.unwrap_or_default().after(limits::SILENCE_MS).min(deadline))
            }
            Phase::Ended => None,
        }
    }

    /// Whether it occupies a place among the running ones.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        matches!(self.phase, Phase::Sent | Phase::Claimed | Phase::Cancelling) || self.is_held
    }

    /// Whether nothing can happen to it any more but a late confirmation of its stop.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ended) && !self.is_held
    }

    /// Where it stands in the queue.
    #[must_use]
    pub const fn place(&self) -> (Millis, ExecutionId) {
        (self.created, self.id)
    }

    /// The page says whether it started at all; what is certain stays so.
    pub(super) fn take_back(&mut self, has_started: bool) {
        if !has_started && self.certainty == Certainty::Unknown {
            self.certainty = Certainty::NotStarted;
        }
    }

    /// Moves it along a line of the table.
    pub(super) fn follow(&mut self, row: &Transition, now: Millis) {
        self.updated = now;
        match row.sureness {
            Sureness::Unknown => self.certainty = Certainty::Unknown,
            Sureness::Confirmed => self.certainty = Certainty::Confirmed,
            Sureness::ConfirmedIfSafe if self.rules.safe_retry => self.certainty = Certainty::Confirmed,
            Sureness::ConfirmedIfSafe | Sureness::Same => {}
        }
        self.cancel_confirmed |= row.confirms;
        match row.to {
            Goal::Phase(phase) => {
                self.cancel_requested |= phase == Phase::Cancelling;
                self.is_held |= phase.is_claimed();
                self.phase = phase;
                self.state = State::Running;
            }
            Goal::End(state, code) => {
                self.phase = Phase::Ended;
                self.state = state;
                self.code = code;
            }
        }
    }
}
