//! What takes minutes, with time as an argument.

use super::Settings;
use super::inner::Inner;
use super::session::Stream;
use crate::execution::limits::{EVENTS, GRACE_MS, OPENS_MS, PLUGIN_SESSIONS, SESSION_IDLE_MS, STREAM_FRAMES};
use crate::execution::{Millis, Phase, Source, State};
use crate::plugin::read_folder;
use crate::store::Store;
use pageport::wire::bridge::{BridgeCode, BridgeError, Login, OpenPlugin, OpenReply, PageSessionId, StateBody};
use serde_json::json;
use tokio::sync::mpsc::{Receiver, channel};

const ORIGIN: &str = "https://shop.example";
const START: Millis = Millis(1_000_000);

struct Bench {
    inner: Inner,
    credential: String,
    now: Millis,
    // Streams stay open as long as somebody could read them.
    streams: Vec<Receiver<super::Frame>>,
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let schema = json!({ "type": "object", "additionalProperties": false });
        let manifest = json!({
            "id": "catalog", "version": "1", "name": "Catalog", "domains": ["shop.example"],
            "permissions": ["inject-page-script", "page-bridge"],
            "pageScripts": [{ "id": "page", "file": "page.js", "bridge": true }],
            "operations": { "look": { "name": "Look", "category": "custom", "pageScript": "page", "effects": ["read"],
                "automation": true, "timeoutSeconds": 1800, "inputSchema": schema, "outputSchema": schema } },
        });
        std::fs::write(dir.path().join("manifest.json"), manifest.to_string()).unwrap();
        std::fs::write(dir.path().join("page.js"), ";").unwrap();
        let mut inner = Inner::start(Store::in_memory().unwrap(), Settings::default(), START).unwrap();
        let folder = read_folder(&dir.path().canonicalize().unwrap(), false);
        let added = inner.add_plugin("catalog".into(), "somewhere".into(), folder, START).unwrap();
        Self { inner, credential: added.credential, now: START, streams: Vec::new() }
    }

    fn open(&mut self) -> Result<OpenReply, BridgeError> {
        let body = OpenPlugin {
            plugin_id: "catalog".into(),
            script_id: "page".into(),
            plugin_version: "1".into(),
            generation: 1,
            title: String::new(),
            page_url: "https://shop.example/".into(),
            operations: vec!["look".into()],
        };
        let opened = self.inner.open(&self.credential, ORIGIN, body, self.now);
        self.settle();
        opened
    }

    fn connect(&mut self, page: PageSessionId) {
        let (sender, receiver) = channel(STREAM_FRAMES);
        self.streams.push(receiver);
        let session = self.inner.sessions.get_mut(&page).unwrap();
        session.stream = Some(Stream { number: 0, sender });
        session.is_connected = true;
    }

    fn ready(&mut self, page: PageSessionId) {
        let body = StateBody {
            seq: 1,
            title: String::new(),
            page_url: "https://shop.example/".into(),
            ready: true,
            login: Login::Unknown,
            context: String::new(),
            ack: None,
        };
        self.inner.state(page, body, self.now).unwrap();
        self.settle();
    }

    fn settle(&mut self) {
        self.inner.tick(self.now);
        self.inner.settle(self.now);
    }

    fn wait(&mut self, ms: u64) {
        self.now = self.now.after(ms);
        self.settle();
    }
}

#[test]
fn a_plugin_has_thirty_two_pages_and_the_oldest_idle_one_goes() {
    let mut bench = Bench::new();
    let mut pages = Vec::new();
    for number in 0..PLUGIN_SESSIONS {
        if number % 16 == 0 {
            bench.wait(OPENS_MS);
        }
        let page = bench.open().unwrap().page_session_id;
        bench.connect(page);
        pages.push(page);
    }
    bench.wait(OPENS_MS);
    assert_eq!(bench.open().unwrap_err().code, BridgeCode::SessionLimit, "all are busy");
    for page in [5, 3] {
        let session = bench.inner.sessions.get_mut(&pages[page]).unwrap();
        session.stream = None;
        session.is_connected = false;
        session.seen = bench.now.after(page as u64);
    }
    bench.open().unwrap();
    assert!(!bench.inner.sessions.contains_key(&pages[3]), "the oldest idle one");
    assert_eq!(bench.inner.sessions.len(), PLUGIN_SESSIONS);
}

#[test]
fn a_session_ends_five_minutes_after_it_was_last_heard_of() {
    let mut bench = Bench::new();
    let opened = bench.open().unwrap();
    bench.wait(SESSION_IDLE_MS - 1);
    assert!(bench.inner.authorize(&opened.token, ORIGIN, bench.now).is_ok(), "which counts as heard of");
    bench.wait(SESSION_IDLE_MS - 1);
    assert_eq!(bench.inner.sessions.len(), 1);
    bench.wait(1);
    let gone = bench.inner.authorize(&opened.token, ORIGIN, bench.now).unwrap_err();
    assert_eq!(gone.code, BridgeCode::SessionGone);
    let connected = bench.open().unwrap();
    bench.connect(connected.page_session_id);
    bench.wait(10 * SESSION_IDLE_MS);
    assert_eq!(bench.inner.sessions.len(), 1, "an open stream keeps it");
}

