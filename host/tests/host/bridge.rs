//! What pages get to hear: every code of Operations §4 that can be reached, and the doors' rules.

use crate::host::{Host, text};
use crate::page::{ORIGIN, Page, open_body, reply, send};
use pageport_host::secret;
use reqwest::Method;
use serde_json::{Value, json};

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn only_the_plugins_pages_with_its_credential_get_in() {
    let host = Host::start().await;
    let fine = open_body(host.generation);
    let with = |changes: Value| {
        let mut body = fine.clone();
        for (name, value) in changes.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    let good = host.credential.clone();
    let forged = format!("catalog~1~{}", "A".repeat(43));
    let cases = [
        ("a forged credential", forged.as_str(), ORIGIN, fine.clone(), 403, "credential_refused"),
        ("no credential", "", ORIGIN, fine.clone(), 403, "credential_refused"),
        ("another plugin's", &good, ORIGIN, with(json!({ "pluginId": "other" })), 403, "credential_refused"),
        ("another site", &good, "https://evil.example", fine.clone(), 403, "origin_refused"),
        ("a site below the domain", &good, "https://a.shop.example", fine.clone(), 403, "origin_refused"),
        ("another port", &good, "https://shop.example:8443", fine.clone(), 403, "origin_refused"),
        ("no origin", &good, "null", fine.clone(), 403, "origin_refused"),
        (
            "a URL of another site",
            &good,
            ORIGIN,
            with(json!({ "pageUrl": "https://evil.example/" })),
            403,
            "origin_refused",
        ),
        (
            "a URL with credentials",
            &good,
            ORIGIN,
            with(json!({ "pageUrl": "https://u:p@shop.example/" })),
            403,
            "origin_refused",
        ),
        ("another generation", &good, ORIGIN, with(json!({ "generation": 7 })), 410, "plugin_changed"),
        ("another version", &good, ORIGIN, with(json!({ "pluginVersion": "2" })), 410, "plugin_changed"),
        ("an unknown script", &good, ORIGIN, with(json!({ "scriptId": "x" })), 400, "invalid_input"),
        (
            "an operation of another script",
            &good,
            ORIGIN,
            with(json!({ "operations": ["elsewhere"] })),
            400,
            "invalid_input",
        ),
        ("an unknown member", &good, ORIGIN, with(json!({ "extra": 1 })), 400, "invalid_input"),
        (
            "an app",
            &good,
            ORIGIN,
            json!({ "app": "a", "title": "", "pageUrl": "https://shop.example/" }),
            400,
            "invalid_input",
        ),
    ];
    for (case, credential, origin, body, status, expected) in cases {
        let (found, answer) = send(&host, "open", credential, origin, &body).await;
        assert_eq!((found.as_u16(), code(&answer)), (status, expected), "{case}: {answer}");
        assert!(!answer.to_string().contains(&good), "{case}: no secret in an error");
    }
    let friend = with(json!({ "pageUrl": "https://friend.example/a" }));
    let (status, answer) = send(&host, "open", &good, "https://friend.example", &friend).await;
    assert_eq!(status, 200, "--allow-origin: {answer}");
    let data = &answer["data"];
    assert!(text(&data["eventsUrl"]).contains(".localhost:"), "{data}");
    assert_eq!(data["heartbeatMs"], 15_000.0);
}

#[tokio::test]
async fn opening_is_limited_to_twenty_a_minute() {
    let host = Host::start().await;
    let mut refused = Value::Null;
    for _ in 0..21 {
        refused = send(&host, "open", &host.credential, ORIGIN, &open_body(host.generation)).await.1;
    }
    assert_eq!(code(&refused), "rate_limited");
    assert!(refused["error"]["retryAfterMs"].as_f64().unwrap() > 0.0);
}

#[tokio::test]
async fn a_token_opens_only_its_own_session_from_its_own_origin() {
    let host = Host::start().await;
    let page = Page::open(&host).await;
    let ack = json!({ "ack": 0 });
    let (status, answer) = send(&host, "ack", "wrong", ORIGIN, &ack).await;
    assert_eq!((status.as_u16(), code(&answer)), (401, "session_gone"));
    let (status, answer) = send(&host, "ack", &page.token, "https://friend.example", &ack).await;
    assert_eq!((status.as_u16(), code(&answer)), (403, "origin_refused"));
    let (status, answer) = send(&host, "ack", &page.token, ORIGIN, &ack).await;
    assert_eq!((status.as_u16(), &answer), (200, &json!({ "ok": true, "data": null })));
    let (status, _) = host.api("list_page_sessions", json!({})).await;
    assert_eq!(status, 200);
    let crossed = host.http.post(format!("{}/api/v1/list_page_sessions", host.url)).bearer_auth(&page.token);
    let (status, _) = reply(crossed.header("content-type", "application/json").body("{}").send().await.unwrap()).await;
    assert_eq!(status, 401, "each door refuses the others' tokens");
}

#[tokio::test]
async fn preflights_and_replies_have_the_headers_a_page_needs() {
    let host = Host::start().await;
    let url = format!("{}/bridge/v1/claim", host.url);
    let preflight = host.http.request(Method::OPTIONS, &url).header("origin", ORIGIN).send().await.unwrap();
    let header = |response: &reqwest::Response, name: &str| {
        response.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
    };
    assert_eq!(preflight.status(), 204);
    assert_eq!(header(&preflight, "access-control-allow-origin"), ORIGIN);
    assert_eq!(header(&preflight, "access-control-allow-headers"), "authorization, content-type, last-event-id");
    assert_eq!(header(&preflight, "access-control-max-age"), "7200");
    assert_eq!(header(&preflight, "vary"), "Origin");
    let refused = host.http.post(&url).header("origin", ORIGIN).send().await.unwrap();
    assert_eq!(header(&refused, "access-control-allow-origin"), ORIGIN, "a page may read why");
    assert_eq!(header(&refused, "cache-control"), "no-cache", "no-store keeps pages out of the cache");
    for (case, origin) in [("a page that is none", "null"), ("a file", "file://")] {
        let response = host.http.request(Method::OPTIONS, &url).header("origin", origin).send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), header(&response, "access-control-allow-origin")),
            (403, String::new()),
            "{case}"
        );
    }
    let api = host.http.request(Method::OPTIONS, format!("{}/api/v1/plugins.list", host.url)).header("origin", ORIGIN);
    let response = api.send().await.unwrap();
    assert!(header(&response, "access-control-allow-origin").is_empty(), "no page gets in there");
}

