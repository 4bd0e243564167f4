//! The options of a vector's page, as the kernel takes them.

use pageport::surface::{Config, Scope};
use pageport::wire::{Rate, limits, number_text};
use serde_json::Value;

pub(super) fn config(page: &Value) -> Config {
    let option = |name| page.get("options").and_then(|options| options.get(name));
    let limit = |name| option("limits").and_then(|limits| limits.get(name));
    let lower = |name, default| limit(name).and_then(Value::as_u64).map_or(default, |max| max as usize);
    let number = |name, default| limit("rate").map_or(default, |rate| rate[name].as_f64().expect("a number"));
    Config {
        app: page["app"].as_str().expect("an app").into(),
        page_session_id: "page-session".into(),
        secret: 7,
        allow: option("allow").map(scope),
        open_scope: option("openMode").map(|open| scope(&open["scope"])),
        max_records: lower("maxRecords", limits::WINDOW_MAX),
        max_result_units: lower("maxResultBytes", limits::RESULT_UNITS),
        rate: Rate {
            capacity: number("capacity", limits::RATE_CAPACITY),
            per_ms: number("perMs", limits::RATE_PER_MS),
        },
        own_limiter: page.get("rateLimiter").is_some(),
        own_guard: page.get("replayGuard").is_some(),
        own_gate: true,
        settles: page.get("settle").is_some(),
        audits: true,
        number_text,
    }
}

fn scope(list: &Value) -> Scope {
    let entries: Vec<&str> =
        list.as_array().expect("a list").iter().map(|entry| entry.as_str().expect("text")).collect();
    Scope::normalise(entries).expect("a valid scope")
}
