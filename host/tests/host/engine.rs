//! An engine with one execution in any phase; what the tests of the pure parts share.

use pageport::wire::Json;
use pageport::wire::bridge::{AttemptId, ExecutionId, PageSessionId, Revision};
use pageport_host::execution::{Certainty, Engine, Execution, Happening, Millis, Phase, Report, Rules, Source, State};
use std::sync::Arc;

pub(crate) const PAGE: PageSessionId = PageSessionId::from_bytes([1; 16]);
pub(crate) const REVISION: Revision = Revision::from_bytes([2; 16]);
pub(crate) const ID: ExecutionId = ExecutionId::from_bytes([3; 16]);
pub(crate) const ATTEMPT: AttemptId = AttemptId::from_bytes([4; 16]);
pub(crate) const START: Millis = Millis(1_000_000);
pub(crate) const TIMEOUT_MS: u64 = 120_000;

/// An execution that is about to be admitted.
pub(crate) fn execution(
    id: ExecutionId,
    plugin: &str,
    page: PageSessionId,
    safe_retry: bool,
    now: Millis,
) -> Execution {
    Execution {
        id,
        plugin: plugin.into(),
        plugin_version: "1".into(),
        operation: "search".into(),
        page,
        revision: REVISION,
        source: Source::Automation,
        rules: Rules {
            timeout_ms: TIMEOUT_MS,
            cancellable: true,
            safe_retry,
            allow_reload: false,
            result_ms: u64::MAX,
        },
        input: Arc::new(Json::Null),
        cursor: String::new(),
        limit: 20,
        phase: Phase::Queued,
        state: State::Queued,
        certainty: Certainty::NotStarted,
        code: None,
        progress: None,
        cancel_requested: false,
        cancel_confirmed: false,
        is_held: false,
        attempt: None,
        created: now,
        updated: now,
        started: None,
        accepted: None,
        deadline: None,
        heard: None,
        outcome: None,
        next_cursor: None,
        is_evicted: false,
    }
}

/// An engine whose one execution has come to a phase at [`START`].
pub(crate) fn at(phase: Phase, safe_retry: bool) -> Engine {
    let mut engine = Engine::default();
    engine.admit(execution(ID, "catalog", PAGE, safe_retry, START)).unwrap();
    if phase != Phase::Queued {
        engine.dispatch(START, |_| true);
    }
    if matches!(phase, Phase::Claimed | Phase::Cancelling | Phase::Ended) {
        engine.claim(ID, PAGE, REVISION, ATTEMPT, START).unwrap();
    }
    match phase {
        Phase::Cancelling => engine.cancel(ID, START).unwrap(),
        Phase::Ended => engine.complete(ID, PAGE, REVISION, report(Happening::PageFailed), START).unwrap(),
        Phase::Queued | Phase::Sent | Phase::Claimed => {}
    }
    assert_eq!(engine.get(ID).unwrap().phase, phase);
    engine.take_effects();
    engine
}

/// A report of a handler that ran and has settled.
pub(crate) fn report(on: Happening) -> Report {
    Report { on, stopped: true, started: true, outcome: None }
}
