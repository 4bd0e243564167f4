//! The schema compiler and the validator natively: the official suite, refusals, issues, bounds and the subset.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../json-schema-test-suite/suite.rs"]
mod suite;

mod issues;
mod patterns;
mod properties;
mod refusals;
mod subset;

use pageport::schema::{Interner, Plain, Profile, Schema, SchemaError};
use pageport::wire::{Issue, Json};

fn json(text: &str) -> Json {
    Json::parse_within(text, usize::MAX).expect(text)
}

/// Compiles an output schema, which may have any type at the root.
fn compile(text: &str) -> Result<Schema, SchemaError> {
    Schema::compile(&json(text), Profile::CapabilityOutput, &mut Interner::new())
}

/// The issues of a value, as `path keyword`.
fn issues(schema: &Schema, value: &Json) -> Vec<String> {
    let issues = schema.validate(Plain::from(value)).err().unwrap_or_default();
    issues.into_iter().map(|Issue { path, keyword, .. }| format!("{path} {keyword}")).collect()
}

#[test]
fn the_suite_passes() {
    suite::run(&mut Interner::new(), |schema, _, value| schema.validate(Plain::from(value)).is_ok());
}

#[test]
fn the_list_of_suite_files_is_complete() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/json-schema-test-suite");
    let names = std::fs::read_dir(folder).expect("the suite is there");
    let names = names.map(|entry| entry.expect("the folder can be read").file_name().into_string().expect("is text"));
    let mut names: Vec<String> = names.filter_map(|name| name.strip_suffix(".json").map(str::to_owned)).collect();
    names.sort();
    assert_eq!(names, suite::FILES.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>());
}

#[test]
fn a_schema_may_be_shared_between_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Schema>();
}
