//! Open, lost, left, back again, over (Operations §3, §4).

use super::io::{Effect, StateFailure, Stopped};
use super::machine::Page;
use super::post::Acks;
use super::run::{Phase, Reload};
use crate::wire::bridge::{AbortReason, ByeReason, Failure, Reaction};
use crate::wire::operations_limits as limits;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Idle,
    /// Without a session; asked for one, or about to.
    Opening,
    /// With a session, whether or not its stream delivers.
    Open,
    Stopped,
}

#[derive(Debug)]
pub(super) struct Connection {
    pub(super) link: Link,
    pub(super) is_streaming: bool,
    failures: u32,
    pub(super) reopen_ms: f64,
}

impl Connection {
    pub(super) const fn new() -> Self {
        Self { link: Link::Idle, is_streaming: false, failures: 0, reopen_ms: f64::INFINITY }
    }

    /// Full jitter on a doubling pause.
    fn pause_ms(&mut self, jitter: f64) -> f64 {
        let longest = limits::BACKOFF_MIN_MS * f64::from(1_u32 << self.failures.min(10));
        self.failures += 1;
        longest.min(limits::BACKOFF_MAX_MS) * jitter.clamp(0.0, 1.0)
    }
}

impl Page {
    /// Whether calls reach a session.
    pub(super) fn can_post(&self) -> bool {
        self.connection.link == Link::Open && !self.is_away
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.connection.link == Link::Stopped
    }

    pub(super) fn connect(&mut self) {
        if self.connection.link == Link::Idle {
            self.connection.link = Link::Opening;
            self.effects.push(Effect::OpenSession);
        }
    }

    pub(super) fn session_opened(&mut self) {
        if self.connection.link != Link::Opening {
            return;
        }
        self.connection.link = Link::Open;
        self.connection.reopen_ms = f64::INFINITY;
        self.acks = Acks::default();
        self.state.forget();
        if !self.is_away {
            self.resend_state();
            self.effects.push(Effect::OpenStream { after: None });
        }
    }

    pub(super) fn open_failed(&mut self, failure: Failure, jitter: f64) {
        if self.connection.link != Link::Opening {
            return;
        }
        if matches!(failure.reaction, Reaction::Retry | Reaction::Reopen) {
            let pause_ms = self.connection.pause_ms(jitter).max(failure.retry_after_ms.unwrap_or(0.0));
            self.connection.reopen_ms = self.now_ms + pause_ms;
        } else {
            self.stop(Stopped::Refused(failure));
        }
    }

    pub(super) fn stream_open(&mut self) {
        if self.connection.link == Link::Open && !self.is_away {
            self.connection.is_streaming = true;
            self.connection.failures = 0;
            self.connection.reopen_ms = f64::INFINITY;
            self.flush_reports();
            self.try_resume();
        }
    }

    pub(super) fn stream_lost(&mut self, jitter: f64) {
        if self.connection.link == Link::Open && !self.is_away {
            self.connection.is_streaming = false;
            self.connection.reopen_ms = self.now_ms + self.connection.pause_ms(jitter);
        }
    }

    /// `online`, or the page became visible.
    pub(super) fn wake(&mut self) {
        if self.is_away {
            self.shown();
        } else if self.connection.reopen_ms.is_finite() {
            self.connection.reopen_ms = self.now_ms;
        }
    }

    pub(super) fn reopen_due(&mut self) {
        if self.connection.reopen_ms > self.now_ms || self.is_away {
            return;
        }
        self.connection.reopen_ms = f64::INFINITY;
        match self.connection.link {
            Link::Opening => self.effects.push(Effect::OpenSession),
            Link::Open => self.effects.push(Effect::OpenStream { after: self.acks.seen() }),
            Link::Idle | Link::Stopped => {}
        }
    }

    /// The host no longer knows the session: what runs is aborted, nobody wants its reports, a new one is opened.
    pub(super) fn session_gone(&mut self) {
        self.leave_session();
        self.connection.link = Link::Opening;
        if self.connection.failures == 0 {
            self.connection.failures = 1;
            self.effects.push(Effect::OpenSession);
        } else {
            self.connection.reopen_ms = self.now_ms + self.connection.pause_ms(1.0);
        }
    }

    /// The connection is over for good.
    pub(super) fn stop(&mut self, why: Stopped) {
        if self.is_stopped() {
            return;
        }
        self.leave_session();
        self.connection.link = Link::Stopped;
        self.end_flight(Err(StateFailure::NotConnected));
        self.resume_failed();
        self.effects.push(Effect::Stop(why));
    }

    fn leave_session(&mut self) {
        self.drop_posts();
        self.reports.clear();
        self.state.forget();
        self.state.unsend(self.now_ms);
        self.connection.is_streaming = false;
        self.connection.reopen_ms = f64::INFINITY;
        if self.resume.as_ref().is_some_and(|resume| resume.is_asked) {
            self.resume_failed();
        }
        for id in self.run_ids() {
            let Some(run) = self.run_mut(id) else { continue };
            run.is_orphan = true;
            run.beat = None;
            if !run.is_handling() {
                self.forget_run(id);
                continue;
            }
            if run.is_reloading() {
                run.reload = Reload::Failed;
                let has_settled = run.has_settled;
                self.effects.push(Effect::ReloadFailed(id));
                if has_settled {
                    self.forget_run(id);
                    continue;
                }
            }
            self.abort(id, AbortReason::LostConnection);
        }
        self.effects.push(Effect::CloseStream);
    }

    pub(super) fn bye(&mut self, reason: ByeReason) {
        // A host that stops may come back: the stream's end brings the next attempt.
        if reason != ByeReason::Stopping && self.connection.link == Link::Open {
            self.stop(Stopped::Bye(reason));
        }
    }

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
        if self.connection.link == Link::Open {
            if !reports.is_empty() || !persisted {
                self.effects.push(Effect::Leave { reports, close: !persisted });
            }
            self.connection.is_streaming = false;
            self.connection.reopen_ms = f64::INFINITY;
            self.effects.push(Effect::CloseStream);
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
        match self.connection.link {
            Link::Open => {
                self.resend_state();
                self.effects.push(Effect::OpenStream { after: self.acks.seen() });
            }
            // An attempt that is still under way will be answered.
            Link::Opening if self.connection.reopen_ms.is_finite() => self.connection.reopen_ms = self.now_ms,
            Link::Opening | Link::Idle | Link::Stopped => {}
        }
    }
}
