//! Who is let in, who runs next, and who waits (Host §4, §5).

use crate::engine::{ATTEMPT, REVISION, START, TIMEOUT_MS, execution, report};
use pageport::wire::bridge::{ExecutionId, PageSessionId};
use pageport_host::execution::Phase::{Queued, Sent};
use pageport_host::execution::{Engine, Happening as On, Refused, Report};

#[test]
fn the_queue_goes_by_age_and_a_busy_page_holds_nobody_up() {
    let mut engine = Engine::default();
    let id = |byte| ExecutionId::from_bytes([byte; 16]);
    let page = |byte| PageSessionId::from_bytes([byte; 16]);
    // Two on the first page, then one on a second; the third plugin slot is not there.
    for (byte, on, at) in [(12, 1, 0), (11, 1, 0), (13, 2, 5), (14, 3, 6)] {
        engine.admit(execution(id(byte), "catalog", page(on), false, START.after(at))).unwrap();
    }
    engine.dispatch(START.after(9), |_| true);
    let phases = |engine: &Engine| [11, 12, 13, 14].map(|byte| engine.get(id(byte)).unwrap().phase);
    assert_eq!(phases(&engine), [Sent, Queued, Sent, Queued], "by time, then id; two of a plugin run");
    engine.claim(id(13), page(2), REVISION, ATTEMPT, START).unwrap();
    engine.complete(id(13), page(2), REVISION, report(On::Succeeded), START).unwrap();
    engine.dispatch(START.after(9), |to| to != page(3));
    assert_eq!(phases(&engine)[3], Queued, "its page has no room for the event");
    engine.dispatch(START.after(9), |_| true);
    assert_eq!(phases(&engine)[3], Sent);
}

#[test]
fn more_than_the_limits_are_not_admitted() {
    let id = |number: usize| ExecutionId::from_bytes((number as u128).to_be_bytes());
    let page = |number: usize| PageSessionId::from_bytes((number as u128).to_be_bytes());
    let admitted = |plugin: fn(usize) -> String, to: fn(usize) -> usize| {
        let mut engine = Engine::default();
        (0..).find(|number| {
            let it = execution(id(*number), &plugin(*number), page(to(*number)), false, START);
            engine.admit(it) == Err(Refused::QueueFull)
        })
    };
    assert_eq!(admitted(|number| number.to_string(), |number| number), Some(256), "global");
    assert_eq!(admitted(|_| "one".into(), |number| number), Some(64), "of a plugin");
    assert_eq!(admitted(|_| "one".into(), |_| 1), Some(32), "of a page");
}

#[test]
fn so_many_run_at_once() {
    let id = |number: u8| ExecutionId::from_bytes([number; 16]);
    let page = |number: u8| PageSessionId::from_bytes([number; 16]);
    let running = |plugin: fn(u8) -> String, to: fn(u8) -> u8| {
        let mut engine = Engine::default();
        for number in 1..=12 {
            engine.admit(execution(id(number), &plugin(number), page(to(number)), false, START)).unwrap();
        }
        engine.dispatch(START, |_| true);
        (1..=12).filter(|number| engine.get(id(*number)).unwrap().phase == Sent).count()
    };
    assert_eq!(running(|number| number.to_string(), |number| number), 8, "global");
    assert_eq!(running(|_| "one".into(), |number| number), 2, "of a plugin");
    assert_eq!(running(|_| "one".into(), |_| 1), 1, "of a page");
}

#[test]
fn what_has_ended_but_not_stopped_holds_its_plugins_slots_too() {
    let mut engine = Engine::default();
    let id = |byte| ExecutionId::from_bytes([byte; 16]);
    let page = |byte| PageSessionId::from_bytes([byte; 16]);
    for byte in [1, 2] {
        engine.admit(execution(id(byte), "catalog", page(byte), false, START)).unwrap();
        engine.dispatch(START, |_| true);
        engine.claim(id(byte), page(byte), REVISION, ATTEMPT, START).unwrap();
    }
    let now = START.after(TIMEOUT_MS);
    engine.tick(now);
    engine.admit(execution(id(3), "catalog", page(3), false, now)).unwrap();
    engine.admit(execution(id(4), "another", page(4), false, now)).unwrap();
    engine.dispatch(now, |_| true);
    let phase = |engine: &Engine, byte| engine.get(id(byte)).unwrap().phase;
    assert_eq!((phase(&engine, 3), phase(&engine, 4)), (Queued, Sent));
    let unstopped = Report { stopped: false, ..report(On::PageTimedOut) };
    engine.complete(id(1), page(1), REVISION, unstopped, now).unwrap();
    engine.dispatch(now, |_| true);
    assert_eq!(phase(&engine, 3), Queued, "it says that it has not stopped");
    engine.complete(id(1), page(1), REVISION, report(On::PageTimedOut), now).unwrap();
    engine.dispatch(now, |_| true);
    assert_eq!(phase(&engine, 3), Sent);
}
