//! Turns a schema into a table of nodes, or says what is wrong with it.

use super::keyword::{Class, class};
use super::pattern::{Pattern, nests_repetition};
use super::reference::References;
use super::rule::{Dependency, Keyword, Node, NodeId, Rule};
use super::{
    Interner, Key, Profile, Schema, SchemaError, array, constant, logic, number, object, profile, text, types,
};
use crate::wire::{Json, limits, push_segment};

/// Compiles a schema, or lists everything that is wrong with it.
pub(super) fn compile(source: &Json, profile: Profile, keys: &mut Interner) -> Result<Schema, Vec<SchemaError>> {
    let mut compiler = Compiler {
        keys,
        profile,
        nodes: Vec::new(),
        references: References::default(),
        errors: Vec::new(),
        unknown: Vec::new(),
        path: String::new(),
        depth: 0,
    };
    let root = compiler.node(source, "");
    compiler.resolve(source);
    if profile.needs_object() && compiler.errors.is_empty() {
        let rules = &compiler.nodes[root as usize].rules;
        if !rules.iter().any(|rule| matches!(rule, Rule::Type(types) if types.is_only("object"))) {
            compiler.refuse("type", "must be \"object\" at the root");
        }
    }
    if compiler.errors.is_empty() {
        Ok(Schema { nodes: compiler.nodes, root, unknown: compiler.unknown })
    } else {
        Err(compiler.errors)
    }
}

/// The compiler at one place of the schema.
pub(super) struct Compiler<'k> {
    pub(super) keys: &'k mut Interner,
    pub(super) profile: Profile,
    pub(super) nodes: Vec<Node>,
    pub(super) references: References,
    /// The pointer of the schema at hand.
    pub(super) path: String,
    /// Schemas around the one at hand, itself included.
    pub(super) depth: usize,
    errors: Vec<SchemaError>,
    unknown: Vec<String>,
}

