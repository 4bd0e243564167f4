//! The page is hidden, left, and back again; states; acknowledgements; the one reload (Operations §1, §3–§5).

use super::world::{Change, NO_ANSWER, World, claimed, done, execution, known, refused, returned, snapshot};
use pageport::operations::page::{Effect, Input, RunState, Snapshot, StateFailure, StoredTicket};
use pageport::wire::bridge::{AbortReason, Answer, BridgeCode, ByeReason, Failure, TerminalState};

fn has(effects: &[Effect], expected: &Effect) -> bool {
    effects.contains(expected)
}

#[test]
fn handlers_that_stop_in_time_are_told_as_stopped_and_the_others_not() {
    for (settles, stopped) in [(true, true), (false, false)] {
        let mut world = World::running(false);
        world.give(Input::Hidden);
        assert_eq!(world.aborts[&execution(1)], AbortReason::PageHidden);
        if settles {
            world.settle(1, returned());
        }
        world.give(Input::Leave { persisted: true });
        let (reports, close) = &world.beacons[0];
        assert!(!close);
        assert_eq!((reports[0].state, reports[0].reason), (TerminalState::Cancelled, Some(AbortReason::PageHidden)));
        assert_eq!(reports[0].stopped, stopped);
        assert!(!has(&world.give(Input::Leave { persisted: true }), &Effect::CloseStream), "once per absence");
    }
}

#[test]
fn a_page_with_nothing_to_say_sends_a_beacon_only_when_it_goes_for_good() {
    for persisted in [true, false] {
        let mut world = World::ready();
        world.give(Input::Hidden);
        world.give(Input::Leave { persisted });
        assert_eq!(world.beacons.len(), usize::from(!persisted));
    }
}

#[test]
fn a_page_that_is_back_goes_on_after_the_last_event_and_stays_busy_until_its_handler_settles() {
    let mut world = World::running(false);
    world.give(Input::Hidden);
    world.give(Input::Leave { persisted: true });
    let effects = world.give(Input::Shown);
    assert!(has(&effects, &Effect::OpenStream { after: Some(1) }));
    assert_eq!(world.calls(), ["state"], "the last state again");
    world.answer_all(&known(1));
    world.invoke(2, 1);
    assert_eq!(world.state(2), RunState::Rejecting, "busy");
    world.answer_all(&done("null"));
    world.settle(1, returned());
    let report = &world.completes()[0];
    assert_eq!((report.reason, report.stopped), (Some(AbortReason::PageHidden), true));
    assert_eq!(world.starts.len(), 1, "nothing runs again");
}

#[test]
fn an_unclaimed_execution_is_told_as_not_started() {
    let mut world = World::ready();
    world.invoke(1, 1);
    world.give(Input::Hidden);
    world.give(Input::Leave { persisted: false });
    let (reports, close) = &world.beacons[0];
    assert!(close);
    assert_eq!(
        (reports[0].state, reports[0].started, reports[0].stopped),
        (TerminalState::Cancelled, Some(false), true)
    );
}

#[test]
fn a_state_of_another_url_is_a_navigation_that_was_not_noticed_yet() {
    let mut world = World::running(false);
    world.give(Input::SetState(Snapshot { page_url: "https://a.example/next".into(), ..snapshot("") }));
    assert_eq!(world.aborts[&execution(1)], AbortReason::PageChanged);
    world.answer_all(&known(2));
    let url = Box::from("https://a.example/next");
    world.give(Input::Navigated { url, title: "next".into() });
    assert_eq!(world.calls(), Vec::<&str>::new(), "the page is ready at that URL, and stays so");
}

#[test]
fn the_same_state_is_one_promise_and_another_one_takes_its_place() {
    let mut world = World::ready();
    let first = world.give(Input::SetState(snapshot("a")));
    let same = world.give(Input::SetState(snapshot("a")));
    let promise = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::StatePromise { seq } => Some(*seq),
            _ => None,
        })
    };
    assert_eq!(promise(&first), promise(&same));
    assert_eq!(world.calls(), ["state"]);
    let seq = promise(&first).expect("a promise");
    let other = world.give(Input::SetState(snapshot("b")));
    assert!(has(&other, &Effect::StateSettled { seq, outcome: Err(StateFailure::Superseded) }));
    assert_eq!(promise(&other), Some(seq + 1));
    assert_eq!(world.calls(), ["state"], "one at a time");
}

