//! Turns calls into POSTs: what waits while one is under way goes out together (Operations §4).

use super::io::{PageCall, Ticket};
use crate::wire::bridge::{Call, CompleteBody, TerminalState};
use crate::wire::execution::ExecutionCode;
use crate::wire::operations_limits as limits;
use crate::wire::{NumberText, to_text};
use serde::Serialize;

/// A call that waits, as text.
#[derive(Debug)]
struct Entry {
    ticket: Ticket,
    name: &'static str,
    body: String,
}

/// One POST.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Below the base URL.
    pub path: &'static str,
    /// JSON.
    pub body: String,
    /// The calls in it, in order; the reply to `/calls` answers them in this order.
    pub tickets: Vec<Ticket>,
}

/// The calls of a page on their way out. At most one POST of calls that may share one is under way.
#[derive(Debug, Default)]
pub struct Outbox {
    waiting: Vec<Entry>,
    under_way: Vec<Ticket>,
}

impl Outbox {
    /// Takes a call. One that goes alone is returned at once; send what [`Outbox::take`] returns as well.
    pub fn push(&mut self, ticket: Ticket, call: &PageCall, number_text: NumberText) -> Option<Outgoing> {
        let (path, body) = write(call, number_text);
        if matches!(call, PageCall::Call(_)) {
            self.push_text(ticket, &path[1..], body);
            return None;
        }
        Some(Outgoing { path, body, tickets: vec![ticket] })
    }

    /// Takes a call that is text already: its name, without slash, and its body, an object.
    pub fn push_text(&mut self, ticket: Ticket, name: &'static str, body: String) {
        self.waiting.push(Entry { ticket, name, body });
    }

    /// The next POST, unless one is under way or nothing waits.
    pub fn take(&mut self) -> Option<Outgoing> {
        if !self.under_way.is_empty() || self.waiting.is_empty() {
            return None;
        }
        // `{"calls":[…]}`, and each entry with its name and a comma.
        let mut size = 12;
        let mut count = 0;
        for entry in self.waiting.iter().take(limits::CALLS) {
            size += entry.body.len() + entry.name.len() + 12;
            if count > 0 && size > limits::CALLS_BYTES {
                break;
            }
            count += 1;
        }
        let mut entries: Vec<Entry> = self.waiting.drain(..count).collect();
        let tickets: Vec<Ticket> = entries.iter().map(|entry| entry.ticket).collect();
        self.under_way.clone_from(&tickets);
        if count == 1 {
            let Entry { name, body, .. } = entries.remove(0);
            return Some(Outgoing { path: path(name), body, tickets });
        }
        let mut body = "{\"calls\":[".to_owned();
        for (index, entry) in entries.iter().enumerate() {
            body.push_str(if index == 0 { "{\"call\":\"" } else { ",{\"call\":\"" });
            body.push_str(entry.name);
            body.push_str(if entry.body == "{}" { "\"" } else { "\"," });
            body.push_str(&entry.body[1..]);
        }
        body.push_str("]}");
        Some(Outgoing { path: "/calls", body, tickets })
    }

    /// A POST was answered, or failed.
    pub fn settle(&mut self, tickets: &[Ticket]) {
        self.under_way.retain(|ticket| !tickets.contains(ticket));
    }

    /// Nobody waits for a call any more: it is not sent, or its POST may be aborted when this returns `true`.
    pub fn forget(&mut self, ticket: Ticket) -> bool {
        self.waiting.retain(|entry| entry.ticket != ticket);
        let was_under_way = self.under_way.contains(&ticket);
        self.under_way.retain(|known| *known != ticket);
        was_under_way && self.under_way.is_empty()
    }
}

/// The path of a call that may share a POST.
fn path(name: &str) -> &'static str {
    let paths = ["/state", "/claim", "/reject", "/heartbeat", "/complete", "/reply"];
    paths.into_iter().find(|path| &path[1..] == name).unwrap_or("/reply")
}

fn write(call: &PageCall, number_text: NumberText) -> (&'static str, String) {
    fn text<B: Serialize>(path: &'static str, body: &B, number_text: NumberText) -> (&'static str, String) {
        (path, to_text(body, number_text))
    }
    match call {
        PageCall::Call(Call::State(body)) => text("/state", body, number_text),
        PageCall::Call(Call::Claim(body)) => text("/claim", body, number_text),
        PageCall::Call(Call::Reject(body)) => text("/reject", body, number_text),
        PageCall::Call(Call::Heartbeat(body)) => text("/heartbeat", body, number_text),
        PageCall::Call(Call::Complete(body)) => text("/complete", body, number_text),
        PageCall::Call(Call::Reply(body)) => text("/reply", body, number_text),
        PageCall::Reload(body) => text("/reload", body, number_text),
        PageCall::ReloadAbort(body) => text("/reload-abort", body, number_text),
        PageCall::Resume(body) => text("/resume", body, number_text),
        PageCall::Ack(body) => text("/ack", body, number_text),
    }
}

