//! The nine steps run in their order, seen by what they call.

use crate::stage::Stage;
use serde_json::{Value, json};

fn page(confirm: Value) -> Stage {
    let page = json!({
        "app": "orders", "title": "Orders", "route": "/",
        "confirm": confirm, "rateLimiter": { "returns": { "ok": true } }, "replayGuard": { "returns": true }, "settle": {},
        "records": [{ "type": "order", "fields": { "status": "plain" }, "items": [{ "id": "1", "status": "pending" }] }],
        "state": { "filter": "" },
        "capabilities": [
            { "id": "approve@order", "description": "Approve", "effect": "write", "record": { "type": "order" },
              "handler": { "returns": null } },
            { "id": "look", "description": "Look", "effect": "read", "handler": { "returns": null } },
        ],
    });
    let sessions =
        json!({ "ada": { "agentId": "a", "sessionId": "s", "userId": "u", "expiresAt": 1e6, "scope": ["*"] } });
    Stage::new(&page, &sessions)
}

fn send(page: &mut Stage, request: &Value) {
    page.take_request(&json!({ "request": request, "session": "ada" }), "call");
}

fn request(method: &str, capability: &str, input: Value) -> Value {
    json!({ "protocol": "pling.surface/0.1", "id": "r", "method": method, "capability": capability, "input": input })
}

#[test]
fn a_confirmed_row_action_passes_all_nine_steps_in_order() {
    let mut page = page(json!({ "waits": 10, "returns": { "approved": true } }));
    send(&mut page, &request("invoke", "approve@order", json!({ "record": "1" })));
    page.move_to(10.0);
    let steps = [
        ("2", "session"),
        ("4", "limiter"),
        ("5", "guard"),
        ("6", "input"),
        ("7a", "record"),
        ("7b", "arguments"),
        ("7b", "confirm"),
        ("7c", "session"),
        ("for changed", "state"),
        ("7d", "record"),
        ("7e", "session, now"),
        ("7e", "executor"),
        ("8", "settle"),
        ("8", "state"),
        ("8", "record"),
        ("9", "response"),
    ];
    assert_eq!(page.log, steps.map(|(_, name)| name));
    assert_eq!(page.responses["call"]["ok"], true);
    assert_eq!(page.audit().len(), 1);
}

#[test]
fn what_nobody_waited_for_is_not_looked_up_twice() {
    let mut page = page(json!({ "returns": { "approved": true } }));
    send(&mut page, &request("invoke", "approve@order", json!({ "record": "1" })));
    let records = page.log.iter().take_while(|name| **name != "executor").filter(|name| **name == "record").count();
    assert_eq!(records, 1, "{:?}", page.log);
}

#[test]
fn a_read_asks_nobody_and_describe_claims_nothing() {
    let mut page = page(Value::Null);
    send(&mut page, &request("invoke", "look", json!({})));
    assert_eq!(
        page.log,
        ["session", "limiter", "guard", "input", "session", "session, now", "executor", "settle", "response"]
    );
    page.log.clear();
    page.responses.clear();
    send(&mut page, &json!({ "protocol": "pling.surface/0.1", "id": "d", "method": "describe" }));
    assert_eq!(page.log, ["session", "limiter", "page", "state", "window", "response"]);
}

#[test]
fn each_refusal_stops_the_steps_where_it_stands() {
    let cases: &[(&str, Value, &str, &[&str])] = &[
        ("step 1", json!({ "protocol": 1 }), "INVALID_REQUEST", &["response"]),
        ("step 3", request("invoke", "nothing", json!({})), "CAPABILITY_NOT_EXPOSED", &["session", "response"]),
        (
            "step 6",
            request("invoke", "look", json!({ "x": 1 })),
            "INVALID_REQUEST",
            &["session", "limiter", "guard", "input", "response"],
        ),
    ];
    for (case, request, code, log) in cases {
        let mut page = page(Value::Null);
        send(&mut page, request);
        assert_eq!(page.responses["call"]["error"]["code"], *code, "{case}");
        assert_eq!(page.log, *log, "{case}");
    }
    let mut page = page(json!({ "returns": { "approved": false } }));
    send(&mut page, &request("invoke", "approve@order", json!({ "record": "1" })));
    assert_eq!(page.responses["call"]["result"]["error"]["code"], "APPROVAL_DENIED");
    assert_eq!(
        page.log,
        ["session", "limiter", "guard", "input", "record", "arguments", "confirm", "response"],
        "step 7b"
    );
}

#[test]
fn so_many_confirmations_wait_for_the_dialog_and_the_next_is_denied_at_once() {
    let names: Vec<String> = (0..7).map(|index| format!("s-{index}")).collect();
    let sessions: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| {
            let session = json!({ "agentId": "a", "sessionId": name, "userId": "u", "expiresAt": 1e6, "scope": ["*"] });
            (name.clone(), session)
        })
        .collect();
    let ask = |page: &mut Stage, session: &str, call: &str| {
        let request = json!({ "protocol": "pling.surface/0.1", "id": call, "method": "invoke", "capability": "write" });
        page.take_request(&json!({ "request": request, "session": session }), call);
        page.responses.get(call).map(|response| response["result"]["error"]["code"].clone())
    };
    let page = |own_gate| {
        let page = json!({
            "app": "orders", "title": "Orders", "route": "/",
            "confirm": { "waits": 10, "returns": { "approved": true } },
            "capabilities": [
                { "id": "write", "description": "Write", "effect": "write", "handler": { "returns": null } },
            ],
        });
        Stage::with(&page, &Value::Object(sessions.clone()), |config| config.own_gate = own_gate)
    };
    let denied = Some(json!("APPROVAL_DENIED"));

    let mut dialog = page(false);
    for call in ["1", "2", "3"] {
        assert_eq!(ask(&mut dialog, "s-0", call), None, "call {call} waits");
    }
    assert_eq!(ask(&mut dialog, "s-0", "4"), denied, "a fourth of one session");
    for session in &names[1..5] {
        for call in ["1", "2", "3"] {
            assert_eq!(ask(&mut dialog, session, &format!("{session} {call}")), None, "{session} has its own three");
        }
    }
    assert_eq!(ask(&mut dialog, "s-5", "s-5 1"), None, "the sixteenth");
    assert_eq!(ask(&mut dialog, "s-6", "s-6 1"), denied, "a seventeenth, of whichever session");
    dialog.move_to(10.0);
    assert_eq!(dialog.ran, 16, "those that waited ran");
    assert_eq!(ask(&mut dialog, "s-0", "5"), None, "there is room again");

    let mut own = page(true);
    for call in ["1", "2", "3", "4"] {
        assert_eq!(ask(&mut own, "s-0", call), None, "the page's own gate minds its own queue");
    }
}
