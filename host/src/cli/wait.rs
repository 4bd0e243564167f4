//! Waits for an execution's end, with a progress bar where somebody looks.

use super::client::Client;
use super::failure::Failure;
use super::print::Output;
use serde_json::{Value, json};
use std::io::{Write, stderr};

/// How wide the bar is.
const WIDTH: usize = 30;

/// Asks until the execution has ended.
pub(super) async fn until_end(client: &Client, id: &str, output: Output) -> Result<Value, Failure> {
    // A request that waits must end before the client's own patience does.
    let patience = u64::try_from(client.timeout.as_millis()).unwrap_or(u64::MAX) * 2 / 3;
    let wait_ms = if output.has_progress() { 250.min(patience) } else { patience.min(30_000) };
    loop {
        let asked = client.call("get_plugin_execution", &json!({ "id": id, "waitMs": wait_ms }).to_string()).await;
        // The execution does not depend on who waits for it: invoking again would run it twice.
        let go_on = || format!("the execution was taken; go on with: pageport operations execution {id} --wait");
        let execution = asked.map_err(|failure| failure.hint_if_lost(go_on))?;
        let is_running = matches!(execution["state"].as_str(), Some("queued" | "running"));
        if output.has_progress() {
            draw(&execution, is_running);
        }
        if !is_running {
            return Ok(execution);
        }
    }
}

/// Draws over the last bar; the end wipes it.
fn draw(execution: &Value, is_running: bool) {
    let mut text = String::from("\r\u{1b}[K");
    if is_running {
        let state = execution["state"].as_str().unwrap_or_default();
        match execution["progress"].as_f64() {
            Some(progress) => text.push_str(&format!("{} {progress:>3.0} % {state}", bar(progress))),
            None => text.push_str(&format!("{} {state}", bar(0.0))),
        }
    }
    // A bar that can't be drawn is not missed.
    let _ = write!(stderr(), "{text}").and_then(|()| stderr().flush());
}

fn bar(progress: f64) -> String {
    let done = (0..WIDTH).filter(|at| progress >= 100.0 * (*at as f64 + 1.0) / WIDTH as f64).count();
    format!("[{}{}]", "#".repeat(done), "-".repeat(WIDTH - done))
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn the_bar_is_full_at_100_and_not_before() {
        let count = |progress| bar(progress).matches('#').count();
        assert_eq!((count(0.0), count(50.0), count(99.9), count(100.0)), (0, 15, 29, 30));
    }
}
