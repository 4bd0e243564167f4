//! Which schemas a place accepts; here is the strict subset of operations.

use super::compile::Compiler;
use crate::wire::Json;

/// The rules a schema is compiled under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// The input of a capability: draft 2020-12 without the refused keywords, an object at the root.
    Capability,
    /// The output of a capability: the same, any type at the root.
    CapabilityOutput,
    /// The input of an operation: the strict subset, an object at the root.
    Operation,
    /// The output of an operation: the strict subset.
    OperationOutput,
}

impl Profile {
    /// Whether only objects are described.
    pub(super) const fn needs_object(self) -> bool {
        matches!(self, Self::Capability | Self::Operation)
    }

    /// Whether this is the strict subset of operations.
    pub(super) const fn is_subset(self) -> bool {
        matches!(self, Self::Operation | Self::OperationOutput)
    }
}

/// Schemas on the way to any place of the subset, the root included.
const DEPTH: usize = 12;
/// Properties of one object.
const PROPERTIES: usize = 64;

/// Which keywords the subset has, and for which types; no types are all of them.
const KEYWORDS: &[(&str, &[&str])] = &[
    ("type", &[]),
    ("title", &[]),
    ("description", &[]),
    ("x-persist", &[]),
    ("x-sensitive", &[]),
    ("enum", &["string", "number", "integer", "boolean", "null"]),
    ("properties", &["object"]),
    ("required", &["object"]),
    ("additionalProperties", &["object"]),
    ("items", &["array"]),
    ("minItems", &["array"]),
    ("maxItems", &["array"]),
    ("minLength", &["string"]),
    ("maxLength", &["string"]),
    ("minimum", &["number", "integer"]),
    ("maximum", &["number", "integer"]),
];

/// Whether the subset has a keyword.
pub(super) fn has(name: &str) -> bool {
    KEYWORDS.iter().any(|(known, _)| *known == name)
}

/// Checks the schema at hand against the subset, beside what holds for every schema.
pub(super) fn check(compiler: &mut Compiler<'_>, source: &Json, members: &[(String, Json)]) {
    if compiler.depth == DEPTH + 1 {
        compiler.fail("", "is nested too deeply");
    }
    let kind = match source.get("type") {
        None => {
            compiler.fail("type", "must name its type");
            ""
        }
        Some(kind) => kind.as_str().unwrap_or_default(),
    };
    for (name, value) in members {
        match KEYWORDS.iter().find(|(known, _)| known == name) {
            None => compiler.refuse(name, "is not supported"),
            Some((_, kinds)) if !kinds.is_empty() && !kinds.contains(&kind) => {
                compiler.refuse(name, "does not go with the type");
            }
            Some(_) => check_value(compiler, name, value, kind),
        }
    }
    match kind {
        "object" if source.get("additionalProperties").is_none() => {
            compiler.fail("additionalProperties", "must be closed by additionalProperties: false");
        }
        "array" if source.get("items").is_none() => compiler.fail("items", "must say what its items are"),
        _ => {}
    }
    for (low, high) in [("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")] {
        let bounds = (source.get(low).and_then(Json::as_f64), source.get(high).and_then(Json::as_f64));
        if let (Some(min), Some(max)) = bounds
            && min > max
        {
            compiler.refuse(low, "is above its upper bound");
        }
    }
}

fn check_value(compiler: &mut Compiler<'_>, name: &str, value: &Json, kind: &str) {
    let message = match (name, value) {
        ("title" | "description", Json::String(_)) => return,
        ("title" | "description", _) => "must be a string",
        ("x-persist" | "x-sensitive", Json::Bool(_)) => return,
        ("x-persist" | "x-sensitive", _) => "must be true or false",
        ("additionalProperties", Json::Bool(false)) => return,
        ("additionalProperties", _) => "must be false",
        ("properties", Json::Object(members)) if members.len() > PROPERTIES => "has too many properties",
        ("enum", Json::Array(values)) if !values.iter().all(|value| is_of(kind, value)) => {
            "must list values of the type"
        }
        _ => return,
    };
    compiler.refuse(name, message);
}

fn is_of(kind: &str, value: &Json) -> bool {
    match value {
        Json::Null => kind == "null",
        Json::Bool(_) => kind == "boolean",
        Json::Number(number) => kind == "number" || (kind == "integer" && number.fract() == 0.0),
        Json::String(_) => kind == "string",
        Json::Array(_) | Json::Object(_) => false,
    }
}
