//! Random sequences: what must hold whatever happens in whatever order.

use crate::engine::{ATTEMPT, REVISION, START, execution};
use pageport::wire::bridge::{ExecutionId, PageSessionId, Revision};
use pageport_host::execution::limits::{QUEUE_MS, RUNNING, RUNNING_PAGE, RUNNING_PLUGIN};
use pageport_host::execution::{Certainty, EndCode, Engine, Execution, Happening, Millis, Phase, Report, State};
use proptest::prelude::*;
use std::collections::HashMap;

const PAGES: u8 = 12;
const IDS: u8 = 40;

#[derive(Clone, Debug)]
enum Step {
    Submit(u8, u8),
    Claim(u8),
    Reject(u8, Happening),
    Beat(u8),
    Complete(u8, Happening, bool, bool),
    Cancel(u8),
    Navigate(u8),
    Close(u8),
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let id = || 0..IDS;
    let reject =
        prop_oneof![Just(Happening::RejectNoHandler), Just(Happening::RejectStale), Just(Happening::RejectBusy)];
    let report = prop_oneof![
        Just(Happening::Succeeded),
        Just(Happening::PageFailed),
        Just(Happening::InvalidOutput),
        Just(Happening::PageCancelled),
        Just(Happening::PageAborted),
        Just(Happening::PageTimedOut),
    ];
    prop_oneof![
        6 => (id(), 0..PAGES).prop_map(|(id, page)| Step::Submit(id, page)),
        6 => id().prop_map(Step::Claim),
        1 => (id(), reject).prop_map(|(id, on)| Step::Reject(id, on)),
        2 => id().prop_map(Step::Beat),
        4 => (id(), report, any::<bool>(), any::<bool>()).prop_map(|(id, on, stopped, started)| Step::Complete(id, on, stopped, started)),
        2 => id().prop_map(Step::Cancel),
        1 => (0..PAGES).prop_map(Step::Navigate),
        1 => (0..PAGES).prop_map(Step::Close),
        2 => (0_u64..40_000).prop_map(Step::Wait),
    ]
}

fn execution_id(byte: u8) -> ExecutionId {
    ExecutionId::from_bytes([byte; 16])
}

fn page_id(byte: u8) -> PageSessionId {
    PageSessionId::from_bytes([100 + byte; 16])
}

/// Performs a step as the host does: what is due first, the queue last.
fn perform(engine: &mut Engine, step: &Step, now: &mut Millis) {
    engine.tick(*now);
    let page = |engine: &Engine, id| engine.get(execution_id(id)).map_or(page_id(0), |it| it.page);
    // Every refusal is fine here; what it must not do is checked by the caller.
    match *step {
        Step::Submit(id, to) => {
            if engine.get(execution_id(id)).is_none() {
                let plugin = format!("plugin{}", to % 5);
                let _ = engine.admit(execution(execution_id(id), &plugin, page_id(to), id % 2 == 0, *now));
            }
        }
        Step::Claim(id) => drop(engine.claim(execution_id(id), page(engine, id), REVISION, ATTEMPT, *now)),
        Step::Reject(id, on) => drop(engine.reject(execution_id(id), page(engine, id), REVISION, on, *now)),
        Step::Beat(id) => drop(engine.heartbeat(execution_id(id), page(engine, id), REVISION, None, *now)),
        Step::Complete(id, on, stopped, started) => {
            let report = Report { on, stopped, started, outcome: None };
            let _ = engine.complete(execution_id(id), page(engine, id), REVISION, report, *now);
        }
        Step::Cancel(id) => drop(engine.cancel(execution_id(id), *now)),
        Step::Navigate(page) => engine.page_changed(page_id(page), Some(Revision::from_bytes([9; 16])), *now),
        Step::Close(page) => engine.page_gone(page_id(page), Happening::PageLost, *now),
        Step::Wait(ms) => *now = now.after(ms),
    }
    engine.tick(*now);
    engine.dispatch(*now, |_| true);
}

fn check_slots(engine: &Engine) {
    let running: Vec<&Execution> = engine.active().filter(|it| it.is_running()).collect();
    let mut plugins: HashMap<&str, usize> = HashMap::new();
    let mut pages: HashMap<PageSessionId, usize> = HashMap::new();
    for it in &running {
        *plugins.entry(&it.plugin).or_default() += 1;
        *pages.entry(it.page).or_default() += 1;
    }
    assert!(running.len() <= RUNNING);
    assert!(plugins.values().all(|count| *count <= RUNNING_PLUGIN));
    assert!(pages.values().all(|count| *count <= RUNNING_PAGE));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn ends_are_final_slots_are_bounded_and_everything_ends(steps in prop::collection::vec(step(), 1..250)) {
        let mut engine = Engine::default();
        let mut now = START;
        let mut ends: HashMap<ExecutionId, (State, Option<EndCode>)> = HashMap::new();
        for step in &steps {
            perform(&mut engine, step, &mut now);
            check_slots(&engine);
            for id in (0..IDS).map(execution_id) {
                let Some(it) = engine.get(id) else { continue };
                prop_assert_eq!(it.phase == Phase::Ended, it.state.is_terminal());
                prop_assert!(it.state != State::Succeeded || it.certainty == Certainty::Confirmed, "a success is certain");
                prop_assert!(it.accepted.is_some() || it.certainty == Certainty::NotStarted, "what was not claimed");
                prop_assert!(!it.is_held || it.accepted.is_some(), "only what was claimed holds its page");
                if let Some(end) = ends.get(&id) {
                    prop_assert_eq!(*end, (it.state, it.code), "an end changed");
                } else if it.state.is_terminal() {
                    ends.insert(id, (it.state, it.code));
                }
            }
        }
        // Nobody reports anything any more.
        for _ in 0..400 {
            now = now.after(QUEUE_MS / 8);
            engine.tick(now);
            engine.dispatch(now, |_| true);
            check_slots(&engine);
        }
        prop_assert!(engine.active().all(|it| it.state.is_terminal()), "something never ended");
        for page in 0..PAGES {
            engine.page_gone(page_id(page), Happening::PageLost, now);
        }
        prop_assert_eq!(engine.active_count(), 0, "something is held by no page");
    }
}
