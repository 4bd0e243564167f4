//! How long one operation takes, from the caller's request to its result, one after the other:
//! `cargo run --release -p pageport-host --features measure --example serial`.
#![allow(clippy::unwrap_used, reason = "a measurement that can't go on is none")]
#![allow(dead_code, reason = "the tests' page can do more than is measured")]

#[path = "../tests/host/host.rs"]
mod host;
#[path = "../tests/host/page.rs"]
mod page;

use host::{Host, invocation, text};
use page::Page;
use serde_json::json;
use std::time::{Duration, Instant};

const ROUNDS: usize = 500;

#[tokio::main]
async fn main() {
    let host = Host::start().await;
    let (page, mut stream) = Page::ready(&host).await;
    let (mut posts, mut events, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        host.ask("list_page_sessions", json!({})).await;
        posts.push(start.elapsed());

        let start = Instant::now();
        let call = host.ask("invoke_plugin_operation", invocation("search", json!({})));
        let (taken, event) = tokio::join!(call, async {
            let event = stream.event().await.unwrap();
            (event, start.elapsed())
        });
        events.push(event.1);
        let id = text(&taken["executionId"]);
        let waiting = host.ask("get_plugin_execution", json!({ "id": id, "waitMs": 5000 }));
        let running = async {
            page.post("claim", page.with(&id, json!({ "attemptId": id, "ack": event.0.id }))).await;
            page.succeed(&id, json!({ "note": "x" }), json!({ "count": 1 })).await;
        };
        let (execution, ()) = tokio::join!(waiting, running);
        assert_eq!(execution["state"], "succeeded");
        whole.push(start.elapsed());
    }
    println!("one POST                     {}", median(posts));
    println!("submit to event on the page  {}", median(events));
    println!("one operation, end to end    {}", median(whole));
}

fn median(mut times: Vec<Duration>) -> String {
    times.sort();
    format!("{:>7.3} ms (p95 {:.3})", ms(times[times.len() / 2]), ms(times[times.len() * 95 / 100]))
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
