//! JSON Schema: the compiler and the validator.
//!
//! A schema is compiled once into a table of nodes and then checks values wherever they live, through [`Value`].
//! What the compiler does not know how to assert it refuses by name; it never ignores an assertion.

mod array;
mod compile;
mod constant;
mod key;
mod keyword;
mod logic;
mod number;
mod object;
mod pattern;
mod profile;
mod reference;
mod rule;
mod text;
mod types;
mod unique;
mod uri;
mod validate;
mod value;

pub use key::{Interner, Key};
pub use object::Names;
pub use pattern::{Compiles, Pattern};
pub use profile::Profile;
pub use value::{Kind, Plain, Value};

use crate::wire::{Issue, Json};
use rule::{Node, NodeId};
use std::fmt;

/// A compiled schema.
#[derive(Debug)]
pub struct Schema {
    nodes: Vec<Node>,
    root: NodeId,
    unknown: Vec<String>,
}

/// Why a schema is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    /// Where, as a JSON Pointer into the schema.
    pub pointer: String,
    /// The keyword at fault.
    pub keyword: String,
    /// One short phrase.
    pub message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in ["#", &self.pointer, " ", &self.message] {
            formatter.write_str(part)?;
        }
        Ok(())
    }
}

impl Schema {
    /// Compiles a schema.
    ///
    /// # Errors
    ///
    /// The first violation of the profile.
    pub fn compile(source: &Json, profile: Profile, keys: &mut Interner) -> Result<Self, SchemaError> {
        compile::compile(source, profile, keys).map_err(|mut errors| errors.swap_remove(0))
    }

    /// Every violation of the profile.
    #[must_use]
    pub fn lint(source: &Json, profile: Profile) -> Vec<SchemaError> {
        compile::compile(source, profile, &mut Interner::new()).err().unwrap_or_default()
    }

    /// Pointers of the keywords that no vocabulary knows; they assert nothing.
    #[must_use]
    pub fn unknown_keywords(&self) -> &[String] {
        &self.unknown
    }

    /// Checks a value that passed the value rules.
    ///
    /// # Errors
    ///
    /// At most [`ISSUES`](crate::wire::limits::ISSUES) issues; a single one with the keyword `(budget)` when the
    /// check took too many steps.
    pub fn validate<V: Value>(&self, value: V) -> Result<(), Vec<Issue>> {
        validate::validate(self, value)
    }
}
