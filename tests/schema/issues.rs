//! What is reported: where, which keyword, in which order, how much, and never the value.

use super::{compile, issues, json};
use pageport::schema::{Interner, Plain, Profile, Schema};
use pageport::wire::{Json, limits};

#[test]
fn every_keyword_names_the_place_and_itself() {
    let cases = [
        (r#"{"type":"string"}"#, "1", &[" type"][..]),
        (r#"{"type":["string","null"]}"#, "1", &[" type"]),
        (r#"{"type":"integer"}"#, "1.5", &[" type"]),
        (r#"{"type":"integer"}"#, "1.0", &[]),
        (r#"{"const":{"a":[1]}}"#, r#"{"a":[1.0]}"#, &[]),
        (r#"{"const":{"a":[1]}}"#, r#"{"a":[2]}"#, &[" const"]),
        (r#"{"enum":["a",1,null,[]]}"#, "\"b\"", &[" enum"]),
        (r#"{"minimum":1,"maximum":0}"#, "0.5", &[" minimum", " maximum"]),
        (r#"{"exclusiveMinimum":1,"exclusiveMaximum":1}"#, "1", &[" exclusiveMinimum", " exclusiveMaximum"]),
        (r#"{"multipleOf":0.01}"#, "4.35", &[]),
        (r#"{"multipleOf":0.01}"#, "4.355", &[" multipleOf"]),
        (r#"{"minLength":2}"#, "\"😀\"", &[" minLength"]),
        (r#"{"maxLength":1}"#, "\"😀\"", &[]),
        (r#"{"maxLength":1,"pattern":"^b"}"#, "\"aa\"", &[" maxLength"]),
        (r#"{"pattern":"^b"}"#, "\"aa\"", &[" pattern"]),
        (r#"{"minItems":2}"#, "[1]", &[" minItems"]),
        (r#"{"maxItems":1}"#, "[1,2]", &[" maxItems"]),
        (r#"{"uniqueItems":true}"#, r#"[{"a":1,"b":[0]},{"b":[-0],"a":1.0}]"#, &[" uniqueItems"]),
        (r#"{"items":{"type":"null"}}"#, "[null,1,null,2]", &["/1 type", "/3 type"]),
        (r#"{"prefixItems":[true,false],"items":{"type":"null"}}"#, "[1,2,3]", &["/1 false", "/2 type"]),
        (r#"{"contains":{"type":"null"}}"#, "[1]", &[" contains"]),
        (r#"{"contains":{"type":"null"},"minContains":2}"#, "[null]", &[" minContains"]),
        (r#"{"contains":{"type":"null"},"maxContains":1}"#, "[null,null]", &[" maxContains"]),
        (r#"{"minProperties":1}"#, "{}", &[" minProperties"]),
        (r#"{"maxProperties":0}"#, r#"{"a":1}"#, &[" maxProperties"]),
        (r#"{"required":["a/b","~"]}"#, "{}", &["/a~1b required", "/~0 required"]),
        (r#"{"additionalProperties":false}"#, r#"{"":1}"#, &["/ additionalProperties"]),
        (r#"{"additionalProperties":{"type":"null"}}"#, r#"{"a":1}"#, &["/a type"]),
        (
            r#"{"patternProperties":{"^x":{"type":"null"}},"additionalProperties":false}"#,
            r#"{"x":1,"y":2}"#,
            &["/x type", "/y additionalProperties"],
        ),
        (r#"{"propertyNames":{"maxLength":1}}"#, r#"{"a":1,"bb":2}"#, &["/bb propertyNames"]),
        (r#"{"dependentRequired":{"a":["b"]}}"#, r#"{"a":1}"#, &["/b dependentRequired"]),
        (r#"{"dependentSchemas":{"a":{"required":["b"]}}}"#, r#"{"a":1}"#, &["/b required"]),
        (r#"{"allOf":[{"minimum":1},{"maximum":-1}]}"#, "0", &[" minimum", " maximum"]),
        (r#"{"anyOf":[{"minimum":1},{"maximum":-1}]}"#, "0", &[" anyOf"]),
        (r#"{"oneOf":[{"minimum":0},{"maximum":0}]}"#, "0", &[" oneOf"]),
        (r#"{"oneOf":[{"minimum":1},{"maximum":-1}]}"#, "0", &[" oneOf"]),
        (r#"{"not":{}}"#, "0", &[" not"]),
        (r#"{"if":{"minimum":0},"then":{"multipleOf":2},"else":{"multipleOf":3}}"#, "3", &[" multipleOf"]),
        (r#"{"if":{"minimum":0},"then":{"multipleOf":2},"else":{"multipleOf":3}}"#, "-3", &[]),
        (
            r##"{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}"##,
            r#"{"a":{"a":{"b":1}}}"#,
            &["/a/a/b additionalProperties"],
        ),
        ("false", "0", &[" false"]),
        ("true", "0", &[]),
    ];
    for (schema, value, expected) in cases {
        let compiled = compile(schema).expect(schema);
        assert_eq!(issues(&compiled, &json(value)), expected, "{schema} {value}");
    }
}

#[test]
fn a_wrong_type_is_the_only_issue_of_its_place() {
    let schema = compile(r#"{"type":"string","enum":["a"],"minLength":3,"not":{"type":"number"}}"#).expect("compiles");
    assert_eq!(issues(&schema, &json("1")), [" type"]);
}

#[test]
fn named_members_come_in_the_order_of_the_schema_and_others_in_their_own() {
    let schema = compile(
        r#"{"properties":{"z":{"type":"null"},"a":{"type":"null"},"m":true},"required":["m","x","a"],"additionalProperties":false}"#,
    );
    let value = json(r#"{"q":1,"a":1,"c":1,"z":1}"#);
    let expected =
        ["/x required", "/z type", "/a type", "/m required", "/q additionalProperties", "/c additionalProperties"];
    assert_eq!(issues(&schema.expect("compiles"), &value), expected);
}

#[test]
fn sixteen_issues_are_enough() {
    let schema = compile(r#"{"items":{"type":"null"}}"#).expect("compiles");
    let value = Json::Array((0..100).map(Json::from).collect());
    let found = issues(&schema, &value);
    assert_eq!(found.len(), limits::ISSUES);
    assert_eq!(found[15], "/15 type");
}

#[test]
fn no_issue_tells_the_value() {
    let secret = "s3cret-w0rd";
    let schema = compile(
        r#"{"properties":{"a":{"enum":["x"],"maxLength":1},"b":{"type":"null"},"c":{"const":1},"d":{"pattern":"^x"}}}"#,
    )
    .expect("compiles");
    let value = Json::object(["a", "b", "c", "d"].map(|name| (name, Json::from(secret))));
    let found = schema.validate(Plain::from(&value)).expect_err("does not fit");
    assert!(found.len() >= 4);
    assert!(found.iter().all(|issue| !issue.message.contains(secret) && !issue.message.ends_with('.')));
}

#[test]
fn a_check_may_take_a_hundred_thousand_steps() {
    // A step is one keyword on one value: here `type` and `items` of the array, and `type` of each item.
    let schema = compile(r#"{"type":"array","items":{"type":"number"}}"#).expect("compiles");
    let cases = [(99_997, Vec::new()), (99_998, vec![" (budget)".to_owned()]), (200_000, vec![" (budget)".to_owned()])];
    for (length, expected) in cases {
        assert_eq!(issues(&schema, &Json::Array(vec![Json::Number(0.0); length])), expected, "{length} items");
    }
}

#[test]
fn a_schema_that_multiplies_its_work_ends_in_the_budget() {
    // Every level checks the next one twice.
    let mut schema = String::from(r#"{"type":"null"}"#);
    for _ in 0..30 {
        schema = format!(r#"{{"anyOf":[{{"items":{schema}}},{{"items":true,"minItems":9}}],"items":true}}"#);
    }

    let double = r##"{"$defs":{"n":{"allOf":[{"items":{"$ref":"#/$defs/n"}},{"items":{"$ref":"#/$defs/n"}}]}},"$ref":"#/$defs/n"}"##;
    let value = (0..40).fold(Json::Null, |value, _| Json::array([value]));
    assert_eq!(issues(&compile(double).expect("compiles"), &value), [" (budget)"]);
}

#[test]
fn a_long_chain_of_references_ends_in_the_budget_and_not_in_the_stack() {
    let mut members = vec![("n0".to_owned(), json(r##"{"items":{"$ref":"#/$defs/n299"}}"##))];
    members.extend((1..300).map(|n| (format!("n{n}"), json(&format!(r##"{{"$ref":"#/$defs/n{}"}}"##, n - 1)))));
    let schema = Json::object([("$defs", Json::Object(members)), ("$ref", Json::from("#/$defs/n299"))]);
    let schema = Schema::compile(&schema, Profile::CapabilityOutput, &mut Interner::new()).expect("compiles");
    let deep = |levels| (0..levels).fold(Json::array([]), |value, _| Json::array([value]));
    assert_eq!(issues(&schema, &deep(0)), [""; 0]);
    assert_eq!(issues(&schema, &deep(10)), [" (budget)"]);
}

#[test]
fn unknown_keywords_are_told_and_assert_nothing() {
    let schema = compile(
        r#"{"properties":{"a":{"placeholder":"x","x-order":1,"format":"email","minimun":3}},"units":"cm","title":7}"#,
    );
    let schema = schema.expect("compiles");
    assert_eq!(schema.unknown_keywords(), ["/units", "/properties/a/placeholder", "/properties/a/minimun"]);
    assert_eq!(issues(&schema, &json(r#"{"a":1}"#)), [""; 0]);
}
