//! Replays every vector of `tests/vectors/surface` natively.

use crate::compare::{Chosen, difference};
use crate::page::{Page, Source};
use serde_json::Value;
use std::path::Path;

#[test]
#[expect(clippy::disallowed_methods, reason = "the test reads its vectors")]
fn every_vector_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/surface");
    let mut failures = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the vectors") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let vector: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(vector["version"], 1, "{}", path.display());
        count += 1;
        if let Err(failure) = replay(&vector) {
            failures.push(format!("{}: {failure}", path.file_name().unwrap_or_default().to_string_lossy()));
        }
    }
    assert!(count > 0, "no vector was found");
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

fn replay(vector: &Value) -> Result<(), String> {
    let mut page = Page::new(&vector["page"], &vector["sessions"], |_| ());
    let mut chosen = Chosen::new();
    for (index, step) in vector["steps"].as_array().expect("steps").iter().enumerate() {
        page.move_to(step["at"].as_f64().expect("at is a number"));
        let name =
            step.get("as").or(step.get("of")).and_then(Value::as_str).map_or_else(|| format!("#{index}"), Into::into);
        if step.get("request").is_some() || step.get("text").is_some() {
            let envelope = step["text"].as_str().map_or_else(|| step["request"].to_string(), Into::into);
            page.send(&envelope, source(step), &name);
        } else if let Some(cancelled) = step["cancel"].as_str() {
            page.cancel(cancelled);
        } else if let Some(change) = step.get("change") {
            page.change(change);
        }
        if let Some(expected) = step.get("response") {
            let found = page.responses.remove(&name).ok_or(format!("step {index}: there is no response yet"))?;
            if let Some(differs) = difference(expected, &found, &mut chosen, "") {
                return Err(format!("step {index}, response {differs}"));
            }
        }
        if let Some(ran) = step["ran"].as_u64()
            && page.ran as u64 != ran
        {
            return Err(format!("step {index}: {} executors ran", page.ran));
        }
        if let Some(expected) = step.get("audit") {
            let found = Value::Array(page.audit());
            if let Some(differs) = difference(expected, &found, &mut chosen, "") {
                return Err(format!("step {index}, audit {differs}"));
            }
        }
    }
    match page.responses.keys().next() {
        Some(name) => Err(format!("the response of {name} was not looked at")),
        None => Ok(()),
    }
}

fn source(step: &Value) -> Source {
    match step["session"].as_str() {
        None => Source::Null,
        Some(name) if step["resolver"] == Value::Bool(true) => Source::Resolver(name.into()),
        Some(name) => Source::Session(name.into()),
    }
}
