//! Which schemas a place accepts.

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
