//! The audit queue: one event per request, refusals bounded, drops counted (Surface §7).

use crate::wire::{AuditEvent, Outcome, limits};

/// Events on their way to the sink, oldest first.
#[derive(Debug, Default)]
pub struct AuditQueue {
    events: Vec<Queued>,
    dropped: u32,
    /// How many of them were told.
    told: u32,
    /// The last event that was dropped, with how many there were that nobody was told of.
    lost: Option<Box<AuditEvent>>,
}

#[derive(Debug)]
struct Queued {
    event: Box<AuditEvent>,
    started: bool,
}

impl AuditQueue {
    /// Queues an event; `started` tells whether an executor had started.
    ///
    /// At 1000 the oldest refusal goes, then the oldest event whose executor never started, then the oldest.
    pub fn push(&mut self, event: AuditEvent, started: bool) {
        if self.events.len() >= limits::AUDIT_QUEUE {
            let refusal = |queued: &Queued| queued.event.outcome == Outcome::ProtocolError;
            let idle = |queued: &Queued| !queued.started;
            let at = self.events.iter().position(refusal).or_else(|| self.events.iter().position(idle)).unwrap_or(0);
            let mut lost = self.events.remove(at).event;
            self.dropped += 1;
            lost.count = Some(self.dropped - self.told);
            self.lost = Some(lost);
        }
        self.events.push(Queued { event: Box::new(event), started });
    }

    /// The next event for the sink.
    pub fn pop(&mut self) -> Option<Box<AuditEvent>> {
        (!self.events.is_empty()).then(|| self.events.remove(0).event)
    }

    /// What was dropped since this was last asked: the last such event, its `count` being how many they were.
    pub fn take_lost(&mut self) -> Option<Box<AuditEvent>> {
        self.told = self.dropped;
        self.lost.take()
    }

    /// Events waiting.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Events that found no room, since the page began.
    #[must_use]
    pub fn dropped(&self) -> u32 {
        self.dropped
    }
}

/// How many refusals of steps 1–3 one connection had audited in the running second.
#[derive(Debug, Default)]
pub(super) struct RefusalMeter {
    second: f64,
    counted: u32,
    over: u32,
}

impl RefusalMeter {
    /// Counts a refusal at `now_ms`: whether it gets an event of its own, and how many earlier ones are owed one.
    pub(super) fn count(&mut self, now_ms: f64) -> (bool, u32) {
        let owed = self.settle(now_ms);
        self.counted += 1;
        let own = self.counted <= limits::REFUSALS_PER_SECOND;
        if !own {
            self.over += 1;
        }
        (own, owed)
    }

    /// Starts another second when it is due and returns how many refusals of the last one are owed an event.
    pub(super) fn settle(&mut self, now_ms: f64) -> u32 {
        let second = (now_ms / 1_000.0).floor();
        if second == self.second {
            return 0;
        }
        *self = Self { second, counted: 0, over: self.over };
        std::mem::take(&mut self.over)
    }

    /// Whether refusals are owed an event.
    #[must_use]
    pub(super) fn owes(&self) -> bool {
        self.over > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::PROTOCOL;

    fn event(name: usize, outcome: Outcome) -> AuditEvent {
        AuditEvent {
            at: 0.0,
            method: "invoke",
            request_id: Some(name.to_string()),
            agent_id: None,
            user_id: None,
            session_id: None,
            delegation_id: None,
            capability: None,
            outcome,
            code: None,
            duration_ms: 0.0,
            approval_id: None,
            transport: "in-process".into(),
            protocol: PROTOCOL,
            count: None,
        }
    }

    #[test]
    fn a_full_queue_drops_refusals_first_and_started_executors_last() {
        let mut queue = AuditQueue::default();
        queue.push(event(0, Outcome::Ok), true);
        queue.push(event(1, Outcome::ExecutionError), false);
        queue.push(event(2, Outcome::ProtocolError), false);
        for name in 3..limits::AUDIT_QUEUE {
            queue.push(event(name, Outcome::Ok), true);
        }
        queue.push(event(5_000, Outcome::Ok), true);
        queue.push(event(5_001, Outcome::Ok), true);
        queue.push(event(5_002, Outcome::Ok), true);
        assert_eq!((queue.len(), queue.dropped()), (limits::AUDIT_QUEUE, 3));
        let lost = queue.take_lost().map(|event| (event.request_id, event.count));
        assert_eq!(lost, Some((Some("0".into()), Some(3))), "the last of them, and their number");
        assert!(queue.take_lost().is_none(), "it is told once");
        let first = queue.pop().expect("a full queue");
        assert_eq!(first.request_id.as_deref(), Some("3"), "2, 1 and then 0 found no room");
    }

    #[test]
    fn fifty_refusals_a_second_get_an_event_each_and_the_rest_one_together() {
        let mut meter = RefusalMeter::default();
        let own = (0..70).filter(|_| meter.count(1_000.0).0).count();
        assert_eq!(own, 50);
        assert!(meter.owes());
        assert_eq!(meter.count(2_000.0), (true, 20), "the next second owes the 20");
        assert_eq!(meter.settle(3_000.0), 0);
    }
}
