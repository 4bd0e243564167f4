//! The keywords `$id`, `$anchor` and `$ref`: names of schemas, and references that stay inside the whole.

use super::compile::Compiler;
use super::rule::{NodeId, Rule};
use super::uri;
use crate::wire::{Json, push_segment};

/// What is known of names and references so far.
#[derive(Default)]
pub(super) struct References {
    /// The resource that the schema at hand belongs to.
    pub(super) base: usize,
    resources: Vec<Resource>,
    anchors: Vec<(usize, String, NodeId)>,
    /// Every node's pointer, in the order of the nodes.
    pointers: Vec<String>,
    pending: Vec<Reference>,
    /// Whether schemas are compiled because a reference asks for them: they may be known already.
    is_resolving: bool,
}

/// A schema with a URI, the whole included.
struct Resource {
    uri: String,
    pointer: String,
}

/// A `$ref` that is resolved when all names are known.
struct Reference {
    node: NodeId,
    rule: usize,
    base: usize,
    target: String,
    pointer: String,
}

impl References {
    /// Notes where the next node stands; the first one is the whole.
    pub(super) fn add(&mut self, pointer: &str) {
        if self.pointers.is_empty() {
            self.resources.push(Resource { uri: String::new(), pointer: String::new() });
        }
        self.pointers.push(pointer.to_owned());
    }

    /// The node at a pointer, where it may be known.
    pub(super) fn known(&self, pointer: &str) -> Option<NodeId> {
        if self.is_resolving { self.find(pointer) } else { None }
    }

    fn find(&self, pointer: &str) -> Option<NodeId> {
        let place = self.pointers.iter().position(|known| known == pointer)?;
        NodeId::try_from(place).ok()
    }

    /// The innermost resource around a pointer.
    fn around(&self, pointer: &str) -> usize {
        let is_around = |resource: &Resource| {
            pointer.strip_prefix(&*resource.pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let around = self.resources.iter().enumerate().filter(|(_, resource)| is_around(resource));
        around.max_by_key(|(_, resource)| resource.pointer.len()).map_or(0, |(place, _)| place)
    }
}

impl Compiler<'_> {
    /// Reads `$id` and `$anchor`, which name the schema at hand.
    pub(super) fn identify(&mut self, source: &Json, node: NodeId) {
        if let Some(id) = source.get("$id") {
            let base = &self.references.resources[self.references.base].uri;
            match id.as_str().map(|id| uri::resolve(base, id)) {
                Some((uri, fragment)) if fragment.is_empty() => self.add_resource(uri),
                _ => self.refuse("$id", "must be a URI without fragment"),
            }
        }
        if let Some(anchor) = source.get("$anchor") {
            match anchor.as_str() {
                Some(name) if is_anchor(name) => self.add_anchor(name, node),
                _ => self.refuse("$anchor", "must be a word"),
            }
        }
    }

    fn add_resource(&mut self, uri: String) {
        let references = &mut self.references;
        if self.path.is_empty() {
            references.resources[0].uri = uri;
        } else if references.resources.iter().any(|resource| resource.uri == uri) {
            self.refuse("$id", "is used twice");
        } else {
            references.base = references.resources.len();
            references.resources.push(Resource { uri, pointer: self.path.clone() });
        }
    }

    fn add_anchor(&mut self, name: &str, node: NodeId) {
        let references = &mut self.references;
        let base = references.base;
        if references.anchors.iter().any(|(of, known, _)| *of == base && known == name) {
            self.refuse("$anchor", "is used twice");
        } else {
            references.anchors.push((base, name.to_owned(), node));
        }
    }

    /// Notes a `$ref` of the schema at hand.
    pub(super) fn refer(&mut self, source: &Json, node: NodeId, rules: &mut Vec<Rule>) {
        match source.get("$ref") {
            None => {}
            Some(Json::String(target)) => {
                let mut pointer = self.path.clone();
                push_segment(&mut pointer, "$ref");
                let (rule, base) = (rules.len(), self.references.base);
                self.references.pending.push(Reference { node, rule, base, target: target.clone(), pointer });
                rules.push(Rule::Ref(node));
            }
            Some(_) => self.refuse("$ref", "must be a URI"),
        }
    }

    /// Resolves all references, those included that turn up meanwhile.
    pub(super) fn resolve(&mut self, whole: &Json) {
        self.references.is_resolving = true;
        let mut edges = Vec::new();
        let mut next = 0;
        while let Some(reference) = self.references.pending.get(next) {
            let (node, rule, pointer) = (reference.node, reference.rule, reference.pointer.clone());
            match self.target(whole, next) {
                Ok(target) => {
                    self.nodes[node as usize].rules[rule] = Rule::Ref(target);
                    edges.push((node, target, pointer));
                }
                Err(message) => self.fail_at(pointer, message),
            }
            next += 1;
        }
        for (node, target, pointer) in edges {
            if self.reaches(target, node) {
                self.fail_at(pointer, "refers to itself without an end");
            }
        }
    }

    fn fail_at(&mut self, pointer: String, message: &str) {
        let path = std::mem::replace(&mut self.path, pointer);
        self.fail("$ref", message);
        self.path = path;
    }

    fn target(&mut self, whole: &Json, pending: usize) -> Result<NodeId, &'static str> {
        const NOTHING: &str = "points to nothing";
        let references = &self.references;
        let reference = &references.pending[pending];
        let (uri, fragment) = uri::resolve(&references.resources[reference.base].uri, &reference.target);
        let resource = references.resources.iter().position(|resource| resource.uri == uri);
        let resource = resource.ok_or("must not leave the schema")?;
        let fragment = uri::decode(&fragment).ok_or(NOTHING)?;
        if !fragment.is_empty() && !fragment.starts_with('/') {
            let mut anchors = references.anchors.iter();
            return anchors
                .find(|(of, name, _)| *of == resource && *name == fragment)
                .map(|anchor| anchor.2)
                .ok_or(NOTHING);
        }
        let pointer = references.resources[resource].pointer.clone() + &fragment;
        let source = at(whole, &pointer).ok_or(NOTHING)?;
        if let Some(node) = references.find(&pointer) {
            return Ok(node);
        }
        // A place that no keyword makes a schema, as under `definitions`.
        self.references.base = self.references.around(&pointer);
        self.path = pointer;
        let node = self.node(source, "$ref");
        self.path = String::new();
        Ok(node)
    }

    /// Whether checking a value against one node leads to another one for the same value.
    fn reaches(&self, from: NodeId, to: NodeId) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if node == to {
                return true;
            }
            if !std::mem::replace(&mut seen[node as usize], true) {
                open.extend(self.nodes[node as usize].rules.iter().flat_map(Rule::in_place));
            }
        }
        false
    }
}

/// The value at a JSON Pointer.
fn at<'a>(value: &'a Json, pointer: &str) -> Option<&'a Json> {
    pointer.split('/').skip(1).try_fold(value, |value, segment| {
        let segment = unescape(segment);
        match value {
            Json::Array(items) => items.get(segment.parse::<usize>().ok()?),
            value => value.get(&segment),
        }
    })
}

/// A segment of a JSON Pointer as the name it stands for.
fn unescape(segment: &str) -> String {
    let mut name = String::new();
    let mut rest = segment.chars();
    while let Some(character) = rest.next() {
        name.push(match character {
            '~' if rest.as_str().starts_with('1') => '/',
            other => other,
        });
        if character == '~' {
            rest.next();
        }
    }
    name
}

fn is_anchor(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}
