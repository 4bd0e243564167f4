//! The keywords of arrays.

use super::Value;
use super::compile::Compiler;
use super::rule::{NodeId, Rule};
use super::validate::{At, Run};
use crate::wire::Json;

/// What the items are checked against.
#[derive(Debug)]
pub(super) struct Items {
    rest: NodeId,
}

/// Compiles the keywords of arrays.
pub(super) fn compile(compiler: &mut Compiler<'_>, source: &Json, rules: &mut Vec<Rule>) {
    rules.extend(compiler.count(source, "minItems").map(Rule::MinItems));
    rules.extend(compiler.count(source, "maxItems").map(Rule::MaxItems));
    rules.extend(compiler.schema(source, "items").map(|rest| Rule::Items(Items { rest })));
}

impl Items {
    pub(super) fn check<V: Value>(&self, run: &mut Run<'_>, value: V, at: &At<'_>) -> bool {
        let mut fits = true;
        for index in 0..value.length() {
            fits &= run.node(self.rest, value.item(index), &At::Index(at, index));
            if run.is_over(fits) {
                break;
            }
        }
        fits
    }
}
