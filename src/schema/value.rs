//! What the validator needs to know of a value, wherever the value lives.

use super::{Key, Names, Pattern};
use crate::wire::Json;

/// The JSON type of a value, booleans told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A number.
    Number,
    /// A string.
    Text,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// A value that passed the value rules.
///
/// An implementation may keep one child a level: what [`Value::item`], [`Value::member`] and the like return is
/// used up before the parent is asked for another child.
pub trait Value: Copy {
    /// The type.
    fn kind(self) -> Kind;
    /// The number, when it is one.
    fn number(self) -> f64;
    /// The UTF-16 units of a string, the items of an array.
    fn length(self) -> u32;
    /// The code points of a string.
    fn code_points(self) -> u32;
    /// Whether a string is this text.
    fn is_text(self, text: &Key) -> bool;
    /// Whether a string matches a pattern somewhere.
    fn matches(self, pattern: &Pattern) -> bool;
    /// The text of a string.
    fn text(self) -> String;
    /// An item of an array; the index is below [`Value::length`].
    fn item(self, index: u32) -> Self;
    /// A member of an object by its name.
    fn member(self, key: &Key) -> Option<Self>;
    /// How many members an object has.
    fn member_count(self) -> u32;
    /// Gets ready to go through an object's members by their place, and returns how many there are.
    fn list(self) -> u32;
    /// The name of a listed member.
    fn name(self, index: u32) -> String;
    /// Whether the name of a listed member is among these.
    fn is_named(self, index: u32, names: &Names) -> bool;
    /// The name of a listed member as a string value.
    fn name_at(self, index: u32) -> Self;
    /// A listed member.
    fn member_at(self, index: u32) -> Self;
}

/// A [`Json`] as the validator sees it.
#[derive(Clone, Copy, Debug)]
pub enum Plain<'a> {
    /// A value.
    Json(&'a Json),
    /// The name of a member, seen as a string.
    Name(&'a str),
}

impl<'a> From<&'a Json> for Plain<'a> {
    fn from(json: &'a Json) -> Self {
        Self::Json(json)
    }
}

impl<'a> Plain<'a> {
    fn str(self) -> &'a str {
        match self {
            Self::Json(json) => json.as_str().unwrap_or_default(),
            Self::Name(name) => name,
        }
    }

    fn items(self) -> &'a [Json] {
        match self {
            Self::Json(Json::Array(items)) => items,
            _ => &[],
        }
    }

    fn members(self) -> &'a [(String, Json)] {
        match self {
            Self::Json(Json::Object(members)) => members,
            _ => &[],
        }
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl Value for Plain<'_> {
    fn kind(self) -> Kind {
        match self {
            Self::Name(_) | Self::Json(Json::String(_)) => Kind::Text,
            Self::Json(Json::Null) => Kind::Null,
            Self::Json(Json::Bool(false)) => Kind::False,
            Self::Json(Json::Bool(true)) => Kind::True,
            Self::Json(Json::Number(_)) => Kind::Number,
            Self::Json(Json::Array(_)) => Kind::Array,
            Self::Json(Json::Object(_)) => Kind::Object,
        }
    }

    fn number(self) -> f64 {
        match self {
            Self::Json(Json::Number(value)) => *value,
            _ => 0.0,
        }
    }

    fn length(self) -> u32 {
        match self {
            Self::Json(Json::Array(items)) => count(items.len()),
            _ => count(self.str().encode_utf16().count()),
        }
    }

    fn code_points(self) -> u32 {
        count(self.str().chars().count())
    }

    fn is_text(self, text: &Key) -> bool {
        self.kind() == Kind::Text && self.str() == &*text.name
    }

    fn matches(self, pattern: &Pattern) -> bool {
        pattern.is_in(self.str())
    }

    fn text(self) -> String {
        self.str().to_owned()
    }

    fn item(self, index: u32) -> Self {
        Self::Json(self.items().get(index as usize).unwrap_or(&Json::Null))
    }

    fn member(self, key: &Key) -> Option<Self> {
        self.members().iter().find(|(name, _)| **name == *key.name).map(|(_, value)| Self::Json(value))
    }

    fn member_count(self) -> u32 {
        count(self.members().len())
    }

    fn list(self) -> u32 {
        self.member_count()
    }

    fn name(self, index: u32) -> String {
        self.name_at(index).text()
    }

    fn is_named(self, index: u32, names: &Names) -> bool {
        names.has(self.name_at(index).str())
    }

    fn name_at(self, index: u32) -> Self {
        Self::Name(self.members().get(index as usize).map_or("", |(name, _)| name))
    }

    fn member_at(self, index: u32) -> Self {
        Self::Json(self.members().get(index as usize).map_or(&Json::Null, |(_, value)| value))
    }
}
