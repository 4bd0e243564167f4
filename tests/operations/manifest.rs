//! A manifest is valid, or all its violations are listed.

use pageport::operations::manifest::{ReadManifest, ReadOptions, UrlParts, domain_fault, matches_any, read_manifest};
use pageport::wire::manifest::{Manifest, MatchRule, OperationEffect};
use pageport::wire::{Json, number_text, operations_limits as limits, to_text};
use proptest::prelude::*;
use serde_json::{Value, json};

fn catalog() -> Value {
    json!({
        "$schema": "./manifest.schema.json",
        "id": "catalog", "version": "1.2.0", "name": "Catalogue",
        "permissions": ["inject-page-script", "page-bridge", "emit-resource", "enqueue-download"],
        "domains": ["shop.example.com", "*.example.org"],
        "pageScripts": [
            { "id": "main", "file": "page/main.js", "bridge": true, "match": [{ "host": "*.example.org", "path": "/a/*" }] },
            { "id": "style", "file": "style.js", "bridge": false },
        ],
        "operations": {
            "search": {
                "name": "搜".repeat(128), "description": "x", "category": "search", "pageScript": "main",
                "locales": { "zh-Hans": { "name": "搜索" } },
                "pageMatch": [{ "host": "shop.example.com" }],
                "inputSchema": {
                    "type": "object", "additionalProperties": false, "required": ["q"],
                    "properties": { "q": { "type": "string", "minLength": 1, "x-persist": true } },
                },
                "outputSchema": {
                    "type": "object", "additionalProperties": false,
                    "properties": { "items": { "type": "array", "items": {
                        "type": "object", "additionalProperties": false, "properties": {
                            "id": { "type": "string" }, "kind": { "type": "string" },
                            "title": { "type": "string" }, "pageUrl": { "type": "string" },
                        },
                    } } },
                },
                "examples": [{ "q": "x" }], "effects": ["read"], "timeoutSeconds": 0, "safeRetry": true,
            },
            "resolve": {
                "name": "Resolve", "category": "resolve", "pageScript": "main",
                "inputSchema": { "type": "object", "additionalProperties": false },
                "outputSchema": { "type": "null" },
                "effects": ["read", "page", "publish", "download"],
                "allowReload": true, "cancellable": true, "automation": true, "persistResult": true,
                "resultTTLSeconds": 60, "timeoutSeconds": 1800, "requiresLogin": true,
            },
        },
        "resources": { "actions": { "resolve-item": { "kind": "operation", "operation": "resolve" } } },
    })
}

fn read(value: &Value, is_dev: bool) -> ReadManifest {
    let json = Json::parse_strict(&value.to_string(), limits::MANIFEST_UNITS).expect("JSON");
    read_manifest(&json, ReadOptions { is_dev, number_text })
}

fn valid(value: &Value) -> Manifest {
    let read = read(value, false);
    assert_eq!(read.errors, []);
    assert_eq!(read.warnings, []);
    read.manifest.expect("without errors")
}

/// Sets what a pointer names, or takes it away.
fn set(manifest: &mut Value, pointer: &str, value: Option<Value>) {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    match (manifest.pointer_mut(parent).expect("there"), value) {
        (Value::Object(members), Some(value)) => drop(members.insert(name.into(), value)),
        (Value::Object(members), None) => drop(members.remove(name)),
        (Value::Array(items), Some(value)) => match name.parse::<usize>() {
            Ok(index) if index < items.len() => items[index] = value,
            _ => items.push(value),
        },
        _ => panic!("no parent at {parent}"),
    }
}

#[test]
fn a_valid_manifest_is_read_with_its_defaults() {
    let manifest = valid(&catalog());
    let search = manifest.operation("search").expect("there");
    assert_eq!((search.timeout_seconds, search.result_ttl_seconds), (120, 0));
    assert!(!search.automation && !search.cancellable && !search.requires_login && search.safe_retry);
    let resolve = manifest.operation("resolve").expect("there");
    assert!(resolve.has(OperationEffect::Download) && resolve.allow_reload);
    assert_eq!((resolve.timeout_seconds, resolve.result_ttl_seconds), (1_800, 60));
    assert_eq!(manifest.operations_of("main").count(), 2);
    assert_eq!(manifest.operations_of("style").count(), 0);
}

