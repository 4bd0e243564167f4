//! The life of one execution, step by step (Operations §2).

use super::world::{Change, NO_ANSWER, World, claimed, done, execution, known, refused, returned, revision, snapshot};
use pageport::operations::page::{Effect, Input, Outcome, PageCall, RunState};
use pageport::wire::bridge::{AbortReason, Answer, BridgeCode, Call, Failure, RejectCode, TerminalState};
use pageport::wire::execution::ExecutionCode;

fn rejected(world: &World) -> Option<RejectCode> {
    world.posts.values().find_map(|call| match call {
        PageCall::Call(Call::Reject(body)) => Some(body.code),
        _ => None,
    })
}

#[test]
fn an_execution_is_claimed_run_and_reported_once() {
    let mut world = World::ready();
    world.invoke(1, 1);
    assert_eq!(world.calls(), ["claim"]);
    world.answer_all(&claimed(false, 60_000.0));
    assert!(world.handlers.contains(&execution(1)));
    world.settle(1, returned());
    let reports = world.completes();
    assert_eq!(reports.len(), 1);
    assert_eq!((reports[0].state, reports[0].stopped), (TerminalState::Succeeded, true));
    world.answer_all(&done("null"));
    assert_eq!(world.state(1), RunState::Ended);
    world.wait(600_000.0);
    assert_eq!(world.calls(), Vec::<&str>::new());
}

#[test]
fn what_cannot_run_is_rejected_at_once() {
    let mut world = World::ready();
    world.invoke_with(1, 1, "op", 0.0);
    assert_eq!(rejected(&world), Some(RejectCode::Expired));
    world = World::ready();
    world.invoke_with(1, 1, "other", 1_000.0);
    assert_eq!(rejected(&world), Some(RejectCode::NoHandler));
    world = World::ready();
    world.invoke(1, 2);
    assert_eq!(rejected(&world), Some(RejectCode::StaleRevision));
    world = World::running(false);
    world.invoke(2, 1);
    assert_eq!(rejected(&world), Some(RejectCode::PageBusyUnknown));
}

#[test]
fn a_report_without_an_answer_does_not_keep_the_page_busy() {
    let mut world = World::running(false);
    world.settle(1, returned());
    world.invoke(2, 1);
    assert_eq!(world.state(2), RunState::Claiming);
}

#[test]
fn events_that_arrive_twice_or_late_change_nothing() {
    let mut world = World::ready();
    world.invoke(1, 1);
    world.event = 0;
    assert_eq!(world.invoke(2, 1), [], "a number that was there before");
    assert_eq!(world.state(2), RunState::Unknown);
    world.event = 1;
    assert!(!world.invoke(1, 1).iter().any(|effect| matches!(effect, Effect::Post { .. })), "a known execution");
    assert_eq!(world.calls(), ["claim"]);
}

#[test]
fn an_execution_waits_for_the_state_that_is_on_its_way() {
    let mut world = World::ready();
    world.give(Input::SetState(snapshot("next")));
    world.invoke(1, 2);
    assert_eq!(world.state(1), RunState::Waiting);
    world.answer_all(&known(2));
    assert_eq!(world.state(1), RunState::Claiming, "its revision came");

    let mut world = World::ready();
    world.give(Input::SetState(snapshot("next")));
    world.invoke(1, 1);
    world.answer_all(&refused(BridgeCode::TooLarge));
    assert_eq!(rejected(&world), Some(RejectCode::StaleRevision), "the state failed");

    let mut world = World::ready();
    world.give(Input::SetState(snapshot("next")));
    world.invoke(1, 2);
    world.cancel(1);
    world.answer_all(&known(2));
    assert_eq!((world.state(1), world.calls().len()), (RunState::Ended, 0), "cancelled meanwhile: nothing is said");
}

#[test]
fn a_wait_ends_after_16_400_milliseconds() {
    let mut world = World::ready();
    world.give(Input::SetState(snapshot("a")));
    world.invoke(1, 2);
    for (at, state) in [(16_399.0, RunState::Waiting), (16_400.0, RunState::Rejecting)] {
        // A new state every four seconds: none is ever answered.
        while world.now < at {
            world.give(Input::SetState(snapshot(&world.now.to_string())));
            world.wait((at - world.now).min(4_000.0));
        }
        assert_eq!(world.state(1), state, "{at}");
    }
}

