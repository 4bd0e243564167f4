//! The official test suite of JSON Schema, draft 2020-12: read by the native tests and by those in the browser.

use pageport::schema::{Interner, Profile, Schema};
use pageport::wire::Json;
use serde_json::Value;

macro_rules! files {
    ($($name:literal)+) => {
        /// Name and text of every file.
        pub(crate) const FILES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!($name, ".json")))),+];
    };
}

files! {
    "additionalProperties"
    "allOf"
    "anchor"
    "anyOf"
    "boolean_schema"
    "const"
    "contains"
    "default"
    "defs"
    "dependentRequired"
    "dependentSchemas"
    "enum"
    "exclusiveMaximum"
    "exclusiveMinimum"
    "format"
    "if-then-else"
    "infinite-loop-detection"
    "items"
    "maxContains"
    "maxItems"
    "maxLength"
    "maxProperties"
    "maximum"
    "minContains"
    "minItems"
    "minLength"
    "minProperties"
    "minimum"
    "multipleOf"
    "not"
    "oneOf"
    "pattern"
    "patternProperties"
    "prefixItems"
    "properties"
    "propertyNames"
    "ref"
    "required"
    "type"
    "uniqueItems"
}

/// Groups that are left out, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("remote ref, containing refs itself", "refers to the metaschema, which is outside the schema"),
    ("validate definition against metaschema", "refers to the metaschema, which is outside the schema"),
    (
        "collect annotations inside a 'not', even if collection is disabled",
        "uses unevaluatedProperties, which is refused",
    ),
    ("ref creates new scope when adjacent to keywords", "uses unevaluatedProperties, which is refused"),
];

fn text<'a>(value: &'a Json, name: &str) -> &'a str {
    value.get(name).and_then(Json::as_str).expect(name)
}

/// The suite has members called `__proto__`, which the parser of the protocol refuses.
fn owned(value: Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(value),
        Value::Number(number) => Json::Number(number.as_f64().expect("is a double")),
        Value::String(text) => Json::String(text),
        Value::Array(items) => Json::Array(items.into_iter().map(owned).collect()),
        Value::Object(members) => Json::Object(members.into_iter().map(|(name, value)| (name, owned(value))).collect()),
    }
}

/// Runs every case; `fits` says whether a value is valid.
pub(crate) fn run(keys: &mut Interner, fits: impl Fn(&Schema, &Interner, &Json) -> bool) {
    let mut failures = Vec::new();
    let (mut left_out, mut cases) = (0, 0);
    for (file, source) in FILES {
        let groups = owned(serde_json::from_str(source).expect("the file is JSON"));
        for group in groups.as_array().expect("the file lists groups") {
            let name = text(group, "description");
            if LEFT_OUT.iter().any(|(known, _)| *known == name) {
                left_out += 1;
                continue;
            }
            let source = group.get("schema").expect("the group has a schema");
            let schema = match Schema::compile(source, Profile::CapabilityOutput, keys) {
                Ok(schema) => schema,
                Err(error) => {
                    failures.push(format!("{file}: {name}: {error}"));
                    continue;
                }
            };
            for case in group.get("tests").and_then(Json::as_array).expect("the group has tests") {
                cases += 1;
                let data = case.get("data").expect("the case has data");
                let expected = case.get("valid").and_then(Json::as_bool).expect("the case says what is right");
                if fits(&schema, keys, data) != expected {
                    failures.push(format!("{file}: {name}: {}", text(case, "description")));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(left_out, LEFT_OUT.len(), "every exception is one");
    assert!(FILES.len() >= 39 && cases > 950, "{} files, {cases} cases", FILES.len());
}
