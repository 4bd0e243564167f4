//! The table of transitions is complete, and nothing in it is idle talk.

use super::random;
use super::world::{Change, NO_ANSWER, World, claimed, done, execution, refused, returned};
use pageport::operations::page::{Input, On, RunState, TRANSITIONS};
use pageport::wire::bridge::BridgeCode;
use std::collections::BTreeSet;

/// Ways that random lives rarely take.
fn rare() -> BTreeSet<(RunState, On, RunState)> {
    let mut seen = BTreeSet::new();
    let ticket = || done(r#"{"ticket":"t","ttlMs":60000}"#);
    let ends: [Change; 9] = [
        |world| drop(world.cancel(1)),
        |world| drop(world.give(Input::Hidden)),
        |world| drop(world.give(Input::ReloadStayed(execution(1)))),
        |world| world.wait(30_000.0),
        |world| {
            world.give(Input::Hidden);
            world.give(Input::Leave { persisted: true });
        },
        |world| {
            world.give(Input::Hidden);
            world.give(Input::ReloadStayed(execution(1)));
        },
        |world| {
            world.give(Input::Hidden);
            world.wait(30_000.0);
        },
        |world| drop(world.give(Input::Bye(pageport::wire::bridge::ByeReason::Removed))),
        |world| {
            world.cancel(1);
            world.give(Input::ReloadStayed(execution(1)));
        },
    ];
    let answers = [ticket(), refused(BridgeCode::ReloadPending), NO_ANSWER];
    for end in ends {
        for has_settled in [false, true] {
            for answer in &answers {
                for first in [false, true] {
                    let mut world = World::running(true);
                    world.give(Input::Reload { execution_id: execution(1), can_store: true });
                    if has_settled {
                        world.settle(1, returned());
                    }
                    if first {
                        world.answer_all(answer);
                    }
                    end(&mut world);
                    world.answer_all(answer);
                    world.wait(60_000.0);
                    seen.append(&mut world.transitions);
                }
            }
        }
    }
    // A claim that is cancelled, or whose page changes, between two attempts.
    for change in 0..3 {
        let mut world = World::ready();
        world.invoke(1, 1);
        world.answer_all(&NO_ANSWER);
        match change {
            0 => drop(world.cancel(1)),
            1 => drop(world.give(Input::Hidden)),
            _ => drop(world.give(Input::Navigated { url: "https://shop.example.com/b".into(), title: "B".into() })),
        }
        world.wait(1_000.0);
        world.answer_all(&claimed(false, 1_000.0));
        world.give(Input::Leave { persisted: true });
        seen.append(&mut world.transitions);
    }
    seen
}

#[test]
fn every_transition_is_visited_and_no_other_happens() {
    let table: BTreeSet<_> = TRANSITIONS.iter().map(|row| (row.from, row.on, row.to)).collect();
    assert_eq!(table.len(), TRANSITIONS.len(), "a row stands there twice");
    let mut seen = random::observed();
    seen.append(&mut rare());
    let illegal: Vec<_> = seen.difference(&table).collect();
    assert!(illegal.is_empty(), "not in the table: {illegal:?}");
    let idle: Vec<_> = table.difference(&seen).collect();
    assert!(idle.is_empty(), "never seen: {idle:?}");
}
