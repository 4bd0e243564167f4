//! What a compiled schema consists of: nodes that hold rules, one for each keyword with an effect.

use super::Key;
use super::array::Items;
use super::constant::Constant;
use super::object::Properties;
use super::types::Types;

/// A node's place in the table; nodes refer to each other by it, so a schema may be recursive.
pub(super) type NodeId = u32;

/// One schema, its rules in the order they are checked.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) rules: Box<[Rule]>,
}

/// A keyword with an effect.
#[derive(Debug)]
pub(super) enum Rule {
    /// The schema `false`.
    Never,
    Type(Types),
    Const(Constant),
    Enum(Box<[Constant]>),
    Minimum(f64),
    Maximum(f64),
    MinLength(u32),
    MaxLength(u32),
    MinItems(u32),
    MaxItems(u32),
    Items(Items),
    Required(Box<[Key]>),
    Properties(Properties),
}
