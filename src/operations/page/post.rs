//! POSTs under way, and which events were acknowledged with them.

use super::io::{Effect, PageCall, Ticket};
use super::machine::Page;
use crate::wire::bridge::{AckBody, Call, EventNumber, ExecutionId};
use crate::wire::operations_limits as limits;

/// What a POST is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    State,
    Claim(ExecutionId),
    Reject(ExecutionId),
    Beat(ExecutionId),
    Complete,
    Reload(ExecutionId),
    Resume,
    /// Nobody waits for the answer: `/ack`, `/reload-abort`.
    News,
}

/// A POST under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Post {
    pub(super) ticket: Ticket,
    pub(super) purpose: Purpose,
    limit_ms: f64,
    /// When it counts as unanswered; not before it was sent.
    pub(super) due_ms: f64,
    ack: Option<EventNumber>,
}

/// The events of the session that arrived.
#[derive(Debug, Default)]
pub(super) struct Acks {
    seen: Option<EventNumber>,
    /// Up to here the host knows.
    known: EventNumber,
    /// Up to here it was told.
    told: EventNumber,
    waiting: u32,
    due_ms: f64,
}

impl Acks {
    /// The number of the newest event.
    pub(super) const fn seen(&self) -> Option<EventNumber> {
        self.seen
    }

    /// Notes an event; `false` when it is not a new one.
    pub(super) fn take(&mut self, number: EventNumber, now_ms: f64) -> bool {
        if self.seen.is_some_and(|seen| number <= seen) {
            return false;
        }
        self.seen = Some(number);
        if self.waiting == 0 {
            self.due_ms = now_ms + limits::ACK_MS;
        }
        self.waiting += 1;
        true
    }

    /// What the next POST acknowledges.
    fn tell(&mut self) -> Option<EventNumber> {
        let seen = self.seen.filter(|seen| *seen > self.known)?;
        self.told = seen;
        self.waiting = 0;
        Some(seen)
    }

    /// A POST that acknowledged was answered, or not.
    fn settle(&mut self, ack: EventNumber, is_answered: bool, now_ms: f64) {
        if is_answered {
            self.known = self.known.max(ack);
        } else if ack > self.known && ack == self.told && self.waiting == 0 {
            self.waiting = 1;
            self.due_ms = now_ms + limits::ACK_MS;
        }
    }

    /// When an acknowledgement is due although nothing else is sent.
    pub(super) const fn due_ms(&self) -> f64 {
        match self.waiting {
            0 => f64::INFINITY,
            waiting if waiting >= limits::ACK_EVENTS => f64::NEG_INFINITY,
            _ => self.due_ms,
        }
    }
}

impl PageCall {
    /// Where the acknowledgement goes, unless it is all there is.
    const fn ack(&mut self) -> Option<&mut Option<EventNumber>> {
        Some(match self {
            Self::Call(Call::State(body)) => &mut body.ack,
            Self::Call(Call::Claim(body)) => &mut body.ack,
            Self::Call(Call::Reject(body)) => &mut body.ack,
            Self::Call(Call::Heartbeat(body)) => &mut body.ack,
            Self::Call(Call::Complete(body)) => &mut body.ack,
            Self::Call(Call::Reply(body)) => &mut body.ack,
            Self::Reload(body) => &mut body.ack,
            Self::ReloadAbort(body) => &mut body.ack,
            Self::Resume(body) => &mut body.ack,
            Self::Ack(_) => return None,
        })
    }
}

impl Page {
    /// Sends a call; its time starts when it is sent.
    pub(super) fn post(&mut self, purpose: Purpose, limit_ms: f64, mut call: PageCall) -> Ticket {
        let ack = match &call {
            PageCall::Ack(body) => Some(body.ack),
            _ => self.acks.tell(),
        };
        if let Some(place) = call.ack() {
            *place = ack;
        }
        self.tickets = self.tickets.wrapping_add(1);
        let ticket = self.tickets;
        self.posts.push(Post { ticket, purpose, limit_ms, due_ms: f64::INFINITY, ack });
        self.effects.push(Effect::Post { ticket, call });
        ticket
    }

    pub(super) fn sent(&mut self, ticket: Ticket) {
        let due_ms = self.now_ms;
        if let Some(post) = self.posts.iter_mut().find(|post| post.ticket == ticket) {
            post.due_ms = due_ms + post.limit_ms;
        }
    }

    /// The POST that is over now, if it was still waited for.
    pub(super) fn take_post(&mut self, ticket: Ticket, is_answered: bool) -> Option<Purpose> {
        let index = self.posts.iter().position(|post| post.ticket == ticket)?;
        let post = self.posts.swap_remove(index);
        if let Some(ack) = post.ack {
            self.acks.settle(ack, is_answered, self.now_ms);
        }
        Some(post.purpose)
    }

    /// No longer waits for a POST.
    pub(super) fn drop_post(&mut self, ticket: Ticket) {
        if self.take_post(ticket, false).is_some() {
            self.effects.push(Effect::Drop(ticket));
        }
    }

    /// No longer waits for any POST.
    pub(super) fn drop_posts(&mut self) {
        while let Some(post) = self.posts.pop() {
            self.effects.push(Effect::Drop(post.ticket));
        }
    }

    /// Acknowledges events that nothing else acknowledged.
    pub(super) fn acknowledge(&mut self) {
        if self.acks.due_ms() <= self.now_ms
            && self.can_post()
            && let Some(ack) = self.acks.tell()
        {
            self.post(Purpose::News, limits::COMPLETE_MS, PageCall::Ack(AckBody { ack }));
        }
    }
}
