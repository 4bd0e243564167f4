//! Canonical JSON (RFC 8785): what is hashed is the same text everywhere.

use super::Json;
use super::json::as_exact_integer;

/// Appends a finite number as ECMAScript's `Number::toString` prints it.
///
/// Natively this is `number_text`; in the browser the engine's own, so that no float printer is linked.
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
        Json::Number(value) => write_number(*value, number_text, out),
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

/// Appends a finite number.
pub(super) fn write_number(value: f64, number_text: NumberText, out: &mut String) {
    match as_exact_integer(value) {
        Some(integer) => out.push_str(&integer.to_string()),
        None => number_text(value, out),
    }
}

/// Appends a string, escaped no more than JSON demands.
pub(super) fn write_text(text: &str, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push('"');
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0c => b'f',
            b'\r' => b'r',
            0..=0x1f => b'u',
            _ => continue,
        };
        out.push_str(&text[written..at]);
        written = at + 1;
        out.push('\\');
        out.push(char::from(escape));
        if escape == b'u' {
            out.push_str("00");
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
    out.push_str(&text[written..]);
    out.push('"');
}
