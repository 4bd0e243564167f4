//! Idempotency keys (Host §7): across repeats, restarts and clean-ups.

use crate::host::{Host, invocation, text};
use crate::page::Page;
use futures_util::future::join_all;
use pageport_host::execution::Millis;
use pageport_host::execution::limits::KEY_MS;
use pageport_host::store::Store;
use rusqlite::Connection;
use serde_json::json;

#[tokio::test]
async fn the_same_key_and_parameters_are_the_same_execution() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let keyed = |more| {
        let mut call = invocation("search", more);
        call["idempotencyKey"] = json!("k1");
        call
    };
    let first = host.ask("invoke_plugin_operation", keyed(json!({}))).await;
    let id = text(&first["executionId"]);
    stream.invoke().await;
    page.claim(&id).await;
    page.succeed(&id, json!({ "note": "once" }), json!({})).await;
    let again = host.ask("invoke_plugin_operation", keyed(json!({}))).await;
    assert_eq!((&again["executionId"], &again["state"]), (&json!(id), &json!("succeeded")));
    assert_eq!(again["result"]["data"], json!({ "note": "once" }));
    let spelled = host.ask("invoke_plugin_operation", keyed(json!({ "limit": 20, "cursor": "" }))).await;
    assert_eq!(spelled["executionId"], id.as_str(), "defaults are filled in");
    for (case, change) in [
        ("another input", json!({ "input": { "q": "y" } })),
        ("another limit", json!({ "limit": 5 })),
        ("a named page", json!({ "pageSessionId": page.id })),
    ] {
        let refused = host.refusal("invoke_plugin_operation", keyed(change)).await;
        assert_eq!(refused["code"], "idempotency_conflict", "{case}");
    }
    let other = host.ask("invoke_plugin_operation", keyed(json!({ "operationId": "order" }))).await;
    assert_ne!(other["executionId"], id.as_str(), "another operation's key is another key");
    assert_eq!(host.ask("list_plugin_executions", json!({})).await["total"], 2);

    drop(stream);
    let dir = host.stop().await;
    let host = Host::start_in(dir).await;
    let after = host.ask("invoke_plugin_operation", keyed(json!({}))).await;
    assert_eq!((&after["executionId"], &after["state"]), (&json!(id), &json!("succeeded")), "no page, no matter");
    let stored = std::fs::read(host.data.join("operations.db")).unwrap();
    assert!(!stored.windows(2).any(|bytes| bytes == b"k1"), "keys are stored as hashes");
}

#[tokio::test]
async fn a_call_that_is_refused_uses_no_key() {
    let host = Host::start().await;
    let call = invocation("search", json!({ "idempotencyKey": "k" }));
    assert_eq!(host.refusal("invoke_plugin_operation", call.clone()).await["code"], "page_unavailable");
    let (_page, _stream) = Page::ready(&host).await;
    let other = Connection::open(host.data.join("operations.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(host.refusal("invoke_plugin_operation", call.clone()).await["code"], "storage_unavailable");
    other.execute_batch("ROLLBACK").unwrap();
    let mut changed = call.clone();
    changed["limit"] = json!(7);
    host.ask("invoke_plugin_operation", changed).await;
    assert_eq!(host.refusal("invoke_plugin_operation", call).await["code"], "idempotency_conflict");
}

#[tokio::test]
async fn clean_up_keeps_what_a_key_still_answers_and_nothing_else() {
    let host = Host::start().await;
    let (_page, stream) = Page::ready(&host).await;
    let keyed = host.invoke("search", json!({ "idempotencyKey": "k" })).await;
    let plain = host.invoke("search", json!({})).await;
    let now = Millis(host.execution(&keyed).await["createdAt"].as_u64().unwrap());
    drop(stream);
    let dir = host.stop().await;
    let clean = |now: Millis, oldest: Millis| {
        let mut store = Store::open(&dir.path().join("data/operations.db")).unwrap();
        store.clean(now, oldest, 10_000, &[]).unwrap();
    };
    clean(now, Millis(0));
    clean(now.after(1000), now.after(1000));
    let host = Host::start_in(dir).await;
    assert_eq!(host.refusal("get_plugin_execution", json!({ "id": plain })).await["code"], "not_found");
    let kept = host.execution(&keyed).await;
    assert_eq!((&kept["state"], &kept["resultStatus"]), (&json!("interrupted"), &json!("cleaned")));
    assert_eq!(host.ask("list_plugin_executions", json!({})).await["total"], 0, "in no list");
    let again = host.ask("invoke_plugin_operation", invocation("search", json!({ "idempotencyKey": "k" }))).await;
    assert_eq!(again["executionId"], keyed.as_str());
    let dir = host.stop().await;
    let mut store = Store::open(&dir.path().join("data/operations.db")).unwrap();
    store.clean(now.after(KEY_MS + 1), Millis(0), 10_000, &[]).unwrap();
    drop(store);
    let host = Host::start_in(dir).await;
    assert_eq!(host.refusal("get_plugin_execution", json!({ "id": keyed })).await["code"], "not_found", "a day later");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_with_one_key_one_is_made() {
    let host = Host::start().await;
    let (_page, _stream) = Page::ready(&host).await;
    let call = || host.ask("invoke_plugin_operation", invocation("search", json!({ "idempotencyKey": "k" })));
    let taken = join_all((0..24).map(|_| call())).await;
    assert!(taken.iter().all(|it| it["executionId"] == taken[0]["executionId"]), "{taken:?}");
    assert_eq!(host.ask("list_plugin_executions", json!({})).await["total"], 1);
}
