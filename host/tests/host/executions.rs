//! Executions over real HTTP: their ways, their ends, and what callers get to see.

use crate::host::{Host, invocation, text, until};
use crate::page::Page;
use pageport_host::secret;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn end(execution: &Value) -> (&str, &str, &str) {
    let word = |name: &str| execution[name].as_str().unwrap_or_default();
    (word("state"), word("errorCode"), word("certainty"))
}

#[tokio::test]
async fn an_operation_runs_on_its_page_and_the_result_comes_back() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let started = Instant::now();
    let taken = host.ask("invoke_plugin_operation", invocation("search", json!({}))).await;
    assert_eq!((&taken["state"], &taken["next"]), (&json!("running"), &json!("get_plugin_execution")), "{taken}");
    let id = text(&taken["executionId"]);
    let event = stream.event().await.unwrap();
    assert!(started.elapsed() < Duration::from_millis(500), "dispatch waits for no tick");
    assert_eq!((event.id, &event.data["operationId"]), (Some(1), &json!("search")));
    assert!(event.data.get("input").is_none(), "the input comes with the claim");
    page.claim(&id).await;
    page.succeed(&id, json!({ "items": [{ "id": "1" }] }), json!({ "count": 1 })).await;
    let execution = host.end(&id).await;
    assert_eq!(end(&execution), ("succeeded", "", "confirmed"));
    assert_eq!(execution["result"]["data"], json!({ "items": [{ "id": "1" }] }));
    let pagination = json!({ "cursor": "", "hasMore": false, "count": 1, "truncated": false });
    assert_eq!(execution["result"]["pagination"], pagination);
    assert_eq!(execution["resultStatus"], "available");
    let history = host.ask("list_plugin_executions", json!({})).await;
    assert_eq!((&history["total"], &history["hasMore"]), (&json!(1), &json!(false)));
    assert!(history["items"][0].get("result").is_none(), "a list holds no results");
}

#[tokio::test]
async fn a_caller_may_wait_for_the_end() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("search", json!({})).await;
    let started = Instant::now();
    let waited = host.ask("get_plugin_execution", json!({ "id": id, "waitMs": 150 })).await;
    assert_eq!(waited["state"], "running", "the time was over first");
    assert!(started.elapsed() >= Duration::from_millis(150));
    stream.invoke().await;
    page.claim(&id).await;
    let (execution, _) = tokio::join!(host.end(&id), page.succeed(&id, json!({}), json!({})));
    assert_eq!(execution["state"], "succeeded");
    let refused = host.refusal("get_plugin_execution", json!({ "id": id, "waitMs": 60_001 })).await;
    assert_eq!(refused["code"], "invalid_input");
}

#[tokio::test]
async fn what_a_page_reports_decides_the_end() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let cases = [
        (
            json!({ "state": "failed", "code": "page_execution_failed" }),
            ("failed", "page_execution_failed", "confirmed"),
        ),
        (json!({ "state": "failed", "code": "a newer one" }), ("failed", "page_execution_failed", "confirmed")),
        (json!({ "state": "failed", "code": "result_lost" }), ("failed", "result_lost", "confirmed")),
        (json!({ "state": "failed", "code": "invalid_output" }), ("failed", "invalid_output", "confirmed")),
        (json!({ "state": "cancelled", "reason": "page_hidden" }), ("interrupted", "page_changed", "unknown")),
        (json!({ "state": "cancelled", "reason": "lost_connection" }), ("interrupted", "page_changed", "unknown")),
        (json!({ "state": "cancelled", "reason": "timed_out" }), ("timed_out", "execution_timeout", "unknown")),
        (json!({ "state": "cancelled" }), ("cancelled", "page_execution_failed", "unknown")),
        (
            json!({ "state": "cancelled", "reason": "page_changed", "started": false }),
            ("interrupted", "page_changed", "not_started"),
        ),
    ];
    for (report, expected) in cases {
        let id = host.invoke("search", json!({})).await;
        stream.invoke().await;
        page.claim(&id).await;
        let mut body = page.with(&id, report);
        body["stopped"] = json!(true);
        assert_eq!(page.code("complete", body.clone()).await, "", "{body}");
        assert_eq!(end(&host.end(&id).await), expected, "{body}");
    }
}

