//! Parses JSON text natively with the outcomes of `JSON.parse` and the value rules of the protocol.
//!
//! An own parser, because the outcomes have to be a browser's: the last of two equal names wins in the first one's
//! place, a fault inside a value that was overwritten does not count, an overflowing number is a number fault and
//! not a syntax error, and the `id` of a refused envelope is still known.

use super::scan::Scan;
use super::tree::{Tree, View, Viewed};
use super::walk::{Bounds, Fault, Refusal, read};
use super::{Json, limits, number_text};

/// Parsed text before the value rules were applied.
enum Raw {
    Null,
    Bool(bool),
    /// Infinite when the text overflows.
    Number(f64),
    Text(String),
    Array(Vec<Raw>),
    Object(Vec<(String, Raw)>),
    Bad(Fault),
}

impl Viewed for Raw {
    fn view(&self) -> View<'_, Self> {
        match self {
            Self::Null => View::Null,
            Self::Bool(value) => View::Bool(*value),
            Self::Number(value) => View::Number(*value),
            Self::Text(text) => View::Text(text),
            Self::Array(items) => View::Array(items),
            Self::Object(members) => View::Object(members),
            Self::Bad(fault) => View::Bad(*fault),
        }
    }
}

impl Json {
    /// Parses text that is no longer than a request may be.
    ///
    /// # Errors
    ///
    /// As for [`Json::parse_within`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        Self::parse_within(text, limits::REQUEST_UNITS)
    }

    /// Parses text of at most `max_units` UTF-16 units.
    ///
    /// # Errors
    ///
    /// When it is longer, is not JSON, or breaks a value rule; the first such fault in the order of the members.
    pub fn parse_within(text: &str, max_units: usize) -> Result<Self, Refusal> {
        finish(&parse(text, max_units, false)?)
    }

    /// Parses text in which no object may repeat a name.
    ///
    /// # Errors
    ///
    /// As for [`Json::parse_within`]; a repeated name is refused with its path.
    pub fn parse_strict(text: &str, max_units: usize) -> Result<Self, Refusal> {
        finish(&parse(text, max_units, true)?)
    }

    /// Parses a request; when it is refused, its `id` is returned beside the refusal if it could be read.
    ///
    /// # Errors
    ///
    /// As for [`Json::parse`].
    pub fn parse_envelope(text: &str) -> Result<Self, (Refusal, Option<String>)> {
        let raw = parse(text, limits::REQUEST_UNITS, false).map_err(|refusal| (refusal, None))?;
        finish(&raw).map_err(|refusal| (refusal, envelope_id(raw)))
    }
}

fn finish(raw: &Raw) -> Result<Json, Refusal> {
    read(&mut Tree::new(raw, number_text), Bounds::PARSED).map(|(json, _)| json)
}

fn envelope_id(raw: Raw) -> Option<String> {
    let Raw::Object(members) = raw else { return None };
    if members.iter().any(|(_, value)| matches!(value, Raw::Bad(Fault::Name))) {
        return None;
    }
    members.into_iter().find_map(|(name, value)| match value {
        Raw::Text(id) if name == "id" => Some(id),
        _ => None,
    })
}

fn parse(text: &str, max_units: usize, is_strict: bool) -> Result<Raw, Refusal> {
    let refusal = |fault| Refusal { fault, pointer: String::new() };
    // No character takes more units than bytes, so short texts need no counting.
    if text.len() > max_units && text.encode_utf16().count() > max_units {
        return Err(refusal(Fault::Size));
    }
    Parser { scan: Scan::new(text), is_strict }.document().ok_or_else(|| refusal(Fault::Syntax))
}

/// A container that is being filled.
enum Open {
    Array(Vec<Raw>),
    Object { members: Vec<(String, Raw)>, name: Option<String> },
}

struct Parser<'a> {
    scan: Scan<'a>,
    is_strict: bool,
}

impl Parser<'_> {
    /// The whole text; iterative, so that no nesting overflows the stack.
    fn document(&mut self) -> Option<Raw> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut value = match self.scan.token()? {
                b'{' => {
                    if self.scan.token_if(b'}') {
                        Raw::Object(Vec::new())
                    } else {
                        let name = self.scan.name()?;
                        open.push(Open::Object { members: Vec::new(), name });
                        continue;
                    }
                }
                b'[' => {
                    if self.scan.token_if(b']') {
                        Raw::Array(Vec::new())
                    } else {
                        open.push(Open::Array(Vec::new()));
                        continue;
                    }
                }
                b'"' => self.scan.string()?.map_or(Raw::Bad(Fault::Text), Raw::Text),
                b'n' => self.scan.word("ull").then_some(Raw::Null)?,
                b't' => self.scan.word("rue").then_some(Raw::Bool(true))?,
                b'f' => self.scan.word("alse").then_some(Raw::Bool(false))?,
                _ => Raw::Number(self.scan.number()?),
            };
            loop {
                let depth = open.len();
                match open.last_mut() {
                    None => {
                        return self.scan.is_at_end().then_some(value);
                    }
                    Some(Open::Array(items)) => {
                        items.push(value);
                        match self.scan.token()? {
                            b',' => break,
                            b']' => value = Raw::Array(std::mem::take(items)),
                            _ => return None,
                        }
                    }
                    Some(Open::Object { members, name }) => {
                        members.push(match name.take() {
                            Some(name) => (name, value),
                            None => (String::new(), Raw::Bad(Fault::Name)),
                        });
                        match self.scan.token()? {
                            b',' => {
                                *name = self.scan.name()?;
                                break;
                            }
                            b'}' => value = Raw::Object(arrange(std::mem::take(members), self.is_strict)),
                            _ => return None,
                        }
                    }
                }
                open.pop();
                // The walk stops one level above; a deep tree would only overflow the stack when it is dropped.
                if depth > limits::DEPTH + 1 {
                    value = Raw::Null;
                }
            }
        }
    }
}

/// Gives the members the order and the uniqueness that an ECMAScript object gives them.
fn arrange(mut members: Vec<(String, Raw)>, is_strict: bool) -> Vec<(String, Raw)> {
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by(|left, right| members[*left].0.cmp(&members[*right].0));
    let same = order.chunk_by(|left, right| members[*left].0 == members[*right].0);
    let repeated: Vec<&[usize]> = same.filter(|same| same.len() > 1).collect();
    let mut keep = vec![true; members.len()];
    for same in repeated {
        let [first, rest @ .., last] = same else { continue };
        members[*first].1 = if is_strict {
            Raw::Bad(Fault::Repeat)
        } else if same.iter().any(|index| matches!(members[*index].1, Raw::Bad(Fault::Name))) {
            Raw::Bad(Fault::Name)
        } else {
            std::mem::replace(&mut members[*last].1, Raw::Null)
        };
        rest.iter().chain([last]).for_each(|index| keep[*index] = false);
    }
    let mut keep = keep.into_iter();
    members.retain(|_| keep.next().unwrap_or(true));
    members.sort_by_key(|(name, _)| array_index(name).map_or(u64::MAX, u64::from));
    members
}

/// The number, when the name is an array index; such names come first in an object, in ascending order.
fn array_index(name: &str) -> Option<u32> {
    let is_canonical = name == "0" || matches!(name.as_bytes(), [b'1'..=b'9', rest @ ..] if rest.len() < 10);
    if !is_canonical || !name.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    name.parse().ok().filter(|index| *index != u32::MAX)
}
