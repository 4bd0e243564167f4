//! Compares a response with what a vector expects; `$name` stands for a value the implementation chooses.

use serde_json::Value;
use std::collections::HashMap;

/// The values that placeholders stand for so far.
pub(crate) type Chosen = HashMap<String, Value>;

/// What differs, as a path and the two sides.
pub(crate) fn difference(expected: &Value, found: &Value, chosen: &mut Chosen, path: &str) -> Option<String> {
    match (expected, found) {
        (Value::String(name), _) if name.starts_with('$') => {
            let value = chosen.entry(name.clone()).or_insert_with(|| found.clone());
            (value != found).then(|| format!("{path}: {name} was {value} and is {found}"))
        }
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let differs = |(index, (a, b))| difference(a, b, chosen, &format!("{path}/{index}"));
            a.iter().zip(b).enumerate().find_map(differs)
        }
        (Value::Object(a), Value::Object(b)) => {
            if let Some(extra) = b.keys().find(|key| !a.contains_key(*key)) {
                return Some(format!("{path}/{extra}: is there and should not be: {}", b[extra]));
            }
            a.iter().find_map(|(key, a)| match b.get(key) {
                Some(b) => difference(a, b, chosen, &format!("{path}/{key}")),
                None => Some(format!("{path}/{key}: is missing")),
            })
        }
        _ => (expected != found).then(|| format!("{path}: expected {expected}, found {found}")),
    }
}
