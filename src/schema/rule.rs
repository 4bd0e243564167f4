//! What a compiled schema consists of: nodes that hold rules, one for each keyword with an effect.

use super::array::{Contains, Items};
use super::constant::Constant;
use super::logic::Condition;
use super::object::Properties;
use super::pattern::Pattern;
use super::types::Types;
use super::{Key, Kind};

/// A node's place in the table; nodes refer to each other by it, so a schema may be recursive.
pub(super) type NodeId = u32;

/// One schema, its rules in the order they are checked.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) rules: Box<[Rule]>,
}

/// A keyword, and what its value becomes.
pub(super) type Keyword<T> = (&'static str, fn(T) -> Rule);

/// A member, and those it needs beside it.
pub(super) type Dependency = (Key, Box<[Key]>);

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
    ExclusiveMinimum(f64),
    ExclusiveMaximum(f64),
    MultipleOf(f64),
    MinLength(u32),
    MaxLength(u32),
    Pattern(Box<Pattern>),
    MinItems(u32),
    MaxItems(u32),
    UniqueItems,
    Items(Items),
    Contains(Contains),
    MinProperties(u32),
    MaxProperties(u32),
    Properties(Box<Properties>),
    /// Names that `properties` does not list.
    Required(Box<[Key]>),
    PropertyNames(NodeId),
    DependentRequired(Box<[Dependency]>),
    DependentSchemas(Box<[(Key, NodeId)]>),
    AllOf(Box<[NodeId]>),
    AnyOf(Box<[NodeId]>),
    OneOf(Box<[NodeId]>),
    Not(NodeId),
    If(Condition),
    Ref(NodeId),
}

impl Rule {
    /// Whether the keyword says anything about values of this type.
    pub(super) const fn applies_to(&self, kind: Kind) -> bool {
        match self {
            Self::Minimum(_)
            | Self::Maximum(_)
            | Self::ExclusiveMinimum(_)
            | Self::ExclusiveMaximum(_)
            | Self::MultipleOf(_) => matches!(kind, Kind::Number),
            Self::MinLength(_) | Self::MaxLength(_) | Self::Pattern(_) => matches!(kind, Kind::Text),
            Self::MinItems(_) | Self::MaxItems(_) | Self::UniqueItems | Self::Items(_) | Self::Contains(_) => {
                matches!(kind, Kind::Array)
            }
            Self::MinProperties(_)
            | Self::MaxProperties(_)
            | Self::Properties(_)
            | Self::Required(_)
            | Self::PropertyNames(_)
            | Self::DependentRequired(_)
            | Self::DependentSchemas(_) => matches!(kind, Kind::Object),
            _ => true,
        }
    }

    /// The nodes that are checked against the same value.
    pub(super) fn in_place(&self) -> Vec<NodeId> {
        match self {
            Self::AllOf(nodes) | Self::AnyOf(nodes) | Self::OneOf(nodes) => nodes.to_vec(),
            Self::Not(node) | Self::Ref(node) => vec![*node],
            Self::If(condition) => condition.nodes(),
            Self::DependentSchemas(schemas) => schemas.iter().map(|(_, node)| *node).collect(),
            _ => Vec::new(),
        }
    }
}