#[test]
fn a_manifest_that_is_written_again_reads_the_same() {
    let manifest = valid(&catalog());
    let text = to_text(&manifest, number_text);
    let again = valid(&serde_json::from_str(&text).expect("JSON"));
    assert_eq!(again, manifest);
}

#[test]
fn each_rule_is_broken_where_it_stands() {
    let long = "x".repeat(2_049);
    let cases: Vec<(&str, Option<Value>, &[&str])> = vec![
        ("/id", Some(json!("a b")), &["/id"]),
        ("/id", None, &["/id"]),
        ("/version", Some(json!("")), &["/version"]),
        ("/version", Some(json!("1\n2")), &["/version"]),
        ("/name", Some(json!("x".repeat(129))), &["/name"]),
        ("/extra", Some(json!(1)), &["/extra"]),
        ("/captureTracks", Some(json!([])), &["/captureTracks"]),
        ("/permissions/-", Some(json!("fly")), &["/permissions/4"]),
        ("/permissions/-", Some(json!("page-bridge")), &["/permissions/4"]),
        ("/permissions/-", Some(json!("capture-response-body")), &["/permissions/4"]),
        (
            "/permissions",
            Some(json!(["emit-resource", "enqueue-download"])),
            &["/pageScripts/0/bridge", "/pageScripts/0", "/pageScripts/1"],
        ),
        (
            "/permissions",
            Some(json!(["page-bridge", "emit-resource", "enqueue-download"])),
            &["/permissions", "/pageScripts/0", "/pageScripts/1"],
        ),
        (
            "/permissions",
            Some(json!(["inject-page-script", "page-bridge"])),
            &["/operations/resolve/effects/2", "/operations/resolve/effects/3", "/operations/resolve/effects/3"],
        ),
        (
            "/domains",
            Some(json!([])),
            &["/domains", "/pageScripts/0/match/0/host", "/operations/search/pageMatch/0/host"],
        ),
        ("/domains/-", Some(json!("co.uk")), &["/domains/2"]),
        ("/domains/-", Some(json!("127.0.0.1")), &["/domains/2"]),
        ("/domains/-", Some(json!("localhost")), &["/domains/2"]),
        ("/domains/-", Some(json!("shop.example.com")), &["/domains/2"]),
        ("/pageScripts/1/id", Some(json!("main")), &["/pageScripts/1/id"]),
        ("/pageScripts/0/file", Some(json!("../main.js")), &["/pageScripts/0/file"]),
        ("/pageScripts/0/file", Some(json!("main.ts")), &["/pageScripts/0/file"]),
        (
            "/pageScripts/0/bridge",
            Some(json!(false)),
            &["/operations/resolve/pageScript", "/operations/search/pageScript"],
        ),
        ("/pageScripts/0/match", Some(json!([])), &["/pageScripts/0/match"]),
        ("/pageScripts/0/match/0/host", Some(json!("example.org")), &["/pageScripts/0/match/0/host"]),
        ("/pageScripts/0/match/0/path", Some(json!("a")), &["/pageScripts/0/match/0/path"]),
        ("/pageScripts/0/match/0/path", Some(json!("/*/b")), &["/pageScripts/0/match/0/path"]),
        ("/operations/a b", Some(catalog()["operations"]["resolve"].clone()), &["/operations/a b"]),
        ("/operations/search/name", Some(json!("搜".repeat(129))), &["/operations/search/name"]),
        ("/operations/search/name", None, &["/operations/search/name"]),
        ("/operations/search/description", Some(json!(long)), &["/operations/search/description"]),
        ("/operations/search/locales/x", Some(json!({})), &["/operations/search/locales/x"]),
        ("/operations/search/locales/de", Some(json!({ "title": "x" })), &["/operations/search/locales/de/title"]),
        ("/operations/search/category", Some(json!("fun")), &["/operations/search/category"]),
        ("/operations/search/category", None, &["/operations/search/category"]),
        ("/operations/search/pageScript", Some(json!("style")), &["/operations/search/pageScript"]),
        ("/operations/search/pageScript", Some(json!("none")), &["/operations/search/pageScript"]),
        ("/operations/search/pageScript", None, &["/operations/search/pageScript"]),
        (
            "/operations/search/pageMatch/0/host",
            Some(json!("www.example.com")),
            &["/operations/search/pageMatch/0/host"],
        ),
        ("/operations/search/requiresLogin", Some(json!("yes")), &["/operations/search/requiresLogin"]),
        ("/operations/search/inputSchema", None, &["/operations/search/inputSchema"]),
        ("/operations/search/inputSchema", Some(json!({ "type": "string" })), &["/operations/search/inputSchema/type"]),
        (
            "/operations/search/inputSchema/properties/q/pattern",
            Some(json!("x")),
            &["/operations/search/inputSchema/properties/q/pattern"],
        ),
        ("/operations/search/inputSchema/title", Some(json!("x".repeat(16_384))), &["/operations/search/inputSchema"]),
        ("/operations/search/outputSchema", None, &["/operations/search/outputSchema"]),
        ("/operations/search/outputSchema/additionalProperties", None, &["/operations/search/outputSchema"]),
        ("/operations/search/examples/0", Some(json!({ "q": "" })), &["/operations/search/examples/0/q"]),
        (
            "/operations/search/examples",
            Some(json!([{ "q": "1" }, { "q": "2" }, { "q": "3" }, { "q": "4" }, { "q": "5" }])),
            &["/operations/search/examples"],
        ),
        ("/operations/search/effects", Some(json!([])), &["/operations/search/effects"]),
        ("/operations/search/effects", None, &["/operations/search/effects"]),
        ("/operations/search/effects", Some(json!(["read", "read"])), &["/operations/search/effects/1"]),
        ("/operations/search/effects", Some(json!(["read", "page"])), &["/operations/search/safeRetry"]),
        ("/operations/search/effects/0", Some(json!("steal")), &["/operations/search/effects/0"]),
        ("/operations/search/timeoutSeconds", Some(json!(1_801)), &["/operations/search/timeoutSeconds"]),
        ("/operations/search/timeoutSeconds", Some(json!(1.5)), &["/operations/search/timeoutSeconds"]),
        ("/operations/search/allowReload", Some(json!(true)), &["/operations/search/allowReload"]),
        ("/operations/search/resultTTLSeconds", Some(json!(86_401)), &["/operations/search/resultTTLSeconds"]),
        ("/operations/search/retry", Some(json!(true)), &["/operations/search/retry"]),
        (
            "/resources/actions/resolve-item/kind",
            Some(json!("process-file")),
            &["/resources/actions/resolve-item/kind"],
        ),
        ("/resources/actions/resolve-item/kind", Some(json!("dance")), &["/resources/actions/resolve-item/kind"]),
        (
            "/resources/actions/resolve-item/operation",
            Some(json!("gone")),
            &["/resources/actions/resolve-item/operation"],
        ),
        ("/resources/actions/resolve-item/processor", Some(json!({})), &["/resources/actions/resolve-item/processor"]),
    ];
    for (pointer, value, expected) in cases {
        let mut manifest = catalog();
        set(&mut manifest, pointer, value.clone());
        let read = read(&manifest, false);
        let found: Vec<&str> = read.errors.iter().map(|error| error.pointer.as_str()).collect();
        assert_eq!(found, expected, "{pointer} = {value:?}");
        assert!(read.manifest.is_none(), "{pointer}");
        assert!(read.errors.iter().all(|error| !error.message.is_empty()));
    }
}

