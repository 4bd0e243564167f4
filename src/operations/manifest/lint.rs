//! Walks a manifest and notes everything that is wrong with it, each with a JSON Pointer.

use crate::wire::{Json, push_segment};
use serde::Serialize;

/// One thing that is wrong, or worth a thought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// Where, as a JSON Pointer into the manifest.
    pub pointer: String,
    /// One short phrase.
    pub message: String,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Lint {
    pub(super) errors: Vec<Violation>,
    pub(super) warnings: Vec<Violation>,
}

impl Lint {
    pub(super) fn error(&mut self, pointer: &str, message: impl Into<String>) {
        self.errors.push(Violation { pointer: pointer.to_owned(), message: message.into() });
    }

    pub(super) fn warn(&mut self, pointer: &str, message: impl Into<String>) {
        self.warnings.push(Violation { pointer: pointer.to_owned(), message: message.into() });
    }
}

/// The pointer of a member or an item.
pub(super) fn below(pointer: &str, segment: &str) -> String {
    let mut pointer = pointer.to_owned();
    push_segment(&mut pointer, segment);
    pointer
}

/// A value and its place.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) value: &'a Json,
    pub(super) pointer: String,
}

impl<'a> Node<'a> {
    pub(super) const fn root(value: &'a Json) -> Self {
        Self { value, pointer: String::new() }
    }

    fn misfit(&self, lint: &mut Lint, message: impl Into<String>) {
        lint.error(&self.pointer, message);
    }

    /// A string of `min` to `max` code points.
    pub(super) fn text(&self, lint: &mut Lint, min: usize, max: usize) -> Option<&'a str> {
        let text = self.value.as_str().filter(|text| (min..=max).contains(&text.chars().count()));
        if text.is_none() {
            let mut message = "must be a string of ".to_owned();
            message.push_str(&min.to_string());
            message.push_str(" to ");
            message.push_str(&max.to_string());
            message.push_str(" characters");
            self.misfit(lint, message);
        }
        text
    }

    /// An id: 1–64 letters, digits, `.`, `-`, `_`.
    pub(super) fn id(&self, lint: &mut Lint) -> Option<&'a str> {
        let id = self.value.as_str().filter(|id| is_id(id));
        if id.is_none() {
            self.misfit(lint, "must be 1 to 64 letters, digits, dots, hyphens and underscores");
        }
        id
    }

    /// A whole number from 0 to `max`.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was checked")]
    pub(super) fn whole(&self, lint: &mut Lint, max: u32) -> Option<u32> {
        let fits = |number: &f64| number.trunc() == *number && (0.0..=f64::from(max)).contains(number);
        let number = self.value.as_f64().filter(fits);
        if number.is_none() {
            self.misfit(lint, "must be a whole number from 0 to ".to_owned() + &max.to_string());
        }
        number.map(|number| number as u32)
    }

    /// A boolean.
    pub(super) fn flag(&self, lint: &mut Lint) -> Option<bool> {
        if self.value.as_bool().is_none() {
            self.misfit(lint, "must be true or false");
        }
        self.value.as_bool()
    }

    /// One of these words, by its place.
    pub(super) fn word(&self, lint: &mut Lint, words: &[&str]) -> Option<usize> {
        let place = self.value.as_str().and_then(|text| words.iter().position(|word| *word == text));
        if place.is_none() {
            self.misfit(lint, "must be one of ".to_owned() + &words.join(", "));
        }
        place
    }

    /// The items of an array of at most `max`; beyond it they are not looked at.
    pub(super) fn list(&self, lint: &mut Lint, max: usize) -> Vec<Node<'a>> {
        let Some(items) = self.value.as_array() else {
            self.misfit(lint, "must be an array");
            return Vec::new();
        };
        if items.len() > max {
            self.misfit(lint, "must have at most ".to_owned() + &max.to_string() + " items");
        }
        let item =
            |(index, value): (usize, &'a Json)| Node { value, pointer: below(&self.pointer, &index.to_string()) };
        items.iter().take(max).enumerate().map(item).collect()
    }

    /// The members of an object.
    pub(super) fn object(&self, lint: &mut Lint) -> Option<Members<'a>> {
        if self.value.as_object().is_none() {
            self.misfit(lint, "must be an object");
        }
        let members = self.value.as_object()?;
        Some(Members { members, pointer: self.pointer.clone(), taken: vec![false; members.len()] })
    }
}

/// The members of an object; [`Members::finish`] refuses those that nobody asked for.
#[derive(Debug)]
pub(super) struct Members<'a> {
    members: &'a [(String, Json)],
    pub(super) pointer: String,
    taken: Vec<bool>,
}

impl<'a> Members<'a> {
    /// The member called `name`, if there is one.
    pub(super) fn take(&mut self, name: &str) -> Option<Node<'a>> {
        let index = self.members.iter().position(|(key, _)| key == name)?;
        self.taken[index] = true;
        Some(Node { value: &self.members[index].1, pointer: below(&self.pointer, name) })
    }

    /// The member called `name`.
    pub(super) fn require(&mut self, lint: &mut Lint, name: &str) -> Option<Node<'a>> {
        let member = self.take(name);
        if member.is_none() {
            lint.error(&below(&self.pointer, name), "is required");
        }
        member
    }

    /// The items of a required array of at most `max`.
    pub(super) fn list(&mut self, lint: &mut Lint, name: &str, max: usize) -> Vec<Node<'a>> {
        self.require(lint, name).map(|list| list.list(lint, max)).unwrap_or_default()
    }

    /// An optional boolean; absent means `false`.
    pub(super) fn flag(&mut self, lint: &mut Lint, name: &str) -> bool {
        self.take(name).and_then(|member| member.flag(lint)).unwrap_or_default()
    }

    /// The members of an object in here, each with its name, at most `max` of them.
    pub(super) fn map(
        &mut self,
        lint: &mut Lint,
        name: &str,
        is_required: bool,
        max: usize,
    ) -> Vec<(&'a str, Node<'a>)> {
        let node = if is_required { self.require(lint, name) } else { self.take(name) };
        node.and_then(|node| node.object(lint)).map(|members| members.entries(lint, max)).unwrap_or_default()
    }

    /// All members, each with its name, at most `max` of them.
    fn entries(self, lint: &mut Lint, max: usize) -> Vec<(&'a str, Node<'a>)> {
        if self.members.len() > max {
            lint.error(&self.pointer, "must have at most ".to_owned() + &max.to_string() + " members");
        }
        let entry =
            |(name, value): &'a (String, Json)| (name.as_str(), Node { value, pointer: below(&self.pointer, name) });
        self.members.iter().take(max).map(entry).collect()
    }

    /// Refuses every member that nobody asked for; some with the reason why there is no such thing.
    pub(super) fn finish(self, lint: &mut Lint) {
        for (index, (name, _)) in self.members.iter().enumerate() {
            if !self.taken[index] {
                let reason = if name.starts_with("capture") || name == "tracks" { CAPTURE } else { "is unknown" };
                lint.error(&below(&self.pointer, name), reason);
            }
        }
    }
}

/// Why nothing is captured.
pub(super) const CAPTURE: &str = "is not supported: pages are not recorded, so that there is nothing to capture";

/// Whether this is an id: `[A-Za-z0-9._-]{1,64}`.
#[must_use]
pub fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}
