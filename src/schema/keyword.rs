//! Every keyword of draft 2020-12: what the compiler does with it.

/// What a keyword is to the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// It asserts, or holds schemas, and is compiled.
    Compiled,
    /// It describes and asserts nothing.
    Annotation,
    /// It would assert something that is not checked here, so the schema is refused.
    Refused,
}

#[rustfmt::skip]
const COMPILED: &[&str] = &[
    "type", "enum", "const",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "pattern",
    "minItems", "maxItems", "items", "prefixItems", "contains", "minContains", "maxContains", "uniqueItems",
    "properties", "required", "additionalProperties", "patternProperties", "propertyNames",
    "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
    "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
    "$ref", "$defs", "$id", "$anchor",
];

#[rustfmt::skip]
const ANNOTATIONS: &[&str] = &[
    "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
    "format", "contentEncoding", "contentMediaType", "contentSchema",
    "$schema", "$comment", "$vocabulary", "definitions",
];

const REFUSED: &[&str] = &["$dynamicRef", "$dynamicAnchor", "unevaluatedItems", "unevaluatedProperties"];

/// The class of a keyword; `None` for one that draft 2020-12 does not know.
pub(super) fn class(name: &str) -> Option<Class> {
    if name.starts_with("x-") || ANNOTATIONS.contains(&name) {
        Some(Class::Annotation)
    } else if COMPILED.contains(&name) {
        Some(Class::Compiled)
    } else if REFUSED.contains(&name) {
        Some(Class::Refused)
    } else {
        None
    }
}
