//! The strict subset of operations.

use super::json;
use pageport::schema::{Interner, Plain, Profile, Schema};

const CLOSED: &str = r#""additionalProperties":false"#;

fn lint(text: &str) -> Vec<String> {
    let errors = Schema::lint(&json(text), Profile::Operation);
    errors.into_iter().map(|error| format!("{} {}", error.pointer, error.message)).collect()
}

#[test]
fn what_the_subset_has_is_accepted_and_checked() {
    let schema = json(
        r#"{"type":"object","title":"t","description":"d","additionalProperties":false,"required":["q"],
            "properties":{
                "q":{"type":"string","minLength":1,"maxLength":5,"x-persist":true},
                "n":{"type":"integer","minimum":1,"maximum":3,"enum":[1,2.0]},
                "f":{"type":"number","enum":[0.5]},
                "b":{"type":"boolean","enum":[true]},
                "z":{"type":"null","enum":[null]},
                "l":{"type":"array","items":{"type":"object","additionalProperties":false},"minItems":0,"maxItems":2},
                "s":{"type":"string","enum":["a"],"x-sensitive":true}}}"#,
    );
    let schema = Schema::compile(&schema, Profile::Operation, &mut Interner::new()).expect("is in the subset");
    for (value, fits) in [
        (r#"{"q":"x","n":1.0,"f":0.5,"b":true,"z":null,"l":[{}],"s":"a"}"#, true),
        (r#"{"q":"x","n":3}"#, false),
        (r#"{"q":"x","l":[{"a":1}]}"#, false),
        (r#"{}"#, false),
    ] {
        assert_eq!(schema.validate(Plain::from(&json(value))).is_ok(), fits, "{value}");
    }
    assert!(Schema::lint(&json(r#"{"type":"array","items":{"type":"string"}}"#), Profile::OperationOutput).is_empty());
}

#[test]
fn what_the_subset_lacks_is_refused_with_a_pointer() {
    let cases = [
        ("{}".to_owned(), " must name its type"),
        (r#"{"type":"array","items":{"type":"null"}}"#.to_owned(), "/type must be \"object\" at the root"),
        (r#"{"type":"object"}"#.to_owned(), " must be closed by additionalProperties: false"),
        (r#"{"type":"object","additionalProperties":true}"#.to_owned(), "/additionalProperties must be false"),
        (format!(r#"{{"type":"object",{CLOSED},"$schema":"x"}}"#), "/$schema is not supported"),
        (format!(r##"{{"type":"object",{CLOSED},"$ref":"#"}}"##), "/$ref is not supported"),
        (format!(r#"{{"type":"object",{CLOSED},"default":{{}}}}"#), "/default is not supported"),
        (format!(r#"{{"type":"object",{CLOSED},"x-other":1}}"#), "/x-other is not supported"),
        (format!(r#"{{"type":"object",{CLOSED},"title":1}}"#), "/title must be a string"),
        (format!(r#"{{"type":"object",{CLOSED},"minLength":1}}"#), "/minLength does not go with the type"),
        (format!(r#"{{"type":"object",{CLOSED},"enum":[{{}}]}}"#), "/enum does not go with the type"),
        (property(r#"true"#), "/properties/a must be a schema"),
        (property(r#"{"type":["string","null"]}"#), "/properties/a/type must be one type name"),
        (property(r#"{"type":"array"}"#), "/properties/a must say what its items are"),
        (property(r#"{"type":"string","pattern":"a"}"#), "/properties/a/pattern is not supported"),
        (property(r#"{"type":"string","oneOf":[]}"#), "/properties/a/oneOf is not supported"),
        (property(r#"{"type":"string","const":"a"}"#), "/properties/a/const is not supported"),
        (property(r#"{"type":"string","minimum":1}"#), "/properties/a/minimum does not go with the type"),
        (property(r#"{"type":"string","enum":["a",1]}"#), "/properties/a/enum must list values of the type"),
        (property(r#"{"type":"integer","enum":[1.5]}"#), "/properties/a/enum must list values of the type"),
        (property(r#"{"type":"string","x-persist":1}"#), "/properties/a/x-persist must be true or false"),
        (
            property(r#"{"type":"string","minLength":2,"maxLength":1}"#),
            "/properties/a/minLength is above its upper bound",
        ),
        (property(r#"{"type":"integer","minimum":2,"maximum":1}"#), "/properties/a/minimum is above its upper bound"),
        (property(r#"{"type":"string","minLength":-1}"#), "/properties/a/minLength must be a whole number from 0 on"),
    ];
    for (text, expected) in cases {
        assert_eq!(lint(&text), [expected], "{text}");
    }
}

fn property(schema: &str) -> String {
    format!(r#"{{"type":"object",{CLOSED},"properties":{{"a":{schema}}}}}"#)
}

#[test]
fn the_subset_is_at_most_twelve_deep_and_sixty_four_wide() {
    let deep = |levels| {
        let array = |inner, _| format!(r#"{{"type":"array","items":{inner}}}"#);
        property(&(3..=levels).fold(r#"{"type":"null"}"#.to_owned(), array))
    };
    assert_eq!(lint(&deep(12)), [""; 0]);
    let place = format!("/properties/a{} is nested too deeply", "/items".repeat(11));
    assert_eq!(lint(&deep(13)), [place]);

    let wide = |width| {
        let members: Vec<String> = (0..width).map(|n| format!(r#""p{n}":{{"type":"null"}}"#)).collect();
        format!(r#"{{"type":"object",{CLOSED},"properties":{{{}}}}}"#, members.join(","))
    };
    assert_eq!(lint(&wide(64)), [""; 0]);
    assert_eq!(lint(&wide(65)), ["/properties has too many properties"]);
}

#[test]
fn every_violation_is_told_at_once() {
    let text =
        r#"{"type":"object","properties":{"a":{"type":"array"},"b":{"type":"string","format":"x","minimum":1}}}"#;
    let expected = [
        " must be closed by additionalProperties: false",
        "/properties/a must say what its items are",
        "/properties/b/format is not supported",
        "/properties/b/minimum does not go with the type",
    ];
    assert_eq!(lint(text), expected);
}