#[tokio::test]
async fn foreign_names_and_origins_are_refused_at_every_door() {
    let host = Host::start().await;
    let paths = [
        ("POST", "/bridge/v1/open"),
        ("GET", "/bridge/v1/events"),
        ("POST", "/api/v1/plugins.list"),
        ("GET", "/hello"),
    ];
    for (method, path) in paths {
        for name in ["evil.example".to_owned(), format!("evil.example:{}", host.port), "127.0.0.1:1".to_owned()] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let request = host.http.request(method, format!("{}{path}", host.url)).header("host", &name);
            let response = request.header("origin", ORIGIN).send().await.unwrap();
            assert_eq!(response.status(), 403, "{path} as {name}");
        }
    }
    let with_origin = |origin: String| {
        let request = host.http.post(format!("{}/api/v1/plugins.list", host.url)).bearer_auth(crate::host::TOKEN);
        request.header("origin", origin).header("content-type", "application/json").body("{}").send()
    };
    assert_eq!(with_origin(ORIGIN.into()).await.unwrap().status(), 403, "a page with the token");
    assert_eq!(with_origin(host.url.clone()).await.unwrap().status(), 200, "the host's own");
}

#[tokio::test]
async fn a_state_is_applied_once_and_only_forward() {
    let host = Host::start().await;
    let mut page = Page::open(&host).await;
    page.state(json!({})).await;
    let first = page.revision.clone();
    let again = page.state(json!({ "seq": 1, "ready": false })).await;
    assert_eq!(again["data"]["revision"], first.as_str(), "an equal number is answered, not applied");
    page.state(json!({ "seq": 5, "title": "Another title" })).await;
    assert_eq!(page.revision, first, "a title is no new revision");
    for (seq, change) in [
        (6, json!({ "context": "c" })),
        (7, json!({ "login": "required" })),
        (8, json!({ "ready": false })),
        (9, json!({ "pageUrl": "https://shop.example/b" })),
    ] {
        let mut change = change;
        change["seq"] = json!(seq);
        let before = page.revision.clone();
        page.state(change).await;
        assert_ne!(page.revision, before, "{seq}");
    }
    assert_eq!(code(&page.state(json!({ "seq": 4 })).await), "stale_revision");
    for change in [
        json!({ "pageUrl": "https://evil.example/" }),
        json!({ "context": "c".repeat(129) }),
        json!({ "title": "t".repeat(129) }),
    ] {
        let mut change = change;
        change["seq"] = json!(20);
        assert_eq!(code(&page.state(change).await), "invalid_input");
    }
}

