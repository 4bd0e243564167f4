//! The keyword `type`.

use super::compile::Compiler;
use super::rule::Rule;
use super::{Kind, Value};
use crate::wire::Json;

/// Type names, in the order of the bits of [`Types`].
const NAMES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
const INTEGER: u8 = 2;
const NUMBER: u8 = 3;

/// A set of types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    fn add(&mut self, name: &str) -> bool {
        let bit = NAMES.iter().position(|known| *known == name).map_or(0, |index| 1 << index);
        let is_new = bit & !self.0 != 0;
        self.0 |= bit;
        is_new
    }

    /// Whether the set is this type and no other.
    pub(super) fn is_only(self, name: &str) -> bool {
        let mut only = Self::default();
        only.add(name) && only == self
    }

    pub(super) fn hold<V: Value>(self, value: V) -> bool {
        let bit = match value.kind() {
            Kind::Null => 0,
            Kind::False | Kind::True => 1,
            Kind::Number => {
                let is_integer = || self.0 & (1 << INTEGER) != 0 && value.number().fract() == 0.0;
                return self.0 & (1 << NUMBER) != 0 || is_integer();
            }
            Kind::Text => 4,
            Kind::Array => 5,
            Kind::Object => 6,
        };
        self.0 & (1 << bit) != 0
    }

    /// The phrase of an issue.
    pub(super) fn message(self) -> String {
        let mut message = String::from("must be of type ");
        let mut is_first = true;
        for (index, name) in NAMES.iter().enumerate() {
            if self.0 & (1 << index) != 0 {
                if !is_first {
                    message.push_str(" or ");
                }
                message.push_str(name);
                is_first = false;
            }
        }
        message
    }
}

/// Compiles `type`: a name, or names.
pub(super) fn compile(compiler: &mut Compiler<'_>, source: &Json, rules: &mut Vec<Rule>) {
    let Some(value) = source.get("type") else { return };
    let mut types = Types::default();
    let fits = match value {
        Json::String(name) => types.add(name),
        Json::Array(names) if !compiler.profile.is_subset() => {
            !names.is_empty() && names.iter().all(|name| name.as_str().is_some_and(|name| types.add(name)))
        }
        _ => false,
    };
    if fits {
        rules.push(Rule::Type(types));
    } else if compiler.profile.is_subset() {
        compiler.refuse("type", "must be one type name");
    } else {
        compiler.refuse("type", "must be a type name, or different ones in an array");
    }
}
