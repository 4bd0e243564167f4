//! Every row of Host §5, driven through the engine as the host drives it.

use crate::engine::{ATTEMPT, ID, PAGE, REVISION, START, TIMEOUT_MS, at, execution, report};
use pageport::wire::bridge::AbortReason as Reason;
use pageport::wire::bridge::{ExecutionId, Revision};
use pageport_host::execution::limits::{CLAIM_MS, QUEUE_MS, SILENCE_MS};
use pageport_host::execution::{
    Certainty, Effect, EndCode, Engine, Goal, Happening, Phase, Refused, Report, State, TRANSITIONS,
};
use std::collections::HashSet;

use Certainty::{Confirmed, NotStarted, Unknown};
use EndCode as Code;
use Happening as On;
use Phase::{Cancelling, Claimed, Queued, Sent};

/// Lets something happen the way it happens in the host.
fn happen(engine: &mut Engine, phase: Phase, on: Happening) {
    let after = |ms| START.after(ms);
    match on {
        On::Dispatch => engine.dispatch(START, |_| true),
        On::Claim => drop(engine.claim(ID, PAGE, REVISION, ATTEMPT, START).unwrap()),
        On::Cancel => engine.cancel(ID, START).unwrap(),
        On::QueueDue => engine.tick(after(QUEUE_MS)),
        On::ClaimDue => engine.tick(after(CLAIM_MS)),
        On::SilenceDue => engine.tick(after(SILENCE_MS)),
        On::DeadlineDue => engine.tick(after(TIMEOUT_MS)),
        On::RejectNoHandler | On::RejectBusy | On::RejectStale | On::RejectExpired => {
            engine.reject(ID, PAGE, REVISION, on, START).unwrap();
        }
        On::PageLost => engine.page_changed(PAGE, Some(Revision::from_bytes([9; 16])), START),
        On::PluginChanged => engine.page_gone(PAGE, On::PluginChanged, START),
        On::HostStopped => engine.stop(START),
        // The store does this at start: see the test of a restart.
        On::HostRestarted => {}
        _ => engine.complete(ID, PAGE, REVISION, report(on), START).unwrap(),
    }
    let _ = phase;
}