impl Compiler<'_> {
    /// Compiles the schema at the current place; `keyword` is the one that holds it.
    pub(super) fn node(&mut self, source: &Json, keyword: &str) -> NodeId {
        if let Some(node) = self.references.known(&self.path) {
            return node;
        }
        let id = self.nodes.len();
        let node = NodeId::try_from(id).unwrap_or(NodeId::MAX);
        self.nodes.push(Node::default());
        self.references.add(&self.path);
        let mut rules = Vec::new();
        match source {
            Json::Bool(true) if !self.profile.is_subset() => {}
            Json::Bool(false) if !self.profile.is_subset() => rules.push(Rule::Never),
            Json::Object(_) if self.depth == limits::DEPTH => self.fail(keyword, "is nested too deeply"),
            Json::Object(members) => {
                self.depth += 1;
                let base = self.references.base;
                self.members(source, members, node, &mut rules);
                self.references.base = base;
                self.depth -= 1;
            }
            _ => self.fail(keyword, "must be a schema"),
        }
        self.nodes[id].rules = rules.into();
        node
    }

    fn members(&mut self, source: &Json, members: &[(String, Json)], node: NodeId, rules: &mut Vec<Rule>) {
        let known;
        let source = if self.profile.is_subset() {
            profile::check(self, source, members);
            known = Json::Object(members.iter().filter(|(name, _)| profile::has(name)).cloned().collect());
            &known
        } else {
            self.classify(members);
            source
        };
        self.identify(source, node);
        types::compile(self, source, rules);
        constant::compile(self, source, rules);
        number::compile(self, source, rules);
        text::compile(self, source, rules);
        array::compile(self, source, rules);
        object::compile(self, source, rules);
        logic::compile(self, source, rules);
        self.refer(source, node, rules);
        self.schemas_by_name(source, "$defs");
    }

    /// Refuses what can't be checked, and notes what nobody knows.
    fn classify(&mut self, members: &[(String, Json)]) {
        for (name, _) in members {
            match class(name) {
                Some(Class::Compiled | Class::Annotation) => {}
                Some(Class::Refused) => self.refuse(name, "is not supported"),
                None => {
                    let mut pointer = self.path.clone();
                    push_segment(&mut pointer, name);
                    // It is told once, wherever else it stands and however often it is declared.
                    if pointer.get(self.path.len()..).is_some_and(|keyword| self.keys.is_first(keyword)) {
                        self.unknown.push(pointer);
                    }
                }
            }
        }
    }

    /// Notes an error at a keyword of the schema at hand.
    pub(super) fn refuse(&mut self, keyword: &str, message: &str) {
        let mark = self.enter(keyword);
        self.fail(keyword, message);
        self.path.truncate(mark);
    }

    /// Notes an error at the current place.
    pub(super) fn fail(&mut self, keyword: &str, message: &str) {
        let error =
            SchemaError { pointer: self.path.clone(), keyword: keyword.to_owned(), message: message.to_owned() };
        self.errors.push(error);
    }

    /// Moves one segment on; truncating the path to the returned length moves back.
    fn enter(&mut self, segment: &str) -> usize {
        let mark = self.path.len();
        push_segment(&mut self.path, segment);
        mark
    }

    /// The value of a keyword that takes a number.
    pub(super) fn number(&mut self, source: &Json, keyword: &str) -> Option<f64> {
        let value = source.get(keyword)?;
        if value.as_f64().is_none() {
            self.refuse(keyword, "must be a number");
        }
        value.as_f64()
    }

    /// The value of a keyword that takes a count; one that no value reaches is as good as the largest.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be whole and positive")]
    pub(super) fn count(&mut self, source: &Json, keyword: &str) -> Option<u32> {
        let value = source.get(keyword)?;
        let count = value.as_f64().filter(|count| count.trunc() == *count && *count >= 0.0);
        if count.is_none() {
            self.refuse(keyword, "must be a whole number from 0 on");
        }
        count.map(|count| count as u32)
    }

    /// Compiles keywords that take a count.
    pub(super) fn counts(&mut self, source: &Json, keywords: [Keyword<u32>; 2], rules: &mut Vec<Rule>) {
        for (keyword, rule) in keywords {
            if let Some(count) = self.count(source, keyword) {
                rules.push(rule(count));
            }
        }
    }

    /// The value of a keyword that takes different strings.
    pub(super) fn names(&mut self, source: &Json, keyword: &str) -> Option<Vec<Key>> {
        let names = distinct(source.get(keyword)?);
        if names.is_none() {
            self.refuse(keyword, "must be an array of different strings");
        }
        names.map(|names| names.into_iter().map(|name| self.keys.key(name)).collect())
    }

    /// The value of a keyword that takes an object of arrays of different strings.
    pub(super) fn names_by_name(&mut self, source: &Json, keyword: &str) -> Option<Box<[Dependency]>> {
        let members = source.get(keyword)?.as_object();
        let lists: Option<Vec<(&str, Vec<&str>)>> =
            members.and_then(|members| members.iter().map(|(name, names)| Some((&**name, distinct(names)?))).collect());
        if lists.is_none() {
            self.refuse(keyword, "must be an object of arrays of different strings");
        }
        let keys = &mut *self.keys;
        let list =
            |(name, names): (&str, Vec<&str>)| (keys.key(name), names.into_iter().map(|name| keys.key(name)).collect());
        lists.map(|lists| lists.into_iter().map(list).collect())
    }

    /// The value of a keyword that takes a pattern.
    pub(super) fn pattern(&mut self, source: Option<&str>, keyword: &str) -> Option<Pattern> {
        let pattern = source.and_then(|source| self.keys.pattern(source));
        let message = match &pattern {
            None => "must be a regular expression",
            Some(_) if nests_repetition(source.unwrap_or_default()) => "repeats a repetition",
            Some(_) => return pattern,
        };
        self.refuse(keyword, message);
        None
    }

    /// A name that is a pattern, in a keyword that takes an object.
    pub(super) fn pattern_name(&mut self, name: &str, keyword: &str) -> Option<Pattern> {
        let mark = self.enter(keyword);
        let pattern = self.pattern(Some(name), name);
        self.path.truncate(mark);
        pattern
    }

    /// The value of a keyword that takes a schema.
    pub(super) fn schema(&mut self, source: &Json, keyword: &str) -> Option<NodeId> {
        let value = source.get(keyword)?;
        let mark = self.enter(keyword);
        let node = self.node(value, keyword);
        self.path.truncate(mark);
        Some(node)
    }

    /// The value of a keyword that takes an array of schemas.
    pub(super) fn schemas(&mut self, source: &Json, keyword: &str) -> Option<Box<[NodeId]>> {
        let values = source.get(keyword)?.as_array().filter(|values| !values.is_empty());
        let Some(values) = values else {
            self.refuse(keyword, "must be an array with at least one schema");
            return None;
        };
        let mark = self.enter(keyword);
        let mut nodes = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            let inner = self.enter(&index.to_string());
            nodes.push(self.node(value, keyword));
            self.path.truncate(inner);
        }
        self.path.truncate(mark);
        Some(nodes.into())
    }

    /// The value of a keyword that takes an object of schemas.
    pub(super) fn schemas_by_name<'s>(&mut self, source: &'s Json, keyword: &str) -> Option<Vec<(&'s str, NodeId)>> {
        let Some(members) = source.get(keyword)?.as_object() else {
            self.refuse(keyword, "must be an object of schemas");
            return None;
        };
        let mark = self.enter(keyword);
        let mut nodes = Vec::with_capacity(members.len());
        for (name, value) in members {
            let inner = self.enter(name);
            nodes.push((name.as_str(), self.node(value, keyword)));
            self.path.truncate(inner);
        }
        self.path.truncate(mark);
        Some(nodes)
    }
}

/// The strings of an array, when it holds nothing else and none twice.
fn distinct(value: &Json) -> Option<Vec<&str>> {
    let names: Vec<&str> = value.as_array()?.iter().map(Json::as_str).collect::<Option<_>>()?;
    let is_distinct = (1..names.len()).all(|index| !names[..index].contains(&names[index]));
    is_distinct.then_some(names)
}
