//! What a capability id looks like, and its name where only tool names are allowed (Surface §3, §8).

use crate::wire::limits::TOOL_NAME_CHARS;

/// The id as a tool name: `.` becomes `__`, `@` becomes `___`. A bijection for valid ids.
#[must_use]
pub fn tool_name(id: &str) -> String {
    let mut name = String::with_capacity(id.len() + 4);
    for character in id.chars() {
        match character {
            '.' => name.push_str("__"),
            '@' => name.push_str("___"),
            _ => name.push(character),
        }
    }
    name
}

/// The id behind a tool name, when there is one.
#[must_use]
pub fn from_tool_name(name: &str) -> Option<String> {
    let id = name.replace("___", "@").replace("__", ".");
    (is_capability_id(&id) && tool_name(&id) == name).then_some(id)
}

/// Whether `id` is made of dotted words with at most one `@word` at the end, without `__` and without `_` beside a
/// separator, and maps to a tool name of at most 64 characters.
#[must_use]
pub fn is_capability_id(id: &str) -> bool {
    let (words, kind) = match id.split_once('@') {
        Some((words, kind)) => (words, Some(kind)),
        None => (id, None),
    };
    words.split('.').all(is_word)
        && kind.is_none_or(is_word)
        && !id.as_bytes().windows(2).any(|pair| matches!(pair, b"__" | b"_." | b"._" | b"_@" | b"@_"))
        && id
            .chars()
            .map(|character| match character {
                '.' => 2,
                '@' => 3,
                _ => 1,
            })
            .sum::<usize>()
            <= TOOL_NAME_CHARS
}

/// One word of an id; also the form of a record type.
#[must_use]
pub fn is_word(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphanumeric())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// Whether `id` may identify a request: 1–128 characters, none of them a control character.
#[must_use]
pub(super) fn is_request_id(id: &str) -> bool {
    let mut count = 0;
    for character in id.chars() {
        count += 1;
        if character.is_control() || count > crate::wire::limits::ID_CHARS {
            return false;
        }
    }
    count > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_follow_the_grammar() {
        let long = format!("a{}", "b".repeat(63));
        let cases = [
            ("orders.search", true),
            ("approve@order", true),
            ("a", true),
            ("9-x.y_z@t-1", true),
            (long.as_str(), true),
            ("", false),
            (".a", false),
            ("a.", false),
            ("a..b", false),
            ("a@", false),
            ("@a", false),
            ("a@b@c", false),
            ("a@b.c", false),
            ("a__b", false),
            ("a_.b", false),
            ("a._b", false),
            ("a_@b", false),
            ("-a", false),
            ("a b", false),
            ("ä", false),
        ];
        for (id, expected) in cases {
            assert_eq!(is_capability_id(id), expected, "{id}");
        }
        assert!(!is_capability_id(&format!("{long}b")), "65 characters");
        assert!(!is_capability_id(&format!("{}.b", "a".repeat(62))), "65 characters as a tool name");
    }

    #[test]
    fn a_tool_name_leads_back_to_its_id() {
        for (id, name) in
            [("orders.search", "orders__search"), ("approve@order", "approve___order"), ("a.b-c@d_e", "a__b-c___d_e")]
        {
            assert_eq!(tool_name(id), name);
            assert_eq!(from_tool_name(name).as_deref(), Some(id));
        }
        for name in ["a____b", "__a", "describe_page__", "a___"] {
            assert_eq!(from_tool_name(name), None, "{name}");
        }
    }

    #[test]
    fn a_request_id_has_1_to_128_characters_and_no_control_character() {
        for (case, id, expected) in [
            ("empty", String::new(), false),
            ("128 wide characters", "訂".repeat(128), true),
            ("129", "a".repeat(129), false),
            ("a line feed", "a\nb".into(), false),
            ("C1", "\u{85}".into(), false),
            ("a space", " ".into(), true),
        ] {
            assert_eq!(is_request_id(&id), expected, "{case}");
        }
    }
}
