//! The keywords that combine schemas.

use super::Value;
use super::compile::Compiler;
use super::rule::{Keyword, NodeId, Rule};
use super::validate::{At, Run};
use crate::wire::Json;

/// `if` with its branches.
#[derive(Debug)]
pub(super) struct Condition {
    condition: NodeId,
    then: Option<NodeId>,
    otherwise: Option<NodeId>,
}

/// The keywords that take several schemas.
const LISTS: [Keyword<Box<[NodeId]>>; 3] = [("allOf", Rule::AllOf), ("anyOf", Rule::AnyOf), ("oneOf", Rule::OneOf)];

/// Compiles the keywords that combine schemas.
pub(super) fn compile(compiler: &mut Compiler<'_>, source: &Json, rules: &mut Vec<Rule>) {
    for (keyword, rule) in LISTS {
        if let Some(nodes) = compiler.schemas(source, keyword) {
            rules.push(rule(nodes));
        }
    }
    if let Some(node) = compiler.schema(source, "not") {
        rules.push(Rule::Not(node));
    }
    let condition = compiler.schema(source, "if");
    let then = compiler.schema(source, "then");
    let otherwise = compiler.schema(source, "else");
    if let Some(condition) = condition
        && (then.is_some() || otherwise.is_some())
    {
        rules.push(Rule::If(Condition { condition, then, otherwise }));
    }
}

impl Condition {
    pub(super) fn nodes(&self) -> Vec<NodeId> {
        [Some(self.condition), self.then, self.otherwise].into_iter().flatten().collect()
    }

    pub(super) fn check<V: Value>(&self, run: &mut Run<'_>, value: V, at: &At<'_>) -> bool {
        let branch = if run.quietly(self.condition, value) { self.then } else { self.otherwise };
        branch.is_none_or(|node| run.node(node, value, at))
    }
}

/// Checks `allOf`.
pub(super) fn check_all<V: Value>(nodes: &[NodeId], run: &mut Run<'_>, value: V, at: &At<'_>) -> bool {
    let mut fits = true;
    for node in nodes {
        fits &= run.node(*node, value, at);
        if run.is_over(fits) {
            break;
        }
    }
    fits
}

/// Checks `anyOf`.
pub(super) fn check_any<V: Value>(nodes: &[NodeId], run: &mut Run<'_>, value: V, at: &At<'_>) -> bool {
    nodes.iter().any(|node| run.quietly(*node, value)) || run.issue(at, "anyOf", "matches none of the alternatives")
}

/// Checks `oneOf`.
pub(super) fn check_one<V: Value>(nodes: &[NodeId], run: &mut Run<'_>, value: V, at: &At<'_>) -> bool {
    let mut found = 0;
    for node in nodes {
        found += usize::from(run.quietly(*node, value));
        if found > 1 {
            return run.issue(at, "oneOf", "matches more than one alternative");
        }
    }
    found == 1 || run.issue(at, "oneOf", "matches none of the alternatives")
}
