//! The keywords of arrays.

use super::Value;
use super::compile::Compiler;
use super::rule::{NodeId, Rule};
use super::validate::{At, Run};
use crate::wire::Json;

/// `prefixItems` and `items`: together they say which schema an item has.
#[derive(Debug)]
pub(super) struct Items {
    prefix: Box<[NodeId]>,
    rest: Option<NodeId>,
}

/// `contains` with its bounds.
#[derive(Debug)]
pub(super) struct Contains {
    node: NodeId,
    min: u32,
    max: Option<u32>,
}

/// Compiles the keywords of arrays.
pub(super) fn compile(compiler: &mut Compiler<'_>, source: &Json, rules: &mut Vec<Rule>) {
    compiler.counts(source, [("minItems", Rule::MinItems), ("maxItems", Rule::MaxItems)], rules);
    let prefix = compiler.schemas(source, "prefixItems").unwrap_or_default();
    let rest = compiler.schema(source, "items");
    if !prefix.is_empty() || rest.is_some() {
        rules.push(Rule::Items(Items { prefix, rest }));
    }
    let min = compiler.count(source, "minContains");
    let max = compiler.count(source, "maxContains");
    if let Some(node) = compiler.schema(source, "contains") {
        rules.push(Rule::Contains(Contains { node, min: min.unwrap_or(1), max }));
    }
    match source.get("uniqueItems") {
        None | Some(Json::Bool(false)) => {}
        Some(Json::Bool(true)) => rules.push(Rule::UniqueItems),
        Some(_) => compiler.refuse("uniqueItems", "must be true or false"),
    }
}

impl Items {
    pub(super) fn check<V: Value>(&self, run: &mut Run<'_>, value: V, at: &At<'_>) -> bool {
        let mut fits = true;
        for index in 0..value.length() {
            let Some(node) = self.prefix.get(index as usize).copied().or(self.rest) else { break };
            fits &= run.node(node, value.item(index), &At::Index(at, index));
            if run.is_over(fits) {
                break;
            }
        }
        fits
    }
}

impl Contains {
    pub(super) fn check<V: Value>(&self, run: &mut Run<'_>, value: V, at: &At<'_>) -> bool {
        let mut found = 0;
        for index in 0..value.length() {
            found += u32::from(run.quietly(self.node, value.item(index)));
            if self.max.is_some_and(|max| found > max) {
                return run.issue(at, "maxContains", "contains too many items that match");
            }
            if self.max.is_none() && found >= self.min {
                return true;
            }
        }
        if found >= self.min {
            return true;
        }
        let keyword = if found == 0 { "contains" } else { "minContains" };
        run.issue(at, keyword, "contains too few items that match")
    }
}
