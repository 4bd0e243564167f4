//! The options of `describe` (Surface §3).

use super::context::WindowSpec;
use super::envelope::invalid;
use crate::wire::{Json, ProtocolError, limits};

/// What a describe asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Options {
    pub(super) window: WindowSpec,
    pub(super) records: Option<Vec<Wanted>>,
    pub(super) since: Option<String>,
}

/// A record asked for by name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    pub(super) kind: Option<String>,
    pub(super) id: String,
}

impl Options {
    /// Reads the options; `cap` is the host's bound for `limit` and `records`.
    pub(super) fn read(input: &Json, cap: usize) -> Result<Self, ProtocolError> {
        let Json::Object(members) = input else { return Err(invalid("", "type", "must be an object")) };
        let default = limits::WINDOW_DEFAULT.min(cap) as f64;
        let window = WindowSpec { region: None, offset: 0.0, limit: default };
        let mut options = Self { window, records: None, since: None };
        let mut windowed = false;
        for (name, value) in members {
            match name.as_str() {
                "limit" => {
                    options.window.limit = whole(value, 1.0, "/limit")?.min(cap as f64);
                    windowed = true;
                }
                "offset" => {
                    options.window.offset = whole(value, 0.0, "/offset")?;
                    windowed = true;
                }
                "region" => options.window.region = Some(text(value, "/region")?),
                "since" => options.since = Some(text(value, "/since")?),
                "records" => options.records = Some(wanted(value, cap)?),
                _ => {
                    let mut path = String::new();
                    crate::wire::push_segment(&mut path, name);
                    return Err(invalid(&path, "additionalProperties", "is unknown"));
                }
            }
        }
        if windowed && options.records.is_some() {
            return Err(invalid("/records", "not", "excludes offset and limit"));
        }
        Ok(options)
    }
}

fn whole(value: &Json, min: f64, path: &str) -> Result<f64, ProtocolError> {
    match value {
        Json::Number(number) if number.trunc() == *number => {
            if *number >= min {
                Ok(*number)
            } else {
                Err(invalid(path, "minimum", "is too small"))
            }
        }
        _ => Err(invalid(path, "type", "must be a whole number")),
    }
}

fn text(value: &Json, path: &str) -> Result<String, ProtocolError> {
    match value {
        Json::String(text) => Ok(text.clone()),
        _ => Err(invalid(path, "type", "must be a string")),
    }
}

fn wanted(value: &Json, cap: usize) -> Result<Vec<Wanted>, ProtocolError> {
    let Json::Array(items) = value else { return Err(invalid("/records", "type", "must be an array")) };
    if items.len() > cap {
        return Err(invalid("/records", "maxItems", "has too many items"));
    }
    let mut list: Vec<Wanted> = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let record = match item {
            Json::String(id) => Some(Wanted { kind: None, id: id.clone() }),
            Json::Object(members) if members.len() == 2 => match (item.get("type"), item.get("id")) {
                (Some(Json::String(kind)), Some(Json::String(id))) => {
                    Some(Wanted { kind: Some(kind.clone()), id: id.clone() })
                }
                _ => None,
            },
            _ => None,
        };
        match record {
            Some(record) if list.contains(&record) => {}
            Some(record) => list.push(record),
            None => {
                let path = String::from("/records/") + &index.to_string();
                return Err(invalid(&path, "type", "must be an id, or an object of type and id"));
            }
        }
    }
    Ok(list)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_strictly() {
        let ok = |offset, limit| Ok((offset, limit));
        let cases = [
            ("nothing", "{}", ok(0.0, 20.0)),
            ("a window", r#"{"offset":40,"limit":8}"#, ok(40.0, 8.0)),
            ("a limit above the cap is clamped", r#"{"limit":5000}"#, ok(0.0, 100.0)),
            ("a limit of 0", r#"{"limit":0}"#, Err("/limit minimum")),
            ("half a record", r#"{"limit":1.5}"#, Err("/limit type")),
            ("a limit as text", r#"{"limit":"8"}"#, Err("/limit type")),
            ("a negative offset", r#"{"offset":-1}"#, Err("/offset minimum")),
            ("an unknown option", r#"{"a/b":1}"#, Err("/a~1b additionalProperties")),
            ("records and a limit", r#"{"records":["a"],"limit":1}"#, Err("/records not")),
            ("records and an offset", r#"{"offset":0,"records":["a"]}"#, Err("/records not")),
            ("a record that is a number", r#"{"records":["a",5]}"#, Err("/records/1 type")),
            ("a record with more members", r#"{"records":[{"type":"a","id":"b","x":1}]}"#, Err("/records/0 type")),
            ("a region that is a number", r#"{"region":1}"#, Err("/region type")),
            ("an array", "[]", Err(" type")),
        ];
        for (case, text, expected) in cases {
            let read = Options::read(&Json::parse(text).expect("JSON"), 100);
            let found = read.as_ref().map(|options| (options.window.offset, options.window.limit)).map_err(|error| {
                let issue = &error.details.as_ref().and_then(|details| details.issues.as_ref()).expect("issues")[0];
                format!("{} {}", issue.path, issue.keyword)
            });
            assert_eq!(found, expected.map_err(str::to_owned), "{case}");
        }
        let many = format!(r#"{{"records":[{}]}}"#, vec![r#""a""#; 101].join(","));
        assert!(Options::read(&Json::parse(&many).expect("JSON"), 100).is_err(), "101 records");
    }

    #[test]
    fn records_are_named_by_id_or_by_type_and_id_and_once_each() {
        let input = Json::parse(r#"{"records":["a",{"id":"a","type":"order"},"a"]}"#).expect("JSON");
        let named = |kind: Option<&str>| Wanted { kind: kind.map(Into::into), id: "a".into() };
        assert_eq!(Options::read(&input, 100).expect("valid").records, Some(vec![named(None), named(Some("order"))]));
    }
}
