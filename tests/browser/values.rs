//! Values at the border: the shared vectors, and what only a live JavaScript value can do.

use js_sys::{Array, Function, JSON, Object, Reflect};
use pageport::web::value::{Snapshot, envelope, number_text, read, read_cut, snapshot, to_js};
use pageport::wire::{Bounds, Json, Refusal, canonical};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

/// The value of a JavaScript expression.
pub(crate) fn js(expression: &str) -> JsValue {
    let body = format!("'use strict'; return ({expression});");
    Function::new_no_args(&body).call0(&JsValue::NULL).expect(expression)
}

pub(crate) fn json_text(value: &JsValue) -> String {
    JSON::stringify(value).expect("is JSON").into()
}

/// The text of the copy, or the word of the fault and where it is.
pub(crate) fn outcome(result: Result<Snapshot, Refusal>) -> String {
    match result {
        Ok(snapshot) => json_text(&snapshot.value),
        Err(Refusal { fault, pointer }) => format!("{} {pointer}", fault.keyword()),
    }
}

fn vectors(name: &str) -> Vec<Json> {
    let file = JSON::parse(include_str!("../vectors/values.json")).expect("the vectors are JSON");
    let file = read(&file, Bounds::PARSED).expect("the vectors pass the rules");
    file.get(name).and_then(Json::as_array).expect("the table is there").to_vec()
}

fn text<'a>(row: &'a Json, name: &str) -> &'a str {
    row.get(name).and_then(Json::as_str).expect(name)
}

#[wasm_bindgen_test]
fn a_text_has_the_outcome_of_its_row() {
    for row in vectors("values") {
        let name = text(&row, "name");
        let Ok(value) = JSON::parse(text(&row, "text")) else {
            assert_eq!(text(&row, "keyword"), "(json)", "{name}");
            continue;
        };
        for copy in [false, true] {
            match snapshot(&value, Bounds::REQUEST, copy) {
                Ok(Snapshot { value: copied, units, .. }) => {
                    assert_eq!(Some(f64::from(units)), row.get("units").and_then(Json::as_f64), "{name}: units");
                    assert_eq!(json_text(&copied), text(&row, "compact"), "{name}: copy");
                    let owned = read(&value, Bounds::REQUEST).expect(name);
                    assert_eq!(canonical(&owned, number_text), text(&row, "canonical"), "{name}: canonical");
                    assert_eq!(json_text(&to_js(&owned)), text(&row, "compact"), "{name}: handed back");
                }
                Err(refusal) => {
                    assert_eq!(refusal.fault.keyword(), text(&row, "keyword"), "{name}");
                    assert_eq!(refusal.pointer, text(&row, "pointer"), "{name}");
                    assert_eq!(read(&value, Bounds::REQUEST), Err(refusal), "{name}: read");
                }
            }
        }
    }
}

#[wasm_bindgen_test]
fn a_refused_envelope_keeps_its_id_where_it_can_be_told() {
    for row in vectors("envelopes") {
        let Ok(value) = JSON::parse(text(&row, "text")) else { continue };
        for copy in [false, true] {
            let name = text(&row, "name");
            let (refusal, id) = envelope(&value, Bounds::REQUEST, copy).expect_err(name);
            assert_eq!(refusal.fault.keyword(), text(&row, "keyword"), "{name}");
            assert_eq!(id.as_deref(), row.get("id").and_then(Json::as_str), "{name}");
        }
    }
}

#[wasm_bindgen_test]
fn every_property_is_read_once_and_the_copy_keeps_what_was_read() {
    let value = js("(() => {
        let reads = 0;
        const inner = {get n() { return ++reads; }};
        return {get first() { return ++reads; }, list: [inner, inner], get reads() { return reads; }};
    })()");
    let copy = snapshot(&value, Bounds::REQUEST, true).expect("passes").value;
    assert_eq!(json_text(&copy), r#"{"first":1,"list":[{"n":2},{"n":3}],"reads":3}"#);
    assert_eq!(json_text(&copy), json_text(&copy), "the copy does not change");
}

