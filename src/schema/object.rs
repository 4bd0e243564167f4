//! The keywords of objects.

use super::compile::Compiler;
use super::pattern::Pattern;
use super::rule::{NodeId, Rule};
use super::validate::{At, Run};
use super::{Key, Value};
use crate::wire::Json;

/// `properties`, `patternProperties` and `additionalProperties`: together they say which schemas a member has. What
/// is `required` of `properties` is looked up in the same pass.
#[derive(Debug)]
pub(super) struct Properties {
    named: Box<[Named]>,
    names: Names,
    patterns: Box<[(Pattern, NodeId)]>,
    rest: Rest,
    /// How many keywords this stands for.
    keywords: u32,
}

#[derive(Debug)]
struct Named {
    key: Key,
    node: NodeId,
    is_required: bool,
}

/// What holds for a member that is neither named nor matched.
#[derive(Debug)]
enum Rest {
    Open,
    Closed,
    Schema(NodeId),
}

/// Compiles the keywords of objects.
pub(super) fn compile(compiler: &mut Compiler<'_>, source: &Json, rules: &mut Vec<Rule>) {
    compiler.counts(source, [("minProperties", Rule::MinProperties), ("maxProperties", Rule::MaxProperties)], rules);
    let mut required = compiler.names(source, "required").unwrap_or_default();
    let properties = compile_properties(compiler, source, &mut required);
    if !required.is_empty() {
        rules.push(Rule::Required(required.into()));
    }
    if let Some(properties) = properties {
        rules.push(Rule::Properties(Box::new(properties)));
    }
    if let Some(node) = compiler.schema(source, "propertyNames") {
        rules.push(Rule::PropertyNames(node));
    }
    if let Some(names) = compiler.names_by_name(source, "dependentRequired") {
        rules.push(Rule::DependentRequired(names));
    }
    if let Some(schemas) = compiler.schemas_by_name(source, "dependentSchemas") {
        let schemas = schemas.into_iter().map(|(name, node)| (compiler.keys.key(name), node));
        rules.push(Rule::DependentSchemas(schemas.collect()));
    }
}

/// Takes the names that `properties` lists out of `required`.
fn compile_properties(compiler: &mut Compiler<'_>, source: &Json, required: &mut Vec<Key>) -> Option<Properties> {
    let mut keywords = 0;
    let mut count = |found: bool| keywords += u32::from(found);
    let properties = compiler.schemas_by_name(source, "properties");
    count(properties.is_some());
    let before = required.len();
    let named: Box<[Named]> = properties
        .unwrap_or_default()
        .into_iter()
        .map(|(name, node)| {
            let key = compiler.keys.key(name);
            let place = required.iter().position(|required| required.id == key.id);
            let is_required = place.map(|place| required.remove(place)).is_some();
            Named { key, node, is_required }
        })
        .collect();
    count(required.len() < before);
    let patterns = compiler.schemas_by_name(source, "patternProperties");
    count(patterns.is_some());
    let patterns = patterns.unwrap_or_default().into_iter();
    let patterns = patterns.filter_map(|(name, node)| Some((compiler.pattern_name(name, "patternProperties")?, node)));
    let patterns = patterns.collect();
    let rest = match source.get("additionalProperties") {
        None | Some(Json::Bool(true)) => Rest::Open,
        Some(Json::Bool(false)) => Rest::Closed,
        Some(_) => compiler.schema(source, "additionalProperties").map_or(Rest::Open, Rest::Schema),
    };
    count(!matches!(rest, Rest::Open));
    let names = Names::new(&named);
    (keywords > 0).then_some(Properties { named, names, patterns, rest, keywords })
}

impl Properties {
    pub(super) fn check<V: Value>(&self, run: &mut Run<'_>, value: V, at: &At<'_>) -> bool {
        // The caller counted one keyword.
        run.take(self.keywords - 1);
        let mut fits = true;
        let mut seen = 0;
        for Named { key, node, is_required } in &self.named {
            if let Some(member) = value.member(key) {
                seen += 1;
                fits &= run.node(*node, member, &At::Name(at, &key.name));
            } else if *is_required {
                fits = run.issue(&At::Name(at, &key.name), "required", "is required");
            }
            if run.is_over(fits) {
                return fits;
            }
        }
        let looks_at_all =
            !self.patterns.is_empty() || !matches!(self.rest, Rest::Open) && value.member_count() != seen;
        if !looks_at_all {
            return fits;
        }
        for index in 0..value.list() {
            fits &= self.check_listed(run, value, index, &At::Listed(at, &|| value.name(index)));
            if run.is_over(fits) {
                break;
            }
        }
        fits
    }

    /// Checks a member against what holds beside its name in `properties`.
    fn check_listed<V: Value>(&self, run: &mut Run<'_>, value: V, index: u32, at: &At<'_>) -> bool {
        let mut fits = true;
        let mut is_known = value.is_named(index, &self.names);
        for (pattern, node) in &self.patterns {
            if value.name_at(index).matches(pattern) {
                is_known = true;
                fits &= run.node(*node, value.member_at(index), at);
            }
        }
        match self.rest {
            _ if is_known => fits,
            Rest::Open => fits,
            Rest::Closed => run.issue(at, "additionalProperties", "is not allowed"),
            Rest::Schema(node) => run.node(node, value.member_at(index), at),
        }
    }
}

/// The names that `properties` lists.
#[derive(Debug)]
pub struct Names {
    by_name: Box<[Key]>,
    ids: Box<[u32]>,
}

impl Names {
    fn new(named: &[Named]) -> Self {
        let mut by_name: Vec<Key> = Vec::with_capacity(named.len());
        let mut ids: Vec<u32> = Vec::with_capacity(named.len());
        for Named { key, .. } in named {
            by_name.insert(by_name.partition_point(|known| known.name < key.name), key.clone());
            ids.insert(ids.partition_point(|known| *known < key.id), key.id);
        }
        Self { by_name: by_name.into(), ids: ids.into() }
    }

    /// Whether a name is listed.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.by_name.binary_search_by(|key| (*key.name).cmp(name)).is_ok()
    }

    /// Whether the name with this number is listed.
    #[must_use]
    pub fn has_id(&self, id: u32) -> bool {
        self.ids.binary_search(&id).is_ok()
    }
}

/// Checks that members are there: an issue names the one that is missing.
pub(super) fn check_required<V: Value>(
    names: &[Key],
    keyword: &'static str,
    run: &mut Run<'_>,
    value: V,
    at: &At<'_>,
) -> bool {
    let mut fits = true;
    for key in names {
        if value.member(key).is_none() {
            fits = run.issue(&At::Name(at, &key.name), keyword, "is required");
            if run.is_over(fits) {
                break;
            }
        }
    }
    fits
}

/// Checks `propertyNames`.
pub(super) fn check_names<V: Value>(node: NodeId, run: &mut Run<'_>, value: V, at: &At<'_>) -> bool {
    let mut fits = true;
    for index in 0..value.list() {
        if !run.quietly(node, value.name_at(index)) {
            let at = At::Listed(at, &|| value.name(index));
            fits = run.issue(&at, "propertyNames", "has a name that is not allowed");
        }
        if run.is_over(fits) {
            break;
        }
    }
    fits
}
