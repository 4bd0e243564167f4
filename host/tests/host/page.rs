//! A page for the tests: what the SDK sends, over real HTTP, and the stream read by hand.

use crate::host::{Host, text};
use pageport_host::secret;
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

pub(crate) const ORIGIN: &str = "https://shop.example";

/// A document with an open session.
#[derive(Clone)]
pub(crate) struct Page {
    pub(crate) http: Client,
    pub(crate) base: String,
    pub(crate) origin: String,
    pub(crate) token: String,
    pub(crate) id: String,
    pub(crate) revision: String,
    seq: u32,
}

/// The body of `/open` for the test plugin.
pub(crate) fn open_body(generation: u32) -> Value {
    json!({
        "pluginId": "catalog", "scriptId": "page", "pluginVersion": "1.0.0", "generation": generation,
        "title": "Shop", "pageUrl": "https://shop.example/list?page=1",
        "operations": ["search", "order", "slow", "hidden", "member"],
    })
}

/// Sends a body to a call of the bridge.
pub(crate) async fn send(host: &Host, call: &str, bearer: &str, origin: &str, body: &Value) -> (StatusCode, Value) {
    let request = host.http.post(format!("{}/bridge/v1/{call}", host.url)).bearer_auth(bearer).header("origin", origin);
    let response = request.header("content-type", "application/json").body(body.to_string()).send().await.unwrap();
    reply(response).await
}

pub(crate) async fn reply(response: Response) -> (StatusCode, Value) {
    let status = response.status();
    (status, serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or_default())
}

impl Page {
    /// Opens a session; it has no stream and no state yet.
    pub(crate) async fn open(host: &Host) -> Self {
        let (status, answer) = send(host, "open", &host.credential, ORIGIN, &open_body(host.generation)).await;
        assert_eq!(status, 200, "{answer}");
        Self {
            http: host.http.clone(),
            base: format!("{}/bridge/v1", host.url),
            origin: ORIGIN.into(),
            token: text(&answer["data"]["token"]),
            id: text(&answer["data"]["pageSessionId"]),
            revision: String::new(),
            seq: 0,
        }
    }

    /// A session that can run operations.
    pub(crate) async fn ready(host: &Host) -> (Self, Stream) {
        let mut page = Self::open(host).await;
        let stream = page.stream(None).await;
        page.state(json!({})).await;
        (page, stream)
    }

    /// Sends the state: ready, unless `changes` says otherwise.
    pub(crate) async fn state(&mut self, changes: Value) -> Value {
        self.seq += 1;
        let mut body = json!({
            "seq": self.seq, "title": "Shop", "pageUrl": "https://shop.example/list?page=1", "ready": true,
            "login": "unknown", "context": "",
        });
        for (name, value) in changes.as_object().unwrap() {
            body[name] = value.clone();
        }
        let (_, answer) = self.post("state", body).await;
        if answer["ok"] == true {
            self.revision = text(&answer["data"]["revision"]);
        }
        answer
    }

    /// Sends another state without changing what the test knows of the page.
    pub(crate) async fn state_again(&self, changes: Value) -> Value {
        self.clone().state(changes).await
    }

    pub(crate) async fn post(&self, call: &str, body: Value) -> (StatusCode, Value) {
        let request = self.http.post(format!("{}/{call}", self.base)).bearer_auth(&self.token);
        let request = request.header("origin", &self.origin).header("content-type", "application/json");
        reply(request.body(body.to_string()).send().await.unwrap()).await
    }

    /// Posts and answers the code of the refusal, or nothing.
    pub(crate) async fn code(&self, call: &str, body: Value) -> String {
        text(&self.post(call, body).await.1["error"]["code"])
    }

    pub(crate) async fn stream(&self, last: Option<u32>) -> Stream {
        let mut request = self.http.get(format!("{}/events", self.base)).bearer_auth(&self.token);
        request = request.header("origin", &self.origin);
        if let Some(last) = last {
            request = request.header("last-event-id", last.to_string());
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        let mut stream = Stream { response, buffer: String::new() };
        assert_eq!(stream.frame().await.as_deref(), Some(":"), "the first comment");
        stream
    }

    /// The members every call about an execution has.
    pub(crate) fn about(&self, execution: &str) -> Value {
        json!({ "executionId": execution, "revision": self.revision })
    }

    pub(crate) fn with(&self, execution: &str, members: Value) -> Value {
        let mut body = self.about(execution);
        for (name, value) in members.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    }

    /// Claims an execution; answers the reply's data.
    pub(crate) async fn claim(&self, execution: &str) -> Value {
        let (status, answer) = self.post("claim", self.with(execution, json!({ "attemptId": secret::name() }))).await;
        assert_eq!(status, 200, "{answer}");
        answer["data"].clone()
    }

    /// Reports success with these data.
    pub(crate) async fn succeed(&self, execution: &str, data: Value, more: Value) -> Value {
        let mut result = json!({ "data": data, "count": 0, "hasMore": false, "nextCursor": "", "truncated": false });
        for (name, value) in more.as_object().unwrap() {
            result[name] = value.clone();
        }
        let body = self.with(execution, json!({ "state": "succeeded", "stopped": true, "result": result }));
        self.post("complete", body).await.1
    }
}

/// A stream as a page reads it.
pub(crate) struct Stream {
    response: Response,
    buffer: String,
}

/// An event and its number.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) id: Option<u32>,
    pub(crate) data: Value,
}

impl Stream {
    /// The next frame; `None` at the end.
    pub(crate) async fn frame(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.buffer.find("\n\n") {
                let frame = self.buffer[..end].to_owned();
                self.buffer.drain(..end + 2);
                return Some(frame);
            }
            let chunk = timeout(Duration::from_secs(10), self.response.chunk()).await.expect("an event in time");
            match chunk {
                Ok(Some(bytes)) => self.buffer.push_str(std::str::from_utf8(&bytes).unwrap()),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// The next event that is no comment; `None` at the end.
    pub(crate) async fn event(&mut self) -> Option<Event> {
        loop {
            let frame = self.frame().await?;
            let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
            if let Some(data) = field("data: ") {
                let id = field("id: ").map(|id| id.parse().unwrap());
                return Some(Event { id, data: serde_json::from_str(&data).unwrap() });
            }
        }
    }

    /// The next event, which is an invoke; answers its execution.
    pub(crate) async fn invoke(&mut self) -> String {
        let event = self.event().await.expect("an event");
        assert_eq!(event.data["type"], "invoke", "{event:?}");
        text(&event.data["executionId"])
    }
}
