//! Patterns: ECMAScript regular expressions with the flag `u`, matched where the value lives.

use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

/// Tells whether a pattern compiles.
pub type Compiles = fn(&str) -> bool;

/// A pattern that compiles.
pub struct Pattern {
    /// The number its [`Interner`](super::Interner) gave it.
    pub id: u32,
    source: Box<str>,
    #[cfg(not(target_arch = "wasm32"))]
    regex: regress::Regex,
}

impl fmt::Debug for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.source)
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod engine {
    use super::{Compiles, Pattern};
    use regress::Regex;

    pub(in crate::schema) const DEFAULT_ENGINE: Compiles = |source| Regex::with_flags(source, "u").is_ok();

    impl Pattern {
        pub(in crate::schema) fn new(id: u32, source: &str) -> Option<Self> {
            let regex = Regex::with_flags(source, "u").ok()?;
            Some(Self { id, source: source.into(), regex })
        }

        /// Whether the pattern matches somewhere in the text.
        pub(in crate::schema) fn is_in(&self, text: &str) -> bool {
            self.regex.find(text).is_some()
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod engine {
    use super::{Compiles, Pattern};

    pub(in crate::schema) const DEFAULT_ENGINE: Compiles = |_| false;

    impl Pattern {
        pub(in crate::schema) fn new(id: u32, source: &str) -> Option<Self> {
            Some(Self { id, source: source.into() })
        }

        /// Values that Rust owns are not matched in the browser: no engine is linked for that.
        pub(in crate::schema) fn is_in(&self, _: &str) -> bool {
            false
        }
    }
}

pub(super) use engine::DEFAULT_ENGINE;

/// Whether the pattern repeats without bound what can itself be nothing but such a repetition, as in `(a+)+`,
/// `(a*|b)*` or `(a+b?)+`: a text can then be told to fit in exponentially many ways.
///
/// The pattern must compile.
pub(super) fn nests_repetition(source: &str) -> bool {
    let mut groups = vec![Group::default()];
    let mut rest = source.chars().peekable();
    while let Some(character) = rest.next() {
        let item = match character {
            '(' => {
                groups.push(Group { is_assertion: opens_assertion(&mut rest), ..Group::default() });
                continue;
            }
            '|' => {
                if let Some(group) = groups.last_mut() {
                    group.end_alternative();
                }
                continue;
            }
            ')' => groups.pop().unwrap_or_default().end(),
            '^' | '$' => Item::EMPTY,
            '[' => {
                skip_class(&mut rest);
                Item::TEXT
            }
            '\\' => skip_escape(&mut rest),
            _ => Item::TEXT,
        };
        let (min_is_zero, is_unbounded) = quantifier(&mut rest);
        if is_unbounded && item.repeats {
            return true;
        }
        if let Some(group) = groups.last_mut() {
            group.add(Item { may_be_empty: item.may_be_empty || min_is_zero, repeats: item.repeats || is_unbounded });
        }
    }
    false
}

type Rest<'a> = Peekable<Chars<'a>>;

/// What a part of a pattern can match.
#[derive(Clone, Copy)]
struct Item {
    may_be_empty: bool,
    /// Whether it can be nothing but an unbounded repetition.
    repeats: bool,
}

impl Item {
    const TEXT: Self = Self { may_be_empty: false, repeats: false };
    const EMPTY: Self = Self { may_be_empty: true, repeats: false };
}

/// A group that is open, its alternative at hand first.
#[derive(Default)]
struct Group {
    is_assertion: bool,
    /// Items of the alternative that match some text, whether one of those repeats, whether any item does.
    texts: usize,
    text_repeats: bool,
    any_repeats: bool,
    /// The same of the alternatives before.
    may_be_empty: bool,
    repeats: bool,
}

impl Group {
    fn add(&mut self, item: Item) {
        self.any_repeats |= item.repeats;
        if !item.may_be_empty {
            self.texts += 1;
            self.text_repeats |= item.repeats;
        }
    }

    fn end_alternative(&mut self) {
        self.may_be_empty |= self.texts == 0;
        self.repeats |= match self.texts {
            0 => self.any_repeats,
            1 => self.text_repeats,
            _ => false,
        };
        (self.texts, self.text_repeats, self.any_repeats) = (0, false, false);
    }

    fn end(mut self) -> Item {
        self.end_alternative();
        if self.is_assertion {
            return Item::EMPTY;
        }
        Item { may_be_empty: self.may_be_empty, repeats: self.repeats }
    }
}

/// Skips what follows an opening bracket up to the group's own text.
fn opens_assertion(rest: &mut Rest<'_>) -> bool {
    if rest.next_if_eq(&'?').is_none() {
        return false;
    }
    match rest.next() {
        Some('=' | '!') => true,
        Some('<') => {
            let is_assertion = matches!(rest.next(), Some('=' | '!'));
            if !is_assertion {
                skip_past('>', rest);
            }
            is_assertion
        }
        Some(':') | None => false,
        Some(_) => {
            skip_past(':', rest);
            false
        }
    }
}

fn skip_past(end: char, rest: &mut Rest<'_>) {
    let _ = rest.find(|character| *character == end);
}

fn skip_class(rest: &mut Rest<'_>) {
    while let Some(character) = rest.next() {
        match character {
            '\\' => drop(rest.next()),
            ']' => return,
            _ => {}
        }
    }
}

fn skip_escape(rest: &mut Rest<'_>) -> Item {
    let digits = match rest.next() {
        Some('b' | 'B') => return Item::EMPTY,
        Some('k') => {
            skip_past('>', rest);
            return Item::EMPTY;
        }
        Some('1'..='9') => {
            while rest.next_if(char::is_ascii_digit).is_some() {}
            return Item::EMPTY;
        }
        Some('p' | 'P' | 'u') if rest.peek() == Some(&'{') => {
            skip_past('}', rest);
            0
        }
        Some('u') => 4,
        Some('x') => 2,
        Some('c') => 1,
        _ => 0,
    };
    for _ in 0..digits {
        rest.next();
    }
    Item::TEXT
}

/// Reads a quantifier, if one follows: whether its minimum is zero, and whether it has no maximum.
fn quantifier(rest: &mut Rest<'_>) -> (bool, bool) {
    let found = match rest.peek() {
        Some('*') => (true, true),
        Some('+') => (false, true),
        Some('?') => (true, false),
        Some('{') => {
            let text: String = rest.by_ref().skip(1).take_while(|character| *character != '}').collect();
            rest.next_if_eq(&'?');
            let min = text.split(',').next().unwrap_or_default();
            return (min.bytes().all(|digit| digit == b'0'), text.ends_with(','));
        }
        _ => return (false, false),
    };
    rest.next();
    rest.next_if_eq(&'?');
    found
}
