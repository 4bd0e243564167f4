//! The validator over values that stay in JavaScript: it comes to the same as over values that Rust owns.

use js_sys::Function;
use pageport::schema::{Interner, Profile, Schema};
use pageport::web::value::{interner, learn_keys, read, to_js, validate};
use pageport::wire::{Bounds, Issue, Json};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

#[path = "../json-schema-test-suite/suite.rs"]
mod suite;

thread_local! {
    /// JavaScript mirrors one interner.
    static KEYS: RefCell<Interner> = const { RefCell::new(interner()) };
}

fn json(text: &str) -> Json {
    let value = js_sys::JSON::parse(text).expect(text);
    read(&value, Bounds::PARSED).expect(text)
}

fn compile(schema: &Json) -> Result<Schema, String> {
    KEYS.with_borrow_mut(|keys| {
        let schema = Schema::compile(schema, Profile::CapabilityOutput, keys).map_err(|error| error.message);
        learn_keys(keys);
        schema
    })
}

fn issues(schema: &Schema, value: &JsValue) -> Vec<String> {
    let issues = validate(schema, value).err().unwrap_or_default();
    issues.into_iter().map(|Issue { path, keyword, .. }| format!("{path} {keyword}")).collect()
}

#[wasm_bindgen_test]
fn the_suite_passes() {
    KEYS.with_borrow_mut(|keys| {
        suite::run(keys, |schema, keys, value| {
            learn_keys(keys);
            validate(schema, &to_js(value)).is_ok()
        });
    });
}

#[wasm_bindgen_test]
fn patterns_have_the_outcome_of_their_row() {
    for row in json(include_str!("../vectors/patterns.json")).as_array().expect("the vectors are rows") {
        let pattern = row.get("pattern").expect("a row has a pattern");
        let schema = compile(&Json::object([("pattern", pattern.clone())]));
        let Some(expected) = row.get("matches") else {
            let message = row.get("message").and_then(Json::as_str).expect("a row has an outcome");
            assert_eq!(schema.expect_err("is refused"), message, "{pattern:?}");
            continue;
        };
        let schema = schema.expect("compiles");
        for (text, fits) in expected.as_object().expect("texts") {
            assert_eq!(Some(issues(&schema, &text.into()).is_empty()), fits.as_bool(), "{pattern:?} {text:?}");
        }
    }
}

#[wasm_bindgen_test]
fn issues_are_those_of_a_value_that_rust_owns() {
    let cases = [
        (
            r#"{"properties":{"z":{"type":"null"},"a":{"maxLength":1}},"required":["z","x"],"additionalProperties":false}"#,
            r#"{"q":1,"a":"bc","c":1}"#,
        ),
        (
            r#"{"items":{"properties":{"n":{"enum":[1,"x",null,[true],{"y":false}]}}}}"#,
            r#"[{"n":1},{"n":"x"},{"n":null},{"n":[true]},{"n":{"y":false}},{"n":{"y":true}},{"n":[]},{"n":"y"}]"#,
        ),
        (
            r#"{"patternProperties":{"^a":{"type":"number"}},"additionalProperties":{"type":"string"}}"#,
            r#"{"a1":"x","b":1,"a2":2,"c":"x"}"#,
        ),
        (r#"{"propertyNames":{"maxLength":2,"pattern":"^a"}}"#, r#"{"a":1,"abc":2,"b":3}"#),
        (r#"{"uniqueItems":true,"contains":{"type":"string"}}"#, r#"[{"a":[1,{"b":null}]},{"a":[1,{"b":null}]}]"#),
        (r##"{"properties":{"n":{"$ref":"#"}},"required":["v"]}"##, r#"{"v":1,"n":{"v":1,"n":{"n":{"v":2}}}}"#),
        (r#"{"minLength":3,"maxLength":3}"#, r#""a😀""#),
        (r#"{"minLength":3,"maxLength":3}"#, r#""a😀b""#),
        (r#"{"minProperties":3,"maxProperties":1,"dependentRequired":{"a":["c"]}}"#, r#"{"a":1,"b":2}"#),
    ];
    for (schema, value) in cases {
        let schema = compile(&json(schema)).expect(schema);
        let owned = json(value);
        let expected = schema.validate(pageport::schema::Plain::from(&owned));
        // Rust does not match patterns itself in the browser.
        if !value.contains("a1") && !value.contains("abc") {
            assert_eq!(validate(&schema, &to_js(&owned)), expected, "{value}");
        }
        assert!(value == r#""a😀b""# || !issues(&schema, &to_js(&owned)).is_empty(), "{value}");
    }
    let schema = compile(&json(cases[2].0)).expect("compiles");
    assert_eq!(issues(&schema, &to_js(&json(cases[2].1))), ["/a1 type", "/b type"]);
    let schema = compile(&json(cases[3].0)).expect("compiles");
    assert_eq!(issues(&schema, &to_js(&json(cases[3].1))), ["/abc propertyNames", "/b propertyNames"]);
}

#[wasm_bindgen_test]
fn what_a_page_puts_on_a_prototype_is_no_member() {
    let schema = compile(&json(
        r#"{"properties":{"a":{"type":"number"},"toString":{"type":"number"},"polluted":{"type":"number"}},"required":["polluted"]}"#,
    ))
    .expect("compiles");
    let run = Function::new_with_args(
        "check",
        "let ran = 0;
         Object.defineProperty(Object.prototype, 'polluted', {get() { ran++; return 1; }, configurable: true});
         Object.prototype.a = 'x';
         try { check({}); check([]); } finally { delete Object.prototype.polluted; delete Object.prototype.a; }
         return ran;",
    );
    let check = Closure::<dyn Fn(JsValue)>::new(move |value: JsValue| {
        let expected: &[&str] = if js_sys::Array::is_array(&value) { &[] } else { &["/polluted required"] };
        assert_eq!(issues(&schema, &value), expected);
    });
    let ran = run.call1(&JsValue::NULL, check.as_ref()).expect("runs");
    assert_eq!(ran, JsValue::from(0), "no page code ran");
}

#[wasm_bindgen_test]
fn the_deepest_value_is_checked() {
    let schema =
        compile(&json(r##"{"items":{"$ref":"#"},"properties":{"a":{"$ref":"#"}},"propertyNames":{"maxLength":1}}"##));
    let value = (0..63).fold(Json::object([("a", Json::Null), ("bb", Json::Null)]), |value, _| Json::array([value]));
    assert_eq!(issues(&schema.expect("compiles"), &to_js(&value)), [format!("{}/bb propertyNames", "/0".repeat(63))]);
}
