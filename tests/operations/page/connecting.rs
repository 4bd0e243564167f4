//! How a page reaches its host, and notices that it does not (Operations §4).

use super::world::World;
use pageport::operations::page::{Effect, Input, Link, Stopped};
use pageport::wire::bridge::{BridgeCode, ByeReason, Failure};

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
