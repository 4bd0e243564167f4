//! Properties that hold for every schema and value.

use super::{compile, issues};
use pageport::schema::{Interner, Plain, Profile, Schema};
use pageport::wire::{Json, canonical, number_text};
use proptest::prelude::*;

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        (-3_i8..4).prop_map(|number| Json::Number(f64::from(number) / 2.0)),
        "[abé😀]{0,2}".prop_map(Json::String),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
            prop::collection::btree_map("[ab]{1,2}", inner, 0..4)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

/// Something like a schema: keywords with values that mostly fit.
fn any_schema() -> impl Strategy<Value = Json> {
    let types = prop::sample::select(vec!["null", "boolean", "integer", "number", "string", "array", "object"]);
    let leaf = prop_oneof![
        any::<bool>().prop_map(Json::Bool),
        types.prop_map(|name| Json::object([("type", Json::from(name))])),
        any_json().prop_map(|value| Json::object([("const", value)])),
        (0_u32..3).prop_map(|count| Json::object([("minLength", Json::from(count)), ("maxItems", Json::from(count))])),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let one = ["items", "not", "additionalProperties", "contains", "propertyNames", "if", "then", "else"];
        let list = ["allOf", "anyOf", "oneOf", "prefixItems"];
        let map = ["properties", "dependentSchemas", "patternProperties"];
        let one = (prop::sample::select(one.to_vec()), inner.clone());
        let list = (prop::sample::select(list.to_vec()), prop::collection::vec(inner.clone(), 1..3));
        let map = (prop::sample::select(map.to_vec()), prop::collection::btree_map("[ab]{1,2}", inner, 0..3));
        (one, list, map).prop_map(|(one, list, map)| {
            let map = (map.0, Json::Object(map.1.into_iter().collect()));
            Json::object([one, (list.0, Json::Array(list.1)), map])
        })
    })
}

proptest! {
    #[test]
    fn a_value_is_equal_to_itself_and_to_nothing_else(left in any_json(), right in any_json()) {
        let constant = Json::object([("const", left.clone())]);
        let unique = Json::object([("uniqueItems", Json::Bool(true))]);
        let constant = Schema::compile(&constant, Profile::CapabilityOutput, &mut Interner::new()).expect("compiles");
        let unique = Schema::compile(&unique, Profile::CapabilityOutput, &mut Interner::new()).expect("compiles");
        let are_equal = canonical(&left, number_text) == canonical(&right, number_text);
        prop_assert!(constant.validate(Plain::from(&left)).is_ok());
        prop_assert_eq!(constant.validate(Plain::from(&right)).is_ok(), are_equal);
        prop_assert_eq!(unique.validate(Plain::from(&Json::array([left, right]))).is_err(), are_equal);
    }

    #[test]
    fn not_is_the_opposite_and_a_reference_is_the_same(schema in any_schema(), value in any_json()) {
        let text = canonical(&schema, number_text);
        let plain = compile(&text).expect("compiles");
        let not = compile(&format!(r#"{{"not":{text}}}"#)).expect("compiles");
        let reference = compile(&format!(r##"{{"$ref":"#/$defs/a","$defs":{{"a":{text}}}}}"##)).expect("compiles");
        let fits = plain.validate(Plain::from(&value)).is_ok();
        prop_assert_eq!(not.validate(Plain::from(&value)).is_ok(), !fits);
        prop_assert_eq!(issues(&reference, &value), issues(&plain, &value));
    }

    #[test]
    fn no_value_of_a_schema_makes_the_compiler_panic(schema in any_json(), name in "[$a-zA-Z]{1,12}") {
        let _ = Schema::lint(&schema, Profile::Capability);
        let _ = Schema::lint(&Json::object([(name, schema)]), Profile::Operation);
    }

    #[test]
    fn no_value_of_a_keyword_makes_the_compiler_panic(
        value in any_json(),
        keyword in prop::sample::select(KEYWORDS.to_vec()),
    ) {
        for profile in [Profile::CapabilityOutput, Profile::OperationOutput] {
            let _ = Schema::lint(&Json::object([(keyword, value.clone())]), profile);
        }
    }

    #[test]
    fn no_text_makes_the_scan_of_patterns_panic(text in "[()\\[\\]{}|*+?^$\\\\abkpux<>=!:,0-9]{0,12}") {
        let _ = Schema::lint(&Json::object([("pattern", Json::String(text))]), Profile::CapabilityOutput);
    }
}

const KEYWORDS: [&str; 38] = [
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "items",
    "prefixItems",
    "contains",
    "minContains",
    "maxContains",
    "uniqueItems",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "$ref",
    "$defs",
    "$id",
    "$anchor",
];
