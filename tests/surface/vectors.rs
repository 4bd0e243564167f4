//! Replays every vector of `tests/vectors/surface` natively.

use crate::compare::{Chosen, difference, named};
use crate::expand::expand;
use crate::stage::Stage;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
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
        let vector = AssertUnwindSafe(expand(vector));
        let replayed = catch_unwind(|| replay(&vector)).unwrap_or_else(|_| Err("panicked".into()));
        if let Err(failure) = replayed {
            failures.push(format!("{}: {failure}", path.file_name().unwrap_or_default().to_string_lossy()));
        }
    }
    assert!(count > 0, "no vector was found");
    failures.sort();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

fn replay(vector: &Value) -> Result<(), String> {
    let mut stage = Stage::new(&vector["page"], &vector["sessions"]);
    let mut chosen = Chosen::new();
    for (index, step) in vector["steps"].as_array().expect("steps").iter().enumerate() {
        let at_ms = step["at"].as_f64().expect("at is a number");
        stage.move_to(at_ms);
        let name =
            step.get("as").or(step.get("of")).and_then(Value::as_str).map_or_else(|| format!("#{index}"), Into::into);
        take(&mut stage, &named(step, &chosen), &name).map_err(|failure| format!("step {index}: {failure}"))?;
        // What waits for no time has come to its end before anything is looked at.
        stage.move_to(at_ms);
        look(&mut stage, step, &name, &mut chosen).map_err(|failure| format!("step {index}, {failure}"))?;
    }
    match stage.responses.keys().next() {
        Some(name) => Err(format!("the response of {name} was not looked at")),
        None => Ok(()),
    }
}

fn take(stage: &mut Stage, step: &Value, name: &str) -> Result<(), String> {
    if step.get("request").is_some() || step.get("text").is_some() {
        stage.take_request(step, name);
    } else if let Some(cancelled) = step["cancel"].as_str() {
        stage.cancel(cancelled);
    } else if let Some(wall_ms) = step["clock"].as_f64() {
        stage.set_clock(wall_ms);
    } else if let Some(change) = step.get("change") {
        match (stage.change(change), step.get("refused")) {
            (Ok(()), None) => {}
            (Err(rejection), Some(refused)) => {
                let names = refused["names"].as_str().unwrap_or_default();
                if rejection.code.as_str() != refused["code"] || !rejection.message.contains(names) {
                    return Err(format!("refused with {} {}", rejection.code.as_str(), rejection.message));
                }
            }
            (Ok(()), Some(_)) => return Err("the change was not refused".into()),
            (Err(rejection), None) => return Err(format!("the change was refused: {}", rejection.message)),
        }
    }
    Ok(())
}

fn look(stage: &mut Stage, step: &Value, name: &str, chosen: &mut Chosen) -> Result<(), String> {
    let parts = step["look"].as_object();
    if step.get("response").is_some() || parts.is_some() {
        let found = stage.responses.remove(name).ok_or("there is no response yet")?;
        if let Some(differs) = step.get("response").and_then(|expected| difference(expected, &found, chosen, "")) {
            return Err(format!("response {differs}"));
        }
        for (pointer, expected) in parts.into_iter().flatten() {
            let part = found.pointer(pointer);
            let differs = match part {
                None => (expected != "$none").then(|| format!("{pointer}: is missing")),
                Some(part) if expected == "$none" => Some(format!("{pointer}: is there: {part}")),
                Some(part) => difference(expected, part, chosen, pointer),
            };
            if let Some(differs) = differs {
                return Err(format!("look {differs}"));
            }
        }
    }
    let numbers = [("ran", stage.ran), ("aborted", stage.aborted)];
    for (member, found) in numbers {
        if step.get(member).is_some_and(|expected| *expected != found) {
            return Err(format!("{member}: {found}"));
        }
    }
    let (audit, calls, errors) = (step.get("audit"), step.get("calls"), step.get("errors"));
    let lists = [
        ("audit", audit.map(|expected| (expected, stage.audit()))),
        ("errors", errors.map(|expected| (expected, stage.errors()))),
        ("calls", calls.map(|expected| (expected, std::mem::take(&mut stage.calls)))),
    ];
    for (member, list) in lists {
        let differs = list.and_then(|(expected, found)| difference(expected, &Value::Array(found), chosen, ""));
        if let Some(differs) = differs {
            return Err(format!("{member} {differs}"));
        }
    }
    Ok(())
}
