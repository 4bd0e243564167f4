//! Turns a schema into a table of nodes, or says what is wrong with it.

use super::keyword::{Class, class};
use super::rule::{Node, NodeId, Rule};
use super::{Interner, Key, Profile, Schema, SchemaError, array, constant, number, object, text, types};
use crate::wire::{Json, limits, push_segment};

/// Compiles a schema, or lists everything that is wrong with it.
pub(super) fn compile(source: &Json, profile: Profile, keys: &mut Interner) -> Result<Schema, Vec<SchemaError>> {
    let mut compiler = Compiler {
        keys,
        profile,
        nodes: Vec::new(),
        errors: Vec::new(),
        unknown: Vec::new(),
        path: String::new(),
        depth: 0,
    };
    let root = compiler.node(source, "");
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
    nodes: Vec<Node>,
    errors: Vec<SchemaError>,
    unknown: Vec<String>,
    /// The pointer of the schema at hand.
    path: String,
    depth: usize,
}

impl Compiler<'_> {
    /// Compiles the schema at the current place; `keyword` is the one that holds it.
    fn node(&mut self, source: &Json, keyword: &'static str) -> NodeId {
        let id = self.nodes.len();
        self.nodes.push(Node::default());
        let mut rules = Vec::new();
        match source {
            Json::Bool(true) => {}
            Json::Bool(false) => rules.push(Rule::Never),
            Json::Object(_) if self.depth == limits::DEPTH => self.fail(keyword, "is nested too deeply"),
            Json::Object(members) => {
                self.depth += 1;
                self.classify(members);
                types::compile(self, source, &mut rules);
                constant::compile(self, source, &mut rules);
                number::compile(self, source, &mut rules);
                text::compile(self, source, &mut rules);
                array::compile(self, source, &mut rules);
                object::compile(self, source, &mut rules);
                self.depth -= 1;
            }
            _ => self.fail(keyword, "must be a schema: an object, true or false"),
        }
        self.nodes[id].rules = rules.into();
        NodeId::try_from(id).unwrap_or(NodeId::MAX)
    }

    /// Refuses what can't be checked, and notes what nobody knows.
    fn classify(&mut self, members: &[(String, Json)]) {
        for (name, _) in members {
            match class(name) {
                Some(Class::Assertion | Class::Annotation) => {}
                Some(Class::Refused) => self.refuse(name, "is not supported here"),
                None => {
                    let mut pointer = self.path.clone();
                    push_segment(&mut pointer, name);
                    self.unknown.push(pointer);
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
    fn fail(&mut self, keyword: &str, message: &str) {
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

    /// The value of a keyword that takes different strings.
    pub(super) fn names(&mut self, source: &Json, keyword: &str) -> Option<Box<[Key]>> {
        let value = source.get(keyword)?;
        let names: Option<Vec<&str>> = value.as_array().and_then(|items| items.iter().map(Json::as_str).collect());
        let is_unique = |names: &Vec<&str>| (1..names.len()).all(|index| !names[..index].contains(&names[index]));
        match names.filter(is_unique) {
            Some(names) => Some(names.into_iter().map(|name| self.keys.key(name)).collect()),
            None => {
                self.refuse(keyword, "must be an array of different strings");
                None
            }
        }
    }

    /// The value of a keyword that takes a schema.
    pub(super) fn schema(&mut self, source: &Json, keyword: &'static str) -> Option<NodeId> {
        let value = source.get(keyword)?;
        let mark = self.enter(keyword);
        let node = self.node(value, keyword);
        self.path.truncate(mark);
        Some(node)
    }

    /// The value of a keyword that takes an object of schemas.
    pub(super) fn schemas_by_name<'s>(&mut self, source: &'s Json, keyword: &'static str) -> Vec<(&'s str, NodeId)> {
        let Some(value) = source.get(keyword) else { return Vec::new() };
        let Json::Object(members) = value else {
            self.refuse(keyword, "must be an object of schemas");
            return Vec::new();
        };
        let mark = self.enter(keyword);
        let mut nodes = Vec::with_capacity(members.len());
        for (name, value) in members {
            let inner = self.enter(name);
            nodes.push((name.as_str(), self.node(value, keyword)));
            self.path.truncate(inner);
        }
        self.path.truncate(mark);
        nodes
    }
}