#[tokio::test]
async fn states_and_calls_about_nothing_are_limited() {
    let host = Host::start().await;
    let (page, _stream) = Page::ready(&host).await;
    let unknown = page.with(&secret::name(), json!({ "attemptId": secret::name() }));
    let mut codes = Vec::new();
    for _ in 0..105 {
        codes.push(page.code("claim", unknown.clone()).await);
    }
    assert_eq!(codes[0], "not_found");
    assert_eq!(codes[104], "rate_limited");
    let (_, answer) = page.post("ack", json!({ "ack": 0 })).await;
    assert!(answer["error"]["retryAfterMs"].as_f64().unwrap() > 0.0, "{answer}");
}

#[tokio::test]
async fn claims_rejects_and_reports_get_the_codes_of_the_table() {
    let host = Host::start().await;
    let (mut page, mut stream) = Page::ready(&host).await;
    let id = host.invoke("search", json!({})).await;
    assert_eq!(stream.invoke().await, id);
    let attempt = secret::name();
    let claim = page.with(&id, json!({ "attemptId": attempt }));
    assert_eq!(page.code("heartbeat", page.about(&id)).await, "not_found", "not claimed");
    assert_eq!(
        page.code("claim", json!({ "executionId": id, "revision": secret::name(), "attemptId": attempt })).await,
        "stale_revision"
    );
    let (_, first) = page.post("claim", claim.clone()).await;
    assert_eq!(first["data"]["input"], json!({ "q": "x" }), "{first}");
    assert_eq!((&first["data"]["cursor"], &first["data"]["limit"]), (&json!(""), &json!(20)));
    let (status, _) = page.post("claim", claim.clone()).await;
    assert_eq!(status, 200, "the same attempt again");
    assert_eq!(page.code("claim", page.with(&id, json!({ "attemptId": secret::name() }))).await, "already_claimed");
    assert_eq!(page.code("reject", page.with(&id, json!({ "code": "no_handler" }))).await, "already_claimed");
    let (_, beat) = page.post("heartbeat", page.with(&id, json!({ "progress": 25 }))).await;
    assert_eq!(beat["data"], json!({ "cancelRequested": false }));
    assert_eq!(host.execution(&id).await["progress"], 25.0);
    assert_eq!(page.code("heartbeat", page.with(&id, json!({ "progress": 101 }))).await, "invalid_input");
    page.succeed(&id, json!({ "note": "done" }), json!({})).await;
    assert_eq!(page.code("heartbeat", page.about(&id)).await, "execution_ended");
    assert_eq!(page.code("claim", claim).await, "execution_ended");
    let again = page.with(&id, json!({ "state": "failed", "stopped": true }));
    assert_eq!(page.code("complete", again).await, "", "a repeated report is fine, and changes nothing");
    assert_eq!(host.execution(&id).await["state"], "succeeded");
    let old = page.about(&id);
    page.state(json!({ "context": "elsewhere" })).await;
    assert_eq!(page.code("heartbeat", old).await, "execution_ended", "its own revision is remembered");
}
