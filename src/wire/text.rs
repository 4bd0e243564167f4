//! Writes wire types as JSON text.

use super::NumberText;
use super::json::as_exact_integer;
use serde::Serialize;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// A value as compact JSON text, numbers as ECMAScript prints them.
///
/// Wire types hold finite numbers and string keys only, so that writing them cannot fail.
#[must_use]
pub fn to_text<T: Serialize + ?Sized>(value: &T, number_text: NumberText) -> String {
    let mut text = Vec::with_capacity(256);
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, Compact { number_text });
    let written = value.serialize(&mut serializer);
    debug_assert!(written.is_ok(), "a wire type that is not JSON");
    String::from_utf8(text).unwrap_or_default()
}

/// Compact JSON that does not link serde_json's float printer: the engine has one.
struct Compact {
    number_text: NumberText,
}

impl Formatter for Compact {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let mut text = String::new();
        match as_exact_integer(value) {
            Some(integer) => text.push_str(&integer.to_string()),
            None => (self.number_text)(value, &mut text),
        }
        writer.write_all(text.as_bytes())
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::wire::{Json, number_text};

    #[test]
    fn numbers_are_written_as_ecmascript_does() {
        for (value, expected) in [
            (20.0, "20"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (1e21, "1e+21"),
            (1e-7, "1e-7"),
            (9_007_199_254_740_992.0, "9007199254740992"),
        ] {
            assert_eq!(to_text(&Json::Number(value), number_text), expected);
        }
        let text = Json::String("\u{1}\"\\\u{1f600}\u{2028}".into());
        assert_eq!(to_text(&text, number_text), "\"\\u0001\\\"\\\\\u{1f600}\u{2028}\"");
    }
}
