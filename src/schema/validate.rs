//! Checks one value against a compiled schema.
//!
//! A check that succeeds allocates nothing, except for `uniqueItems`.

use super::rule::{NodeId, Rule};
use super::{Schema, Value, logic, number, object, text, unique};
use crate::wire::{Issue, limits, push_segment};

/// Keywords on values that one check may take.
const STEPS: u32 = 100_000;
/// Schemas that may be under way at once; only references reach that many.
const DEPTH: u32 = 512;

/// A place in the value: a list that ends at the root.
pub(super) enum At<'a> {
    Root,
    Name(&'a At<'a>, &'a str),
    Index(&'a At<'a>, u32),
    /// A member whose name is only read when it has to be told.
    Listed(&'a At<'a>, &'a dyn Fn() -> String),
}

impl At<'_> {
    fn write(&self, pointer: &mut String) {
        match self {
            Self::Root => {}
            Self::Name(parent, name) => {
                parent.write(pointer);
                push_segment(pointer, name);
            }
            Self::Index(parent, index) => {
                parent.write(pointer);
                push_segment(pointer, &index.to_string());
            }
            Self::Listed(parent, name) => {
                parent.write(pointer);
                push_segment(pointer, &name());
            }
        }
    }
}

pub(super) fn validate<V: Value>(schema: &Schema, value: V) -> Result<(), Vec<Issue>> {
    let mut run = Run { schema, issues: Vec::new(), steps: STEPS, depth: 0, is_quiet: false };
    let fits = run.node(schema.root, value, &At::Root);
    if run.steps == 0 {
        let message = "takes too long to check".to_owned();
        return Err(vec![Issue { path: String::new(), keyword: "(budget)", message }]);
    }
    if fits { Ok(()) } else { Err(run.issues) }
}

/// One check under way.
pub(super) struct Run<'s> {
    schema: &'s Schema,
    issues: Vec<Issue>,
    /// Steps that are left; with none left the check is over, whatever it found.
    steps: u32,
    depth: u32,
    /// Only whether the value fits is asked.
    is_quiet: bool,
}

impl Run<'_> {
    /// Takes steps; returns whether any are left.
    pub(super) const fn take(&mut self, steps: u32) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    /// Whether looking further is pointless.
    pub(super) fn is_over(&self, fits: bool) -> bool {
        self.steps == 0 || (!fits && (self.is_quiet || self.issues.len() >= limits::ISSUES))
    }

    /// Notes an issue and returns `false`.
    #[cold]
    pub(super) fn issue(&mut self, at: &At<'_>, keyword: &'static str, message: &str) -> bool {
        if !self.is_quiet && self.issues.len() < limits::ISSUES {
            let mut path = String::new();
            at.write(&mut path);
            self.issues.push(Issue { path, keyword, message: message.to_owned() });
        }
        false
    }

    /// Whether a value fits a node, without noting why not.
    pub(super) fn quietly<V: Value>(&mut self, node: NodeId, value: V) -> bool {
        let was_quiet = std::mem::replace(&mut self.is_quiet, true);
        let fits = self.node(node, value, &At::Root);
        self.is_quiet = was_quiet;
        fits
    }

    /// Checks a value against a node.
    pub(super) fn node<V: Value>(&mut self, node: NodeId, value: V, at: &At<'_>) -> bool {
        let schema = self.schema;
        let kind = value.kind();
        let mut fits = true;
        self.depth += 1;
        if self.depth > DEPTH {
            self.steps = 0;
        }
        for rule in &schema.nodes[node as usize].rules {
            if !rule.applies_to(kind) {
                continue;
            }
            if !self.take(1) {
                break;
            }
            fits &= self.rule(rule, value, at);
            // Where the type is wrong the other keywords have nothing to add; a text that is too long is not matched.
            if self.is_over(fits) || (!fits && matches!(rule, Rule::Type(_) | Rule::MaxLength(_))) {
                break;
            }
        }
        self.depth -= 1;
        fits
    }

    fn rule<V: Value>(&mut self, rule: &Rule, value: V, at: &At<'_>) -> bool {
        let (holds, keyword, message) = match rule {
            Rule::Never => (false, "false", "is not allowed"),
            Rule::Type(types) => return types.hold(value) || self.issue(at, "type", &types.message()),
            Rule::Const(constant) => (constant.equals(value), "const", "must be the one allowed value"),
            Rule::Enum(constants) => {
                (constants.iter().any(|constant| constant.equals(value)), "enum", "must be one of the allowed values")
            }
            Rule::Minimum(min) => (value.number() >= *min, "minimum", "is too small"),
            Rule::Maximum(max) => (value.number() <= *max, "maximum", "is too large"),
            Rule::ExclusiveMinimum(min) => (value.number() > *min, "exclusiveMinimum", "is too small"),
            Rule::ExclusiveMaximum(max) => (value.number() < *max, "exclusiveMaximum", "is too large"),
            Rule::MultipleOf(divisor) => {
                (number::is_multiple(value.number(), *divisor), "multipleOf", "is not a multiple")
            }
            Rule::MinLength(min) => (text::has_at_least(value, *min), "minLength", "is too short"),
            Rule::MaxLength(max) => (text::has_at_most(value, *max), "maxLength", "is too long"),
            Rule::Pattern(pattern) => (value.matches(pattern), "pattern", "does not match the pattern"),
            Rule::MinItems(min) => (value.length() >= *min, "minItems", "has too few items"),
            Rule::MaxItems(max) => (value.length() <= *max, "maxItems", "has too many items"),
            Rule::UniqueItems => (unique::has_unique_items(value), "uniqueItems", "has equal items"),
            Rule::Items(items) => return items.check(self, value, at),
            Rule::Contains(contains) => return contains.check(self, value, at),
            Rule::MinProperties(min) => (value.member_count() >= *min, "minProperties", "has too few members"),
            Rule::MaxProperties(max) => (value.member_count() <= *max, "maxProperties", "has too many members"),
            Rule::Properties(properties) => return properties.check(self, value, at),
            Rule::Required(names) => return object::check_required(names, "required", self, value, at),
            Rule::PropertyNames(node) => return object::check_names(*node, self, value, at),
            Rule::DependentRequired(dependencies) => {
                let mut fits = true;
                for (key, names) in dependencies {
                    if value.member(key).is_some() {
                        fits &= object::check_required(names, "dependentRequired", self, value, at);
                    }
                }
                return fits;
            }
            Rule::DependentSchemas(schemas) => {
                let mut fits = true;
                for (key, node) in schemas {
                    if value.member(key).is_some() {
                        fits &= self.node(*node, value, at);
                    }
                }
                return fits;
            }
            Rule::AllOf(nodes) => return logic::check_all(nodes, self, value, at),
            Rule::AnyOf(nodes) => return logic::check_any(nodes, self, value, at),
            Rule::OneOf(nodes) => return logic::check_one(nodes, self, value, at),
            Rule::Not(node) => (!self.quietly(*node, value), "not", "is excluded"),
            Rule::If(condition) => return condition.check(self, value, at),
            Rule::Ref(node) => return self.node(*node, value, at),
        };
        holds || self.issue(at, keyword, message)
    }
}
