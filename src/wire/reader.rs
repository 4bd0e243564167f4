//! Reads options and declarations out of a [`Json`], and says precisely where one is wrong.
//!
//! Reading goes on after something that does not fit, with a harmless value in its place; [`FirstMisfit`] keeps the
//! first thing that was wrong, so that a whole declaration is read in one go and judged once.

use super::{Json, has_chars};
use std::cell::OnceCell;
use std::fmt;

/// What is wrong with an option, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// What was read: the call or the message.
    pub subject: &'static str,
    /// The member, as in `limits.rate.capacity` or `flowSteps[2].id`; empty for the subject itself.
    pub path: String,
    /// What it must be, as in `must be a whole number from 1 to 100`.
    pub phrase: String,
}

impl Misfit {
    /// The whole of it in one line.
    #[must_use]
    pub fn message(&self) -> String {
        let space = if self.path.is_empty() { "" } else { " " };
        [self.subject, ": ", &self.path, space, &self.phrase].concat()
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message())
    }
}

/// The first thing that was wrong, if anything was.
#[derive(Debug)]
pub struct FirstMisfit {
    subject: &'static str,
    misfit: OnceCell<Box<Misfit>>,
}

impl FirstMisfit {
    /// Nothing is wrong with `subject` so far.
    #[must_use]
    pub const fn new(subject: &'static str) -> Self {
        Self { subject, misfit: OnceCell::new() }
    }

    /// Reads `value` from here on.
    #[must_use]
    pub const fn reader<'a>(&'a self, value: &'a Json) -> Reader<'a> {
        Reader { value, path: String::new(), first: self }
    }

    /// The members of `value`, which must be an object.
    #[must_use]
    pub fn fields<'a>(&'a self, value: &'a Json) -> Fields<'a> {
        self.reader(value).object()
    }

    /// Tells what was wrong.
    ///
    /// # Errors
    ///
    /// The first misfit.
    pub fn check(&self) -> Result<(), Box<Misfit>> {
        self.misfit.get().map_or(Ok(()), |misfit| Err(misfit.clone()))
    }

    /// The value that was made of what was read, unless something was wrong.
    ///
    /// # Errors
    ///
    /// The first misfit; one without a place when there is no value though nothing was noted.
    pub fn unless_wrong<T>(&self, value: Option<T>) -> Result<T, Box<Misfit>> {
        if value.is_none() {
            self.note(String::new(), "cannot be read".to_owned());
        }
        self.check()?;
        value.ok_or_else(|| unreachable!("a misfit was noted"))
    }

    #[cold]
    fn note(&self, path: String, phrase: String) {
        // Only the first counts.
        let _ = self.misfit.set(Box::new(Misfit { subject: self.subject, path, phrase }));
    }
}

/// One value with its place.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    value: &'a Json,
    path: String,
    first: &'a FirstMisfit,
}

impl<'a> Reader<'a> {
    /// The value as it is.
    #[must_use]
    pub const fn json(&self) -> &'a Json {
        self.value
    }

    /// Says what the value must be.
    pub fn refuse(&self, phrase: impl Into<String>) {
        self.first.note(self.path.clone(), phrase.into());
    }

    /// The members, if this is an object.
    #[must_use]
    pub fn object(self) -> Fields<'a> {
        let members = self.value.as_object().unwrap_or_else(|| {
            self.refuse("must be an object");
            &[]
        });
        Fields { members, place: self, taken: vec![false; members.len()], nulls: false }
    }

    /// The items, if this is an array of at most `max`.
    #[must_use]
    pub fn list(&self, max: usize) -> Vec<Reader<'a>> {
        let mut list = Vec::new();
        match self.value {
            Json::Array(items) if items.len() <= max => {
                for (index, value) in items.iter().enumerate() {
                    let path = [&self.path, "[", &index.to_string(), "]"].concat();
                    list.push(Reader { value, path, first: self.first });
                }
            }
            Json::Array(_) => self.refuse(["must have at most ", &max.to_string(), " items"].concat()),
            _ => self.refuse("must be an array"),
        }
        list
    }

    /// The text, if this is a string of `min` to `max` characters (code points).
    #[must_use]
    pub fn text(&self, min: usize, max: usize) -> &'a str {
        match self.value {
            Json::String(text) if has_chars(text, min, max) => text,
            _ => {
                self.refuse(
                    ["must be a string of ", &min.to_string(), " to ", &max.to_string(), " characters"].concat(),
                );
                ""
            }
        }
    }

    /// The number, if this is a whole one from `min` to `max`.
    #[expect(clippy::cast_precision_loss, reason = "bounds of options are small")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was checked")]
    #[must_use]
    pub fn whole(&self, min: usize, max: usize) -> usize {
        match self.value {
            Json::Number(value) if value.trunc() == *value && *value >= min as f64 && *value <= max as f64 => {
                *value as usize
            }
            _ => {
                self.refuse(["must be a whole number from ", &min.to_string(), " to ", &max.to_string()].concat());
                min
            }
        }
    }

    /// The boolean.
    #[must_use]
    pub fn flag(&self) -> bool {
        self.value.as_bool().unwrap_or_else(|| {
            self.refuse("must be true or false");
            false
        })
    }

    /// The position of the text among `words`.
    #[must_use]
    pub fn word(&self, words: &[&str]) -> usize {
        let found = self.value.as_str().and_then(|text| words.iter().position(|word| *word == text));
        found.unwrap_or_else(|| {
            self.refuse(["must be one of ", &words.join(", ")].concat());
            0
        })
    }
}

