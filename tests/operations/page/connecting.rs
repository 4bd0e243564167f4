//! How a page reaches its host, and notices that it does not (Operations §4).

use super::world::{World, refused, snapshot};
use pageport::operations::page::{Effect, Input, Link, RunState, Stopped};
use pageport::wire::Json;
use pageport::wire::bridge::{Answer, BridgeCode, ByeReason, Failure, read_answer};

fn opens(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::OpenSession | Effect::OpenStream { .. })).count()
}

#[test]
fn a_connection_says_how_it_stands() {
    let mut world = World::new();
    assert_eq!(world.page.link(), Link::Connecting);
    world.give(Input::Connect);
    world.give(Input::SessionOpened);
    assert_eq!(world.page.link(), Link::Connecting, "a session without a stream is none yet");
    world.give(Input::StreamOpen);
    assert_eq!(world.page.link(), Link::Open);
    world.give(Input::StreamLost { jitter: 0.0 });
    assert_eq!(world.page.link(), Link::Reconnecting);
    world.give(Input::StreamOpen);
    let effects = world.give(Input::Bye(ByeReason::Removed));
    assert!(effects.contains(&Effect::Stop(Stopped::Bye(ByeReason::Removed))));
    assert_eq!(world.page.link(), Link::Stopped);
}

#[test]
fn a_host_that_does_not_answer_is_asked_again() {
    let mut world = World::new();
    assert_eq!(opens(&world.give(Input::Connect)), 1);
    world.wait(9_999.0);
    assert_eq!(world.armed, Some(10_000.0));
    world.wait(1.0);
    // Half a second later.
    assert_eq!(world.armed, Some(10_500.0));
    world.now = 10_500.0;
    assert_eq!(opens(&world.give(Input::Tick)), 1);
    world.give(Input::SessionOpened);
    assert_eq!(world.calls(), Vec::<&str>::new(), "no state was set");
}

#[test]
fn a_stream_that_is_silent_for_45_seconds_is_opened_again_after_its_last_event() {
    let mut world = World::ready();
    world.give(Input::Event { number: 7 });
    world.wait(44_000.0);
    world.give(Input::Heard);
    world.wait(44_999.0);
    assert_eq!(world.page.link(), Link::Open, "a comment is a sign of life");
    world.wait(1.0);
    assert_eq!(world.page.link(), Link::Reconnecting);
    world.now += 500.0;
    assert!(world.give(Input::Tick).contains(&Effect::OpenStream { after: Some(7) }));
    world.give(Input::Heard);
    world.wait(45_000.0);
    assert_eq!(world.page.link(), Link::Reconnecting, "a stream that never opened is silent too");
}

#[test]
fn a_refused_stream_ends_the_session_or_the_connection() {
    for (code, expected) in [
        (BridgeCode::SessionGone, Link::Reconnecting),
        (BridgeCode::PluginChanged, Link::Stopped),
        (BridgeCode::RateLimited, Link::Reconnecting),
    ] {
        let mut world = World::ready();
        let effects = world.give(Input::StreamRefused { failure: Failure::refused(code), jitter: 0.5 });
        assert_eq!(world.page.link(), expected, "{code:?}");
        assert_eq!(effects.contains(&Effect::OpenSession), code == BridgeCode::SessionGone, "{code:?}");
    }
}

#[test]
fn a_message_is_delivered_once() {
    let mut world = World::ready();
    assert!(world.give(Input::Event { number: 3 }).contains(&Effect::Deliver));
    for number in [3, 2] {
        assert!(!world.give(Input::Event { number }).contains(&Effect::Deliver), "{number}");
    }
}

/// How often a session or a stream was asked for within two minutes in which each one ends as `end` says.
fn attempts(world: &mut World, end: impl Fn(&mut World, &Effect)) -> usize {
    let mut count = 0;
    let until = world.now + 120_000.0;
    let mut effects = world.give(Input::StreamLost { jitter: 1.0 });
    while world.now < until && count < 1_000 {
        for effect in std::mem::take(&mut effects) {
            if matches!(effect, Effect::OpenSession | Effect::OpenStream { .. }) {
                count += 1;
                end(world, &effect);
            }
        }
        world.now = world.armed.unwrap_or(until).min(until);
        effects = world.give(Input::Tick);
    }
    count
}

