//! The host is killed in the middle: what was answered is in the file, what was running is interrupted, nothing is
//! run again.

use crate::host::text;
use crate::page::{ORIGIN, open_body, reply};
use crate::program::Program;
use rustix::process::Signal;
use serde_json::{Value, json};

async fn post(host: &Program, call: &str, bearer: &str, body: Value) -> Value {
    let request = reqwest::Client::new().post(format!("{}/bridge/v1/{call}", host.url)).bearer_auth(bearer);
    let request = request.header("origin", ORIGIN).header("content-type", "application/json");
    reply(request.body(body.to_string()).send().await.unwrap()).await.1
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_host_interrupts_what_ran_and_keeps_what_ended() {
    let mut host = Program::start(&[]);
    let credential = text(&host.run(&["plugins", "add", &host.plugin()])["credential"]);
    let mut ended: Vec<(String, String)> = Vec::new();
    for round in 0..10 {
        let opened = post(&host, "open", &credential, open_body(1)).await;
        let token = text(&opened["data"]["token"]);
        let events = reqwest::Client::new().get(format!("{}/bridge/v1/events", host.url)).bearer_auth(&token);
        let _events = events.header("origin", ORIGIN).send().await.unwrap();
        let state = json!({ "seq": 1, "title": "", "pageUrl": "https://shop.example/", "ready": true, "login": "unknown", "context": "" });
        let revision = text(&post(&host, "state", &token, state).await["data"]["revision"]);
        let invoke = || {
            text(&host.run(&["operations", "invoke", "catalog", "search", "--input", r#"{"q":"x"}"#])["executionId"])
        };
        let claim = |id: &str| json!({ "executionId": id, "revision": revision, "attemptId": id });

        let done = invoke();
        post(&host, "claim", &token, claim(&done)).await;
        let result = json!({ "data": {}, "count": 0, "hasMore": false, "nextCursor": "", "truncated": false });
        post(&host, "complete", &token, json!({ "executionId": done, "revision": revision, "state": "succeeded", "stopped": true, "result": result })).await;
        let running = invoke();
        assert_eq!(post(&host, "claim", &token, claim(&running)).await["ok"], true);
        let queued = invoke();

        host = Program::start_in(host.kill(), &[]);
        let end = |id: &str| {
            let it = host.run(&["operations", "execution", id]);
            format!("{}/{}/{}", text(&it["state"]), text(&it["errorCode"]), text(&it["certainty"]))
        };
        ended.push((done, "succeeded//confirmed".into()));
        ended.push((running, "interrupted/host_restarted/unknown".into()));
        ended.push((queued, "interrupted/host_restarted/not_started".into()));
        for (id, expected) in &ended {
            assert_eq!(end(id), *expected, "round {round}");
        }
    }
    assert_eq!(host.run(&["operations", "history"])["total"], 30, "nothing was run again");
    assert_eq!(host.run(&["operations", "sessions"])["total"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_localhost_get_in_only_while_developing() {
    let dir = tempfile::tempdir().unwrap();
    let mut local = crate::host::manifest();
    local["domains"] = json!(["localhost"]);
    local["operations"]["cart"]["pageMatch"] = json!([{ "host": "localhost", "path": "/cart*" }]);
    crate::host::write_plugin(&dir.path().join("plugin"), &local);
    let (plugin, file) = (dir.path().join("plugin"), dir.path().join("page.json"));
    let options = ["--dev", "--plugin", plugin.to_str().unwrap(), "--credential-file", file.to_str().unwrap()];
    let host = Program::start_in(dir, &options);
    let written: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let open = async |origin: &str| {
        let mut body = open_body(1);
        body["pageUrl"] = json!(format!("{origin}/list"));
        let request = reqwest::Client::new().post(format!("{}/open", text(&written["url"])));
        let request = request.bearer_auth(text(&written["credential"])).header("origin", origin);
        let response = request.header("content-type", "application/json").body(body.to_string()).send().await.unwrap();
        text(&reply(response).await.1["error"]["code"])
    };
    assert_eq!(open("http://localhost:5173").await, "", "any port");
    assert_eq!(open("http://127.0.0.1:5173").await, "origin_refused");
    let (dir, _) = host.terminate();
    let host = Program::start_in(dir, &[]);
    let listed = host.run(&["plugins", "list"]);
    assert_eq!(listed["items"][0]["errors"][0]["pointer"], "/domains/0", "{listed}");
}

#[test]
fn the_credential_file_follows_every_generation() {
    let dir = tempfile::tempdir().unwrap();
    let (plugin, file) = (dir.path().join("plugin"), dir.path().join("page.json"));
    crate::host::write_plugin(&plugin, &crate::host::manifest());
    let options = ["--plugin", plugin.to_str().unwrap(), "--credential-file", file.to_str().unwrap()];
    let host = Program::start_in(dir, &options);
    let written = || serde_json::from_slice::<Value>(&std::fs::read(&file).unwrap()).unwrap();
    assert!(text(&written()["credential"]).starts_with("catalog~1~"));
    std::fs::write(plugin.join("page.js"), "// another").unwrap();
    let added = host.run(&["plugins", "add", &host.plugin()]);
    assert_eq!(added["generation"], 2);
    assert_eq!(written(), json!({ "url": added["url"], "credential": added["credential"] }));
}

#[test]
fn who_says_nothing_does_not_keep_the_host_from_ending() {
    use std::io::Write;
    let host = Program::start(&[]);
    let address = host.url.strip_prefix("http://").unwrap().to_owned();
    let credential = text(&host.run(&["plugins", "add", &host.plugin()])["credential"]);
    let head = format!(
        "POST /bridge/v1/open HTTP/1.1\r\nHost: {address}\r\nOrigin: {ORIGIN}\r\nAuthorization: Bearer {credential}\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
    );
    let mut silent = Vec::new();
    for start in ["", "POST / HT", &head] {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        stream.write_all(start.as_bytes()).unwrap();
        silent.push(stream);
    }
    assert_eq!(host.run(&["operations", "sessions"])["total"], 0, "others are answered meanwhile");
    let start = std::time::Instant::now();
    let (_dir, output) = host.terminate();
    assert!(output.status.success() && start.elapsed().as_secs() < 4, "{:?} {output:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_told_to_stop_ends_at_once_and_says_so() {
    let mut host = Program::start(&[]);
    let credential = text(&host.run(&["plugins", "add", &host.plugin()])["credential"]);
    for signal in [Signal::INT, Signal::TERM] {
        let opened = post(&host, "open", &credential, open_body(1)).await;
        let token = text(&opened["data"]["token"]);
        let events = reqwest::Client::new().get(format!("{}/bridge/v1/events", host.url)).bearer_auth(&token);
        let mut events = events.header("origin", ORIGIN).send().await.unwrap();
        let state = json!({ "seq": 1, "title": "", "pageUrl": "https://shop.example/", "ready": true, "login": "unknown", "context": "" });
        post(&host, "state", &token, state).await;
        let invoked = host.run(&["operations", "invoke", "catalog", "search", "--input", r#"{"q":"x"}"#]);
        // Another host's file, by the look of it.
        let file = host.data().join("control.json");
        let own = std::fs::read(&file).unwrap();
        let strange = String::from_utf8(own).unwrap().replace("\"token\":\"", "\"token\":\"x");
        std::fs::write(&file, &strange).unwrap();

        let start = std::time::Instant::now();
        let (dir, output) = host.stop(signal);
        assert!(output.status.success() && start.elapsed().as_secs() < 3, "{signal:?} {:?}", start.elapsed());
        let mut heard = Vec::new();
        while let Some(chunk) = events.chunk().await.unwrap() {
            heard.extend_from_slice(&chunk);
        }
        assert!(String::from_utf8(heard).unwrap().ends_with("data: {\"type\":\"bye\",\"reason\":\"stopping\"}\n\n"));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), strange, "only its own file goes with it");
        host = Program::start_in(dir, &[]);
        let ended = host.run(&["operations", "execution", &text(&invoked["executionId"])]);
        assert_eq!((&ended["state"], &ended["errorCode"]), (&json!("interrupted"), &json!("host_stopped")));
    }
}
