//! What is wrong with a page's request is told in JSON, strictly, and without its values.

use crate::host::{Host, text};
use crate::page::{ORIGIN, Page, open_body, reply, send};
use pageport_host::secret;
use reqwest::Method;
use serde_json::{Value, json};

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn bodies_are_read_strictly() {
    let host = Host::start().await;
    let page = Page::open(&host).await;
    let post = |kind: &'static str, body: String| {
        let request = host.http.post(format!("{}/bridge/v1/ack", host.url)).bearer_auth(&page.token);
        request.header("origin", ORIGIN).header("content-type", kind).body(body)
    };
    let cases = [
        ("text", "text/plain", "{\"ack\":1}".to_owned(), 415, "unsupported_type"),
        ("too large", "application/json", format!("{{\"ack\":1{}}}", " ".repeat(65_536)), 413, "too_large"),
        ("no JSON", "application/json", "{".into(), 400, "invalid_input"),
        ("something after it", "application/json", "{\"ack\":1} 1".into(), 400, "invalid_input"),
        ("another type", "application/json", "{\"ack\":\"secret words\"}".into(), 400, "invalid_input"),
        ("charset is fine", "application/json; charset=utf-8", "{\"ack\":1}".into(), 200, ""),
    ];
    for (case, kind, body, status, expected) in cases {
        let (found, answer) = reply(post(kind, body).send().await.unwrap()).await;
        assert_eq!((found.as_u16(), code(&answer)), (status, expected), "{case}: {answer}");
        assert!(!answer.to_string().contains("secret words"), "{case}");
    }
    for call in ["reload", "reload-abort", "resume", "reply", "message", "nothing"] {
        assert_eq!(page.code(call, json!({})).await, "not_found", "{call}");
    }
}

#[tokio::test]
async fn what_waited_goes_together_and_each_entry_stands_alone() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("search", json!({})).await;
    let event = stream.event().await.unwrap();
    let entry = |call: &str, members: Value| {
        let mut entry = page.with(&id, members);
        entry["call"] = json!(call);
        entry
    };
    let calls = json!({ "ack": event.id, "calls": [
        entry("heartbeat", json!({})),
        entry("claim", json!({ "attemptId": secret::name() })),
        entry("complete", json!({ "state": "failed", "code": "page_execution_failed", "stopped": true })),
        { "call": "reply", "replyTo": 1, "response": { "protocolVersion": "1", "id": "1", "ok": true } },
    ] });
    let (status, answer) = page.post("calls", calls).await;
    if status == 200 {
        let entries = answer["data"].as_array().unwrap();
        assert_eq!(entries[0]["error"]["code"], "not_found", "before its claim");
        assert_eq!((&entries[1]["ok"], &entries[2]["ok"]), (&json!(true), &json!(true)), "{answer}");
        assert_eq!(entries[3]["error"]["code"], "not_found");
    } else {
        panic!("{answer}");
    }
    let execution = host.end(&id).await;
    assert_eq!((&execution["state"], &execution["certainty"]), (&json!("failed"), &json!("confirmed")));
}

#[tokio::test]
async fn an_entry_that_is_wrong_stops_no_other() {
    let host = Host::start().await;
    let (page, _stream) = Page::ready(&host).await;
    let state = json!({ "call": "state", "seq": 9, "title": "", "pageUrl": "https://shop.example/", "ready": true,
        "login": "unknown", "context": "" });
    let about = page.with(&secret::name(), json!({ "call": "heartbeat" }));
    let mut stranger = about.clone();
    stranger["extra"] = json!("a value of the page");
    let calls = json!({ "calls": [stranger, { "call": "dance" }, 5, ["state", 1], { "call": "message", "message": 1 }, state, about] });
    let (status, answer) = page.post("calls", calls).await;
    assert_eq!(status, 200, "{answer}");
    let codes: Vec<_> = answer["data"].as_array().unwrap().iter().map(code).collect();
    assert_eq!(
        codes,
        ["invalid_input", "invalid_input", "invalid_input", "invalid_input", "invalid_input", "", "not_found"]
    );
    assert!(text(&answer["data"][0]["error"]["message"]).contains("extra"), "{answer}");
    assert!(!answer.to_string().contains("a value of the page"), "{answer}");
}

#[tokio::test]
async fn a_list_is_no_object() {
    let host = Host::start().await;
    let (page, _stream) = Page::ready(&host).await;
    let list = |body: &Value| Value::Array(body.as_object().unwrap().values().cloned().collect());
    assert_eq!(page.code("ack", json!([0])).await, "invalid_input");
    let mut ordered = Vec::new();
    for name in ["pluginId", "scriptId", "pluginVersion", "generation", "title", "pageUrl", "operations"] {
        ordered.push(open_body(host.generation)[name].clone());
    }
    let (status, answer) = send(&host, "open", &host.credential, ORIGIN, &Value::Array(ordered)).await;
    assert_eq!((status.as_u16(), code(&answer)), (400, "invalid_input"), "{answer}");
    assert_eq!(host.refusal("list_page_sessions", json!([])).await["code"], "invalid_input");
    assert_eq!(host.refusal("list_plugin_operations", json!(["catalog"])).await["code"], "invalid_input");
    let invoke = list(&json!({ "a": "catalog", "b": "search" }));
    assert_eq!(host.refusal("invoke_plugin_operation", invoke).await["code"], "invalid_input");
}

#[tokio::test]
async fn a_page_that_opens_is_told_which_member_is_wrong() {
    let host = Host::start().await;
    let with = |name: &str, value: Value| {
        let mut body = open_body(host.generation);
        body[name] = value;
        body
    };
    let mut short = open_body(host.generation);
    short.as_object_mut().unwrap().remove("title");
    let cases = [
        ("an unknown member", with("extra", json!(1)), "extra"),
        ("a missing member", short, "title"),
        ("an operation twice", with("operations", json!(["search", "search"])), "operations"),
    ];
    for (case, body, name) in cases {
        let (status, answer) = send(&host, "open", &host.credential, ORIGIN, &body).await;
        assert_eq!((status.as_u16(), code(&answer)), (400, "invalid_input"), "{case}: {answer}");
        assert!(text(&answer["error"]["message"]).contains(name), "{case}: {answer}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_found_in_json() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let cases = [
        ("POST", "/bridge/v1/%ff"),
        ("POST", "/api/v1/%ff"),
        ("GET", "/bridge/v1/open"),
        ("PUT", "/bridge/v1/state"),
        ("DELETE", "/bridge/v1/events"),
        ("HEAD", "/bridge/v1/events"),
        ("GET", "/api/v1/list_page_sessions"),
        ("POST", "/hello"),
        ("POST", "/bridge/v1/state/more"),
        ("GET", "/"),
    ];
    for (method, path) in cases {
        let request = host.http.request(Method::from_bytes(method.as_bytes()).unwrap(), format!("{}{path}", host.url));
        let token = if path.starts_with("/bridge") { &page.token } else { crate::host::TOKEN };
        let request = request.bearer_auth(token).header("content-type", "application/json");
        let request = if path.starts_with("/bridge") { request.header("origin", ORIGIN) } else { request };
        let response = request.body("{}").send().await.unwrap();
        let (status, answer) = reply(response).await;
        assert_eq!(status, 404, "{method} {path}: {answer}");
        assert!(method == "HEAD" || code(&answer) == "not_found", "{method} {path}: {answer}");
    }
    let id = host.invoke("search", json!({})).await;
    assert_eq!(stream.invoke().await, id, "none of them touched the stream");
}
