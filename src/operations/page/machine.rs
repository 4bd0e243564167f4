//! The machine itself: one input in, its effects out.

use super::connection::Connection;
use super::io::{Effect, Input, Snapshot, Ticket};
use super::post::{Acks, Post, Purpose};
use super::reload::Resume;
use super::report::Report;
use super::run::{Due, Phase, Reload, Run};
use super::state::StateSync;
use super::table::RunState;
use crate::wire::bridge::{AbortReason, Answer, ExecutionId, Failure, Reaction, Revision};

/// One document's side of the bridge.
///
/// Every input is an argument, every effect is returned; the driver performs the effects in their order and feeds
/// back what comes of them, after the last effect of a step. Late, repeated and impossible inputs change nothing.
#[derive(Debug)]
pub struct Page {
    pub(super) now_ms: f64,
    pub(super) url: Box<str>,
    auto_state: bool,
    handlers: Vec<Box<str>>,
    pub(super) runs: Vec<Run>,
    pub(super) reports: Vec<Report>,
    pub(super) known: Vec<(ExecutionId, u8)>,
    pub(super) state: StateSync,
    pub(super) acks: Acks,
    pub(super) posts: Vec<Post>,
    pub(super) tickets: Ticket,
    pub(super) connection: Connection,
    pub(super) resume: Option<Resume>,
    /// Hidden, and not shown again.
    pub(super) is_away: bool,
    /// The beacon of this absence was sent.
    pub(super) has_left: bool,
    armed_ms: Option<f64>,
    pub(super) effects: Vec<Effect>,
}

impl Page {
    /// A document with this URL that has not connected. With `auto_state` the last state stays valid when the URL
    /// changes; otherwise the page is not ready until the next `setState`.
    #[must_use]
    pub fn new(url: &str, auto_state: bool) -> Self {
        Self {
            now_ms: f64::NEG_INFINITY,
            url: url.into(),
            auto_state,
            handlers: Vec::new(),
            runs: Vec::new(),
            reports: Vec::new(),
            known: Vec::new(),
            state: StateSync::default(),
            acks: Acks::default(),
            posts: Vec::new(),
            tickets: 0,
            connection: Connection::new(),
            resume: None,
            is_away: false,
            has_left: false,
            armed_ms: None,
            effects: Vec::new(),
        }
    }

    /// Advances by one input at `now_ms`, milliseconds of a clock that only goes forward.
    #[must_use = "an effect that is not performed is lost"]
    pub fn step(&mut self, now_ms: f64, input: Input) -> Vec<Effect> {
        self.now_ms = self.now_ms.max(now_ms);
        self.take(input);
        self.due();
        self.arm();
        std::mem::take(&mut self.effects)
    }