#[test]
#[rustfmt::skip]
fn every_row_ends_as_the_table_of_the_host_says() {
    let cases = [
        (Queued, On::QueueDue, State::TimedOut, Some(Code::QueueTimeout), NotStarted, None),
        (Sent, On::ClaimDue, State::TimedOut, Some(Code::ClaimTimeout), NotStarted, Some(Reason::TimedOut)),
        (Claimed, On::SilenceDue, State::TimedOut, Some(Code::HeartbeatTimeout), Unknown, Some(Reason::LostConnection)),
        (Cancelling, On::SilenceDue, State::TimedOut, Some(Code::HeartbeatTimeout), Unknown, Some(Reason::LostConnection)),
        (Sent, On::DeadlineDue, State::TimedOut, Some(Code::ExecutionTimeout), NotStarted, Some(Reason::TimedOut)),
        (Claimed, On::DeadlineDue, State::TimedOut, Some(Code::ExecutionTimeout), Unknown, Some(Reason::TimedOut)),
        (Cancelling, On::DeadlineDue, State::TimedOut, Some(Code::ExecutionTimeout), Unknown, Some(Reason::TimedOut)),
        (Sent, On::RejectNoHandler, State::Failed, Some(Code::NoHandler), NotStarted, None),
        (Sent, On::RejectBusy, State::Failed, Some(Code::PageBusyUnknown), NotStarted, None),
        (Sent, On::RejectStale, State::Interrupted, Some(Code::PageChanged), NotStarted, None),
        (Sent, On::RejectExpired, State::TimedOut, Some(Code::ExecutionTimeout), NotStarted, None),
        (Queued, On::PageLost, State::Interrupted, Some(Code::PageChanged), NotStarted, None),
        (Sent, On::PageLost, State::Interrupted, Some(Code::PageChanged), NotStarted, Some(Reason::PageChanged)),
        (Claimed, On::PageLost, State::Interrupted, Some(Code::PageChanged), Unknown, Some(Reason::PageChanged)),
        (Cancelling, On::PageLost, State::Interrupted, Some(Code::PageChanged), Unknown, Some(Reason::PageChanged)),
        (Queued, On::PluginChanged, State::Interrupted, Some(Code::PluginChanged), NotStarted, None),
        (Sent, On::PluginChanged, State::Interrupted, Some(Code::PluginChanged), NotStarted, Some(Reason::LostConnection)),
        (Claimed, On::PluginChanged, State::Interrupted, Some(Code::PluginChanged), Unknown, Some(Reason::LostConnection)),
        (Cancelling, On::PluginChanged, State::Interrupted, Some(Code::PluginChanged), Unknown, Some(Reason::LostConnection)),
        (Queued, On::HostStopped, State::Interrupted, Some(Code::HostStopped), NotStarted, None),
        (Sent, On::HostStopped, State::Interrupted, Some(Code::HostStopped), NotStarted, Some(Reason::LostConnection)),
        (Claimed, On::HostStopped, State::Interrupted, Some(Code::HostStopped), Unknown, Some(Reason::LostConnection)),
        (Cancelling, On::HostStopped, State::Interrupted, Some(Code::HostStopped), Unknown, Some(Reason::LostConnection)),
        (Queued, On::Cancel, State::Cancelled, None, NotStarted, None),
        (Sent, On::Cancel, State::Cancelled, None, NotStarted, Some(Reason::Cancelled)),
        (Claimed, On::Cancel, State::Running, None, Unknown, Some(Reason::Cancelled)),
        (Sent, On::PageAborted, State::Interrupted, Some(Code::PageChanged), NotStarted, None),
        (Claimed, On::PageAborted, State::Interrupted, Some(Code::PageChanged), Unknown, None),
        (Cancelling, On::PageAborted, State::Interrupted, Some(Code::PageChanged), Unknown, None),
        (Sent, On::PageTimedOut, State::TimedOut, Some(Code::ExecutionTimeout), NotStarted, None),
        (Claimed, On::PageTimedOut, State::TimedOut, Some(Code::ExecutionTimeout), Unknown, None),
        (Cancelling, On::PageTimedOut, State::TimedOut, Some(Code::ExecutionTimeout), Unknown, None),
        (Sent, On::PageCancelled, State::Cancelled, Some(Code::PageExecutionFailed), NotStarted, None),
        (Claimed, On::PageCancelled, State::Cancelled, Some(Code::PageExecutionFailed), Unknown, None),
        (Cancelling, On::PageCancelled, State::Cancelled, None, Unknown, None),
        (Claimed, On::PageFailed, State::Failed, Some(Code::PageExecutionFailed), Unknown, None),
        (Claimed, On::ReloadFailed, State::Failed, Some(Code::ReloadFailed), Unknown, None),
        (Claimed, On::ResultLost, State::Failed, Some(Code::ResultLost), Unknown, None),
        (Claimed, On::InvalidOutput, State::Failed, Some(Code::InvalidOutput), Unknown, None),
        (Claimed, On::OutputTooLarge, State::Failed, Some(Code::OutputTooLarge), Unknown, None),
        (Claimed, On::InvalidPagination, State::Failed, Some(Code::InvalidPagination), Unknown, None),
        (Claimed, On::Succeeded, State::Succeeded, None, Confirmed, None),
        (Cancelling, On::PageFailed, State::Cancelled, Some(Code::CancelUnconfirmed), Unknown, None),
        (Cancelling, On::ReloadFailed, State::Cancelled, Some(Code::CancelUnconfirmed), Unknown, None),
        (Cancelling, On::ResultLost, State::Cancelled, Some(Code::CancelUnconfirmed), Unknown, None),
        (Cancelling, On::InvalidOutput, State::Cancelled, Some(Code::CancelUnconfirmed), Unknown, None),
        (Cancelling, On::OutputTooLarge, State::Cancelled, Some(Code::CancelUnconfirmed), Unknown, None),
        (Cancelling, On::InvalidPagination, State::Cancelled, Some(Code::CancelUnconfirmed), Unknown, None),
        (Cancelling, On::Succeeded, State::Cancelled, Some(Code::CancelUnconfirmed), Unknown, None),
        (Queued, On::Dispatch, State::Running, None, NotStarted, None),
        (Sent, On::Claim, State::Running, None, Unknown, None),
    ];
    let mut visited = HashSet::new();
    for (phase, on, state, code, certainty, told) in cases {
        let case = format!("{phase:?} {on:?}");
        let mut engine = at(phase, false);
        happen(&mut engine, phase, on);
        let it = engine.get(ID).unwrap();
        assert_eq!((it.state, it.code, it.certainty), (state, code, certainty), "{case}");
        assert_eq!(it.cancel_requested, phase == Cancelling || (phase, on) == (Claimed, On::Cancel), "{case}: kept");
        let is_confirmed = on == On::PageCancelled || (on == On::Cancel && phase != Claimed);
        assert_eq!(it.cancel_confirmed, is_confirmed, "{case}: confirmed");
        let cancels = engine.take_effects().into_iter().find_map(|effect| match effect {
            Effect::Cancel(PAGE, ID, reason) => Some(reason),
            _ => None,
        });
        assert_eq!(cancels, told, "{case}: what the page is told");
        visited.insert((phase, on));
    }
    for row in TRANSITIONS {
        for phase in row.from.iter().filter(|_| row.on != On::HostRestarted) {
            assert!(visited.contains(&(*phase, row.on)), "{phase:?} {:?} is not tested", row.on);
        }
        if let Goal::End(state, Some(code)) = row.to {
            assert!(code.states().contains(&state), "{state:?} {code:?}");
        }
    }
}

