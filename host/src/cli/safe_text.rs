//! Text of pages and plugins, shown so that it can't drive the terminal or reorder a line.

/// Whether a terminal would do something with the character instead of showing it.
fn is_active(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// The text with such characters written out, as in `\u{1b}`.
pub(super) fn on_terminal(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => safe.push(' '),
            _ if is_active(character) => safe.extend(character.escape_unicode()),
            _ => safe.push(character),
        }
    }
    safe
}

/// JSON text with such characters as JSON escapes; it stays the same JSON, line breaks between tokens included.
pub(super) fn in_json(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if character != '\n' && is_active(character) {
            safe.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            safe.push(character);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_that_it_would_obey() {
        let cases = [
            ("plain", "Äpfel 苹果 🍎", "Äpfel 苹果 🍎"),
            ("escape", "\u{1b}[31mred", "\\u{1b}[31mred"),
            ("C1", "\u{9b}2J", "\\u{9b}2J"),
            ("bidi", "abc\u{202e}cba\u{2066}", "abc\\u{202e}cba\\u{2066}"),
            ("line", "one\ntwo\r", "one two\\u{d}"),
            ("delete", "\u{7f}", "\\u{7f}"),
        ];
        for (case, text, expected) in cases {
            assert_eq!(on_terminal(text), expected, "{case}");
            let json = serde_json::to_string(text).unwrap();
            let safe = in_json(&json);
            assert!(!safe.chars().any(is_active), "{case}");
            assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text, "{case}");
        }
    }
}