#[test]
fn a_state_is_tried_three_times_200_milliseconds_apart() {
    let mut world = World::ready();
    world.give(Input::SetState(snapshot("a")));
    for attempt in 1..=3 {
        assert_eq!(world.calls(), ["state"], "{attempt}");
        world.wait(5_000.0);
        assert!(world.posts.is_empty(), "{attempt}: five seconds are over");
        world.wait(200.0);
    }
    assert!(world.pending.is_empty() && world.posts.is_empty(), "given up");
    world.wait(600_000.0);
    assert!(world.posts.is_empty(), "nothing is tried in the background");
    assert_eq!(world.page.revision(), None);

    for (answer, tries) in [(refused(BridgeCode::TooLarge), 1), (refused(BridgeCode::RateLimited), 3), (NO_ANSWER, 3)] {
        let mut world = World::ready();
        world.give(Input::SetState(snapshot("a")));
        let mut count = 0;
        while !world.posts.is_empty() {
            count += 1;
            world.answer_all(&answer);
            world.wait(200.0);
        }
        assert_eq!(count, tries, "{answer:?}");
    }
}

#[test]
fn another_url_aborts_and_is_told_at_once_as_not_ready() {
    let mut world = World::running(false);
    world.give(Input::Navigated { url: "https://shop.example.com/b".into(), title: "B".into() });
    assert_eq!(world.aborts[&execution(1)], AbortReason::PageChanged);
    let states: Vec<_> = world.posts.values().collect();
    let text = format!("{states:?}");
    assert!(text.contains("https://shop.example.com/b") && text.contains("ready: false"), "{text}");
}

#[test]
fn a_state_before_the_connection_waits_for_it_and_not_for_ever() {
    let mut world = World::new();
    world.give(Input::SetState(snapshot("a")));
    world.wait(16_399.0);
    assert_eq!(world.pending.len(), 1);
    world.wait(1.0);
    assert!(world.pending.is_empty());
    world.give(Input::Connect);
    world.give(Input::SessionOpened);
    assert_eq!(world.calls(), ["state"], "the last one, once there is a session");
}

#[test]
fn events_are_acknowledged_after_five_seconds_or_sixteen_of_them() {
    let mut world = World::ready();
    for number in 1..=15 {
        world.give(Input::Event { number });
    }
    world.wait(4_999.0);
    assert!(world.posts.is_empty());
    world.wait(1.0);
    assert_eq!(world.calls(), ["ack"]);
    world.answer_all(&NO_ANSWER);
    world.wait(5_000.0);
    assert_eq!(world.calls(), ["ack"], "it did not arrive");
    world.answer_all(&done("null"));
    for number in 16..=31 {
        assert!(world.posts.is_empty());
        world.give(Input::Event { number });
    }
    assert_eq!(world.calls(), ["ack"], "sixteen");
    world.answer_all(&done("null"));
    world.give(Input::Event { number: 32 });
    world.give(Input::SetState(snapshot("b")));
    let text = format!("{:?}", world.posts.values().next());
    assert!(text.contains("ack: Some(32)"), "with what is sent anyway: {text}");
    world.answer_all(&known(2));
    world.wait(60_000.0);
    assert!(world.posts.is_empty());
}

#[test]
fn a_stream_is_opened_again_after_a_growing_pause() {
    let mut world = World::ready();
    for (pause, jitter) in [(500.0, 1.0), (1_000.0, 1.0), (1_000.0, 0.5), (4_000.0, 1.0)] {
        world.give(Input::StreamLost { jitter });
        assert_eq!(world.armed, Some(world.now + pause));
        world.wait(pause);
    }
    for _ in 0..10 {
        world.give(Input::StreamLost { jitter: 1.0 });
    }
    assert_eq!(world.armed, Some(world.now + 30_000.0));
    world.wait(500.0);
    assert!(has(&world.give(Input::Wake), &Effect::OpenStream { after: None }));
}

