//! Schemas that are refused, with the pointer to what is wrong.

use super::{compile, json};
use pageport::schema::{Interner, Profile, Schema};

#[test]
fn a_schema_that_cannot_be_checked_as_it_says_is_refused_with_a_pointer() {
    let cases = [
        // What is never supported.
        (r#"{"$dynamicRef":"x"}"#, "/$dynamicRef", "is not supported"),
        (r#"{"properties":{"a":{"$dynamicAnchor":"x"}}}"#, "/properties/a/$dynamicAnchor", "is not supported"),
        (r#"{"items":{"unevaluatedItems":false}}"#, "/items/unevaluatedItems", "is not supported"),
        (r#"{"allOf":[true,{"unevaluatedProperties":false}]}"#, "/allOf/1/unevaluatedProperties", "is not supported"),
        (r#"{"$defs":{"a":{"unevaluatedProperties":false}}}"#, "/$defs/a/unevaluatedProperties", "is not supported"),
        (r#"{"$ref":"https://example.com/other"}"#, "/$ref", "must not leave the schema"),
        (r#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#, "/$ref", "must not leave the schema"),
        (r##"{"$ref":"#/$defs/a"}"##, "/$ref", "points to nothing"),
        (r##"{"$ref":"#a"}"##, "/$ref", "points to nothing"),
        (r##"{"$ref":"#/%"}"##, "/$ref", "points to nothing"),
        (r##"{"$ref":"#/title","title":"x"}"##, "/title", "must be a schema"),
        // References that end nowhere.
        (r##"{"$ref":"#"}"##, "/$ref", "refers to itself without an end"),
        (r##"{"allOf":[{"anyOf":[{"$ref":"#"}]}]}"##, "/allOf/0/anyOf/0/$ref", "refers to itself without an end"),
        (r##"{"not":{"$ref":"#"}}"##, "/not/$ref", "refers to itself without an end"),
        (r##"{"if":true,"then":{"$ref":"#"}}"##, "/then/$ref", "refers to itself without an end"),
        (r##"{"dependentSchemas":{"a":{"$ref":"#"}}}"##, "/dependentSchemas/a/$ref", "refers to itself without an end"),
        (
            r##"{"items":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
            "/$defs/a/$ref",
            "refers to itself without an end",
        ),
        // Values of the wrong type.
        ("1", "", "must be a schema"),
        ("[]", "", "must be a schema"),
        (r#"{"properties":{"a":null}}"#, "/properties/a", "must be a schema"),
        (r#"{"items":[{}]}"#, "/items", "must be a schema"),
        (r#"{"additionalProperties":0}"#, "/additionalProperties", "must be a schema"),
        (r#"{"type":"text"}"#, "/type", "must be a type name, or different ones in an array"),
        (r#"{"type":[]}"#, "/type", "must be a type name, or different ones in an array"),
        (r#"{"type":["null","null"]}"#, "/type", "must be a type name, or different ones in an array"),
        (r#"{"enum":{}}"#, "/enum", "must be an array"),
        (r#"{"minimum":"1"}"#, "/minimum", "must be a number"),
        (r#"{"multipleOf":0}"#, "/multipleOf", "must be above 0"),
        (r#"{"minLength":-1}"#, "/minLength", "must be a whole number from 0 on"),
        (r#"{"maxItems":1.5}"#, "/maxItems", "must be a whole number from 0 on"),
        (r#"{"minProperties":null}"#, "/minProperties", "must be a whole number from 0 on"),
        (r#"{"minContains":-1}"#, "/minContains", "must be a whole number from 0 on"),
        (r#"{"required":"a"}"#, "/required", "must be an array of different strings"),
        (r#"{"required":["a",1]}"#, "/required", "must be an array of different strings"),
        (r#"{"required":["a","a"]}"#, "/required", "must be an array of different strings"),
        (r#"{"properties":[]}"#, "/properties", "must be an object of schemas"),
        (
            r#"{"dependentRequired":{"a":"b"}}"#,
            "/dependentRequired",
            "must be an object of arrays of different strings",
        ),
        (r#"{"dependentSchemas":[]}"#, "/dependentSchemas", "must be an object of schemas"),
        (r#"{"allOf":[]}"#, "/allOf", "must be an array with at least one schema"),
        (r#"{"anyOf":{}}"#, "/anyOf", "must be an array with at least one schema"),
        (r#"{"prefixItems":[]}"#, "/prefixItems", "must be an array with at least one schema"),
        (r#"{"uniqueItems":1}"#, "/uniqueItems", "must be true or false"),
        (r#"{"pattern":1}"#, "/pattern", "must be a regular expression"),
        (r#"{"pattern":"("}"#, "/pattern", "must be a regular expression"),
        (r#"{"pattern":"(a+)+"}"#, "/pattern", "repeats a repetition"),
        (r#"{"patternProperties":{"a/[":true}}"#, "/patternProperties/a~1[", "must be a regular expression"),
        (r#"{"$ref":1}"#, "/$ref", "must be a URI"),
        (r#"{"$id":1}"#, "/$id", "must be a URI without fragment"),
        (r##"{"$id":"http://a/#b"}"##, "/$id", "must be a URI without fragment"),
        (r#"{"$anchor":"1"}"#, "/$anchor", "must be a word"),
        (r#"{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}"#, "/$defs/b/$anchor", "is used twice"),
        (r#"{"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}}"#, "/$defs/b/$id", "is used twice"),
        (r#"{"$defs":1}"#, "/$defs", "must be an object of schemas"),
    ];
    for (schema, pointer, message) in cases {
        let error = compile(schema).expect_err(schema);
        assert_eq!((error.pointer.as_str(), error.message.as_str()), (pointer, message), "{schema}");
    }
}

#[test]
fn a_capability_takes_an_object() {
    let cases = [
        (r#"{"type":"object"}"#, true),
        (r#"{"type":["object"]}"#, true),
        (r#"{}"#, false),
        (r#"true"#, false),
        (r#"{"type":"array"}"#, false),
        (r#"{"type":["object","null"]}"#, false),
        (r##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}"##, false),
    ];
    for (text, fits) in cases {
        let input = Schema::compile(&json(text), Profile::Capability, &mut Interner::new());
        assert_eq!(input.is_ok(), fits, "{text}");
        assert!(compile(text).is_ok(), "an output may be anything: {text}");
    }
}

#[test]
fn sixty_four_schemas_may_nest_and_no_more() {
    let nested = |levels| (1..levels).fold("{}".to_owned(), |inner, _| format!(r#"{{"items":{inner}}}"#));
    let parsed = |levels| {
        let text = nested(levels);
        serde_json::from_str::<serde_json::Value>(&text).expect("is JSON");
        text
    };
    assert!(compile(&parsed(64)).is_ok());
    assert!(pageport::wire::Json::parse(&parsed(65)).is_err(), "such a value does not even pass the value rules");
}

#[test]
fn lint_tells_everything_at_once() {
    let schema = json(r#"{"minLength":-1,"properties":{"a":{"type":"x"},"b":1},"unevaluatedItems":true}"#);
    let errors = Schema::lint(&schema, Profile::CapabilityOutput);
    let pointers: Vec<&str> = errors.iter().map(|error| error.pointer.as_str()).collect();
    assert_eq!(pointers, ["/unevaluatedItems", "/minLength", "/properties/a/type", "/properties/b"]);
    assert_eq!(errors[1].to_string(), "#/minLength must be a whole number from 0 on");
    assert!(Schema::lint(&json("{}"), Profile::CapabilityOutput).is_empty());
}
