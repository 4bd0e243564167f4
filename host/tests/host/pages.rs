//! Choosing a page, and what streams and absences do to one (Host §3).

use crate::host::{Host, invocation, text};
use crate::page::{ORIGIN, Page};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::time::Duration;

async fn reason(host: &Host, operation: &str, more: Value) -> String {
    let refused = host.refusal("invoke_plugin_operation", invocation(operation, more)).await;
    assert_eq!(refused["code"], "page_unavailable", "{refused}");
    assert!(refused["hint"].is_string(), "{refused}");
    text(&refused["details"]["reason"])
}

#[tokio::test]
async fn a_page_that_does_not_fit_is_named_with_the_reason() {
    let host = Host::start().await;
    assert_eq!(reason(&host, "search", json!({})).await, "no_page");
    let mut page = Page::open(&host).await;
    assert_eq!(reason(&host, "elsewhere", json!({})).await, "not_declared");
    assert_eq!(reason(&host, "search", json!({})).await, "disconnected");
    let _stream = page.stream(None).await;
    assert_eq!(reason(&host, "search", json!({})).await, "not_ready");
    page.state(json!({ "ready": false })).await;
    assert_eq!(reason(&host, "search", json!({})).await, "not_ready");
    page.state(json!({ "login": "required" })).await;
    assert_eq!(reason(&host, "member", json!({})).await, "login_required");
    page.state(json!({ "login": "authenticated" })).await;
    host.invoke("member", json!({})).await;
    assert_eq!(reason(&host, "search", json!({ "pageSessionId": pageport_host::secret::name() })).await, "no_page");
}

#[tokio::test]
async fn a_page_elsewhere_does_not_match() {
    let host = Host::start().await;
    let mut body = crate::page::open_body(host.generation);
    body["operations"] = json!(["cart"]);
    let (_, answer) = crate::page::send(&host, "open", &host.credential, ORIGIN, &body).await;
    assert_eq!(answer["ok"], true, "{answer}");
    assert_eq!(reason(&host, "cart", json!({})).await, "no_match");
}

#[tokio::test]
async fn of_several_pages_the_caller_names_one() {
    let host = Host::start().await;
    let (first, mut stream) = Page::ready(&host).await;
    let (second, mut other) = Page::ready(&host).await;
    let refused = host.refusal("invoke_plugin_operation", invocation("search", json!({}))).await;
    assert_eq!(refused["code"], "page_ambiguous");
    let mut candidates: Vec<_> =
        refused["details"]["candidates"].as_array().unwrap().iter().map(|it| text(&it["pageSessionId"])).collect();
    let mut pages = vec![first.id.clone(), second.id.clone()];
    candidates.sort();
    pages.sort();
    assert_eq!(candidates, pages);
    let id = host.invoke("search", json!({ "pageSessionId": second.id })).await;
    assert_eq!(other.invoke().await, id);
    let wrong = first.post("claim", json!({ "executionId": id, "revision": second.revision, "attemptId": id })).await.1;
    assert_eq!(wrong["error"]["code"], "not_found", "another page's execution");
    let next = host.invoke("search", json!({ "pageSessionId": first.id })).await;
    assert_eq!(stream.invoke().await, next);
}

#[tokio::test]
async fn a_stream_that_comes_back_gets_what_it_missed() {
    let host = Host::start().await;
    let (page, stream) = Page::ready(&host).await;
    drop(stream);
    let id = host.invoke("search", json!({})).await;
    let mut stream = page.stream(None).await;
    assert_eq!(stream.invoke().await, id, "kept while the stream was away");
    let mut again = page.stream(Some(0)).await;
    assert_eq!(stream.event().await.unwrap().data, json!({ "type": "bye", "reason": "replaced" }));
    assert!(stream.event().await.is_none());
    let event = again.event().await.unwrap();
    assert_eq!((event.id, &event.data["executionId"]), (Some(1), &json!(id)), "not acknowledged yet");
    page.post("claim", page.with(&id, json!({ "attemptId": id, "ack": 1 }))).await;
    let mut third = page.stream(Some(1)).await;
    host.ask("cancel_plugin_execution", json!({ "id": id })).await;
    let event = third.event().await.unwrap();
    assert_eq!((event.id, &event.data["type"]), (Some(2), &json!("cancel")));
    tokio::time::sleep(Duration::from_millis(3500)).await;
    assert_eq!(host.execution(&id).await["state"], "running", "streams that were replaced are no disconnect");
    let request =
        host.http.get(format!("{}/bridge/v1/events", host.url)).bearer_auth(&page.token).header("origin", ORIGIN);
    let response = request.header("last-event-id", "9").send().await.unwrap();
    let (status, answer) = crate::page::reply(response).await;
    assert_eq!((status.as_u16(), &answer["error"]["code"]), (401, &json!("session_gone")), "never sent");
}

