//! Canonical JSON (RFC 8785): what is hashed is the same text everywhere.

use super::Json;
use super::json::as_exact_integer;

/// Appends a finite number as ECMAScript's `Number::toString` prints it.
///
/// Natively this is [`number_text`]; in the browser the engine's own, so that no float printer is linked.
pub type NumberText = fn(f64, &mut String);

/// Prints a number as ECMAScript does.
#[cfg(not(target_arch = "wasm32"))]
pub fn number_text(value: f64, out: &mut String) {
    out.push_str(ryu_js::Buffer::new().format(value));
}

/// The value as canonical JSON: names sorted by UTF-16 units, nothing between tokens.
#[must_use]
pub fn canonical(value: &Json, number_text: NumberText) -> String {
    let mut out = String::new();
    write(value, number_text, &mut out);
    out
}

fn write(value: &Json, number_text: NumberText, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Number(value) => match as_exact_integer(*value) {
            Some(integer) => out.push_str(&integer.to_string()),
            None => number_text(*value, out),
        },
        Json::String(text) => write_text(text, out),
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, number_text, out);
            }
            out.push(']');
        }
        Json::Object(members) => {
            // By insertion: what is hashed is small, and a sort would be the largest function of this file.
            let mut order: Vec<&(String, Json)> = Vec::with_capacity(members.len());
            for member in members {
                let place = order.partition_point(|(name, _)| name.encode_utf16().lt(member.0.encode_utf16()));
                order.insert(place, member);
            }
            out.push('{');
            for (index, (name, value)) in order.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text(name, out);
                out.push(':');
                write(value, number_text, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\0'..='\u{1f}' => {
                let code = character as usize;
                out.push_str("\\u00");
                out.push(char::from(HEX[code >> 4]));
                out.push(char::from(HEX[code & 15]));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
