//! Hidden, left, and perhaps back again (Operations §3).

use super::connection::Stage;
use super::io::{Effect, StateFailure};
use super::machine::Page;
use super::run::{Phase, Reload};
use crate::wire::bridge::AbortReason;

impl Page {
    /// The page is hidden for good, or for a cache: nothing more is begun.
    pub(super) fn hidden(&mut self) {
        if self.is_away {
            return;
        }
        self.is_away = true;
        self.has_left = false;
        self.end_flight(Err(StateFailure::Left));
        for id in self.run_ids() {
            if self.run(id).is_some_and(|run| !matches!(run.reload, Reload::Going { .. })) {
                self.abort(id, AbortReason::PageHidden);
            }
        }
    }

    /// The last word before the page is gone: what settled since it was hidden has stopped, the rest has not.
    pub(super) fn leave(&mut self, persisted: bool) {
        if !self.is_away || self.has_left {
            return;
        }
        self.has_left = true;
        self.drop_posts();
        let mut unstopped = Vec::new();
        for id in self.run_ids() {
            let Some(run) = self.run_mut(id) else { continue };
            run.beat = None;
            if !matches!(run.phase, Phase::Handling) {
                run.abort = run.abort.or(Some(AbortReason::PageHidden));
                self.give_up(id);
                continue;
            }
            if matches!(run.reload, Reload::Going { .. }) && !persisted {
                continue;
            }
            self.abort(id, AbortReason::PageHidden);
            self.reload_failed(id);
            if let Some(run) = self.run_mut(id)
                && !run.is_orphan
                && !run.is_reported
            {
                run.is_reported = true;
                unstopped.push(run.terminal(None));
            }
        }
        let mut reports = self.unheard();
        reports.append(&mut unstopped);
        if self.connection.stage == Stage::Open {
            if !reports.is_empty() || !persisted {
                self.effects.push(Effect::Leave { reports, close: !persisted });
            }
            self.close_stream();
        }
    }

    /// The page is back: the stream goes on after the last event, the last state is sent again, nothing runs again.
    pub(super) fn shown(&mut self) {
        if !self.is_away {
            return;
        }
        self.is_away = false;
        for id in self.run_ids() {
            // Hidden and back without a last word in between.
            if self.run(id).is_some_and(|run| run.abort.is_some() && matches!(run.phase, Phase::Waiting { .. })) {
                self.give_up(id);
            }
        }
        match self.connection.stage {
            Stage::Open => {
                self.resend_state();
                self.open_stream(self.acks.seen());
            }
            // An attempt that is still under way will be answered.
            Stage::Opening => self.hurry(),
            Stage::Idle | Stage::Stopped => {}
        }
    }

    /// Tries at once what waits for its next attempt.
    pub(super) fn hurry(&mut self) {
        if self.connection.reopen_ms.is_finite() {
            let soonest_ms = self.connection.pace.soonest_ms(self.now_ms);
            self.connection.reopen_ms = self.connection.reopen_ms.min(soonest_ms);
        }
    }
}
