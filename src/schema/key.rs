//! Names and patterns as numbers: a schema asks a value for a member without handing over its name each time.

use super::pattern::{Compiles, DEFAULT_ENGINE, Pattern};

/// A member's name, or a text to compare with, under the number its [`Interner`] gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The number.
    pub id: u32,
    /// The name.
    pub name: Box<str>,
}

/// Numbers names, and patterns, from 0 on, each once. It only grows.
#[derive(Debug)]
pub struct Interner {
    names: Table,
    patterns: Table,
    engine: Compiles,
}

impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}

impl Interner {
    /// An interner that knows no name. In wasm it knows no pattern either: see [`Interner::with_engine`].
    #[must_use]
    pub const fn new() -> Self {
        Self::with_engine(DEFAULT_ENGINE)
    }

    /// An interner that asks `engine` whether a pattern compiles.
    #[must_use]
    pub const fn with_engine(engine: Compiles) -> Self {
        Self { names: Table::new(), patterns: Table::new(), engine }
    }

    /// The key of a name.
    pub fn key(&mut self, name: &str) -> Key {
        Key { id: self.names.id(name), name: name.into() }
    }

    /// Whether an unknown keyword, a slash before it, is met for the first time.
    pub(super) fn is_first(&mut self, keyword: &str) -> bool {
        let known = self.names.texts.len();
        self.names.id(keyword) as usize == known
    }

    /// The pattern with this source, when it compiles.
    pub(super) fn pattern(&mut self, source: &str) -> Option<Pattern> {
        (self.engine)(source).then(|| Pattern::new(self.patterns.id(source), source))?
    }

    /// All names from the number `first` on, in order: what a mirror of this table lacks.
    pub fn names_from(&self, first: usize) -> impl Iterator<Item = &str> {
        self.names.from(first)
    }

    /// All sources of patterns from the number `first` on, in order.
    pub fn patterns_from(&self, first: usize) -> impl Iterator<Item = &str> {
        self.patterns.from(first)
    }
}

/// Texts by number.
#[derive(Debug)]
struct Table {
    texts: Vec<Box<str>>,
    /// Ids in the order of their texts.
    sorted: Vec<u32>,
}

impl Table {
    const fn new() -> Self {
        Self { texts: Vec::new(), sorted: Vec::new() }
    }

    #[expect(clippy::cast_possible_truncation, reason = "four thousand million texts do not fit in memory")]
    fn id(&mut self, text: &str) -> u32 {
        match self.sorted.binary_search_by(|id| (*self.texts[*id as usize]).cmp(text)) {
            Ok(place) => self.sorted[place],
            Err(place) => {
                let id = self.texts.len() as u32;
                self.texts.push(text.into());
                self.sorted.insert(place, id);
                id
            }
        }
    }

    fn from(&self, first: usize) -> impl Iterator<Item = &str> {
        self.texts.iter().skip(first).map(|text| &**text)
    }
}
