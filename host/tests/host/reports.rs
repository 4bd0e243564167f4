//! What a page may say of an execution, again and too late, and what that changes.

use crate::engine::{ATTEMPT, ID, PAGE, REVISION, START, TIMEOUT_MS, at, report};
use pageport::wire::bridge::{AttemptId, BridgeCode, PageSessionId, Revision};
use pageport_host::execution::limits::SILENCE_MS;
use pageport_host::execution::{Certainty, EndCode as Code, Engine, Happening as On, Report, State};

use Certainty::{Confirmed, NotStarted, Unknown};
use pageport_host::execution::Phase::{Cancelling, Claimed, Queued, Sent};

#[test]
fn a_page_that_did_not_start_takes_the_certainty_back() {
    for phase in [Sent, Claimed] {
        let mut engine = at(phase, false);
        let unstarted = Report { started: false, ..report(On::PageAborted) };
        engine.complete(ID, PAGE, REVISION, unstarted, START).unwrap();
        let it = engine.get(ID).unwrap();
        assert_eq!((it.state, it.certainty), (State::Interrupted, NotStarted), "{phase:?}");
        let again = engine.claim(ID, PAGE, REVISION, ATTEMPT, START);
        assert_eq!(again, Err(BridgeCode::ExecutionEnded), "a claim that arrives after it");
    }
}

#[test]
fn a_late_confirmation_confirms_the_cancel() {
    let mut engine = at(Cancelling, false);
    engine.complete(ID, PAGE, REVISION, Report { stopped: false, ..report(On::Succeeded) }, START).unwrap();
    assert!(!engine.get(ID).unwrap().cancel_confirmed);
    engine.complete(ID, PAGE, REVISION, report(On::PageCancelled), START).unwrap();
    let it = engine.get(ID).unwrap();
    assert!(it.cancel_requested && it.cancel_confirmed);
    assert_eq!((it.state, it.code), (State::Cancelled, Some(Code::CancelUnconfirmed)));
}

#[test]
fn a_claim_is_idempotent_by_its_attempt_and_by_nothing_else() {
    let mut engine = at(Claimed, false);
    let claim = |engine: &mut Engine, page, revision, attempt| engine.claim(ID, page, revision, attempt, START);
    let first = claim(&mut engine, PAGE, REVISION, ATTEMPT).unwrap();
    assert_eq!(first.remaining_ms, TIMEOUT_MS);
    let cases = [
        ("another attempt", PAGE, REVISION, AttemptId::from_bytes([8; 16]), BridgeCode::AlreadyClaimed),
        ("another revision", PAGE, Revision::from_bytes([8; 16]), ATTEMPT, BridgeCode::StaleRevision),
        ("another page", PageSessionId::from_bytes([8; 16]), REVISION, ATTEMPT, BridgeCode::NotFound),
    ];
    for (case, page, revision, attempt, code) in cases {
        assert_eq!(claim(&mut engine, page, revision, attempt), Err(code), "{case}");
    }
    let mut queued = at(Queued, false);
    assert_eq!(claim(&mut queued, PAGE, REVISION, ATTEMPT), Err(BridgeCode::NotFound), "not dispatched");
}

#[test]
fn a_heartbeat_keeps_it_alive_and_hears_of_the_cancel() {
    let mut engine = at(Claimed, false);
    let later = START.after(SILENCE_MS - 1);
    assert_eq!(engine.heartbeat(ID, PAGE, REVISION, Some(40.0), later), Ok(false));
    engine.tick(START.after(SILENCE_MS));
    engine.cancel(ID, later).unwrap();
    assert_eq!(engine.heartbeat(ID, PAGE, REVISION, None, later), Ok(true));
    let it = engine.get(ID).unwrap();
    assert_eq!((it.state, it.progress), (State::Running, Some(40.0)));
}

#[test]
fn only_what_is_uncertain_is_taken_back_by_a_page_that_did_not_start() {
    let cases = [
        ("a success", false, On::Succeeded, Confirmed, Confirmed),
        ("a certain failure", true, On::PageFailed, Confirmed, Confirmed),
        ("an uncertain failure", false, On::PageFailed, Unknown, NotStarted),
        ("an abort", false, On::PageAborted, Unknown, NotStarted),
    ];
    for (case, safe, on, first, then) in cases {
        let mut engine = at(Claimed, safe);
        engine.complete(ID, PAGE, REVISION, report(on), START).unwrap();
        assert_eq!(engine.get(ID).unwrap().certainty, first, "{case}");
        let unstarted = || Report { started: false, ..report(On::PageCancelled) };
        engine.complete(ID, PAGE, REVISION, unstarted(), START).unwrap();
        assert_eq!(engine.get(ID).unwrap().certainty, then, "{case}, taken back late");

        let mut engine = at(Claimed, safe);
        engine.complete(ID, PAGE, REVISION, Report { started: false, ..report(on) }, START).unwrap();
        assert_eq!(engine.get(ID).unwrap().certainty, then, "{case}, at once");
    }
}
