//! What a page has yet to acknowledge: numbered, bounded, sent again to a stream that comes back (Host §3).

use crate::execution::limits;
use pageport::wire::bridge::{AbortReason, EventNumber, ExecutionId};
use std::collections::VecDeque;

/// What an event says; its text is made when it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Run it.
    Invoke,
    /// Abort it.
    Cancel(AbortReason),
}

/// An event that was not acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) number: EventNumber,
    pub(super) execution: ExecutionId,
    pub(super) said: Said,
}

/// The events of one session.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    newest: EventNumber,
    kept: VecDeque<Kept>,
}

impl Outbox {
    /// Whether an invoke fits; a cancel always does.
    pub(super) fn has_room(&self) -> bool {
        self.kept.len() < limits::EVENTS
    }

    /// Numbers an event and keeps it.
    pub(super) fn push(&mut self, execution: ExecutionId, said: Said) -> Kept {
        self.newest += 1;
        let kept = Kept { number: self.newest, execution, said };
        self.kept.push_back(kept);
        kept
    }

    /// Forgets what arrived; `false` when the number was never sent.
    pub(super) fn acknowledge(&mut self, number: EventNumber) -> bool {
        if number > self.newest {
            return false;
        }
        self.kept.retain(|kept| kept.number > number);
        true
    }

    /// The execution ended: nobody runs it any more.
    pub(super) fn end(&mut self, execution: ExecutionId) {
        self.kept.retain(|kept| kept.execution != execution || kept.said != Said::Invoke);
    }

    /// The page has nothing more to do with it.
    pub(super) fn settle(&mut self, execution: ExecutionId) {
        self.kept.retain(|kept| kept.execution != execution);
    }

    /// What a stream that comes back is sent, in order.
    pub(super) fn kept(&self) -> impl Iterator<Item = Kept> {
        self.kept.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_kept_until_they_are_acknowledged_or_of_no_use() {
        let id = |byte| ExecutionId::from_bytes([byte; 16]);
        let numbers = |outbox: &Outbox| outbox.kept().map(|kept| kept.number).collect::<Vec<_>>();
        let mut outbox = Outbox::default();
        outbox.push(id(1), Said::Invoke);
        outbox.push(id(2), Said::Invoke);
        outbox.push(id(2), Said::Cancel(AbortReason::Cancelled));
        outbox.push(id(3), Said::Invoke);
        assert!(!outbox.acknowledge(5), "never sent");
        assert!(outbox.acknowledge(1));
        assert_eq!(numbers(&outbox), [2, 3, 4]);
        outbox.end(id(2));
        assert_eq!(numbers(&outbox), [3, 4], "the cancel stays");
        outbox.settle(id(2));
        assert_eq!(numbers(&outbox), [4]);
        assert!(outbox.acknowledge(1), "again");
        for _ in 1..limits::EVENTS {
            assert!(outbox.has_room());
            outbox.push(id(4), Said::Invoke);
        }
        assert!(!outbox.has_room());
    }
}
