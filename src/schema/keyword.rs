//! Every keyword of draft 2020-12: what the compiler does with it.

/// What a keyword is to the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// It is checked.
    Assertion,
    /// It describes and asserts nothing.
    Annotation,
    /// It would assert something that is not checked here, so the schema is refused.
    Refused,
}

const ASSERTIONS: &[&str] = &[
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "items",
    "required",
    "properties",
    "additionalProperties",
];

const ANNOTATIONS: &[&str] = &[
    "$schema",
    "$comment",
    "$vocabulary",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
];

const REFUSED: &[&str] = &[
    "$id",
    "$anchor",
    "$ref",
    "$defs",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
    "definitions",
    "dependencies",
    "additionalItems",
    "pattern",
    "multipleOf",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "uniqueItems",
    "prefixItems",
    "contains",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// The class of a keyword; `None` for one that draft 2020-12 does not know.
pub(super) fn class(name: &str) -> Option<Class> {
    let tables = [(ASSERTIONS, Class::Assertion), (ANNOTATIONS, Class::Annotation), (REFUSED, Class::Refused)];
    let is_extension = || name.starts_with("x-").then_some(Class::Annotation);
    tables.into_iter().find(|(names, _)| names.contains(&name)).map(|(_, class)| class).or_else(is_extension)
}
