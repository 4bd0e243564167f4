//! The arguments of the tools: closed, bounded, and told what is wrong with them.

use crate::host::{Host, TOKEN, invocation};
use crate::page::{Page, reply};
use pageport_host::secret;
use serde_json::json;

#[tokio::test]
async fn callers_are_told_what_is_wrong_with_their_call() {
    let host = Host::start().await;
    let (_page, _stream) = Page::ready(&host).await;
    let cases = [
        ("no such operation", json!({ "operationId": "nothing" }), "operation_unavailable"),
        ("no such plugin", json!({ "pluginId": "nothing" }), "operation_unavailable"),
        ("not exposed", json!({ "operationId": "hidden" }), "automation_disabled"),
        ("a wrong input", json!({ "input": { "q": 1 } }), "invalid_input"),
        ("a missing member", json!({ "input": {} }), "invalid_input"),
        ("a large input", json!({ "input": { "q": "x".repeat(33_000) } }), "input_too_large"),
        ("no items", json!({ "limit": 0 }), "invalid_input"),
        ("too many items", json!({ "limit": 101 }), "invalid_input"),
        ("an unknown argument", json!({ "extra": 1 }), "invalid_input"),
        ("a bad page id", json!({ "pageSessionId": "x" }), "invalid_input"),
        ("an empty key", json!({ "idempotencyKey": "" }), "invalid_input"),
        ("a long key", json!({ "idempotencyKey": "k".repeat(129) }), "invalid_input"),
        ("a retry", json!({ "retryOf": secret::name() }), "invalid_input"),
        ("a resource", json!({ "resourceId": "r" }), "invalid_resource"),
    ];
    for (case, change, code) in cases {
        let refused = host.refusal("invoke_plugin_operation", invocation("search", change)).await;
        assert_eq!(refused["code"], code, "{case}: {refused}");
    }
    for tool in
        ["invoke_plugin_batch", "get_plugin_batch", "cancel_plugin_batch", "get_artifact", "read_text_artifact", "x"]
    {
        assert_eq!(host.refusal(tool, json!({})).await["code"], "not_found", "{tool}");
    }
    assert_eq!(host.refusal("list_plugin_executions", json!({ "limit": 101 })).await["code"], "invalid_input");
    assert_eq!(host.ask("list_plugin_executions", json!({})).await["total"], 0, "nothing was taken");
}

#[tokio::test]
async fn nothing_is_no_argument() {
    let host = Host::start().await;
    let (_page, _stream) = Page::ready(&host).await;
    for name in ["input", "pageSessionId", "cursor", "limit", "idempotencyKey", "retryOf", "resourceId", "actionId"] {
        let refused = host.refusal("invoke_plugin_operation", invocation("search", json!({ name: null }))).await;
        let code = refused["code"].as_str().unwrap();
        assert!(matches!(code, "invalid_input" | "invalid_resource"), "{name}: {refused}");
    }
    for (tool, arguments) in [
        ("list_plugin_operations", json!({ "pluginId": null })),
        ("list_plugin_executions", json!({ "state": null })),
        ("list_plugin_executions", json!({ "pluginId": null })),
        ("list_plugin_executions", json!({ "offset": null })),
        ("list_plugin_executions", json!({ "limit": null })),
        ("get_plugin_execution", json!({ "id": secret::name(), "waitMs": null })),
    ] {
        assert_eq!(host.refusal(tool, arguments.clone()).await["code"], "invalid_input", "{tool} {arguments}");
    }
    assert_eq!(host.ask("list_plugin_executions", json!({})).await["total"], 0);
}

#[tokio::test]
async fn the_automation_door_reads_only_json_of_a_bounded_size() {
    let host = Host::start().await;
    let post = |token: &'static str, kind: &'static str, body: String| {
        let request = host.http.post(format!("{}/api/v1/list_page_sessions", host.url)).bearer_auth(token);
        request.header("content-type", kind).body(body)
    };
    let json = "application/json";
    let cases = [
        ("fine", TOKEN, json, "{}".to_owned(), 200, ""),
        ("no token", "", json, "{}".into(), 401, "unauthorized"),
        ("another token", "x", json, "{}".into(), 401, "unauthorized"),
        ("text", TOKEN, "text/plain", "{}".into(), 415, "unsupported_type"),
        ("too large", TOKEN, json, format!("{{}}{}", " ".repeat(2 * 1024 * 1024)), 413, "input_too_large"),
        ("nothing", TOKEN, json, String::new(), 400, "invalid_input"),
        ("something after it", TOKEN, json, "{}{}".into(), 400, "invalid_input"),
        ("very deep", TOKEN, json, "[".repeat(1_000_000), 400, "invalid_input"),
        ("half a character", TOKEN, json, r#"{"\ud800":1}"#.into(), 400, "invalid_input"),
    ];
    for (case, token, kind, body, status, code) in cases {
        let (found, answer) = reply(post(token, kind, body).send().await.unwrap()).await;
        assert_eq!(found, status, "{case}: {answer}");
        assert_eq!(answer["error"]["code"].as_str().unwrap_or_default(), code, "{case}");
    }
}