    /// The page's revision, while the host knows its state.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.state.revision()
    }

    /// Where an execution stands.
    #[must_use]
    pub fn state_of(&self, id: ExecutionId) -> RunState {
        if let Some(run) = self.run(id) {
            return match (&run.phase, &run.reload) {
                (Phase::Waiting { .. }, _) => RunState::Waiting,
                (Phase::Claiming(_), _) => RunState::Claiming,
                (Phase::Rejecting(..), _) => RunState::Rejecting,
                (Phase::Handling, _) if run.is_reported || run.is_orphan => RunState::Detached,
                (Phase::Handling, Reload::Asked(_) | Reload::Going { .. }) => RunState::Reloading,
                (Phase::Handling, _) if run.abort.is_some() => RunState::Aborted,
                (Phase::Handling, _) => RunState::Running,
            };
        }
        match self.reports.iter().find(|report| report.body.execution_id == id) {
            Some(report) if report.is_kept => RunState::Kept,
            Some(_) => RunState::Reporting,
            None if self.known.iter().any(|(known, _)| *known == id) => RunState::Ended,
            None => RunState::Unknown,
        }
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Connect => self.connect(),
            Input::SessionOpened => self.session_opened(),
            Input::OpenFailed { failure, jitter } => self.open_failed(failure, jitter),
            Input::StreamOpen => self.stream_open(),
            Input::Heard => self.heard(),
            Input::StreamLost { jitter } => self.stream_lost(jitter),
            Input::StreamRefused { failure, jitter } => match failure.reaction {
                Reaction::Reopen if self.can_post() => self.session_gone(),
                Reaction::Stop if self.can_post() => self.stop(super::Stopped::Refused(failure)),
                _ => self.stream_lost(jitter),
            },
            Input::Wake => self.wake(),
            Input::Invoke { number, invoke, attempt_id } => {
                if self.takes_event(number) {
                    self.invoke(invoke, attempt_id);
                }
            }
            Input::Cancel { number, cancel } => {
                if self.takes_event(number) {
                    self.abort(cancel.execution_id, cancel.reason);
                }
            }
            Input::Event { number } => {
                if self.takes_event(number) {
                    self.effects.push(Effect::Deliver);
                }
            }
            Input::Bye(reason) => self.bye(reason),
            Input::Sent(ticket) => self.sent(ticket),
            Input::Settled { ticket, answer } => self.settled(ticket, &answer),
            Input::Handle(operation_id) => {
                if !self.has_handler(&operation_id) {
                    self.handlers.push(operation_id);
                }
                self.try_resume();
            }
            Input::Unhandle(operation_id) => self.handlers.retain(|known| *known != operation_id),
            Input::Progress { execution_id, progress } => self.progress(execution_id, progress),
            Input::HandlerSettled { execution_id, outcome } => self.handler_settled(execution_id, outcome),
            Input::SetState(snapshot) => self.set_state(snapshot),
            Input::Navigated { url, title } => self.navigated(url, title),
            Input::Reload { execution_id, can_store } => self.reload(execution_id, can_store),
            Input::ReloadStayed(execution_id) => self.reload_failed(execution_id),
            Input::TicketFound(ticket) => self.ticket_found(ticket),
            Input::Hidden => self.hidden(),
            Input::Leave { persisted } => self.leave(persisted),
            Input::Shown => self.shown(),
            Input::Tick => self.armed_ms = None,
        }
    }

    /// Whether an event is new, and the page there to hear it.
    fn takes_event(&mut self, number: u32) -> bool {
        self.can_post() && self.acks.take(number, self.now_ms)
    }

    /// A POST was answered, or its time is up.
    fn settled(&mut self, ticket: Ticket, answer: &Answer) {
        let is_answered = !matches!(answer, Answer::Failed(Failure::NO_ANSWER));
        let Some(purpose) = self.take_post(ticket, is_answered) else { return };
        match answer {
            Answer::Failed(failure) if failure.reaction == Reaction::Reopen => return self.session_gone(),
            Answer::Failed(failure) if failure.reaction == Reaction::Stop => {
                return self.stop(super::Stopped::Refused(*failure));
            }
            Answer::Done(_) if purpose != Purpose::Complete => self.flush_reports(),
            _ => {}
        }
        match purpose {
            Purpose::State => self.state_settled(answer),
            Purpose::Claim(id) => self.claim_settled(id, ticket, answer),
            Purpose::Reject(id) => self.reject_settled(id, answer),
            Purpose::Beat(id) => self.beat_settled(id, answer),
            Purpose::Complete => {
                self.report_settled(ticket, answer);
                if matches!(answer, Answer::Done(_)) {
                    self.flush_reports();
                }
            }
            Purpose::Reload(id) => self.reload_settled(id, answer),
            Purpose::Resume => self.resume_settled(answer),
            Purpose::News => {}
        }
    }

    /// Another URL: what runs is void, and the host is told at once.
    fn navigated(&mut self, page_url: Box<str>, title: Box<str>) {
        if self.url == page_url {
            return;
        }
        self.url.clone_from(&page_url);
        self.abort_all(AbortReason::PageChanged);
        if let Some(last) = self.state.last() {
            let ready = last.ready && self.auto_state;
            let snapshot = Snapshot { title, page_url, ready, ..last.clone() };
            self.start_state(snapshot);
        }
    }

    /// Everything whose time has come.
    fn due(&mut self) {
        let now_ms = self.now_ms;
        while let Some(post) = self.posts.iter().find(|post| post.due_ms <= now_ms) {
            let ticket = post.ticket;
            self.effects.push(Effect::Drop(ticket));
            self.settled(ticket, &Answer::Failed(Failure::NO_ANSWER));
        }
        for id in self.run_ids() {
            let Some(run) = self.run(id) else { continue };
            if run.deadline_ms <= now_ms {
                self.abort(id, AbortReason::TimedOut);
            } else if run.is_beating() && run.last_success_ms + crate::wire::operations_limits::LOST_MS <= now_ms {
                self.abort(id, AbortReason::LostConnection);
            }
            if self
                .run(id)
                .is_some_and(|run| matches!(run.reload, Reload::Going { until_ms, .. } if until_ms <= now_ms))
            {
                self.reload_failed(id);
            }
            self.attempt_due(id);
            self.beat_due(id);
        }
        self.check_waiting();
        self.state_due();
        self.reports_due();
        self.resume_due();
        self.acknowledge();
        self.silence_due();
        self.reopen_due();
    }

    /// Asks for the next tick.
    fn arm(&mut self) {
        let mut due = Due::after(self.now_ms);
        self.runs.iter().for_each(|run| run.due(&mut due));
        self.posts.iter().for_each(|post| due.at(post.due_ms));
        self.reports.iter().for_each(|report| due.at(report.due_ms()));
        self.state.due(&mut due);
        due.at(self.acks.due_ms());
        due.at(self.connection.reopen_ms);
        due.at(self.connection.silence_ms);
        if let Some(resume) = &self.resume {
            due.at(resume.expires_ms);
        }
        let due = due.earliest();
        if due != self.armed_ms {
            self.armed_ms = due;
            self.effects.push(Effect::Arm(due));
        }
    }

    /// Whether a handler of this operation is registered.
    #[must_use]
    pub fn has_handler(&self, operation_id: &str) -> bool {
        self.handlers.iter().any(|known| **known == *operation_id)
    }

    pub(super) fn run_ids(&self) -> Vec<ExecutionId> {
        self.runs.iter().map(|run| run.execution_id).collect()
    }

    pub(super) fn run(&self, id: ExecutionId) -> Option<&Run> {
        self.runs.iter().find(|run| run.execution_id == id)
    }

    pub(super) fn run_mut(&mut self, id: ExecutionId) -> Option<&mut Run> {
        self.runs.iter_mut().find(|run| run.execution_id == id)
    }

    pub(super) fn forget_run(&mut self, id: ExecutionId) {
        self.runs.retain(|run| run.execution_id != id);
    }
}