#[wasm_bindgen_test]
fn the_copy_is_plain_and_shares_nothing() {
    let value = js("new (class Order { items = Object.freeze([{a: 1}]); })()");
    let copy = snapshot(&value, Bounds::REQUEST, true).expect("passes").value;
    let is_plain = Function::new_with_args(
        "copy, value",
        "return Object.getPrototypeOf(copy) === Object.prototype && Array.isArray(copy.items)
            && Object.getPrototypeOf(copy.items) === Array.prototype && Object.isExtensible(copy.items)
            && copy.items[0] !== value.items[0]
            && JSON.stringify(Object.getOwnPropertyDescriptor(copy, 'items')) ===
               '{\"value\":[{\"a\":1}],\"writable\":true,\"enumerable\":true,\"configurable\":true}';",
    );
    assert_eq!(is_plain.call2(&JsValue::NULL, &copy, &value).expect("runs"), JsValue::TRUE);
}

#[wasm_bindgen_test]
fn a_value_that_was_parsed_is_not_copied() {
    let value = JSON::parse(r#"{"a":[1]}"#).expect("is JSON");
    assert!(Object::is(&value, &snapshot(&value, Bounds::REQUEST, false).expect("passes").value));
}

#[wasm_bindgen_test]
fn long_texts_are_cut_before_they_cross() {
    let cases = [
        ("'abcde'", 5, "abcde"),
        ("'abcdef'", 5, "abcd…"),
        ("'abc😀f'", 5, "abc…"),
        ("'ab😀ef'", 5, "ab😀…"),
        ("'abcd😀'", 5, "abcd…"),
        ("'x'.repeat(1 << 20)", 5, "xxxx…"),
        ("'abc\\ud83d'", 5, "(text)"),
        ("'abcdef\\ud83d'", 5, "abcd…"),
        ("''", 5, ""),
    ];
    for (expression, cut, expected) in cases {
        let found = match read_cut(&js(expression), Bounds::REQUEST, cut) {
            Ok(value) => value.as_str().map(str::to_owned).expect("is text"),
            Err(refusal) => refusal.fault.keyword().to_owned(),
        };
        assert_eq!(found, expected, "{expression}");
    }
    let value = js("({['a name that is long']: ['a text that is long']})");
    let cut = read_cut(&value, Bounds::units(100), 8).expect("passes");
    assert_eq!(json_text(&to_js(&cut)), r#"{"a name that is long":["a text …"]}"#);
}

#[wasm_bindgen_test]
fn the_id_of_a_live_envelope_is_told_without_reading_anything_twice() {
    let cases = [
        ("({id: 'r', a: NaN})", Some("r")),
        ("({a: NaN, id: 'r'})", Some("r")),
        ("(() => { let n = 0; return {get id() { return 'r' + ++n; }, a: NaN}; })()", Some("r1")),
        ("(() => { let n = 0; return {a: NaN, get id() { return 'r' + ++n; }}; })()", Some("r1")),
        ("({a: NaN, get id() { throw 1; }})", None),
        ("({get id() { throw 1; }})", None),
        ("({a: NaN, id: 'r\\ud800'})", None),
        ("({a: NaN, id: {}})", None),
        ("({id: {a: NaN}})", None),
        ("({a: NaN, '\\ud800': 1, id: 'r'})", None),
        ("Object.create({id: 'r'}, {a: {value: NaN, enumerable: true}})", None),
        ("new Proxy({}, {ownKeys() { throw 1; }})", None),
        ("[NaN, 'id']", None),
        ("NaN", None),
        ("undefined", None),
    ];
    for (expression, expected) in cases {
        let (_, id) = envelope(&js(expression), Bounds::REQUEST, true).expect_err(expression);
        assert_eq!(id.as_deref(), expected, "{expression}");
    }
}

#[wasm_bindgen_test]
fn what_rust_hands_back_is_plain() {
    let value = Json::object([
        ("a", Json::array([Json::Null, Json::Bool(true), Json::Bool(false), Json::Number(-1.5), Json::from("é😀")])),
        ("é😀", Json::object([("", Json::from("")), ("constructor", Json::array([]))])),
    ]);
    let built = to_js(&value);
    assert_eq!(json_text(&built), r#"{"a":[null,true,false,-1.5,"é😀"],"é😀":{"":"","constructor":[]}}"#);
    assert_eq!(read(&built, Bounds::REQUEST), Ok(value));
    assert!(Array::is_array(&Reflect::get(&built, &"a".into()).expect("is there")));
}