#[test]
fn what_has_ended_never_changes() {
    for row in TRANSITIONS {
        let mut engine = at(Phase::Ended, false);
        if row.on != On::Claim {
            happen(&mut engine, Phase::Ended, row.on);
        }
        let it = engine.get(ID).unwrap();
        assert_eq!((it.state, it.code), (State::Failed, Some(Code::PageExecutionFailed)), "{:?}", row.on);
    }
}

#[test]
fn a_failure_the_page_reports_is_certain_only_where_a_retry_is_safe() {
    for (safe, certainty) in [(true, Confirmed), (false, Unknown)] {
        let mut engine = at(Claimed, safe);
        engine.complete(ID, PAGE, REVISION, report(On::PageFailed), START).unwrap();
        assert_eq!(engine.get(ID).unwrap().certainty, certainty);
    }
}

#[test]
fn a_timed_out_execution_holds_its_page_until_it_has_stopped() {
    let mut engine = at(Claimed, false);
    let now = START.after(TIMEOUT_MS);
    engine.tick(now);
    let other = ExecutionId::from_bytes([7; 16]);
    let next = || execution(other, "catalog", PAGE, false, now);
    assert_eq!(engine.admit(next()), Err(Refused::PageBusy(ID)));

    engine.complete(ID, PAGE, REVISION, Report { stopped: false, ..report(On::PageTimedOut) }, now).unwrap();
    assert_eq!(engine.admit(next()), Err(Refused::PageBusy(ID)), "not stopped yet");

    engine.complete(ID, PAGE, REVISION, report(On::Succeeded), now).unwrap();
    assert_eq!(engine.get(ID).unwrap().state, State::TimedOut, "late");
    engine.admit(next()).unwrap();

    engine.complete(ID, PAGE, REVISION, Report { stopped: false, ..report(On::PageTimedOut) }, now).unwrap();
    engine.dispatch(now, |_| true);
    assert_eq!(engine.get(other).unwrap().phase, Sent, "a late beacon never takes the page again");
}

#[test]
fn the_end_of_a_session_frees_what_it_held() {
    let mut engine = at(Claimed, false);
    engine.tick(START.after(TIMEOUT_MS));
    assert_eq!(engine.holder(PAGE), Some(ID));
    engine.page_gone(PAGE, On::PageLost, START.after(TIMEOUT_MS));
    assert_eq!((engine.holder(PAGE), engine.active_count()), (None, 0));
}

#[test]
fn only_a_claimed_run_can_be_uncancellable() {
    let with = |phase| {
        let mut engine = Engine::default();
        let mut it = execution(ID, "catalog", PAGE, false, START);
        it.rules.cancellable = false;
        engine.admit(it).unwrap();
        if phase != Queued {
            engine.dispatch(START, |_| true);
        }
        if phase == Claimed {
            engine.claim(ID, PAGE, REVISION, ATTEMPT, START).unwrap();
        }
        engine.cancel(ID, START)
    };
    assert_eq!(with(Queued), Ok(()));
    assert_eq!(with(Sent), Ok(()));
    assert_eq!(with(Claimed), Err(Refused::NotCancellable));
    let unknown = Engine::default().cancel(ID, START);
    assert_eq!(unknown, Err(Refused::NotFound));
}