/// The members of an object; [`Fields::finish`] refuses those that nobody asked for.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    members: &'a [(String, Json)],
    place: Reader<'a>,
    taken: Vec<bool>,
    nulls: bool,
}

impl<'a> Fields<'a> {
    /// From here on `null` counts as absent.
    #[must_use]
    pub fn with_nulls(mut self) -> Self {
        self.nulls = true;
        self
    }

    fn path(&self, name: &str) -> String {
        let dot = if self.place.path.is_empty() { "" } else { "." };
        [&self.place.path, dot, name].concat()
    }

    /// Says what the member called `name` must be.
    pub fn refuse(&self, name: &str, phrase: impl Into<String>) {
        self.place.first.note(self.path(name), phrase.into());
    }

    /// The member called `name`, if there is one.
    pub fn optional(&mut self, name: &str) -> Option<Reader<'a>> {
        let index = self.members.iter().position(|(key, _)| key == name)?;
        self.taken[index] = true;
        let value = &self.members[index].1;
        let is_absent = self.nulls && value.is_null();
        (!is_absent).then(|| Reader { value, path: self.path(name), first: self.place.first })
    }

    /// The member called `name`; `null` in place of one that is missing.
    pub fn required(&mut self, name: &str) -> Reader<'a> {
        self.optional(name).unwrap_or_else(|| {
            self.refuse(name, "is required");
            Reader { value: &Json::Null, path: String::new(), first: self.place.first }
        })
    }

    /// A required string, see [`Reader::text`].
    pub fn text(&mut self, name: &str, min: usize, max: usize) -> &'a str {
        self.required(name).text(min, max)
    }

    /// An optional string, see [`Reader::text`].
    pub fn optional_text(&mut self, name: &str, min: usize, max: usize) -> Option<&'a str> {
        self.optional(name).map(|member| member.text(min, max))
    }

    /// An optional whole number, see [`Reader::whole`].
    pub fn optional_whole(&mut self, name: &str, min: usize, max: usize) -> Option<usize> {
        self.optional(name).map(|member| member.whole(min, max))
    }

    /// An optional boolean.
    pub fn optional_flag(&mut self, name: &str) -> Option<bool> {
        self.optional(name).map(|member| member.flag())
    }

    /// An optional word, see [`Reader::word`].
    pub fn optional_word(&mut self, name: &str, words: &[&str]) -> Option<usize> {
        self.optional(name).map(|member| member.word(words))
    }

    /// The items of an optional array of at most `max`.
    pub fn optional_list(&mut self, name: &str, max: usize) -> Option<Vec<Reader<'a>>> {
        self.optional(name).map(|member| member.list(max))
    }

    /// The members of an optional object.
    pub fn optional_object(&mut self, name: &str) -> Option<Fields<'a>> {
        self.optional(name).map(Reader::object)
    }

    /// Refuses the first member that nobody asked for.
    pub fn finish(&self) {
        if let Some(index) = self.taken.iter().position(|taken| !taken) {
            self.refuse(&self.members[index].0, "is unknown");
        }
    }
}