#[tokio::test]
async fn rejects_end_it_before_it_started() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let cases = [
        ("no_handler", ("failed", "no_handler", "not_started")),
        ("page_busy_unknown", ("failed", "page_busy_unknown", "not_started")),
        ("stale_revision", ("interrupted", "page_changed", "not_started")),
        ("expired", ("timed_out", "execution_timeout", "not_started")),
    ];
    for (code, expected) in cases {
        let id = host.invoke("search", json!({})).await;
        stream.invoke().await;
        let body = page.with(&id, json!({ "code": code }));
        assert_eq!(page.code("reject", body.clone()).await, "");
        assert_eq!(page.code("reject", body).await, "", "a repeated reject is fine");
        assert_eq!(end(&host.end(&id).await), expected, "{code}");
    }
}

#[tokio::test]
async fn cancelling_goes_by_how_far_it_came() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let running = host.invoke("search", json!({})).await;
    let queued = host.invoke("search", json!({})).await;
    stream.invoke().await;
    let cancelled = host.ask("cancel_plugin_execution", json!({ "id": queued })).await;
    assert_eq!(end(&cancelled), ("cancelled", "", "not_started"));
    assert_eq!((&cancelled["cancelRequested"], &cancelled["cancelConfirmed"]), (&json!(false), &json!(true)));

    page.claim(&running).await;
    let asked = host.ask("cancel_plugin_execution", json!({ "id": running })).await;
    assert_eq!((&asked["state"], &asked["cancelRequested"]), (&json!("running"), &json!(true)));
    let event = stream.event().await.unwrap();
    assert_eq!((&event.data["type"], &event.data["reason"]), (&json!("cancel"), &json!("cancelled")));
    let (_, beat) = page.post("heartbeat", page.about(&running)).await;
    assert_eq!(beat["data"]["cancelRequested"], true, "as good as the event");
    page.post("complete", page.with(&running, json!({ "state": "cancelled", "reason": "cancelled", "stopped": true })))
        .await;
    let ended = host.end(&running).await;
    assert_eq!((end(&ended), &ended["cancelConfirmed"]), (("cancelled", "", "unknown"), &json!(true)));
    let again = host.ask("cancel_plugin_execution", json!({ "id": running })).await;
    assert_eq!(again["state"], "cancelled", "what has ended stays");

    let late = host.invoke("search", json!({})).await;
    stream.invoke().await;
    page.claim(&late).await;
    host.ask("cancel_plugin_execution", json!({ "id": late })).await;
    page.succeed(&late, json!({ "note": "dropped" }), json!({})).await;
    let ended = host.end(&late).await;
    assert_eq!(end(&ended), ("cancelled", "cancel_unconfirmed", "unknown"));
    assert!(ended["result"].is_null());

    let stubborn = host.invoke("order", json!({})).await;
    until("the invoke", || async { host.execution(&stubborn).await["state"] == "running" }).await;
    page.claim(&stubborn).await;
    assert_eq!(host.refusal("cancel_plugin_execution", json!({ "id": stubborn })).await["code"], "not_cancellable");
    assert_eq!(host.refusal("cancel_plugin_execution", json!({ "id": secret::name() })).await["code"], "not_found");
}

#[tokio::test]
async fn a_deadline_ends_it_and_the_page_stays_busy_until_it_stops() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("slow", json!({})).await;
    stream.invoke().await;
    page.claim(&id).await;
    let event = stream.event().await.unwrap();
    assert_eq!((&event.data["type"], &event.data["reason"]), (&json!("cancel"), &json!("timed_out")));
    assert_eq!(end(&host.end(&id).await), ("timed_out", "execution_timeout", "unknown"));
    let busy = host.refusal("invoke_plugin_operation", invocation("search", json!({}))).await;
    assert_eq!((&busy["code"], &busy["details"]["executionId"]), (&json!("page_busy_unknown"), &json!(id)));
    page.post("complete", page.with(&id, json!({ "state": "cancelled", "reason": "timed_out", "stopped": false })))
        .await;
    host.refusal("invoke_plugin_operation", invocation("search", json!({}))).await;
    page.post("complete", page.with(&id, json!({ "state": "cancelled", "reason": "timed_out", "stopped": true })))
        .await;
    let next = host.invoke("search", json!({})).await;
    assert_eq!(stream.invoke().await, next);
}

