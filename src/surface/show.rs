//! How values are shown: fields masked or named, long texts cut (Surface §3).

use super::Show;
use super::context::Row;
use crate::wire::{Json, limits};

/// The fields as a session may see them; `name_value` gives a random name for a value.
pub(super) fn show_fields(row: &Row, name_value: &mut dyn FnMut(&Json) -> String) -> Json {
    let mut shown = Vec::new();
    for (name, show) in &row.source.value.fields {
        let Some(value) = row.fields.get(name) else { continue };
        let value = match (show, value) {
            (_, Json::Null) => Json::Null,
            (Show::Plain, value) => value.clone(),
            (Show::Mask, Json::String(text)) => Json::String(mask(text)),
            (Show::Mask, _) => Json::String(mask("")),
            (Show::Ref, value) => Json::String(name_value(value)),
        };
        shown.push((name.clone(), value));
    }
    Json::Object(shown)
}

/// `••••` and at most the last 4 characters, never more than a quarter of them.
fn mask(text: &str) -> String {
    let count = text.chars().count();
    let mut masked = String::from("••••");
    // The end of a text this long did not come along.
    if count >= limits::STRING_UNITS {
        return masked;
    }
    masked.extend(text.chars().skip(count - (count / 4).min(4)));
    masked
}

/// At most 2 KiB of text, the cut marked with `…`.
pub(super) fn cut(text: &str) -> String {
    let max = limits::STRING_UNITS;
    let mut short = text.to_owned();
    // No text has more units than bytes, so that most need no counting.
    if text.len() > max && text.encode_utf16().count() > max {
        first_units(&mut short, max - 1);
        short.push('…');
    }
    short
}

/// The first `max` UTF-16 units of a text at most.
pub(super) fn first_units(text: &mut String, max: usize) {
    let mut units = 0;
    let past = |(_, character): &(usize, char)| {
        units += character.len_utf16();
        units > max
    };
    if let Some((at, _)) = text.char_indices().find(past) {
        text.truncate(at);
    }
}

/// Cuts every string of a value.
pub(super) fn cut_strings(value: &mut Json) {
    match value {
        Json::String(text) if text.len() > limits::STRING_UNITS => *text = cut(text),
        Json::Array(items) => items.iter_mut().for_each(cut_strings),
        Json::Object(members) => members.iter_mut().for_each(|(_, member)| cut_strings(member)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_shows_at_most_the_last_four_and_a_quarter() {
        for (text, expected) in [
            ("", "••••"),
            ("123", "••••"),
            ("1234", "••••4"),
            ("12345678", "••••78"),
            ("4111111111111234", "••••1234"),
            ("4111111111111111234567", "••••4567"),
            ("訂單客戶", "••••戶"),
        ] {
            assert_eq!(mask(text), expected, "{text}");
        }
    }

    #[test]
    fn long_text_is_cut_without_splitting_a_character() {
        assert_eq!(cut(&"a".repeat(2_048)), "a".repeat(2_048));
        assert_eq!(cut(&"a".repeat(2_049)), format!("{}…", "a".repeat(2_047)));
        assert_eq!(cut(&"訂".repeat(2_048)), "訂".repeat(2_048), "units, not bytes");
        let pairs = cut(&"😀".repeat(1_025));
        assert_eq!(pairs.encode_utf16().count(), 2_047);
        assert!(pairs.ends_with("😀…"));
    }
}
