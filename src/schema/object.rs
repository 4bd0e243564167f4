//! The keywords of objects.

use super::compile::Compiler;
use super::rule::{NodeId, Rule};
use super::validate::{At, Run};
use super::{Key, Value};
use crate::wire::Json;

/// `properties` and `additionalProperties`: together they say which schema a member has.
#[derive(Debug)]
pub(super) struct Properties {
    named: Box<[(Key, NodeId)]>,
    /// Indices of `named` in the order of the names.
    sorted: Box<[usize]>,
    rest: Rest,
}

/// What holds for a member that is not named.
#[derive(Debug)]
enum Rest {
    Open,
    Closed,
    Schema(NodeId),
}

/// Compiles the keywords of objects.
pub(super) fn compile(compiler: &mut Compiler<'_>, source: &Json, rules: &mut Vec<Rule>) {
    if let Some(names) = compiler.names(source, "required") {
        rules.push(Rule::Required(names));
    }
    let named: Box<[(Key, NodeId)]> = compiler
        .schemas_by_name(source, "properties")
        .into_iter()
        .map(|(name, node)| (compiler.keys.key(name), node))
        .collect();
    let rest = match source.get("additionalProperties") {
        None | Some(Json::Bool(true)) => Rest::Open,
        Some(Json::Bool(false)) => Rest::Closed,
        Some(_) => compiler.schema(source, "additionalProperties").map_or(Rest::Open, Rest::Schema),
    };
    if named.is_empty() && matches!(rest, Rest::Open) {
        return;
    }
    let mut sorted: Box<[usize]> = (0..named.len()).collect();
    sorted.sort_unstable_by(|left, right| named[*left].0.name.cmp(&named[*right].0.name));
    rules.push(Rule::Properties(Properties { named, sorted, rest }));
}

impl Properties {
    pub(super) fn check<V: Value>(&self, run: &mut Run<'_>, value: V, at: &At<'_>) -> bool {
        let mut fits = true;
        let mut seen = 0;
        for (key, node) in &self.named {
            if let Some(member) = value.member(key) {
                seen += 1;
                fits &= run.node(*node, member, &At::Name(at, &key.name));
                if run.is_over(fits) {
                    return fits;
                }
            }
        }
        if matches!(self.rest, Rest::Open) || !run.step() || value.member_count() == seen {
            return fits;
        }
        for (name, index) in value.names().iter().zip(0..) {
            if self.names(name) {
                continue;
            }
            let at = At::Name(at, name);
            fits &= match self.rest {
                Rest::Schema(node) => run.node(node, value.member_at(index), &at),
                _ => run.issue(&at, "additionalProperties", "is not allowed"),
            };
            if run.is_over(fits) {
                break;
            }
        }
        fits
    }

    fn names(&self, name: &str) -> bool {
        self.sorted.binary_search_by(|index| (*self.named[*index].0.name).cmp(name)).is_ok()
    }
}

/// Checks `required`: an issue names the member that is missing.
pub(super) fn check_required<V: Value>(names: &[Key], run: &mut Run<'_>, value: V, at: &At<'_>) -> bool {
    let mut fits = true;
    for key in names {
        if value.member(key).is_none() {
            fits = run.issue(&At::Name(at, &key.name), "required", "is required");
            if run.is_over(fits) {
                break;
            }
        }
    }
    fits
}