#[test]
fn a_stream_whose_session_is_gone_opens_a_new_one() {
    let mut world = World::running(false);
    let failure = Failure::refused(BridgeCode::SessionGone);
    let effects = world.give(Input::StreamRefused { failure, jitter: 1.0 });
    assert!(has(&effects, &Effect::OpenSession));
    assert_eq!(world.aborts[&execution(1)], AbortReason::LostConnection);
    world.give(Input::StreamRefused { failure, jitter: 1.0 });
    world.give(Input::SessionOpened);
    world.give(Input::SetState(snapshot("")));
    world.answer_all(&refused(BridgeCode::SessionGone));
    assert_eq!(world.armed, Some(world.now + 1_000.0), "not at once a second time");
    let failure = Failure::refused(BridgeCode::RateLimited);
    let effects = World::ready().give(Input::StreamRefused { failure, jitter: 1.0 });
    assert!(has(&effects, &Effect::Arm(Some(500.0))), "{effects:?}");
}

#[test]
fn a_refusal_or_a_goodbye_stops_for_good() {
    let stops: [Change; 3] = [
        |world| drop(world.give(Input::Bye(ByeReason::Replaced))),
        |world| {
            world.give(Input::SetState(snapshot("b")));
            world.answer_all(&refused(BridgeCode::PluginChanged));
        },
        |world| {
            world.wait(15_000.0);
            world.answer_all(&refused(BridgeCode::CredentialRefused));
        },
    ];
    for stop in stops {
        let mut world = World::running(false);
        stop(&mut world);
        assert_eq!(world.aborts[&execution(1)], AbortReason::LostConnection);
        world.give(Input::Wake);
        world.give(Input::SetState(snapshot("c")));
        assert!(world.posts.is_empty() && world.pending.is_empty());
    }
    let mut world = World::running(false);
    world.give(Input::Bye(ByeReason::Stopping));
    assert!(world.aborts.is_empty(), "it may come back");
    world = World::new();
    world.give(Input::Connect);
    let refusal = Failure::refused(BridgeCode::OriginRefused);
    let effects = world.give(Input::OpenFailed { failure: refusal, jitter: 1.0 });
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Stop(_))));
}

fn ticket() -> Answer {
    done(r#"{"ticket":"secret","ttlMs":60000}"#)
}

#[test]
fn a_reload_says_nothing_more_and_leaves_for_good() {
    let mut world = World::running(true);
    world.wait(15_000.0);
    world.give(Input::Reload { execution_id: execution(1), can_store: true });
    assert_eq!(world.calls(), ["reload"], "the heartbeat under way is forgotten");
    let post = *world.posts.keys().next().expect("one");
    let effects = world.answer(post, ticket());
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::StoreAndReload(stored) if &*stored.ticket == "secret"))
    );
    world.settle(1, returned());
    world.wait(20_000.0);
    assert!(world.posts.is_empty(), "no heartbeat, and what the handler returned is dropped");
    world.give(Input::Hidden);
    world.give(Input::Leave { persisted: false });
    assert_eq!(world.beacons, [(vec![], true)]);
}

