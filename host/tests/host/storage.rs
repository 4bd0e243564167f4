//! When the store does not answer, and what is written down.

use crate::host::{Host, invocation, until};
use crate::page::Page;
use rusqlite::Connection;
use serde_json::json;

#[tokio::test]
async fn a_store_that_fails_refuses_and_the_host_recovers_with_it() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("search", json!({})).await;
    stream.invoke().await;

    let other = Connection::open(host.data.join("operations.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = host.refusal("invoke_plugin_operation", invocation("search", json!({}))).await;
    assert_eq!(refused["code"], "storage_unavailable");
    let claim = page.with(&id, json!({ "attemptId": id }));
    let (status, answer) = page.post("claim", claim.clone()).await;
    assert_eq!((status.as_u16(), &answer["error"]["code"]), (503, &json!("storage_unavailable")));
    assert_eq!(host.refusal("plugins.add", json!({ "dir": host.plugin })).await["code"], "storage_unavailable");

    other.execute_batch("ROLLBACK").unwrap();
    let (status, answer) = page.post("claim", claim).await;
    assert_eq!(status, 200, "the same attempt goes on: {answer}");
    page.succeed(&id, json!({}), json!({})).await;
    assert_eq!(host.end(&id).await["state"], "succeeded");
    assert_eq!(host.ask("list_plugin_executions", json!({})).await["total"], 1, "the refused one left nothing behind");
    let next = host.invoke("search", json!({})).await;
    assert_eq!(stream.invoke().await, next);
}

#[tokio::test]
async fn every_change_is_in_the_file_when_it_is_answered() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let file = Connection::open(host.data.join("operations.db")).unwrap();
    let stored = |id: &str| {
        let select = "SELECT state || '/' || certainty FROM executions WHERE lower(hex(id)) = ?1";
        file.query_row(select, [id], |row| row.get::<_, String>(0)).unwrap_or_default()
    };
    let id = host.invoke("search", json!({})).await;
    assert_eq!(stored(&id), "running/not_started");
    stream.invoke().await;
    page.claim(&id).await;
    assert_eq!(stored(&id), "running/unknown");
    page.succeed(&id, json!({ "note": "a secret of the page" }), json!({})).await;
    assert_eq!(stored(&id), "succeeded/confirmed");
    drop(stream);
    let credential = host.credential.clone();
    let dir = host.stop().await;
    for entry in std::fs::read_dir(dir.path().join("data")).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let holds = |needle: &str| bytes.windows(needle.len()).any(|window| window == needle.as_bytes());
        assert!(!holds("a secret of the page"), "results are not stored");
        assert!(!holds(&page.token), "nor tokens");
        assert!(!holds(credential.rsplit('~').next().unwrap()), "nor credentials");
    }
}

#[tokio::test]
async fn a_lost_store_delays_what_only_time_changes() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("slow", json!({})).await;
    stream.invoke().await;
    page.claim(&id).await;
    let other = Connection::open(host.data.join("operations.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    until("the deadline", || async { host.execution(&id).await["state"] == "timed_out" }).await;
    other.execute_batch("ROLLBACK").unwrap();
    let event = stream.event().await.unwrap();
    assert_eq!(event.data["reason"], "timed_out", "told once it is written down");
}
