//! Walks a value that Rust owns: the [`Source`] over [`Json`], and natively over freshly parsed text.

use super::json::as_exact_integer;
use super::walk::{Bounds, Event, Fault, MAX_UNITS, Node, Refusal, Source, check};
use super::{Json, NumberText};

/// Checks a value and returns the UTF-16 units of its compact JSON.
///
/// # Errors
///
/// The first fault; a [`Json`] can still be too large, too deep, hold a number that is not finite or a member
/// called `__proto__`.
pub fn measure(value: &Json, bounds: Bounds, number_text: NumberText) -> Result<u32, Refusal> {
    check(&mut Tree::new(value, number_text), bounds)
}

/// One node as a tree shows it.
pub(super) enum View<'a, T> {
    Null,
    Bool(bool),
    Number(f64),
    Text(&'a str),
    Array(&'a [T]),
    Object(&'a [(String, T)]),
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "only text that is parsed here has such nodes"))]
    Bad(Fault),
}

pub(super) trait Viewed: Sized {
    fn view(&self) -> View<'_, Self>;
}

impl Viewed for Json {
    fn view(&self) -> View<'_, Self> {
        match self {
            Self::Null => View::Null,
            Self::Bool(value) => View::Bool(*value),
            Self::Number(value) => View::Number(*value),
            Self::String(text) => View::Text(text),
            Self::Array(items) => View::Array(items),
            Self::Object(members) => View::Object(members),
        }
    }
}

enum Open<'a, T> {
    Array(&'a [T], usize),
    Object(&'a [(String, T)], usize),
}

/// The walk's position in a tree.
pub(super) struct Tree<'a, T> {
    current: &'a T,
    /// The innermost container last; each with the index of the child after the current one.
    open: Vec<Open<'a, T>>,
    /// Whether `current` was announced as a container and is entered next.
    enter: bool,
    started: bool,
    number_text: NumberText,
}

impl<'a, T: Viewed> Tree<'a, T> {
    pub(super) const fn new(root: &'a T, number_text: NumberText) -> Self {
        Self { current: root, open: Vec::new(), enter: false, started: false, number_text }
    }

    /// Moves `current` on and returns the units of its name; `None` at the end of a container.
    fn advance(&mut self) -> Option<Result<u32, Fault>> {
        if !self.started {
            self.started = true;
            return Some(Ok(0));
        }
        if self.enter {
            match self.current.view() {
                View::Array(items) => self.open.push(Open::Array(items, 0)),
                View::Object(members) => self.open.push(Open::Object(members, 0)),
                _ => {}
            }
        }
        match self.open.last_mut()? {
            Open::Array(items, next) => {
                self.current = items.get(*next)?;
                *next += 1;
                Some(Ok(0))
            }
            Open::Object(members, next) => {
                let (name, value) = members.get(*next)?;
                self.current = value;
                let comma = u32::from(*next > 0);
                *next += 1;
                Some(if name == "__proto__" { Err(Fault::Proto) } else { Ok(text_units(name) + 1 + comma) })
            }
        }
    }
}

impl<T: Viewed> Source for Tree<'_, T> {
    fn next(&mut self) -> Event {
        let Some(name) = self.advance() else {
            self.open.pop();
            self.enter = false;
            return Event { node: Node::End, units: 0 };
        };
        let name_units = match name {
            Ok(units) => units,
            Err(fault) => return Event { node: Node::Bad(fault), units: 0 },
        };
        let (node, units) = match self.current.view() {
            View::Null => (Node::Null, 4),
            View::Bool(true) => (Node::True, 4),
            View::Bool(false) => (Node::False, 5),
            View::Number(value) if value.is_finite() => (Node::Number, number_units(value, self.number_text)),
            View::Number(_) => (Node::Bad(Fault::Number), 0),
            View::Text(text) => (Node::Text, text_units(text)),
            View::Array(items) => (Node::Array, clamp(items.len().max(1) + 1)),
            View::Object(_) => (Node::Object, 2),
            View::Bad(fault) => (Node::Bad(fault), 0),
        };
        self.enter = matches!(node, Node::Array | Node::Object);
        Event { node, units: units.saturating_add(name_units) }
    }

    fn skim(&mut self, _: u32) -> Event {
        // Nothing is gained by going further: there is no border to cross.
        self.next()
    }

    fn number(&mut self) -> f64 {
        match self.current.view() {
            View::Number(value) => value,
            _ => 0.0,
        }
    }

    fn text(&mut self) -> String {
        match self.current.view() {
            View::Text(text) => text.to_owned(),
            _ => String::new(),
        }
    }

    fn name(&mut self) -> String {
        match self.open.last() {
            Some(Open::Object(..)) => self.segment(self.open.len() - 1),
            _ => String::new(),
        }
    }

    fn segment(&mut self, level: usize) -> String {
        match self.open.get(level) {
            Some(Open::Object(members, next)) => members[next - 1].0.clone(),
            Some(Open::Array(_, next)) => (next - 1).to_string(),
            None => String::new(),
        }
    }
}

fn clamp(units: usize) -> u32 {
    u32::try_from(units).unwrap_or(MAX_UNITS).min(MAX_UNITS)
}

/// The UTF-16 units of the text in JSON, quotes included.
fn text_units(text: &str) -> u32 {
    let units: usize = text
        .chars()
        .map(|character| match character {
            '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
            '\0'..='\u{1f}' => 6,
            other => other.len_utf16(),
        })
        .sum();
    clamp(units + 2)
}

/// The UTF-16 units of the number in JSON.
fn number_units(value: f64, number_text: NumberText) -> u32 {
    if let Some(integer) = as_exact_integer(value) {
        let digits = integer.unsigned_abs().checked_ilog10().unwrap_or(0) + 1;
        return digits + u32::from(integer < 0);
    }
    let mut text = String::new();
    number_text(value, &mut text);
    clamp(text.len())
}
