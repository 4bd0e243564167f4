//! What became of a result: checked, kept for a while, continued with a cursor.

use crate::engine::{ATTEMPT, PAGE, REVISION, START, execution, report};
use crate::host::{Host, invocation, text};
use crate::page::{ORIGIN, Page};
use pageport::wire::Json;
use pageport::wire::bridge::{ExecutionId, OperationResult};
use pageport_host::execution::limits::{RESULTS, RESULTS_BYTES};
use pageport_host::execution::{Engine, Happening, Outcome, Report, ResultStatus};
use pageport_host::secret;
use serde_json::json;
use std::sync::Arc;

#[tokio::test]
async fn results_are_checked_before_anybody_sees_them() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let many = |count: usize| json!({ "items": vec![json!({}); count] });
    let cases = [
        ("a member too many", json!({ "other": 1 }), json!({}), "invalid_output"),
        ("more items than asked for", many(6), json!({}), "invalid_output"),
        ("too large", json!({ "note": "x".repeat(61_440) }), json!({}), "output_too_large"),
        ("a count above the limit", json!({}), json!({ "count": 6 }), "invalid_pagination"),
        ("a negative count", json!({}), json!({ "count": -1 }), "invalid_pagination"),
        ("half an item", json!({}), json!({ "count": 0.5 }), "invalid_pagination"),
        ("more without a cursor", json!({}), json!({ "hasMore": true }), "invalid_pagination"),
        ("a long cursor", json!({}), json!({ "nextCursor": "c".repeat(4097), "hasMore": true }), "invalid_pagination"),
        ("as asked for", many(5), json!({ "count": 5 }), ""),
    ];
    for (case, data, more, code) in cases {
        let id = host.invoke("search", json!({ "limit": 5 })).await;
        stream.invoke().await;
        page.claim(&id).await;
        page.succeed(&id, data, more).await;
        let execution = host.end(&id).await;
        assert_eq!(execution["errorCode"].as_str().unwrap_or_default(), code, "{case}");
        assert_eq!(execution["result"].is_null(), !code.is_empty(), "{case}");
    }
}

#[tokio::test]
async fn a_cursor_is_the_hosts_and_goes_only_where_it_belongs() {
    let host = Host::start().await;
    let (mut page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("search", json!({})).await;
    stream.invoke().await;
    page.claim(&id).await;
    page.succeed(&id, json!({}), json!({ "hasMore": true, "nextCursor": "page=2&secret" })).await;
    let cursor = text(&host.end(&id).await["result"]["pagination"]["cursor"]);
    assert!(cursor.len() == 32 && !cursor.contains("secret"), "{cursor}");
    assert_eq!(host.execution(&id).await["result"]["pagination"]["cursor"], cursor.as_str(), "the same each time");

    let next = host.invoke("search", json!({ "cursor": cursor, "limit": 3 })).await;
    stream.invoke().await;
    assert_eq!(page.claim(&next).await["cursor"], "page=2&secret", "the page gets its own, whatever the limit");
    page.succeed(&next, json!({}), json!({ "nextCursor": "left over" })).await;
    assert_eq!(host.end(&next).await["result"]["pagination"]["cursor"], "", "no more, no cursor");

    for (case, call) in [
        ("another input", json!({ "cursor": cursor, "input": { "q": "y" } })),
        ("another operation", json!({ "cursor": cursor, "operationId": "order" })),
        ("an unknown one", json!({ "cursor": secret::name() })),
    ] {
        assert_eq!(
            host.refusal("invoke_plugin_operation", invocation("search", call)).await["code"],
            "cursor_expired",
            "{case}"
        );
    }
    page.state(json!({ "context": "another" })).await;
    let stale = host.refusal("invoke_plugin_operation", invocation("search", json!({ "cursor": cursor }))).await;
    assert_eq!(stale["code"], "cursor_expired", "another revision");
}

#[tokio::test]
async fn a_cursor_of_a_page_that_is_gone_has_expired() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("search", json!({})).await;
    stream.invoke().await;
    page.claim(&id).await;
    page.succeed(&id, json!({}), json!({ "hasMore": true, "nextCursor": "page=2" })).await;
    let cursor = text(&host.end(&id).await["result"]["pagination"]["cursor"]);
    let call = || invocation("search", json!({ "cursor": cursor }));
    page.state_again(json!({ "ready": false })).await;
    assert_eq!(host.refusal("invoke_plugin_operation", call()).await["code"], "page_unavailable", "it may come back");
    let last = json!({ "token": page.token, "reports": [], "close": true }).to_string();
    let leave = host.http.post(format!("{}/bridge/v1/leave", host.url)).header("origin", ORIGIN).body(last);
    assert_eq!(leave.send().await.unwrap().status(), 204);
    assert_eq!(host.refusal("invoke_plugin_operation", call()).await["code"], "cursor_expired", "no page is left");
    let (_other, _stream) = Page::ready(&host).await;
    assert_eq!(host.refusal("invoke_plugin_operation", call()).await["code"], "cursor_expired", "another page's");
}

#[test]
fn the_oldest_results_make_room() {
    let id = |number: usize| ExecutionId::from_bytes((number as u128).to_be_bytes());
    let run = |engine: &mut Engine, number: usize, bytes: usize| {
        let now = START.after(number as u64);
        engine.admit(execution(id(number), "catalog", PAGE, true, now)).unwrap();
        engine.dispatch(now, |_| true);
        engine.claim(id(number), PAGE, REVISION, ATTEMPT, now).unwrap();
        let result = Arc::new(OperationResult {
            data: Json::Null,
            count: 0.0,
            has_more: false,
            next_cursor: String::new(),
            truncated: false,
        });
        let outcome = Some(Outcome { result, bytes });
        engine.complete(id(number), PAGE, REVISION, Report { outcome, ..report(Happening::Succeeded) }, now).unwrap();
    };
    for (case, bytes, most) in [("many", 1, RESULTS), ("large", 60 * 1024, RESULTS_BYTES / (60 * 1024))] {
        let mut engine = Engine::default();
        (0..=most).for_each(|number| run(&mut engine, number, bytes));
        let status = |number| engine.get(id(number)).unwrap().summary().result_status;
        assert_eq!((status(0), status(1)), (ResultStatus::Cleaned, ResultStatus::Available), "{case}");
        assert_eq!(status(most), ResultStatus::Available, "{case}: the newest");
        engine.drop_outcome(id(1));
        assert_eq!(engine.get(id(1)).unwrap().summary().result_status, ResultStatus::Expired, "{case}");
        run(&mut engine, most + 1, bytes);
        let status = |number| engine.get(id(number)).unwrap().summary().result_status;
        assert_eq!(status(2), ResultStatus::Available, "{case}: the one that expired has made room");
    }
}

#[test]
fn what_has_ended_is_remembered_only_so_long() {
    let id = |number: usize| ExecutionId::from_bytes((number as u128).to_be_bytes());
    let mut engine = Engine::default();
    for number in 0..3 * RESULTS {
        let now = START.after(number as u64);
        engine.admit(execution(id(number), "catalog", PAGE, true, now)).unwrap();
        engine.cancel(id(number), now).unwrap();
        engine.trim();
    }
    assert!((RESULTS..RESULTS + 100).contains(&engine.ended().count()), "{}", engine.ended().count());
    assert!(engine.get(id(3 * RESULTS - 1)).is_some() && engine.get(id(0)).is_none(), "the oldest goes");
}
