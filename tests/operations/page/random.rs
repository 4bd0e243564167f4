//! What holds whatever happens, in whatever order.

use super::world::{NO_ANSWER, URL, World, claimed, execution, known, refused, returned, snapshot};
use pageport::operations::page::{Input, On, Outcome, PageCall, RunState};
use pageport::wire::bridge::{Answer, BridgeCode, ByeReason, Call, Failure, Reaction};
use pageport::wire::execution::ExecutionCode;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// One move: what, which one, and how much later.
pub(crate) type Move = (u8, u8, u16);

pub(crate) fn play(world: &mut World, (what, which, later): Move) {
    world.wait(f64::from(later));
    let number = which % 6 + 1;
    match what % 32 {
        0..=4 => drop(world.invoke_with(
            number,
            1 + which % 2,
            if which > 250 { "none" } else { "op" },
            f64::from(which) * 1_000.0,
        )),
        5 => drop(world.cancel(number)),
        6..=15 => answer(world, which),
        16..=18 => {
            let running = world.handlers.iter().next().copied();
            if let Some(id) = running {
                world.handlers.remove(&id);
                let outcome = if which.is_multiple_of(3) {
                    Outcome::Failed(ExecutionCode::PageExecutionFailed)
                } else {
                    returned()
                };
                world.give(Input::HandlerSettled { execution_id: id, outcome });
            }
        }
        19 => drop(world.give(Input::SetState(snapshot(["", "b"][usize::from(which % 2)])))),
        20 => drop(
            world.give(Input::Progress { execution_id: execution(number), progress: Some(f64::from(which % 100)) }),
        ),
        21 => {
            let url = [URL, "https://shop.example.com/b"][usize::from(which % 2)];
            world.give(Input::Navigated { url: url.into(), title: "B".into() });
        }
        22 => drop(world.give(Input::Hidden)),
        23 => drop(world.give(Input::Leave { persisted: which % 4 > 0 })),
        24 => drop(world.give(Input::Shown)),
        25 => drop(world.give(Input::StreamLost { jitter: 0.5 })),
        26 => drop(world.give(Input::StreamOpen)),
        27 => drop(world.give(Input::SessionOpened)),
        28 => {
            let running = world.handlers.iter().next().copied();
            if let Some(execution_id) = running {
                world.give(Input::Reload { execution_id, can_store: which % 4 > 0 });
            }
        }
        29 => {
            let running = world.handlers.iter().next().copied().unwrap_or(execution(number));
            world.give(Input::ReloadStayed(running));
        }
        30 if which == 0 => drop(world.give(Input::Bye(ByeReason::Removed))),
        _ => drop(world.give(if which.is_multiple_of(2) { Input::Wake } else { Input::Handle("op".into()) })),
    }
}

fn answer(world: &mut World, which: u8) {
    let Some((ticket, call)) = world.posts.iter().nth(usize::from(which) % world.posts.len().max(1)) else { return };
    let good = match call {
        PageCall::Call(Call::State(_)) => known(1 + which % 3 / 2),
        PageCall::Call(Call::Claim(_)) => claimed(which.is_multiple_of(2), f64::from(which) * 500.0),
        PageCall::Call(Call::Heartbeat(_)) => super::world::done(if which.is_multiple_of(16) {
            r#"{"cancelRequested":true}"#
        } else {
            r#"{"cancelRequested":false}"#
        }),
        PageCall::Reload(_) => super::world::done(r#"{"ticket":"t","ttlMs":60000}"#),
        _ => super::world::done("null"),
    };
    let ticket = *ticket;
    let answer = match which % 17 {
        0 | 1 => NO_ANSWER,
        2 => refused(BridgeCode::RateLimited),
        3 => refused(BridgeCode::StaleRevision),
        4 => refused(BridgeCode::ExecutionEnded),
        5 if which > 200 => refused(BridgeCode::SessionGone),
        6 if which > 250 => Answer::Failed(Failure { reaction: Reaction::Stop, ..Failure::NO_ANSWER }),
        _ => good,
    };
    world.answer(ticket, answer);
}

/// Lets everything come to its end: handlers settle, the host is there and answers.
fn finish(world: &mut World) {
    world.give(Input::Shown);
    world.give(Input::SessionOpened);
    world.give(Input::StreamOpen);
    for _ in 0..40 {
        for id in world.handlers.clone() {
            world.handlers.remove(&id);
            world.give(Input::HandlerSettled { execution_id: id, outcome: returned() });
            world.give(Input::ReloadStayed(id));
        }
        let tickets: Vec<_> = world.posts.keys().copied().collect();
        for ticket in tickets {
            let answer = match world.posts.get(&ticket) {
                Some(PageCall::Call(Call::State(_))) => known(9),
                Some(_) => super::world::done("null"),
                None => continue,
            };
            world.answer(ticket, answer);
        }
        world.wait(2_000.0);
        world.give(Input::StreamOpen);
    }
}

fn check_end(world: &World) {
    for number in 1..=6 {
        let state = world.state(number);
        assert!(matches!(state, RunState::Ended | RunState::Unknown), "{number}: {state:?}");
    }
    assert!(world.posts.is_empty(), "{:?}", world.calls());
    assert!(world.pending.is_empty(), "a promise that never settles");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn everything_settles_once_and_one_at_a_time(moves in prop::collection::vec((any::<u8>(), any::<u8>(), prop_oneof![Just(0), 0..400_u16, 0..20_000_u16]), 0..80)) {
        let mut world = World::ready();
        for step in moves {
            play(&mut world, step);
        }
        finish(&mut world);
        check_end(&world);
    }
}

/// The transitions that long random lives show.
pub(crate) fn observed() -> BTreeSet<(RunState, On, RunState)> {
    let mut seen = BTreeSet::new();
    let mut random = 1_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    for _ in 0..1_500 {
        let mut world = World::ready();
        for _ in 0..60 {
            let later = match next() % 4 {
                0 => 0,
                1 => next() % 20_000,
                _ => next() % 300,
            };
            play(&mut world, (next().to_le_bytes()[2], next().to_le_bytes()[3], u16::try_from(later).expect("small")));
        }
        seen.append(&mut world.transitions);
        finish(&mut world);
        check_end(&world);
        seen.append(&mut world.transitions);
    }
    seen
}
