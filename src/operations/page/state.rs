//! Keeps the host's picture of the page: one state on its way at a time, the newest wins (Operations §1).

use super::io::{Effect, PageCall, Snapshot, StateFailure};
use super::machine::Page;
use super::post::Purpose;
use super::run::{Attempts, Due};
use crate::wire::bridge::{AbortReason, Answer, Call, Reaction, Revision, StateBody, read_revision};
use crate::wire::operations_limits as limits;

/// A state on its way.
#[derive(Debug)]
struct Flight {
    seq: u32,
    snapshot: Snapshot,
    attempts: Attempts,
    /// When a state that could not be sent at all is given up.
    until_ms: f64,
}

#[derive(Debug, Default)]
pub(super) struct StateSync {
    seq: u32,
    flight: Option<Flight>,
    /// What the script, or a navigation, said last.
    last: Option<Snapshot>,
    /// What the host knows: the revision, and the URL it was given for.
    current: Option<(Revision, Box<str>, bool)>,
}

impl StateSync {
    pub(super) const fn is_in_flight(&self) -> bool {
        self.flight.is_some()
    }

    /// The revision of the page, as far as it is known.
    pub(super) fn revision(&self) -> Option<Revision> {
        self.current.as_ref().map(|(revision, ..)| *revision)
    }

    /// Whether work of this revision may run on a page with this URL.
    pub(super) fn fits(&self, revision: Revision, url: &str) -> bool {
        self.current.as_ref().is_some_and(|(current, known_url, _)| *current == revision && **known_url == *url)
    }

    /// The revision, when the host was told that the page with this URL is ready.
    pub(super) fn ready_revision(&self, url: &str) -> Option<Revision> {
        let (revision, known_url, ready) = self.current.as_ref()?;
        (*ready && **known_url == *url && self.flight.is_none()).then_some(*revision)
    }

    pub(super) const fn last(&self) -> Option<&Snapshot> {
        self.last.as_ref()
    }

    pub(super) fn forget(&mut self) {
        self.current = None;
    }

    /// The attempt under way is lost with its session; the next session gets the state.
    pub(super) const fn unsend(&mut self, now_ms: f64) {
        if let Some(flight) = &mut self.flight {
            flight.attempts = Attempts { retry_ms: now_ms, ..Attempts::NONE };
            flight.until_ms = now_ms + limits::STATE_WAIT_MS;
        }
    }

    pub(super) const fn due(&self, due: &mut Due) {
        if let Some(Flight { attempts: Attempts { ticket: None, retry_ms, .. }, until_ms, .. }) = &self.flight {
            due.at(*retry_ms);
            due.at(*until_ms);
        }
    }
}

impl Page {
    /// `setState`: the state in flight when it is the same, else a new one that takes its place.
    pub(super) fn set_state(&mut self, snapshot: Snapshot) {
        if self.url != snapshot.page_url {
            // The script was told earlier than the page.
            self.url.clone_from(&snapshot.page_url);
            self.abort_all(AbortReason::PageChanged);
        }
        let same = self.state.flight.as_ref().filter(|flight| flight.snapshot == snapshot).map(|flight| flight.seq);
        let seq = same.unwrap_or_else(|| self.start_state(snapshot));
        // Before anything else is said about that number.
        let place = self.effects.iter().position(|effect| is_about(effect, seq)).unwrap_or(self.effects.len());
        self.effects.insert(place, Effect::StatePromise { seq });
    }

    /// Sends a state in place of the one in flight.
    pub(super) fn start_state(&mut self, snapshot: Snapshot) -> u32 {
        self.end_flight(Err(StateFailure::Superseded));
        self.state.seq += 1;
        let seq = self.state.seq;
        self.state.last = Some(snapshot.clone());
        let attempts = Attempts { retry_ms: self.now_ms, ..Attempts::NONE };
        self.state.flight = Some(Flight { seq, snapshot, attempts, until_ms: self.now_ms + limits::STATE_WAIT_MS });
        if self.is_stopped() {
            self.end_flight(Err(StateFailure::NotConnected));
        } else if self.is_away {
            self.end_flight(Err(StateFailure::Left));
        }
        self.state_due();
        seq
    }

    /// Sends the last state again, to a session that may not know it.
    pub(super) fn resend_state(&mut self) {
        if let Some(flight) = &mut self.state.flight {
            flight.attempts = Attempts { retry_ms: self.now_ms, ..Attempts::NONE };
            self.state_due();
        } else if let Some(last) = self.state.last.clone() {
            self.start_state(last);
        }
    }

    /// The state in flight is over.
    pub(super) fn end_flight(&mut self, outcome: Result<Revision, StateFailure>) {
        let Some(flight) = self.state.flight.take() else { return };
        if let Some(ticket) = flight.attempts.ticket {
            self.drop_post(ticket);
        }
        if !matches!(outcome, Ok(_) | Err(StateFailure::Superseded)) {
            self.state.current = None;
        }
        self.effects.push(Effect::StateSettled { seq: flight.seq, outcome });
    }

    /// Begins the next attempt when it is due, or gives up.
    pub(super) fn state_due(&mut self) {
        let can_post = self.can_post();
        let Some(flight) = &self.state.flight else { return };
        if flight.attempts.ticket.is_some() {
            return;
        }
        if !can_post && flight.until_ms <= self.now_ms {
            self.end_flight(Err(StateFailure::NotConnected));
        } else if can_post && flight.attempts.retry_ms <= self.now_ms {
            let Snapshot { title, page_url, ready, login, context } = flight.snapshot.clone();
            let (title, page_url, context) = (title.into(), page_url.into(), context.into());
            let body = StateBody { seq: flight.seq, title, page_url, ready, login, context, ack: None };
            let ticket = self.post(Purpose::State, limits::STATE_MS, PageCall::Call(Call::State(body)));
            if let Some(flight) = &mut self.state.flight {
                flight.attempts.begin(ticket);
            }
        }
    }

    /// A state was answered.
    pub(super) fn state_settled(&mut self, answer: &Answer) {
        let Some(flight) = &mut self.state.flight else { return };
        flight.attempts.ticket = None;
        let failure = match answer {
            Answer::Done(data) => match read_revision(data) {
                Ok(revision) => return self.state_known(revision),
                Err(_) => crate::wire::bridge::Failure::NO_ANSWER,
            },
            Answer::Failed(failure) => *failure,
        };
        if failure.reaction == Reaction::Retry && flight.attempts.made < limits::STATE_ATTEMPTS {
            let pause_ms = failure.retry_after_ms.unwrap_or(0.0).clamp(limits::STATE_PAUSE_MS, limits::STATE_MS);
            flight.attempts.retry_at(self.now_ms + pause_ms);
            flight.until_ms = f64::INFINITY;
        } else {
            self.end_flight(Err(StateFailure::Failed(failure)));
            self.check_waiting();
        }
    }

    /// The host gave the state a revision: work of another one ends.
    fn state_known(&mut self, revision: Revision) {
        if let Some(flight) = &self.state.flight {
            self.state.current = Some((revision, flight.snapshot.page_url.clone(), flight.snapshot.ready));
        }
        self.end_flight(Ok(revision));
        self.try_resume();
        for id in self.run_ids() {
            if self.run(id).is_some_and(|run| run.revision != revision) {
                self.abort(id, AbortReason::PageChanged);
            }
        }
        self.check_waiting();
    }
}

fn is_about(effect: &Effect, number: u32) -> bool {
    matches!(effect, Effect::StateSettled { seq, .. } if *seq == number)
}