#[test]
fn every_violation_is_listed_at_once() {
    let broken =
        json!({ "id": "", "version": 1, "permissions": "none", "domains": ["com", 2], "operations": { "x": {} } });
    let read = read(&broken, false);
    let found: Vec<&str> = read.errors.iter().map(|error| error.pointer.as_str()).collect();
    let expected = [
        "/id",
        "/version",
        "/name",
        "/permissions",
        "/domains/0",
        "/domains/1",
        "/pageScripts",
        "/operations/x/name",
        "/operations/x/category",
        "/operations/x/pageScript",
        "/operations/x/inputSchema",
        "/operations/x/outputSchema",
        "/operations/x/effects",
    ];
    assert_eq!(found, expected);
}

#[test]
fn there_are_at_most_32_operations_and_8_scripts() {
    let mut manifest = catalog();
    let operation = manifest["operations"]["resolve"].clone();
    for index in 0..31 {
        set(&mut manifest, &format!("/operations/more-{index}"), Some(operation.clone()));
    }
    for index in 0..7 {
        set(&mut manifest, "/pageScripts/-", Some(json!({ "id": format!("s{index}"), "file": "x.js" })));
    }
    let found: Vec<String> = read(&manifest, false).errors.into_iter().map(|error| error.pointer).collect();
    assert_eq!(found, ["/pageScripts", "/operations"]);
}

