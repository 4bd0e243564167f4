//! The value rules, once: a live JavaScript value, a parsed one and a [`Json`] are events of the same walk.
//!
//! A [`Source`] hands out one event a node and does no more than read; what is refused, and when to stop, is
//! decided here.

use super::{Json, limits};

/// How large and how deep a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// UTF-16 units of its compact JSON.
    pub max_units: u32,
    /// Levels of nesting; the outermost container is level 1. Never above [`limits::DEPTH`].
    pub max_depth: u32,
}

impl Bounds {
    /// What a request, and any other value without a bound of its own, may be.
    pub const REQUEST: Self = Self::units(limits::REQUEST_UNITS);
    /// For a value that was made from text whose length was checked before.
    pub const PARSED: Self = Self::units(MAX_UNITS as usize);

    /// The usual depth, and this many units.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "clamped first; the bounds of the protocol are far below")]
    pub const fn units(max_units: usize) -> Self {
        let max_units = if max_units < MAX_UNITS as usize { max_units as u32 } else { MAX_UNITS };
        Self { max_units, max_depth: limits::DEPTH as u32 }
    }
}

/// What an [`Event`] can count; a source reports longer nodes as this long.
pub const MAX_UNITS: u32 = (1 << 28) - 1;

/// Why a value is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Too many levels; a cycle ends here too.
    Depth,
    /// Too many units.
    Size,
    /// NaN or infinite.
    Number,
    /// A string with a lone surrogate.
    Text,
    /// A member's name with a lone surrogate; the path is the object's.
    Name,
    /// A member called `__proto__`.
    Proto,
    /// A BigInt, a function, a symbol, or `undefined` outside an object.
    Type,
    /// A getter or a proxy trap threw, or lied about a length.
    Getter,
    /// Not JSON text at all.
    Syntax,
    /// A name that occurs twice, where that is refused.
    Repeat,
}

impl Fault {
    /// The word for `Issue.keyword`.
    #[must_use]
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Depth => "(depth)",
            Self::Size => "(size)",
            Self::Number => "(number)",
            Self::Text | Self::Name => "(text)",
            Self::Proto | Self::Repeat => "(key)",
            Self::Type => "(type)",
            Self::Getter => "(getter)",
            Self::Syntax => "(json)",
        }
    }

    /// One short phrase; it holds nothing of the value.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Depth => "is nested too deeply",
            Self::Size => "is too large",
            Self::Number => "must be a finite number",
            Self::Text => "has a lone surrogate",
            Self::Name => "has a name with a lone surrogate",
            Self::Proto => "must not be called __proto__",
            Self::Type => "is not a JSON value",
            Self::Getter => "could not be read",
            Self::Syntax => "is not JSON",
            Self::Repeat => "occurs twice",
        }
    }
}

/// A refused value: why, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub fault: Fault,
    /// Where, as a JSON Pointer.
    pub pointer: String,
}

impl Refusal {
    /// Says in one line what is wrong with `what`.
    #[must_use]
    pub fn message(&self, what: &str) -> String {
        [what, " at \"", &self.pointer, "\" ", self.fault.message()].concat()
    }
}

/// What a source found at one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A finite number.
    Number,
    /// A well-formed string.
    Text,
    /// An array; the next event is its first item, or its end.
    Array,
    /// An object; the next event is its first member, or its end.
    Object,
    /// The end of the innermost open container.
    End,
    /// `undefined`, or a hole of an array.
    Undefined,
    /// A node that is refused wherever it stands.
    Bad(Fault),
}

/// One step of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What was found.
    pub node: Node,
    /// Its own UTF-16 units in compact JSON: for a member also the comma before it, the name and the colon, for a
    /// container the brackets, for an array also its commas.
    pub units: u32,
}

/// Reads a value node by node, depth first, each property once.
pub trait Source {
    /// Moves to the next node.
    fn next(&mut self) -> Event;
    /// Moves on to the next container, end or fault, or to the leaf that takes more than the units that are `left`.
    /// Their units include those of the leaves before.
    fn skim(&mut self, left: u32) -> Event;
    /// The number at the current node.
    fn number(&mut self) -> f64;
    /// The text at the current node.
    fn text(&mut self) -> String;
    /// The name of the current node, when it is a member of an object.
    fn name(&mut self) -> String;
    /// The name or index that leads on from the open container at `level`, the outermost being 0.
    fn segment(&mut self, level: usize) -> String;
}