#[test]
fn the_timer_wakes_for_whatever_is_due_next() {
    let mut bench = Bench::new();
    let page = bench.open().unwrap().page_session_id;
    bench.connect(page);
    bench.ready(page);
    let call = serde_json::from_value(json!({ "pluginId": "catalog", "operationId": "look" })).unwrap();
    let (id, _) = bench.inner.submit(call, Source::Automation, bench.now).unwrap();
    bench.settle();
    assert_eq!(bench.inner.engine.get(id).unwrap().phase, Phase::Sent);
    assert_eq!(bench.inner.arm(), Some(bench.now.after(30_000)), "the claim window");
    bench.wait(30_000);
    let it = bench.inner.engine.get(id).unwrap();
    assert_eq!((it.state, it.phase), (State::TimedOut, Phase::Ended));
    assert!(bench.inner.take_change(), "those who wait are told");
}

#[test]
fn a_host_that_stops_takes_nothing_more() {
    let mut bench = Bench::new();
    let opened = bench.open().unwrap();
    bench.inner.stop(bench.now);
    assert_eq!(bench.open().unwrap_err().code, BridgeCode::Stopping);
    assert_eq!(bench.inner.authorize(&opened.token, ORIGIN, bench.now).unwrap_err().code, BridgeCode::Stopping);
    let call = serde_json::from_value(json!({ "pluginId": "catalog", "operationId": "look" })).unwrap();
    let refused = bench.inner.submit(call, Source::Automation, bench.now).unwrap_err();
    assert_eq!(refused.code.as_str(), "stopping");
}

#[test]
fn a_page_that_does_not_read_loses_its_stream_and_nothing_else() {
    let mut bench = Bench::new();
    let page = bench.open().unwrap().page_session_id;
    bench.connect(page);
    bench.ready(page);
    let mut number = 0;
    while bench.inner.sessions[&page].stream.is_some() {
        // Two frames, and the page says that they arrived.
        let call = serde_json::from_value(json!({ "pluginId": "catalog", "operationId": "look" })).unwrap();
        let (id, _) = bench.inner.submit(call, Source::Automation, bench.now).unwrap();
        bench.settle();
        bench.inner.engine.cancel(id, bench.now).unwrap();
        bench.settle();
        number += 2;
        bench.inner.sessions.get_mut(&page).unwrap().outbox.acknowledge(number - 1);
        assert!(number as usize <= STREAM_FRAMES + 2, "what waits is bounded");
    }
    assert!(bench.inner.sessions[&page].is_connected, "it may come back");
    assert_eq!(bench.inner.sessions[&page].outbox.kept().count(), 1, "and finds what it did not acknowledge");
    bench.wait(GRACE_MS);
    assert!(!bench.inner.sessions[&page].is_connected);
}

#[test]
fn no_name_of_the_host_carries_more_streams_than_another() {
    let mut bench = Bench::new();
    let shard = |opened: OpenReply| opened.events_url.split('.').next().unwrap().to_owned();
    let first = bench.open().unwrap();
    let kept = shard(first);
    for round in 0..70 {
        bench.wait(OPENS_MS / 20 + 1);
        let opened = bench.open().unwrap();
        let page = opened.page_session_id;
        assert_ne!(shard(opened), kept, "round {round}");
        bench.inner.end_session(page, crate::execution::Happening::PageLost, bench.now);
    }
}

#[test]
fn a_page_that_acknowledges_nothing_is_sent_no_more_than_it_may_keep() {
    let mut bench = Bench::new();
    let page = bench.open().unwrap().page_session_id;
    bench.connect(page);
    bench.ready(page);
    let submit = |bench: &mut Bench| {
        let call = serde_json::from_value(json!({ "pluginId": "catalog", "operationId": "look" })).unwrap();
        let (id, _) = bench.inner.submit(call, Source::Automation, bench.now).unwrap();
        bench.settle();
        id
    };
    for _ in 0..EVENTS {
        let id = submit(&mut bench);
        assert_eq!(bench.inner.engine.get(id).unwrap().phase, Phase::Sent);
        // Its invoke is of no use any more; the cancel stays, and fits whatever is kept.
        bench.inner.engine.cancel(id, bench.now).unwrap();
        bench.settle();
    }
    let waiting = submit(&mut bench);
    assert_eq!(bench.inner.engine.get(waiting).unwrap().phase, Phase::Queued);
    bench.inner.sessions.get_mut(&page).unwrap().outbox.acknowledge(2);
    bench.settle();
    assert_eq!(bench.inner.engine.get(waiting).unwrap().phase, Phase::Sent, "at once when there is room");
}
