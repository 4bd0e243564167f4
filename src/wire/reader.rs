//! Reads options and declarations out of a [`Json`], and says precisely where one is wrong.

use super::Json;
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

impl fmt::Display for Misfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.subject)?;
        formatter.write_str(": ")?;
        if !self.path.is_empty() {
            formatter.write_str(&self.path)?;
            formatter.write_str(" ")?;
        }
        formatter.write_str(&self.phrase)
    }
}

/// One value with its place.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    value: &'a Json,
    subject: &'static str,
    path: String,
}

impl<'a> Reader<'a> {
    /// The whole of what is read.
    #[must_use]
    pub const fn new(value: &'a Json, subject: &'static str) -> Self {
        Self { value, subject, path: String::new() }
    }

    /// The value as it is.
    #[must_use]
    pub const fn json(&self) -> &'a Json {
        self.value
    }

    /// An error at this place.
    #[must_use]
    pub fn misfit(&self, phrase: impl Into<String>) -> Misfit {
        Misfit { subject: self.subject, path: self.path.clone(), phrase: phrase.into() }
    }

    /// The members, if this is an object.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn object(self) -> Result<Fields<'a>, Misfit> {
        match self.value {
            Json::Object(members) => {
                Ok(Fields { members, place: self, taken: vec![false; members.len()], nulls: false })
            }
            _ => Err(self.misfit("must be an object")),
        }
    }

    /// The items, if this is an array of at most `max`.
    ///
    /// # Errors
    ///
    /// When it is something else, or longer.
    pub fn list(self, max: usize) -> Result<Vec<Reader<'a>>, Misfit> {
        match self.value {
            Json::Array(items) if items.len() <= max => {
                let item = |(index, value)| {
                    let mut path = self.path.clone();
                    path.push('[');
                    path.push_str(&usize::to_string(&index));
                    path.push(']');
                    Reader { value, subject: self.subject, path }
                };
                Ok(items.iter().enumerate().map(item).collect())
            }
            Json::Array(_) => Err(self.misfit("must have at most ".to_owned() + &max.to_string() + " items")),
            _ => Err(self.misfit("must be an array")),
        }
    }

    /// The text, if this is a string of `min` to `max` characters (code points).
    ///
    /// # Errors
    ///
    /// When it is something else, shorter or longer.
    pub fn text(&self, min: usize, max: usize) -> Result<&'a str, Misfit> {
        if let Json::String(text) = self.value
            && (min..=max).contains(&text.chars().count())
        {
            return Ok(text);
        }
        Err(self.misfit(range("must be a string of ", min, max, " characters")))
    }

    /// The number, if this is a whole one from `min` to `max`.
    ///
    /// # Errors
    ///
    /// When it is something else or out of range.
    #[expect(clippy::cast_precision_loss, reason = "bounds of options are small")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was checked")]
    pub fn whole(&self, min: usize, max: usize) -> Result<usize, Misfit> {
        match self.value {
            Json::Number(value) if value.trunc() == *value && *value >= min as f64 && *value <= max as f64 => {
                Ok(*value as usize)
            }
            _ => Err(self.misfit(range("must be a whole number from ", min, max, ""))),
        }
    }

    /// The boolean.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn flag(&self) -> Result<bool, Misfit> {
        self.value.as_bool().ok_or_else(|| self.misfit("must be true or false"))
    }

    /// The position of the text among `words`.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn word(&self, words: &[&str]) -> Result<usize, Misfit> {
        let found = self.value.as_str().and_then(|text| words.iter().position(|word| *word == text));
        found.ok_or_else(|| self.misfit("must be one of ".to_owned() + &words.join(", ")))
    }
}

fn range(start: &str, min: usize, max: usize, end: &str) -> String {
    let mut phrase = start.to_owned();
    phrase.push_str(&min.to_string());
    phrase.push_str(" to ");
    phrase.push_str(&max.to_string());
    phrase.push_str(end);
    phrase
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

    /// The object itself, with its place.
    #[must_use]
    pub const fn place(&self) -> &Reader<'a> {
        &self.place
    }

    /// The place a member called `name` has, or would have.
    #[must_use]
    pub fn path(&self, name: &str) -> String {
        let mut path = self.place.path.clone();
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(name);
        path
    }

    /// An error at the member called `name`.
    #[must_use]
    pub fn misfit(&self, name: &str, phrase: impl Into<String>) -> Misfit {
        Misfit { subject: self.place.subject, path: self.path(name), phrase: phrase.into() }
    }

    /// The member called `name`, if there is one.
    pub fn optional(&mut self, name: &str) -> Option<Reader<'a>> {
        let index = self.members.iter().position(|(key, _)| key == name)?;
        self.taken[index] = true;
        let value = &self.members[index].1;
        let is_absent = self.nulls && value.is_null();
        (!is_absent).then(|| Reader { value, subject: self.place.subject, path: self.path(name) })
    }

    /// The member called `name`.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn required(&mut self, name: &str) -> Result<Reader<'a>, Misfit> {
        self.optional(name).ok_or_else(|| self.misfit(name, "is required"))
    }

    /// A required string, see [`Reader::text`].
    ///
    /// # Errors
    ///
    /// When it is absent or does not fit.
    pub fn text(&mut self, name: &str, min: usize, max: usize) -> Result<&'a str, Misfit> {
        self.required(name)?.text(min, max)
    }

    /// An optional string, see [`Reader::text`].
    ///
    /// # Errors
    ///
    /// When it does not fit.
    pub fn optional_text(&mut self, name: &str, min: usize, max: usize) -> Result<Option<&'a str>, Misfit> {
        self.optional(name).map(|member| member.text(min, max)).transpose()
    }

    /// An optional whole number, see [`Reader::whole`].
    ///
    /// # Errors
    ///
    /// When it does not fit.
    pub fn optional_whole(&mut self, name: &str, min: usize, max: usize) -> Result<Option<usize>, Misfit> {
        self.optional(name).map(|member| member.whole(min, max)).transpose()
    }

    /// An optional boolean.
    ///
    /// # Errors
    ///
    /// When it does not fit.
    pub fn optional_flag(&mut self, name: &str) -> Result<Option<bool>, Misfit> {
        self.optional(name).map(|member| member.flag()).transpose()
    }

    /// An optional word, see [`Reader::word`].
    ///
    /// # Errors
    ///
    /// When it does not fit.
    pub fn optional_word(&mut self, name: &str, words: &[&str]) -> Result<Option<usize>, Misfit> {
        self.optional(name).map(|member| member.word(words)).transpose()
    }

    /// The items of an optional array of at most `max`.
    ///
    /// # Errors
    ///
    /// When it does not fit.
    pub fn optional_list(&mut self, name: &str, max: usize) -> Result<Option<Vec<Reader<'a>>>, Misfit> {
        self.optional(name).map(|member| member.list(max)).transpose()
    }

    /// The members of an optional object.
    ///
    /// # Errors
    ///
    /// When it does not fit.
    pub fn optional_object(&mut self, name: &str) -> Result<Option<Fields<'a>>, Misfit> {
        self.optional(name).map(Reader::object).transpose()
    }

    /// Refuses members that nobody asked for.
    ///
    /// # Errors
    ///
    /// Names the first of them.
    pub fn finish(self) -> Result<(), Misfit> {
        match self.taken.iter().position(|taken| !taken) {
            Some(index) => Err(self.misfit(&self.members[index].0, "is unknown")),
            None => Ok(()),
        }
    }
}