#[test]
fn a_stream_that_opens_and_ends_at_once_is_no_reason_to_hurry() {
    let count = attempts(&mut World::ready(), |world, _| {
        world.give(Input::StreamOpen);
        world.give(Input::Heard);
        world.give(Input::StreamLost { jitter: 1.0 });
    });
    assert!((5..=12).contains(&count), "{count}");
}

#[test]
fn a_session_that_is_gone_at_once_is_no_reason_to_hurry() {
    let mut world = World::ready();
    let mut opened = 0;
    let until = 120_000.0;
    while world.now < until && opened < 1_000 {
        opened += 1;
        world.give(Input::SessionOpened);
        world.give(Input::StreamOpen);
        world.give(Input::SetState(snapshot("")));
        let gone = refused(BridgeCode::SessionGone);
        let asks = world.posts.keys().copied().collect::<Vec<_>>();
        let mut again = asks.into_iter().flat_map(|ticket| world.answer(ticket, gone.clone())).collect::<Vec<_>>();
        while opens(&again) == 0 && world.now < until {
            world.now = world.armed.unwrap_or(until).min(until);
            again = world.give(Input::Tick);
        }
    }
    assert!((5..=12).contains(&opened), "{opened}");
}

#[test]
fn a_stream_that_was_steady_is_opened_again_soon() {
    let mut world = World::ready();
    for _ in 0..6 {
        world.give(Input::StreamLost { jitter: 1.0 });
    }
    world.give(Input::StreamOpen);
    world.wait(5_000.0);
    world.give(Input::StreamLost { jitter: 1.0 });
    assert_eq!(world.armed, Some(world.now + 500.0));
}

#[test]
fn a_pause_is_one_whatever_the_random_number_is() {
    for (jitter, pause) in [(0.0, 200.0), (-1.0, 200.0), (f64::NAN, 500.0), (2.0, 500.0)] {
        let mut world = World::ready();
        world.give(Input::StreamLost { jitter });
        assert_eq!(world.armed, Some(pause), "{jitter}");
    }
}

#[test]
fn a_storm_of_signs_that_the_network_is_back_asks_twice_a_second() {
    let mut world = World::ready();
    let mut asked = 0;
    world.give(Input::StreamLost { jitter: 1.0 });
    for _ in 0..1_000 {
        world.now += 10.0;
        if opens(&world.give(Input::Wake)) > 0 {
            asked += 1;
            world.give(Input::StreamLost { jitter: 1.0 });
        }
    }
    assert_eq!(asked, 20);
}

#[test]
fn a_host_that_asks_for_years_of_patience_gets_a_minute() {
    let patient = |code| Failure { retry_after_ms: Some(1e12), ..Failure::refused(code) };
    let body = r#"{"ok":false,"error":{"code":"storage_unavailable","message":"m","retryAfterMs":1e12}}"#;
    let read = read_answer(503, Json::parse(body).ok().as_ref());
    let expected = Failure { retry_after_ms: Some(60_000.0), ..patient(BridgeCode::StorageUnavailable) };
    assert_eq!(read, Answer::Failed(expected));
    // A claim does not outlive its window, whatever the host asks for.
    let mut world = World::ready();
    world.invoke(1, 1);
    world.answer_all(&Answer::Failed(patient(BridgeCode::RateLimited)));
    world.wait(30_000.0);
    assert_eq!(world.state(1), RunState::Reporting);
    world = World::ready();
    world.invoke(1, 9);
    world.answer_all(&Answer::Failed(patient(BridgeCode::RateLimited)));
    world.wait(30_000.0);
    assert_eq!(world.state(1), RunState::Ended);
}

#[test]
fn a_hidden_page_whose_timers_sleep_beats_with_what_its_stream_hears() {
    let mut world = World::running(false);
    for _ in 0..7 {
        world.now += 15_000.0;
        world.give(Input::Heard);
        world.answer_all(&Answer::Done(Json::Null));
    }
    let times: Vec<f64> = world.beats.iter().map(|(at, _)| *at).collect();
    assert_eq!(times, (1..=7).map(|beat| f64::from(beat) * 15_000.0).collect::<Vec<_>>());
}