#[tokio::test]
async fn one_runs_on_a_page_and_the_others_wait_their_turn() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(host.invoke("search", json!({})).await);
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    let history = host.ask("list_plugin_executions", json!({ "state": "queued", "limit": 1 })).await;
    assert_eq!((&history["total"], &history["hasMore"]), (&json!(2), &json!(true)));
    for id in &ids {
        assert_eq!(stream.invoke().await, *id);
        page.claim(id).await;
        page.succeed(id, json!({}), json!({})).await;
    }
    let history = host.ask("list_plugin_executions", json!({ "pluginId": "catalog", "offset": 1 })).await;
    assert_eq!(history["items"][0]["executionId"], ids[1].as_str(), "newest first");
    for _ in 0..32 {
        host.invoke("search", json!({})).await;
    }
    let full = host.refusal("invoke_plugin_operation", invocation("search", json!({}))).await;
    assert_eq!(full["code"], "queue_full");
}

#[tokio::test]
async fn a_page_that_moves_on_takes_its_executions_with_it() {
    let host = Host::start().await;
    let (mut page, mut stream) = Page::ready(&host).await;
    let running = host.invoke("search", json!({})).await;
    let queued = host.invoke("search", json!({})).await;
    stream.invoke().await;
    page.claim(&running).await;
    let claimed = page.clone();
    page.state(json!({ "pageUrl": "https://shop.example/other", "ready": false })).await;
    assert_eq!(end(&host.end(&running).await), ("interrupted", "page_changed", "unknown"));
    assert_eq!(end(&host.end(&queued).await), ("interrupted", "page_changed", "not_started"));
    let event = stream.event().await.unwrap();
    assert_eq!((&event.data["type"], &event.data["reason"]), (&json!("cancel"), &json!("page_changed")));
    // The handler that was claimed under the old revision only says that it has stopped.
    claimed.succeed(&running, json!({ "note": "late" }), json!({})).await;
    assert_eq!(end(&host.end(&running).await), ("interrupted", "page_changed", "unknown"));
    page.state(json!({})).await;
    let next = host.invoke("search", json!({})).await;
    assert_eq!(stream.invoke().await, next);
}

#[tokio::test]
async fn discovery_shows_what_is_exposed() {
    let host = Host::start().await;
    let listed = host.ask("list_plugin_operations", json!({})).await;
    let ids =
        |list: &Value| list["items"].as_array().unwrap().iter().map(|it| text(&it["operationId"])).collect::<Vec<_>>();
    let mut found = ids(&listed);
    found.sort();
    assert_eq!(found, ["cart", "elsewhere", "member", "order", "search", "slow"], "not the hidden one");
    assert!(listed["items"][0].get("inputSchema").is_none(), "a list holds no schemas");
    let (page, _stream) = Page::ready(&host).await;
    let shown = host.ask("get_plugin_operation", json!({ "pluginId": "catalog", "operationId": "search" })).await;
    assert_eq!((&shown["inputSchema"]["type"], &shown["pageSessionIds"]), (&json!("object"), &json!([page.id])));
    assert_eq!(
        host.refusal("get_plugin_operation", json!({ "pluginId": "catalog", "operationId": "hidden" })).await["code"],
        "automation_disabled"
    );
    let sessions = host.ask("list_page_sessions", json!({})).await;
    let seen = &sessions["items"][0];
    assert_eq!(
        (&seen["connected"], &seen["ready"], &seen["revision"]),
        (&json!(true), &json!(true), &json!(page.revision))
    );
    assert_eq!(seen["operations"], json!(["search", "order", "slow", "member"]));
    assert_eq!(host.ask("list_plugin_operations", json!({ "pluginId": "other" })).await["total"], 0);
}

#[tokio::test]
async fn a_running_execution_of_a_stopped_host_is_interrupted() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("search", json!({})).await;
    stream.invoke().await;
    page.claim(&id).await;
    let waiting = host.http.post(format!("{}/api/v1/get_plugin_execution", host.url)).bearer_auth(crate::host::TOKEN);
    let waiting =
        waiting.header("content-type", "application/json").body(json!({ "id": id, "waitMs": 30_000 }).to_string());
    let waiting = tokio::spawn(waiting.send());
    tokio::time::sleep(Duration::from_millis(100)).await;
    let dir = host.stop().await;
    let waited = crate::page::reply(waiting.await.unwrap().unwrap()).await.1;
    assert_eq!(end(&waited["data"]), ("interrupted", "host_stopped", "unknown"));
    assert_eq!(stream.event().await.unwrap().data["reason"], "lost_connection");
    assert_eq!(stream.event().await.unwrap().data, json!({ "type": "bye", "reason": "stopping" }));
    let host = Host::start_in(dir).await;
    assert_eq!(end(&host.execution(&id).await), ("interrupted", "host_stopped", "unknown"), "the history survives");
    assert_eq!(host.execution(&id).await["resultStatus"], "never_persisted");
}
