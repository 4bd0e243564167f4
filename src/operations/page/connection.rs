//! The session and its stream: asked for, open, lost, over (Operations §4).

use super::io::{Effect, Link, StateFailure, Stopped};
use super::machine::Page;
use super::pace::Pace;
use super::post::Acks;
use super::run::Reload;
use crate::wire::bridge::{AbortReason, ByeReason, EventNumber, Failure, Reaction};
use crate::wire::operations_limits as limits;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Idle,
    /// Without a session; asked for one, or about to.
    Opening,
    /// With a session, whether or not its stream delivers.
    Open,
    Stopped,
}

#[derive(Debug)]
pub(super) struct Connection {
    pub(super) stage: Stage,
    pub(super) is_streaming: bool,
    has_streamed: bool,
    pub(super) pace: Pace,
    pub(super) reopen_ms: f64,
    /// When what was asked for last, a session or a stream, counts as lost unless something is heard of it.
    pub(super) silence_ms: f64,
}

impl Connection {
    pub(super) const fn new() -> Self {
        Self {
            stage: Stage::Idle,
            is_streaming: false,
            has_streamed: false,
            pace: Pace::new(),
            reopen_ms: f64::INFINITY,
            silence_ms: f64::INFINITY,
        }
    }

    /// The stream delivers no longer.
    fn stream_ended(&mut self, now_ms: f64) {
        if std::mem::take(&mut self.is_streaming) {
            self.pace.ended(now_ms);
        }
    }
}

impl Page {
    /// Whether calls reach a session.
    pub(super) fn can_post(&self) -> bool {
        self.connection.stage == Stage::Open && !self.is_away
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.connection.stage == Stage::Stopped
    }

    /// How the connection stands.
    #[must_use]
    pub const fn link(&self) -> Link {
        match self.connection.stage {
            Stage::Stopped => Link::Stopped,
            Stage::Open if self.connection.is_streaming => Link::Open,
            _ if self.connection.has_streamed => Link::Reconnecting,
            _ => Link::Connecting,
        }
    }

    pub(super) fn connect(&mut self) {
        if self.connection.stage == Stage::Idle {
            self.connection.stage = Stage::Opening;
            self.open_session();
        }
    }

    fn open_session(&mut self) {
        self.connection.pace.asked(self.now_ms);
        self.connection.silence_ms = self.now_ms + limits::OPEN_MS;
        self.effects.push(Effect::OpenSession);
    }

    pub(super) fn open_stream(&mut self, after: Option<EventNumber>) {
        self.connection.pace.asked(self.now_ms);
        self.connection.silence_ms = self.now_ms + limits::SILENCE_MS;
        self.effects.push(Effect::OpenStream { after });
    }

    pub(super) fn close_stream(&mut self) {
        self.connection.stream_ended(self.now_ms);
        self.connection.reopen_ms = f64::INFINITY;
        self.connection.silence_ms = f64::INFINITY;
        self.effects.push(Effect::CloseStream);
    }

    pub(super) fn session_opened(&mut self) {
        if self.connection.stage != Stage::Opening {
            return;
        }
        self.connection.stage = Stage::Open;
        self.connection.reopen_ms = f64::INFINITY;
        self.acks = Acks::default();
        self.state.forget();
        if !self.is_away {
            self.resend_state();
            self.open_stream(None);
        }
    }

    pub(super) fn open_failed(&mut self, failure: Failure, jitter: f64) {
        if self.connection.stage != Stage::Opening {
            return;
        }
        self.connection.silence_ms = f64::INFINITY;
        if matches!(failure.reaction, Reaction::Retry | Reaction::Reopen) {
            let pause_ms = self.connection.pace.pause_ms(jitter).max(failure.retry_after_ms.unwrap_or(0.0));
            self.connection.reopen_ms = self.now_ms + pause_ms;
        } else {
            self.stop(Stopped::Refused(failure));
        }
    }

    pub(super) fn stream_open(&mut self) {
        if self.connection.stage == Stage::Open && !self.is_away {
            self.connection.is_streaming = true;
            self.connection.has_streamed = true;
            self.connection.pace.streaming(self.now_ms);
            self.connection.reopen_ms = f64::INFINITY;
            self.connection.silence_ms = self.now_ms + limits::SILENCE_MS;
            self.flush_reports();
            self.try_resume();
        }
    }

    pub(super) fn stream_lost(&mut self, jitter: f64) {
        if self.connection.stage == Stage::Open && !self.is_away {
            self.connection.stream_ended(self.now_ms);
            self.connection.silence_ms = f64::INFINITY;
            self.connection.reopen_ms = self.now_ms + self.connection.pace.pause_ms(jitter);
        }
    }

    /// Something arrived on the stream.
    pub(super) fn heard(&mut self) {
        if self.connection.is_streaming {
            self.connection.silence_ms = self.now_ms + limits::SILENCE_MS;
        }
    }

    /// Nothing was heard for too long: of a session that was asked for, or on the stream.
    pub(super) fn silence_due(&mut self) {
        if self.connection.silence_ms > self.now_ms || self.is_away {
            return;
        }
        self.connection.silence_ms = f64::INFINITY;
        match self.connection.stage {
            Stage::Opening => self.open_failed(Failure::NO_ANSWER, 1.0),
            Stage::Open => {
                self.effects.push(Effect::CloseStream);
                self.stream_lost(1.0);
            }
            Stage::Idle | Stage::Stopped => {}
        }
    }

    /// `online`, or the page became visible.
    pub(super) fn wake(&mut self) {
        if self.is_away {
            self.shown();
        } else {
            self.hurry();
        }
    }

    pub(super) fn reopen_due(&mut self) {
        if self.connection.reopen_ms > self.now_ms || self.is_away {
            return;
        }
        self.connection.reopen_ms = f64::INFINITY;
        match self.connection.stage {
            Stage::Opening => self.open_session(),
            Stage::Open => self.open_stream(self.acks.seen()),
            Stage::Idle | Stage::Stopped => {}
        }
    }

    /// The host no longer knows the session: what runs is aborted, nobody wants its reports, a new one is opened.
    pub(super) fn session_gone(&mut self) {
        self.leave_session();
        self.connection.stage = Stage::Opening;
        if self.connection.pace.fails_first() {
            self.open_session();
        } else {
            self.connection.reopen_ms = self.now_ms + self.connection.pace.pause_ms(1.0);
        }
    }

    /// The connection is over for good.
    pub(super) fn stop(&mut self, why: Stopped) {
        if self.is_stopped() {
            return;
        }
        self.leave_session();
        self.connection.stage = Stage::Stopped;
        self.end_flight(Err(StateFailure::NotConnected));
        self.resume_failed();
        self.effects.push(Effect::Stop(why));
    }

    fn leave_session(&mut self) {
        self.drop_posts();
        self.reports.clear();
        self.state.forget();
        self.state.unsend(self.now_ms);
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
        self.close_stream();
    }

    pub(super) fn bye(&mut self, reason: ByeReason) {
        // A host that stops may come back: the stream's end brings the next attempt.
        if reason != ByeReason::Stopping && self.connection.stage == Stage::Open {
            self.stop(Stopped::Bye(reason));
        }
    }
}
