//! The keywords `const` and `enum`: values to be equal to.

use super::compile::Compiler;
use super::rule::Rule;
use super::{Interner, Key, Kind, Value};
use crate::wire::Json;

/// A value of the schema, its texts and names as keys.
#[derive(Debug)]
pub(super) enum Constant {
    Null,
    Bool(bool),
    Number(f64),
    Text(Key),
    Array(Box<[Constant]>),
    Object(Box<[(Key, Constant)]>),
}

impl Constant {
    fn new(value: &Json, keys: &mut Interner) -> Self {
        match value {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(value) => Self::Number(*value),
            Json::String(text) => Self::Text(keys.key(text)),
            Json::Array(items) => Self::Array(items.iter().map(|item| Self::new(item, keys)).collect()),
            Json::Object(members) => {
                Self::Object(members.iter().map(|(name, value)| (keys.key(name), Self::new(value, keys))).collect())
            }
        }
    }

    /// Whether the value is equal: numbers by value, members in any order.
    #[expect(clippy::float_cmp, reason = "JSON Schema compares numbers by value")]
    pub(super) fn equals<V: Value>(&self, value: V) -> bool {
        match self {
            Self::Null => value.kind() == Kind::Null,
            Self::Bool(true) => value.kind() == Kind::True,
            Self::Bool(false) => value.kind() == Kind::False,
            Self::Number(number) => value.kind() == Kind::Number && value.number() == *number,
            Self::Text(text) => value.kind() == Kind::Text && value.is_text(text),
            Self::Array(items) => {
                value.kind() == Kind::Array
                    && value.length() as usize == items.len()
                    && items.iter().zip(0..).all(|(item, index)| item.equals(value.item(index)))
            }
            Self::Object(members) => {
                value.kind() == Kind::Object
                    && value.member_count() as usize == members.len()
                    && members.iter().all(|(key, member)| value.member(key).is_some_and(|value| member.equals(value)))
            }
        }
    }
}

/// Compiles `const` and `enum`.
pub(super) fn compile(compiler: &mut Compiler<'_>, source: &Json, rules: &mut Vec<Rule>) {
    if let Some(value) = source.get("const") {
        rules.push(Rule::Const(Constant::new(value, compiler.keys)));
    }
    match source.get("enum") {
        None => {}
        Some(Json::Array(values)) => {
            rules.push(Rule::Enum(values.iter().map(|value| Constant::new(value, compiler.keys)).collect()));
        }
        Some(_) => compiler.refuse("enum", "must be an array"),
    }
}