#[test]
fn localhost_is_a_domain_while_developing() {
    let mut manifest = catalog();
    set(&mut manifest, "/domains/-", Some(json!("localhost")));
    set(&mut manifest, "/operations/search/pageMatch/-", Some(json!({ "host": "localhost:5173", "path": "/shop*" })));
    assert_eq!(read(&manifest, true).errors, []);
}

#[test]
fn a_search_whose_items_do_not_say_what_they_are_is_warned_about() {
    let mut manifest = catalog();
    set(
        &mut manifest,
        "/operations/search/outputSchema/properties/items/items/properties",
        Some(json!({ "id": { "type": "string" } })),
    );
    let found = read(&manifest, false);
    assert_eq!(found.errors, []);
    assert_eq!(found.warnings.len(), 3);
    set(&mut manifest, "/operations/search/outputSchema", Some(json!({ "type": "null" })));
    let found = read(&manifest, false);
    assert_eq!(found.warnings.len(), 1);
    assert_eq!(found.warnings[0].pointer, "/operations/search/outputSchema");
    assert!(found.manifest.is_some(), "a warning is no error");
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_i32..3_000).prop_map(Value::from),
        "[a-z*.:/é]{0,6}".prop_map(Value::from),
        prop::sample::select(vec!["object", "string", "array", "read", "page", "operation"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z]{1,4}|type|items|host|kind|properties", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The pointers of everything in a value.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    let mut place = |name: String, inner: &Value| {
        let pointer = format!("{at}/{name}");
        places(inner, &pointer, all);
        all.push(pointer);
    };
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| place(index.to_string(), item)),
        Value::Object(members) => members.iter().for_each(|(name, item)| place(name.clone(), item)),
        _ => {}
    }
}

proptest! {
    #[test]
    fn a_manifest_is_valid_or_says_why_not(place in any::<prop::sample::Index>(), value in any_value()) {
        let mut manifest = catalog();
        let mut all = Vec::new();
        places(&manifest, "", &mut all);
        set(&mut manifest, place.get::<String>(&all), Some(value));
        let found = read(&manifest, false);
        prop_assert_eq!(found.manifest.is_some(), found.errors.is_empty());
        if let Some(valid) = found.manifest {
            let text = to_text(&valid, number_text);
            let again = read(&serde_json::from_str(&text).expect("JSON"), false);
            prop_assert_eq!(again.manifest, Some(valid));
        }
    }

    #[test]
    fn no_text_is_too_strange_for_a_domain_a_url_or_a_rule(text in "\\PC*|(https?://)?[a-z.*:@\\[\\]0-9/é]{0,20}") {
        let _ = domain_fault(&text, true);
        let rule = MatchRule { host: text.clone(), path: Some(text.clone()) };
        if let Some(url) = UrlParts::parse(&text) {
            let _ = matches_any(&[rule], url);
            prop_assert!(url.path.starts_with('/'));
        }
    }
}
