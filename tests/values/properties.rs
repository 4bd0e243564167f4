//! Properties that hold for every value.

use pageport::wire::{Bounds, Json, canonical, measure, number_text};
use proptest::prelude::*;

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Json::Number),
        any::<i32>().prop_map(|number| Json::Number(f64::from(number))),
        any::<String>().prop_map(Json::String),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::Array),
            prop::collection::btree_map("[a-z~/\"\\\\é😀\u{1}]{0,3}", inner, 0..6)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

/// The same value with its members the other way round, all the way down.
fn reversed(value: &Json) -> Json {
    match value {
        Json::Array(items) => Json::Array(items.iter().map(reversed).collect()),
        Json::Object(members) => {
            Json::Object(members.iter().rev().map(|(name, value)| (name.clone(), reversed(value))).collect())
        }
        other => other.clone(),
    }
}

/// `-0` is printed as `0`, so it comes back as `0`.
fn without_negative_zero(value: &Json) -> Json {
    match value {
        Json::Number(number) if *number == 0.0 => Json::Number(0.0),
        Json::Array(items) => Json::Array(items.iter().map(without_negative_zero).collect()),
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, value)| (name.clone(), without_negative_zero(value))).collect())
        }
        other => other.clone(),
    }
}

fn sorted(value: &Json) -> Json {
    match value {
        Json::Array(items) => Json::Array(items.iter().map(sorted).collect()),
        Json::Object(members) => {
            let mut members: Vec<_> = members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            members.sort_by(|(left, _), (right, _)| left.encode_utf16().cmp(right.encode_utf16()));
            Json::Object(members)
        }
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn canonical_text_does_not_depend_on_the_order_of_members(value in any_json()) {
        prop_assert_eq!(canonical(&value, number_text), canonical(&reversed(&value), number_text));
    }

    #[test]
    fn canonical_text_parses_to_the_same_value(value in any_json()) {
        let text = canonical(&value, number_text);
        prop_assert_eq!(Json::parse_within(&text, usize::MAX), Ok(sorted(&without_negative_zero(&value))));
    }

    #[test]
    fn the_units_of_a_value_are_those_of_its_compact_text(value in any_json()) {
        let units = canonical(&value, number_text).encode_utf16().count();
        prop_assert_eq!(measure(&value, Bounds::PARSED, number_text).ok(), u32::try_from(units).ok());
    }

    #[test]
    fn serialised_text_parses_to_the_same_value(value in any_json()) {
        let text = serde_json::to_string(&value).expect("serialises");
        prop_assert_eq!(Json::parse_within(&text, usize::MAX), Ok(without_negative_zero(&value)));
    }

    #[test]
    fn parsing_agrees_with_serde_json_on_what_is_json(text in "[\\[\\]{}:,\"\\\\a0-9eE+.\\- tru]{0,12}") {
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        let ours = Json::parse(&text);
        let is_json = !matches!(&ours, Err(refusal) if refusal.fault.keyword() == "(json)");
        prop_assert_eq!(is_json, theirs, "{:?}", ours);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in any::<String>()) {
        let _ = Json::parse(&text);
        let _ = Json::parse_strict(&text, 1000);
        let _ = Json::parse_envelope(&text);
    }
}
