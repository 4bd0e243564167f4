//! Compares a response with what a vector expects; `$name` stands for a value the implementation chooses,
//! each name for another.

use serde_json::Value;
use std::collections::HashMap;

/// The values that placeholders stand for so far.
pub(crate) type Chosen = HashMap<String, Value>;

/// The value with what was chosen in place of each name that stands for something by now.
pub(crate) fn named(value: &Value, chosen: &Chosen) -> Value {
    match value {
        Value::String(name) => chosen.get(name).unwrap_or(value).clone(),
        Value::Array(items) => items.iter().map(|item| named(item, chosen)).collect(),
        Value::Object(members) => members.iter().map(|(key, member)| (key.clone(), named(member, chosen))).collect(),
        other => other.clone(),
    }
}

/// What differs, as a path and the two sides.
pub(crate) fn difference(expected: &Value, found: &Value, chosen: &mut Chosen, path: &str) -> Option<String> {
    match (expected, found) {
        (Value::String(name), _) if name.starts_with('$') => {
            if let Some((other, _)) = chosen.iter().find(|(other, value)| *other != name && *value == found) {
                return Some(format!("{path}: {name} is {found}, as {other} is"));
            }
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
