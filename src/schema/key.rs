//! Names as numbers: a schema asks a value for a member without handing over its name each time.

/// A member's name, or a text to compare with, under the number its [`Interner`] gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The number.
    pub id: u32,
    /// The name.
    pub name: Box<str>,
}

/// Numbers names from 0 on, each once. It only grows.
#[derive(Debug, Default)]
pub struct Interner {
    names: Vec<Box<str>>,
    /// Ids in the order of their names.
    sorted: Vec<u32>,
}

impl Interner {
    /// An interner that knows no name.
    #[must_use]
    pub const fn new() -> Self {
        Self { names: Vec::new(), sorted: Vec::new() }
    }

    /// The key of a name.
    #[expect(clippy::cast_possible_truncation, reason = "four thousand million names do not fit in memory")]
    pub fn key(&mut self, name: &str) -> Key {
        let id = match self.sorted.binary_search_by(|id| (*self.names[*id as usize]).cmp(name)) {
            Ok(place) => self.sorted[place],
            Err(place) => {
                let id = self.names.len() as u32;
                self.names.push(name.into());
                self.sorted.insert(place, id);
                id
            }
        };
        Key { id, name: name.into() }
    }

    /// All names from the number `first` on, in order: what a mirror of this table lacks.
    pub fn names_from(&self, first: usize) -> impl Iterator<Item = &str> {
        self.names.iter().skip(first).map(|name| &**name)
    }
}
