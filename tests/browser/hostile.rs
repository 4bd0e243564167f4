//! Values that page code made to break the border: getters, proxies, cycles, sizes, patched globals.

use super::values::{js, json_text, outcome};
use js_sys::{Function, Reflect};
use pageport::web::value::{read, read_cut, snapshot, to_js};
use pageport::wire::{Bounds, Json, Refusal};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn a_live_value_is_copied_or_refused() {
    let cases = [
        // What is no JSON.
        ("undefined", "(type) "),
        ("1n", "(type) "),
        ("() => 1", "(type) "),
        ("class {}", "(type) "),
        ("Symbol.iterator", "(type) "),
        ("({a: {b: 1n}})", "(type) /a/b"),
        ("({a: () => 1})", "(type) /a"),
        ("[undefined]", "(type) /0"),
        ("[1, , 3]", "(type) /1"),
        ("[Symbol()]", "(type) /0"),
        ("NaN", "(number) "),
        ("[-Infinity]", "(number) /0"),
        ("new Number(NaN)", "{}"),
        // What is dropped, and what is not looked at.
        ("({a: undefined, b: 1, c: undefined})", r#"{"b":1}"#),
        ("({a: undefined})", "{}"),
        ("({[Symbol('a')]: 1n, b: 2})", r#"{"b":2}"#),
        ("Object.defineProperty({b: 1}, 'a', {value: 1n, enumerable: false})", r#"{"b":1}"#),
        ("Object.create({a: 1n}, {b: {value: 1, enumerable: true}})", r#"{"b":1}"#),
        ("Object.assign([1, 2], {a: 1n})", "[1,2]"),
        ("({toJSON() { return 'lie'; }})", "(type) /toJSON"),
        ("Object.create({toJSON() { return 'lie'; }}, {b: {value: 1, enumerable: true}})", r#"{"b":1}"#),
        // Objects of the platform are their own enumerable members.
        ("new Date(0)", "{}"),
        ("new Map([[1, 2]])", "{}"),
        ("/x/g", "{}"),
        ("new Error('secret')", "{}"),
        ("new Uint8Array([7, 8])", r#"{"0":7,"1":8}"#),
        ("new ArrayBuffer(8)", "{}"),
        ("new Number(5)", "{}"),
        ("new Boolean(false)", "{}"),
        ("new String('ab')", r#"{"0":"a","1":"b"}"#),
        ("Object.create(null, {a: {value: 1, enumerable: true}})", r#"{"a":1}"#),
        ("new (class { #hidden = 1; shown = 2; get computed() { return 3; } })()", r#"{"shown":2}"#),
        ("Object.freeze({a: Object.freeze([1])})", r#"{"a":[1]}"#),
        // Names.
        ("JSON.parse('{\"__proto__\":1}')", "(key) /__proto__"),
        ("({['__proto__']: {}})", "(key) /__proto__"),
        ("({__proto__: {a: 1n}})", "{}"),
        ("({'\\ud800': 1})", "(text) "),
        ("({a: [{'\\udc00x': 1}]})", "(text) /a/0"),
        (
            "({constructor: 1, toString: 2, __defineGetter__: 3})",
            r#"{"constructor":1,"toString":2,"__defineGetter__":3}"#,
        ),
        // Getters and proxies.
        ("({get a() { return 1; }})", r#"{"a":1}"#),
        ("({a: {get b() { throw new Error('x'); }}})", "(getter) /a/b"),
        ("({get a() { throw undefined; }})", "(getter) /a"),
        ("({get a() { delete this.b; return 1; }, b: 2})", r#"{"a":1}"#),
        ("({get a() { this.c = 3; return 1; }, b: 2})", r#"{"a":1,"b":2}"#),
        ("[1, {get a() { throw 1; }}]", "(getter) /1/a"),
        ("new Proxy({a: 1}, {})", r#"{"a":1}"#),
        ("new Proxy([1, 2], {})", "[1,2]"),
        ("new Proxy({}, {ownKeys() { throw 1; }})", "(getter) "),
        ("new Proxy({a: 1}, {getOwnPropertyDescriptor() { throw 1; }})", "(getter) "),
        ("({p: new Proxy({a: 1}, {get() { throw 1; }})})", "(getter) /p/a"),
        ("new Proxy([1], {get(t, k) { return k === 'length' ? -1 : t[k]; }})", "(getter) "),
        ("new Proxy([1], {get(t, k) { return k === 'length' ? '1' : t[k]; }})", "(getter) "),
        ("new Proxy([1], {get(t, k) { return k === 'length' ? 1.5 : t[k]; }})", "(getter) "),
        ("new Proxy([1], {get(t, k) { return k === 'length' ? 2 ** 32 : t[k]; }})", "(getter) "),
        ("new Proxy([1], {get(t, k) { return k === 'length' ? {valueOf() { return 1; }} : t[k]; }})", "(getter) "),
        ("new Proxy([1], {get(t, k) { return k === 'length' ? 2 : 7; }})", "[7,7]"),
        ("new Proxy({}, {ownKeys: () => ['a', 'a']})", "(getter) "),
        ("new Proxy(() => 1, {})", "(type) "),
        ("(() => { const r = Proxy.revocable({}, {}); r.revoke(); return r.proxy; })()", "(getter) "),
        ("(() => { const r = Proxy.revocable([], {}); r.revoke(); return [r.proxy]; })()", "(getter) /0"),
        (
            "(() => { const r = Proxy.revocable({a: 1, b: 2}, {get(t, k) { r.revoke(); return t[k]; }}); return r.proxy; })()",
            "(getter) /b",
        ),
        // Cycles and sizes.
        ("(() => { const a = {}; a.a = a; return a; })()", &format!("(depth) {}", "/a".repeat(64))),
        ("(() => { const a = []; a.push([a]); return a; })()", &format!("(depth) {}", "/0".repeat(64))),
        ("(() => { const a = {x: 1}; return [a, a]; })()", r#"[{"x":1},{"x":1}]"#),
        (
            "(() => { let a = 1; const n = () => ({get a() { return n(); }}); return n(); })()",
            &format!("(depth) {}", "/a".repeat(64)),
        ),
        ("new Array(2 ** 32 - 1)", "(size) "),
        ("({a: new Array(32768)})", "(type) /a/0"),
        ("new Array(65536).fill(1)", "(size) "),
        ("new Array(32768).fill(1)", "(size) /32767"),
        ("'x'.repeat(2 ** 20)", "(size) "),
        ("['\\u0001'.repeat(10923)]", "(size) /0"),
        ("({a: 'x'.repeat(65528)})", &format!(r#"{{"a":"{}"}}"#, "x".repeat(65528))),
        ("({a: 'x'.repeat(65529)})", "(size) /a"),
        ("({['x'.repeat(70000)]: 1})", &format!("(size) /{}", "x".repeat(70000))),
        ("Object.fromEntries(Array.from({length: 20000}, (_, i) => ['k' + i, 0]))", "(size) /k6664"),
    ];
    for (expression, expected) in cases {
        let found = outcome(snapshot(&js(expression), Bounds::REQUEST, true));
        assert!(found == expected, "{expression}: {}", found.chars().take(200).collect::<String>());
        // Reading into Rust comes to the same.
        let found = match read(&js(expression), Bounds::REQUEST) {
            Ok(value) => json_text(&to_js(&value)),
            Err(Refusal { fault, pointer }) => format!("{} {pointer}", fault.keyword()),
        };
        assert!(found == expected, "read {expression}: {}", found.chars().take(200).collect::<String>());
    }
}

#[wasm_bindgen_test]
fn page_code_that_runs_in_a_getter_may_walk_values_itself() {
    let inner_results = Rc::new(RefCell::new(Vec::new()));
    let results = Rc::clone(&inner_results);
    let reenter = Closure::<dyn Fn(JsValue)>::new(move |value: JsValue| {
        let found = outcome(snapshot(&value, Bounds::REQUEST, true));
        results.borrow_mut().push(found);
    });
    let build = Function::new_with_args(
        "reenter",
        "const bad = {get x() { throw 1; }};
         const nested = {y: [1, {get z() { reenter({deep: [true]}); reenter(bad); return 2; }}]};
         return {a: 1, b: {get c() { reenter(nested); return 'c'; }}, get d() { reenter([1n]); throw 1; }, e: 3};",
    );
    let value = build.call1(&JsValue::NULL, reenter.as_ref()).expect("builds");

    assert_eq!(outcome(snapshot(&value, Bounds::REQUEST, true)), "(getter) /d");
    let expected = [r#"{"deep":[true]}"#, "(getter) /x", r#"{"y":[1,{"z":2}]}"#, "(type) /0"];
    assert_eq!(*inner_results.borrow(), expected);
    assert_eq!(outcome(snapshot(&js("({a: [1]})"), Bounds::REQUEST, true)), r#"{"a":[1]}"#, "nothing is left behind");
}

#[wasm_bindgen_test]
fn a_getter_that_overflows_the_stack_is_a_getter_that_threw() {
    let enter =
        Closure::<dyn Fn(JsValue) -> String>::new(|value: JsValue| outcome(snapshot(&value, Bounds::REQUEST, true)));
    let build = Function::new_with_args(
        "enter",
        "const value = {get a() { return enter(value); }}; return {get x() { const f = () => f(); return f(); }};",
    );
    let value = build.call1(&JsValue::NULL, enter.as_ref()).expect("builds");
    assert_eq!(outcome(snapshot(&value, Bounds::REQUEST, true)), "(getter) /x");
    assert_eq!(outcome(snapshot(&js("[1]"), Bounds::REQUEST, true)), "[1]");
}

/// Runs page code that breaks what it can reach, then mends it again.
fn with_patched_globals(texts: bool, test: impl FnOnce() + 'static) {
    let patch = js("((texts) => {
        const {defineProperty, getOwnPropertyDescriptor, setPrototypeOf} = Reflect;
        const saved = {__proto__: null, length: 0};
        const set = (target, name, value) => {
            const old = getOwnPropertyDescriptor(target, name);
            if (old) setPrototypeOf(old, null);
            saved[saved.length++] = {target, name, old};
            defineProperty(target, name, value);
        };
        const trap = {__proto__: null, get() { throw new Error('patched'); }, set() { throw new Error('patched'); }, configurable: true};
        const broken = {__proto__: null, value() { throw new Error('patched'); }, writable: true, configurable: true};
        return {
            apply() {
                for (const name of ['a', 'b', 'x', '0', '1', 'value', 'get', 'toJSON', 'outer', 'frame', 'copy']) {
                    set(Object.prototype, name, trap);
                }
                set(Array.prototype, '0', trap);
                for (const name of ['push', 'join', 'toJSON']) set(Array.prototype, name, broken);
                for (const name of ['isWellFormed', 'toString', 'valueOf', 'toJSON']) set(String.prototype, name, broken);
                if (texts) for (const name of ['charCodeAt', 'slice']) set(String.prototype, name, broken);
                for (const name of ['toString', 'valueOf', 'toJSON']) set(Number.prototype, name, broken);
                for (const name of ['exec', 'test']) set(RegExp.prototype, name, broken);
                for (const name of ['keys', 'hasOwn', 'defineProperty']) set(Object, name, broken);
                set(Array, 'isArray', broken);
                set(Reflect, 'get', broken);
                set(JSON, 'stringify', broken);
                set(JSON, 'parse', broken);
                for (const name of ['call', 'bind']) set(Function.prototype, name, broken);
            },
            mend() {
                while (saved.length > 0) {
                    const {target, name, old} = saved[--saved.length];
                    if (old) defineProperty(target, name, old);
                    else delete target[name];
                }
            },
        };
    })");
    let patch: Function = patch.unchecked_into();
    let patch = patch.call1(&JsValue::NULL, &texts.into()).expect("makes");
    let apply: Function = Reflect::get(&patch, &"apply".into()).expect("is there").unchecked_into();
    let mend: Function = Reflect::get(&patch, &"mend".into()).expect("is there").unchecked_into();
    let caller = js("(apply, mend) => (test) => { apply(); try { test(); } finally { mend(); } }");
    let caller: Function = caller.unchecked_into();
    let run: Function = caller.call2(&JsValue::NULL, &apply, &mend).expect("makes").unchecked_into();
    let test = Closure::once(test);
    run.call1(&JsValue::NULL, test.as_ref()).expect("the test ran");
}

#[wasm_bindgen_test]
fn globals_that_are_patched_later_change_nothing() {
    let expression =
        "({a: [1, 'some text with \"quotes\"', {x: -0.5}], b: {a: 'x'.repeat(500), value: null}, get: [[]]})";
    let value = js(expression);
    let expected = json_text(&value);

    let copied = Rc::new(RefCell::new(None));
    let (inside, source) = (Rc::clone(&copied), value.clone());
    with_patched_globals(true, move || *inside.borrow_mut() = Some(snapshot(&source, Bounds::REQUEST, true)));
    assert_eq!(outcome(copied.take().expect("it ran")), expected);

    // The generated glue itself uses some methods of strings where texts cross.
    let crossed = Rc::new(RefCell::new(None));
    let inside = Rc::clone(&crossed);
    with_patched_globals(false, move || {
        let owned = read(&value, Bounds::REQUEST);
        let built = owned.map(|owned| to_js(&owned));
        *inside.borrow_mut() = Some((built, read_cut(&value, Bounds::REQUEST, 10)));
    });
    let (built, cut) = crossed.take().expect("it ran");
    assert_eq!(json_text(&built.expect("passes")), expected);
    assert_eq!(cut.expect("passes").get("a").and_then(Json::as_array).map(|a| a[1].clone()), Some("some text…".into()));
}

#[wasm_bindgen_test]
fn a_walk_of_something_endless_stops_at_the_bound() {
    let reads = js("({count: 0})");
    let build = Function::new_with_args(
        "reads",
        "return new Proxy([], {get(_, key) { reads.count++; return key === 'length' ? 2 ** 32 - 1 : 1; }});",
    );
    let endless = build.call1(&JsValue::NULL, &reads).expect("builds");
    assert_eq!(outcome(snapshot(&endless, Bounds::REQUEST, true)), "(size) ");
    assert_eq!(Reflect::get(&reads, &"count".into()).expect("is there"), JsValue::from(1));
}
