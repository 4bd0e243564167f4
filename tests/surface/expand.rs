//! Writes out what a vector abbreviates: long texts and long lists.

use serde_json::{Map, Value};

/// The value with every `$text` and `$items` written out.
pub(crate) fn expand(value: Value) -> Value {
    match value {
        Value::Object(members) => match members.get("$text") {
            Some(parts) => Value::String(text(parts)),
            None => Value::Object(members.into_iter().map(|(key, member)| (key, expand(member))).collect()),
        },
        Value::Array(items) => Value::Array(items.into_iter().flat_map(expand_item).collect()),
        other => other,
    }
}

fn expand_item(item: Value) -> Vec<Value> {
    match item.get("$items").and_then(Value::as_array) {
        Some(pair) => {
            let count = pair[0].as_u64().expect("a count");
            (1..=count).map(|number| expand(numbered(&pair[1], &number.to_string()))).collect()
        }
        None => vec![expand(item)],
    }
}

/// A text, a list of texts, or `[count, text]`.
fn text(part: &Value) -> String {
    match part {
        Value::String(text) => text.clone(),
        Value::Array(parts) => match parts[0].as_u64() {
            Some(count) => text(&parts[1]).repeat(usize::try_from(count).expect("a small count")),
            None => parts.iter().map(text).collect(),
        },
        other => panic!("no part of a text: {other}"),
    }
}

/// The value with the number of the copy in place of each `{#}`.
fn numbered(value: &Value, number: &str) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace("{#}", number)),
        Value::Array(items) => Value::Array(items.iter().map(|item| numbered(item, number)).collect()),
        Value::Object(members) => {
            let member = |(key, member): (&String, &Value)| (key.replace("{#}", number), numbered(member, number));
            Value::Object(members.iter().map(member).collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}