#[tokio::test]
async fn a_stream_that_stays_away_interrupts_and_the_page_may_return() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("search", json!({})).await;
    stream.invoke().await;
    page.claim(&id).await;
    drop(stream);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(host.execution(&id).await["state"], "running", "three seconds are allowed");
    let ended = host.end(&id).await;
    assert_eq!((&ended["state"], &ended["errorCode"]), (&json!("interrupted"), &json!("page_changed")));
    let refused = host.refusal("invoke_plugin_operation", invocation("search", json!({}))).await;
    assert_eq!(refused["details"]["reason"], "disconnected");
    let mut stream = page.stream(None).await;
    let event = stream.event().await.unwrap();
    assert_eq!((&event.data["type"], &event.data["reason"]), (&json!("cancel"), &json!("page_changed")));
    assert_eq!(
        host.refusal("invoke_plugin_operation", invocation("search", json!({}))).await["code"],
        "page_busy_unknown"
    );
    page.post("complete", page.with(&id, json!({ "state": "cancelled", "reason": "page_changed", "stopped": true })))
        .await;
    let next = host.invoke("search", json!({})).await;
    assert_eq!(stream.invoke().await, next);
}

#[tokio::test]
async fn leaving_reports_first_and_closes_then() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("search", json!({})).await;
    stream.invoke().await;
    page.claim(&id).await;
    let queued = host.invoke("search", json!({})).await;
    let leave = |origin: &'static str, body: String| {
        let request = host.http.post(format!("{}/bridge/v1/leave", host.url)).header("origin", origin);
        request.header("content-type", "text/plain;charset=UTF-8").body(body).send()
    };
    let report = page.with(
        &id,
        json!({ "state": "succeeded", "stopped": true, "result": {
        "data": { "note": "last words" }, "count": 0, "hasMore": false, "nextCursor": "", "truncated": false } }),
    );
    let body = json!({ "token": page.token, "reports": [report], "close": true });
    let mut strange = body.clone();
    strange["extra"] = json!(1);
    for (case, origin, body) in [
        ("another origin", "https://friend.example", body.to_string()),
        ("an unknown member", ORIGIN, strange.to_string()),
        ("no JSON", ORIGIN, "{".into()),
        ("too large", ORIGIN, format!("{body}{}", " ".repeat(61_441))),
    ] {
        assert_eq!(leave(origin, body).await.unwrap().status(), 204, "{case}");
        assert_eq!(host.execution(&id).await["state"], "running", "{case} does nothing");
    }
    assert_eq!(leave(ORIGIN, body.to_string()).await.unwrap().status(), 204);
    let ended = host.end(&id).await;
    assert_eq!((&ended["state"], &ended["result"]["data"]), (&json!("succeeded"), &json!({ "note": "last words" })));
    assert_eq!(host.end(&queued).await["errorCode"], "page_changed");
    assert_eq!(page.code("ack", json!({ "ack": 0 })).await, "session_gone");
    assert_eq!(host.ask("list_page_sessions", json!({})).await["total"], 0);
    assert_eq!(leave(ORIGIN, body.to_string()).await.unwrap().status(), 204, "again");
}

#[tokio::test]
async fn leaving_for_the_cache_keeps_the_session() {
    let host = Host::start().await;
    let (page, stream) = Page::ready(&host).await;
    drop(stream);
    let body = json!({ "token": page.token, "reports": [], "close": false }).to_string();
    let request = host.http.post(format!("{}/bridge/v1/leave", host.url)).header("origin", ORIGIN).body(body);
    assert_eq!(request.send().await.unwrap().status(), 204);
    let mut stream = page.stream(None).await;
    let id = host.invoke("search", json!({})).await;
    assert_eq!(stream.invoke().await, id);
}

#[tokio::test]
async fn a_silent_stream_is_kept_alive() {
    let host = Host::start().await;
    let (_page, mut stream) = Page::ready(&host).await;
    tokio::time::sleep(Duration::from_secs(14)).await;
    assert_eq!(stream.frame().await.as_deref(), Some(":"), "a comment, fifteen seconds after the last");
}

#[tokio::test]
async fn an_execution_that_has_ended_is_no_licence_to_call() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("search", json!({})).await;
    stream.invoke().await;
    page.claim(&id).await;
    page.succeed(&id, json!({}), json!({})).await;
    let mut codes = Vec::new();
    for _ in 0..105 {
        codes.push(page.code("heartbeat", page.about(&id)).await);
    }
    assert_eq!((codes[0].as_str(), codes[104].as_str()), ("execution_ended", "rate_limited"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_while_a_page_leaves_ends_with_it() {
    let host = Host::start().await;
    for round in 0..8 {
        let (page, _stream) = Page::ready(&host).await;
        let last = json!({ "token": page.token, "reports": [], "close": true }).to_string();
        let leave = host.http.post(format!("{}/bridge/v1/leave", host.url)).header("origin", ORIGIN).body(last);
        let calls = join_all((0..6).map(|_| host.api("invoke_plugin_operation", invocation("search", json!({})))));
        let (answers, _) = tokio::join!(calls, leave.send());
        for (_, answer) in answers {
            if answer["ok"] == true {
                let ended = host.execution(&text(&answer["data"]["executionId"])).await;
                assert_eq!((&ended["state"], &ended["errorCode"]), (&json!("interrupted"), &json!("page_changed")));
                assert_eq!(ended["certainty"], "not_started");
            } else {
                assert_eq!(answer["error"]["code"], "page_unavailable", "round {round}: {answer}");
            }
        }
    }
}