#[test]
fn a_reload_that_fails_fails_the_execution() {
    let fails: [(&str, Change); 4] = [
        ("refused", |world| world.answer_all(&refused(BridgeCode::ReloadPending))),
        ("no answer", |world| world.wait(5_000.0)),
        ("stayed", |world| {
            world.answer_all(&ticket());
            world.give(Input::ReloadStayed(execution(1)));
        }),
        ("30 seconds", |world| {
            world.answer_all(&ticket());
            world.wait(30_000.0);
        }),
    ];
    for (case, fail) in fails {
        let mut world = World::running(true);
        world.give(Input::Reload { execution_id: execution(1), can_store: true });
        fail(&mut world);
        assert_eq!(world.calls(), ["reload-abort"], "{case}");
        world.settle(1, returned());
        let report = &world.completes()[0];
        assert_eq!((report.state, report.code.as_deref()), (TerminalState::Failed, Some("reload_failed")), "{case}");
    }
    let refusals: [(&str, bool, bool); 2] = [("not allowed", false, true), ("no storage", true, false)];
    for (case, allowed, can_store) in refusals {
        let mut world = World::running(allowed);
        let effects = world.give(Input::Reload { execution_id: execution(1), can_store });
        assert!(has(&effects, &Effect::ReloadFailed(execution(1))), "{case}");
        assert!(world.posts.is_empty(), "{case}: the host is not asked");
    }
    let mut world = World::running(true);
    world.give(Input::Reload { execution_id: execution(1), can_store: true });
    let second = world.give(Input::Reload { execution_id: execution(1), can_store: true });
    assert!(has(&second, &Effect::ReloadRefused(execution(1))), "a second time");
    assert_eq!(world.state(1), RunState::Reloading, "the first goes on");
}

#[test]
fn a_page_that_is_hidden_without_reloading_reports_a_running_handler_as_not_stopped() {
    let mut world = World::running(true);
    world.give(Input::Reload { execution_id: execution(1), can_store: true });
    world.answer_all(&ticket());
    world.give(Input::Hidden);
    assert!(world.aborts.is_empty(), "it looks like the reload");
    world.give(Input::ReloadStayed(execution(1)));
    assert_eq!(world.aborts[&execution(1)], AbortReason::PageHidden);
    world.give(Input::Leave { persisted: true });
    let report = &world.beacons[0].0[0];
    assert_eq!((report.state, report.stopped), (TerminalState::Cancelled, false));
}

#[test]
fn a_found_ticket_is_used_once_when_stream_state_and_handler_are_there() {
    let found = || StoredTicket {
        execution_id: execution(7),
        ticket: "t".into(),
        operation_id: "op".into(),
        expires_in_ms: 50_000.0,
    };
    let gates: [Change; 3] = [
        |world| drop(world.give(Input::Handle("op".into()))),
        |world| drop(world.give(Input::StreamOpen)),
        |world| {
            world.give(Input::SetState(snapshot("")));
            world.answer_all(&known(1));
        },
    ];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut world = World::new();
        world.give(Input::TicketFound(found()));
        world.give(Input::Connect);
        world.give(Input::SessionOpened);
        for (index, gate) in order.into_iter().enumerate() {
            assert!(!world.calls().contains(&"resume"), "{order:?} {index}");
            gates[gate](&mut world);
        }
        assert_eq!(world.calls(), ["resume"], "{order:?}");
        assert!(world.page.has_pending_reload(world.now));
        world.answer_all(&NO_ANSWER);
        assert!(!world.page.has_pending_reload(world.now), "never tried again");
        world.give(Input::Handle("op".into()));
        world.wait(60_000.0);
        assert!(!world.calls().contains(&"resume"));
    }
    let mut world = World::ready();
    world.give(Input::TicketFound(found()));
    world.answer_all(&done("null"));
    assert!(world.page.has_pending_reload(world.now));
    world.invoke(7, 1);
    assert!(!world.page.has_pending_reload(world.now), "its execution is here");
    world.answer_all(&claimed(true, 1_000.0));
    assert_eq!(world.state(7), RunState::Running);

    for expires_in_ms in [0.0, -1.0, 65_001.0, f64::NAN] {
        let mut world = World::ready();
        world.give(Input::TicketFound(StoredTicket { expires_in_ms, ..found() }));
        assert!(!world.page.has_pending_reload(world.now) && world.posts.is_empty(), "{expires_in_ms}");
    }
    let mut world = World::new();
    world.give(Input::TicketFound(found()));
    world.wait(49_999.0);
    assert!(world.page.has_pending_reload(world.now));
    world.wait(1.0);
    assert!(!world.page.has_pending_reload(world.now), "expired");
}
