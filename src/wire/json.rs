//! JSON as the protocol knows it: numbers are IEEE doubles, objects keep their order.

use serde::{Serialize, Serializer};

/// Integers of this size and above have neighbours that a double cannot tell apart.
const EXACT_INTEGERS: f64 = 9_007_199_254_740_992.0;

/// A JSON value that Rust owns.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite double.
    Number(f64),
    /// Text without lone surrogates.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object: its members in order, each name once.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The member called `name`, when this is an object that has it.
    #[must_use]
    #[inline(never)]
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Whether this is `null`.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value of a boolean.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of a number.
    #[must_use]
    pub const fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The items of an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members of an object, in order.
    #[must_use]
    pub fn as_object(&self) -> Option<&[(String, Self)]> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// An object with these members; each name must occur once.
    pub fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Object(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// An array with these items.
    pub fn array(items: impl IntoIterator<Item = Self>) -> Self {
        Self::Array(items.into_iter().collect())
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u32> for Json {
    fn from(value: u32) -> Self {
        Self::Number(f64::from(value))
    }
}

impl From<f64> for Json {
    /// A number that JSON cannot write becomes `null`, as `JSON.stringify` does it.
    fn from(value: f64) -> Self {
        if value.is_finite() { Self::Number(value) } else { Self::Null }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

/// Whether a text has `min` to `max` characters (code points).
#[must_use]
pub fn has_chars(text: &str, min: usize, max: usize) -> bool {
    // No character takes more bytes than 4, so that most need no counting.
    text.len() >= min && text.len() <= max.saturating_mul(4) && (min..=max).contains(&text.chars().count())
}

/// The number as an integer, when it is one that a double holds exactly; `-0` is `0`, as `JSON.stringify` prints it.
#[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
pub(crate) fn as_exact_integer(value: f64) -> Option<i64> {
    (value.trunc() == value && value.abs() < EXACT_INTEGERS).then_some(value as i64)
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => match as_exact_integer(*value) {
                Some(integer) => serializer.serialize_i64(integer),
                None => serializer.serialize_f64(*value),
            },
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => serializer.collect_map(members.iter().map(|(key, value)| (key, value))),
        }
    }
}
