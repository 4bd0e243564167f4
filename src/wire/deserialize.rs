//! Reads a [`Json`] through serde, natively: the host's bodies hold values of callers and pages.
//!
//! The value rules hold here too: finite numbers, the usual depth, no `__proto__`, each name once.

use super::{Json, limits};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

impl<'de> serde::Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Level(limits::DEPTH).deserialize(deserializer)
    }
}

/// Containers that may still be opened.
#[derive(Clone, Copy)]
struct Level(usize);

impl Level {
    fn down<E: Error>(self) -> Result<Self, E> {
        self.0.checked_sub(1).map(Self).ok_or_else(|| E::custom("is nested too deeply"))
    }
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        if value.is_finite() { Ok(Json::Number(value)) } else { Err(E::custom("must be a finite number")) }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Json, E> {
        Ok(Json::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let level = self.down()?;
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(level)? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let level = self.down()?;
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut names = HashSet::new();
        while let Some(name) = access.next_key::<String>()? {
            if name == "__proto__" {
                return Err(A::Error::custom("must not have a member called __proto__"));
            }
            if !names.insert(name.clone()) {
                return Err(A::Error::custom("must have each name once"));
            }
            members.push((name, access.next_value_seed(level)?));
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{number_text, to_text};

    #[test]
    fn a_value_keeps_its_order_and_the_rules_hold() {
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        let cases = [
            ("order", r#"{"b":1,"a":[null,true,-0.5,"x"]}"#.to_owned(), true),
            ("a repeated name", r#"{"a":1,"a":2}"#.to_owned(), false),
            ("a prototype", r#"{"__proto__":1}"#.to_owned(), false),
            ("64 levels", deep(64), true),
            ("65 levels", deep(65), false),
            ("an overflow", "1e999".to_owned(), false),
        ];
        for (case, text, fits) in cases {
            let value: Result<Json, _> = serde_json::from_str(&text);
            assert_eq!(value.is_ok(), fits, "{case}");
            if let Ok(value) = value {
                assert_eq!(to_text(&value, number_text), text, "{case}");
            }
        }
    }
}
