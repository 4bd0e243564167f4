//! Checks one value against a compiled schema.
//!
//! A check that succeeds allocates nothing but the names of members where `additionalProperties` is a schema.

use super::rule::{NodeId, Rule};
use super::{Kind, Schema, Value, object, text};
use crate::wire::{Issue, limits, push_segment};

/// Keywords on values that one check may take.
const STEPS: u32 = 100_000;

/// A place in the value: a list that ends at the root.
pub(super) enum At<'a> {
    Root,
    Name(&'a At<'a>, &'a str),
    Index(&'a At<'a>, u32),
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
        }
    }
}

pub(super) fn validate<V: Value>(schema: &Schema, value: V) -> Result<(), Vec<Issue>> {
    let mut run = Run { schema, issues: Vec::new(), steps: STEPS };
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
}

impl Run<'_> {
    /// Takes one step; `false` when none was left.
    pub(super) const fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }

    /// Whether looking further is pointless.
    pub(super) fn is_over(&self, fits: bool) -> bool {
        self.steps == 0 || (!fits && self.issues.len() >= limits::ISSUES)
    }

    /// Notes an issue and returns `false`.
    #[cold]
    pub(super) fn issue(&mut self, at: &At<'_>, keyword: &'static str, message: impl Into<String>) -> bool {
        if self.issues.len() < limits::ISSUES {
            let mut path = String::new();
            at.write(&mut path);
            self.issues.push(Issue { path, keyword, message: message.into() });
        }
        false
    }

    /// Checks a value against a node.
    pub(super) fn node<V: Value>(&mut self, node: NodeId, value: V, at: &At<'_>) -> bool {
        let schema = self.schema;
        let kind = value.kind();
        let mut fits = true;
        for rule in &schema.nodes[node as usize].rules {
            if !rule.applies_to(kind) {
                continue;
            }
            if !self.step() {
                return fits;
            }
            fits &= self.rule(rule, value, at);
            // A value of another type fits none of the other keywords in a way that is worth telling.
            if self.is_over(fits) || (!fits && matches!(rule, Rule::Type(_))) {
                break;
            }
        }
        fits
    }

    fn rule<V: Value>(&mut self, rule: &Rule, value: V, at: &At<'_>) -> bool {
        let (holds, keyword, message) = match rule {
            Rule::Never => (false, "false", "is not allowed"),
            Rule::Type(types) => return types.hold(value) || self.issue(at, "type", types.message()),
            Rule::Const(constant) => (constant.equals(value), "const", "must be the one allowed value"),
            Rule::Enum(constants) => {
                (constants.iter().any(|constant| constant.equals(value)), "enum", "must be one of the allowed values")
            }
            Rule::Minimum(min) => (value.number() >= *min, "minimum", "is too small"),
            Rule::Maximum(max) => (value.number() <= *max, "maximum", "is too large"),
            Rule::MinLength(min) => (text::has_at_least(value, *min), "minLength", "is too short"),
            Rule::MaxLength(max) => (text::has_at_most(value, *max), "maxLength", "is too long"),
            Rule::MinItems(min) => (value.length() >= *min, "minItems", "has too few items"),
            Rule::MaxItems(max) => (value.length() <= *max, "maxItems", "has too many items"),
            Rule::Items(items) => return items.check(self, value, at),
            Rule::Required(names) => return object::check_required(names, self, value, at),
            Rule::Properties(properties) => return properties.check(self, value, at),
        };
        holds || self.issue(at, keyword, message)
    }
}

impl Rule {
    /// Whether the keyword says anything about values of this type.
    const fn applies_to(&self, kind: Kind) -> bool {
        match self {
            Self::Never | Self::Type(_) | Self::Const(_) | Self::Enum(_) => true,
            Self::Minimum(_) | Self::Maximum(_) => matches!(kind, Kind::Number),
            Self::MinLength(_) | Self::MaxLength(_) => matches!(kind, Kind::Text),
            Self::MinItems(_) | Self::MaxItems(_) | Self::Items(_) => matches!(kind, Kind::Array),
            Self::Required(_) | Self::Properties(_) => matches!(kind, Kind::Object),
        }
    }
}