#[test]
fn a_claim_is_tried_three_times_and_then_given_up() {
    let mut world = World::ready();
    world.invoke(1, 1);
    let mut attempts = Vec::new();
    for _ in 0..3 {
        let claim = world.posts.values().find_map(|call| match call {
            PageCall::Call(Call::Claim(body)) => Some(body.attempt_id),
            _ => None,
        });
        attempts.push(claim.expect("a claim"));
        world.wait(5_000.0);
        world.wait(200.0);
    }
    attempts.dedup();
    assert_eq!(attempts.len(), 1, "one attempt id for all");
    let report = &world.completes()[0];
    assert_eq!((report.state, report.reason), (TerminalState::Cancelled, Some(AbortReason::LostConnection)));
    assert_eq!((report.started, report.stopped), (Some(false), true));
    assert_eq!(world.starts.len(), 0);
}

#[test]
fn nothing_is_claimed_or_rejected_after_the_claim_window() {
    let mut world = World::ready();
    world.invoke(1, 1);
    let slow = Answer::Failed(Failure { retry_after_ms: Some(30_000.0), ..Failure::refused(BridgeCode::RateLimited) });
    world.answer_all(&slow);
    world.wait(30_000.0);
    assert_eq!(world.calls(), ["complete"], "no second claim, but a report always");
    let mut world = World::ready();
    world.invoke(1, 2);
    world.answer_all(&slow);
    world.wait(30_000.0);
    assert_eq!((world.state(1), world.calls().len()), (RunState::Ended, 0));
}

#[test]
fn a_claim_is_checked_again_when_it_is_answered() {
    let changes: [(&str, Change, AbortReason); 3] = [
        ("cancelled", |world| drop(world.cancel(1)), AbortReason::Cancelled),
        (
            "navigated",
            |world| drop(world.give(Input::Navigated { url: "https://shop.example.com/b".into(), title: "B".into() })),
            AbortReason::PageChanged,
        ),
        ("hidden", |world| drop(world.give(Input::Hidden)), AbortReason::PageHidden),
    ];
    for (case, change, reason) in changes {
        let mut world = World::ready();
        world.invoke(1, 1);
        change(&mut world);
        world.answer_all(&claimed(false, 1_000.0));
        world.give(Input::Shown);
        world.give(Input::StreamOpen);
        let report = &world.completes()[0];
        assert_eq!(
            (report.state, report.reason, report.started),
            (TerminalState::Cancelled, Some(reason), Some(false)),
            "{case}"
        );
        assert!(world.starts.is_empty(), "{case}");
    }
    let mut world = World::ready();
    world.invoke(1, 1);
    world.answer_all(&claimed(false, 0.0));
    assert_eq!(world.completes()[0].reason, Some(AbortReason::TimedOut));
    let mut world = World::ready();
    world.invoke(1, 1);
    world.give(Input::Unhandle("op".into()));
    world.answer_all(&claimed(false, 1_000.0));
    assert_eq!(world.completes()[0].code.as_deref(), Some("no_handler"));
}