/// Walks the value and returns its units.
///
/// # Errors
///
/// The first fault in the order of the value's members.
pub fn check(source: &mut dyn Source, bounds: Bounds) -> Result<u32, Refusal> {
    run(source, bounds, None)
}

/// Walks the value and builds it; also returns its units.
///
/// # Errors
///
/// As for [`check`].
pub fn read(source: &mut dyn Source, bounds: Bounds) -> Result<(Json, u32), Refusal> {
    let mut builder = Builder::default();
    let units = run(source, bounds, Some(&mut builder))?;
    Ok((builder.done.unwrap_or(Json::Null), units))
}

fn run(source: &mut dyn Source, bounds: Bounds, mut builder: Option<&mut Builder>) -> Result<u32, Refusal> {
    // Which of the open containers are objects.
    let mut objects = [false; limits::DEPTH];
    let max_depth = objects.len().min(bounds.max_depth as usize);
    let mut depth = 0;
    let mut units = 0;
    loop {
        // One by one only where every node is wanted.
        let event = if builder.is_some() { source.next() } else { source.skim(bounds.max_units - units) };
        let is_member = depth > 0 && objects[depth - 1];
        match event.node {
            Node::Undefined if is_member => continue,
            Node::Undefined => return Err(refusal(source, Fault::Type, depth)),
            // The name can't stand in a pointer, so the object is named instead.
            Node::Bad(Fault::Name) => return Err(refusal(source, Fault::Name, depth - 1)),
            Node::Bad(fault) => return Err(refusal(source, fault, depth)),
            _ => {}
        }
        units += event.units.min(MAX_UNITS);
        if units > bounds.max_units {
            return Err(refusal(source, Fault::Size, depth));
        }
        match event.node {
            Node::End => depth -= 1,
            Node::Array | Node::Object if depth == max_depth => return Err(refusal(source, Fault::Depth, depth)),
            Node::Array | Node::Object => {
                objects[depth] = event.node == Node::Object;
                depth += 1;
            }
            _ => {}
        }
        if let Some(builder) = builder.as_deref_mut() {
            builder.take(source, event.node, is_member);
        }
        if depth == 0 {
            return Ok(units);
        }
    }
}

#[cold]
fn refusal(source: &mut dyn Source, fault: Fault, depth: usize) -> Refusal {
    let mut pointer = String::new();
    for level in 0..depth {
        push_segment(&mut pointer, &source.segment(level));
    }
    Refusal { fault, pointer }
}

/// Appends one segment to a JSON Pointer.
pub fn push_segment(pointer: &mut String, segment: &str) {
    pointer.push('/');
    for character in segment.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// Puts the events together again.
#[derive(Default)]
struct Builder {
    /// Containers that are still open, each with its own name.
    open: Vec<(String, Json)>,
    done: Option<Json>,
}

impl Builder {
    fn take(&mut self, source: &mut dyn Source, node: Node, is_member: bool) {
        let name = if is_member && node != Node::End { source.name() } else { String::new() };
        let value = match node {
            Node::Null | Node::Undefined | Node::Bad(_) => Json::Null,
            Node::False => Json::Bool(false),
            Node::True => Json::Bool(true),
            Node::Number => Json::Number(source.number()),
            Node::Text => Json::String(source.text()),
            Node::Array => return self.open.push((name, Json::Array(Vec::new()))),
            Node::Object => return self.open.push((name, Json::Object(Vec::new()))),
            Node::End => {
                if let Some((name, value)) = self.open.pop() {
                    self.put(name, value);
                }
                return;
            }
        };
        self.put(name, value);
    }

    fn put(&mut self, name: String, value: Json) {
        match self.open.last_mut() {
            Some((_, Json::Array(items))) => items.push(value),
            Some((_, Json::Object(members))) => members.push((name, value)),
            _ => self.done = Some(value),
        }
    }
}