/// Fits the last reports into a beacon of `max_bytes`: results from the smallest on, the others as `result_lost`.
#[must_use]
pub fn fit_beacon(mut reports: Vec<CompleteBody>, max_bytes: usize, number_text: NumberText) -> Vec<CompleteBody> {
    let size = |report: &CompleteBody| to_text(report, number_text).len() + 1;
    let without: Vec<CompleteBody> = reports.iter().map(lose_result).collect();
    let mut total: usize = without.iter().map(size).sum();
    let mut order: Vec<(usize, usize)> = Vec::new();
    for (index, report) in reports.iter().enumerate() {
        if report.result.is_some() {
            let more = size(report).saturating_sub(size(&without[index]));
            let place = order.partition_point(|(known, _)| *known <= more);
            order.insert(place, (more, index));
        }
    }
    for (more, index) in order {
        if total + more <= max_bytes {
            total += more;
        } else {
            reports[index] = without[index].clone();
        }
    }
    reports
}

/// A report whose result does not fit.
#[must_use]
pub fn lose_result(report: &CompleteBody) -> CompleteBody {
    let mut report = report.clone();
    if report.result.take().is_some() {
        report.state = TerminalState::Failed;
        report.code = Some(ExecutionCode::ResultLost.as_str().into());
    }
    report
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::wire::bridge::{CallsBody, ExecutionId, OperationResult, RejectBody, RejectCode, Revision};
    use crate::wire::{Json, number_text};
    use std::sync::Arc;

    fn reject(number: u8) -> PageCall {
        let (execution_id, revision) = (ExecutionId::from_bytes([number; 16]), Revision::from_bytes([1; 16]));
        PageCall::Call(Call::Reject(RejectBody { execution_id, revision, code: RejectCode::Expired, ack: Some(3) }))
    }

    #[test]
    fn what_waits_while_a_post_is_under_way_goes_out_together() {
        let mut outbox = Outbox::default();
        assert_eq!(outbox.push(1, &reject(1), number_text), None);
        let first = outbox.take().expect("nothing is under way");
        assert_eq!((first.path, first.tickets.as_slice()), ("/reject", [1].as_slice()));
        let _ = outbox.push(2, &reject(2), number_text);
        let _ = outbox.push(3, &reject(3), number_text);
        assert_eq!(outbox.take(), None);
        outbox.settle(&[1]);
        let second = outbox.take().expect("two wait");
        assert_eq!((second.path, second.tickets.as_slice()), ("/calls", [2, 3].as_slice()));
        let read: CallsBody = serde_json::from_str(&second.body).expect("what the host reads");
        let sent: Vec<PageCall> = read.calls.into_iter().map(PageCall::Call).collect();
        assert_eq!(sent, [reject(2), reject(3)]);
    }

    #[test]
    fn a_dropped_call_is_not_sent_and_frees_the_line() {
        let mut outbox = Outbox::default();
        let _ = outbox.push(1, &reject(1), number_text);
        let _ = outbox.take();
        let _ = outbox.push(2, &reject(2), number_text);
        let _ = outbox.push(3, &reject(3), number_text);
        assert!(!outbox.forget(2), "it was not under way");
        assert!(outbox.forget(1), "its POST may be aborted");
        assert_eq!(outbox.take().map(|post| post.tickets), Some(vec![3]));
    }

    #[test]
    fn a_post_holds_at_most_64_calls_and_512_kib() {
        let mut outbox = Outbox::default();
        for ticket in 0..100 {
            let _ = outbox.push(ticket, &reject(1), number_text);
        }
        assert_eq!(outbox.take().map(|post| post.tickets.len()), Some(64));
        let mut outbox = Outbox::default();
        for ticket in 0..20 {
            outbox.push_text(ticket, "reply", "x".repeat(100 * 1024));
        }
        let post = outbox.take().expect("five fit");
        assert_eq!(post.tickets.len(), 5);
        assert!(post.body.len() <= limits::CALLS_BYTES);
    }

    #[test]
    fn a_beacon_keeps_the_smallest_results() {
        let report = |number: u8, size: usize| CompleteBody {
            execution_id: ExecutionId::from_bytes([number; 16]),
            revision: Revision::from_bytes([1; 16]),
            state: TerminalState::Succeeded,
            code: None,
            reason: None,
            started: None,
            stopped: true,
            result: Some(Arc::new(OperationResult {
                data: Json::String("x".repeat(size)),
                count: 0.0,
                has_more: false,
                next_cursor: String::new(),
                truncated: false,
            })),
            ack: None,
        };
        let fitted = fit_beacon(vec![report(1, 50_000), report(2, 10), report(3, 20_000)], 61_440, number_text);
        let kept: Vec<bool> = fitted.iter().map(|report| report.result.is_some()).collect();
        assert_eq!(kept, [false, true, true]);
        assert_eq!(fitted[0].code.as_deref(), Some("result_lost"));
        assert!(to_text(&fitted, number_text).len() <= 61_440);
    }
}