#[test]
fn a_heartbeat_goes_out_every_15_seconds_with_the_last_progress() {
    let mut world = World::running(false);
    world.wait(15_000.0);
    assert_eq!(world.calls(), ["heartbeat"]);
    world.answer_all(&done(r#"{"cancelRequested":false}"#));
    world.give(Input::Progress { execution_id: execution(1), progress: Some(40.0) });
    world.give(Input::Progress { execution_id: execution(1), progress: None });
    world.wait(35_000.0);
    let forty = Some(40.0);
    assert_eq!(world.beats, [(15_000.0, None), (15_250.0, forty), (30_250.0, forty), (45_250.0, forty)]);
}

#[test]
fn progress_goes_out_four_times_a_second_at_most() {
    let mut world = World::running(false);
    for step in 0..1_000 {
        world.give(Input::Progress { execution_id: execution(1), progress: Some(f64::from(step) / 10.0) });
        world.answer_all(&done(r#"{"cancelRequested":false}"#));
        world.wait(1.0);
        world.answer_all(&done(r#"{"cancelRequested":false}"#));
    }
    let times: Vec<f64> = world.beats.iter().map(|(at, _)| *at).collect();
    assert_eq!(times, [0.0, 250.0, 500.0, 750.0, 1_000.0]);
}

#[test]
fn failures_are_tolerated_for_75_seconds() {
    let mut world = World::running(false);
    for _ in 0..74 {
        world.wait(1_000.0);
        world.answer_all(&refused(BridgeCode::StorageUnavailable));
    }
    assert!(world.aborts.is_empty());
    world.wait(1_000.0);
    assert_eq!(world.aborts[&execution(1)], AbortReason::LostConnection);
}

#[test]
fn a_refused_heartbeat_aborts_at_once() {
    let cases = [
        (BridgeCode::StaleRevision, AbortReason::PageChanged),
        (BridgeCode::ExecutionEnded, AbortReason::Cancelled),
        (BridgeCode::NotFound, AbortReason::Cancelled),
        (BridgeCode::SessionGone, AbortReason::LostConnection),
    ];
    for (code, reason) in cases {
        let mut world = World::running(false);
        world.wait(15_000.0);
        world.answer_all(&refused(code));
        assert_eq!(world.aborts.get(&execution(1)), Some(&reason), "{}", code.as_str());
    }
    let mut world = World::running(false);
    world.wait(15_000.0);
    world.answer_all(&done(r#"{"cancelRequested":true}"#));
    assert_eq!(world.aborts[&execution(1)], AbortReason::Cancelled);
}

#[test]
fn the_deadline_of_the_claim_wins_and_aborts() {
    let mut world = World::ready();
    world.invoke_with(1, 1, "op", 1_000.0);
    world.answer_all(&claimed(false, 5_000.0));
    world.wait(4_999.0);
    assert!(world.aborts.is_empty());
    world.wait(1.0);
    assert_eq!(world.aborts[&execution(1)], AbortReason::TimedOut);
    world.settle(1, returned());
    let report = &world.completes()[0];
    assert_eq!(
        (report.state, report.reason),
        (TerminalState::Cancelled, Some(AbortReason::TimedOut)),
        "although it returned"
    );
    assert!(report.result.is_none());
}

#[test]
fn a_thrown_error_is_a_code_and_nothing_else() {
    let mut world = World::running(false);
    world.settle(1, Outcome::Failed(ExecutionCode::InvalidOutput));
    let report = &world.completes()[0];
    assert_eq!((report.state, report.code.as_deref()), (TerminalState::Failed, Some("invalid_output")));
}

#[test]
fn a_new_revision_aborts_and_the_stop_is_confirmed_under_the_old_one() {
    let mut world = World::running(false);
    world.give(Input::SetState(snapshot("next")));
    world.answer_all(&known(2));
    assert_eq!(world.aborts[&execution(1)], AbortReason::PageChanged);
    world.settle(1, returned());
    let report = &world.completes()[0];
    assert_eq!((report.revision, report.reason, report.stopped), (revision(1), Some(AbortReason::PageChanged), true));
}

#[test]
fn a_report_is_tried_three_times_then_kept_and_sent_first_when_the_host_is_back() {
    let mut world = World::running(false);
    world.settle(1, returned());
    for _ in 0..3 {
        assert_eq!(world.calls(), ["complete"]);
        world.wait(10_000.0);
        world.wait(200.0);
    }
    assert_eq!((world.state(1), world.calls().len()), (RunState::Kept, 0));
    world.give(Input::StreamOpen);
    assert_eq!(world.completes()[0].state, TerminalState::Succeeded, "a lost reply makes no failure of a success");
    world.answer_all(&NO_ANSWER);
    assert_eq!(world.state(1), RunState::Kept);
    world.wait(120_000.0);
    world.give(Input::SetState(snapshot("alive")));
    world.answer_all(&known(1));
    let report = &world.completes()[0];
    assert_eq!(
        (report.state, report.reason),
        (TerminalState::Cancelled, Some(AbortReason::TimedOut)),
        "past its deadline"
    );
    assert!(report.result.is_none() && report.stopped);
    world.answer_all(&refused(BridgeCode::ExecutionEnded));
    assert_eq!(world.state(1), RunState::Ended, "any answer ends it");
}

#[test]
fn eight_reports_are_kept_and_the_oldest_goes() {
    let mut world = World::ready();
    for number in 1..=9 {
        world.invoke(number, 1);
        world.answer_all(&claimed(false, 600_000.0));
        world.settle(number, returned());
        for _ in 0..3 {
            world.answer_all(&NO_ANSWER);
            world.wait(200.0);
        }
        world.answer_all(&NO_ANSWER);
    }
    assert_eq!(world.state(1), RunState::Ended);
    assert!((2..=9).all(|number| world.state(number) == RunState::Kept));
}

#[test]
fn a_lost_session_takes_its_reports_with_it() {
    let mut world = World::running(false);
    world.settle(1, returned());
    world.answer_all(&refused(BridgeCode::SessionGone));
    assert_eq!(world.state(1), RunState::Ended);
    world.give(Input::SessionOpened);
    world.give(Input::StreamOpen);
    assert_eq!(world.calls(), ["state"], "the state goes first, and alone");

    let mut world = World::running(false);
    world.wait(15_000.0);
    world.answer_all(&refused(BridgeCode::SessionGone));
    assert_eq!(world.state(1), RunState::Detached);
    world.give(Input::SessionOpened);
    world.give(Input::StreamOpen);
    world.answer_all(&known(5));
    world.event = 0;
    world.invoke(2, 5);
    assert_eq!(rejected(&world), Some(RejectCode::PageBusyUnknown), "the handler of an earlier session");
    world.answer_all(&done("null"));
    world.settle(1, returned());
    assert_eq!((world.state(1), world.calls().len()), (RunState::Ended, 0), "nobody wants its report");
}
