//! URI references as far as schemas need them: RFC 3986, section 5.2.

/// The parts of a URI reference.
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: &'a str,
}

fn split(text: &str) -> Parts<'_> {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (text, query) = text.split_once('?').map_or((text, None), |(text, query)| (text, Some(query)));
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    };
    let (scheme, text) = match text.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, text),
    };
    let (authority, path) = match text.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Some(authority), path)
        }
        None => (None, text),
    };
    Parts { scheme, authority, path, query, fragment }
}

/// Resolves a reference; returns the URI without its fragment, and the fragment.
pub(super) fn resolve(base: &str, reference: &str) -> (String, String) {
    let base = split(base);
    let mut parts = split(reference);
    let mut path = String::new();
    if parts.scheme.is_none() {
        parts.scheme = base.scheme;
        if parts.authority.is_none() {
            parts.authority = base.authority;
            if parts.path.is_empty() {
                parts.path = base.path;
                parts.query = parts.query.or(base.query);
            } else if !parts.path.starts_with('/') {
                match base.path.rfind('/') {
                    Some(last) => path.push_str(&base.path[..=last]),
                    None if base.authority.is_some() => path.push('/'),
                    None => {}
                }
            }
        }
    }
    path.push_str(parts.path);
    let mut uri = String::new();
    let ends = [
        (parts.scheme, "", ":"),
        (parts.authority, "//", ""),
        (Some(&*without_dots(&path)), "", ""),
        (parts.query, "?", ""),
    ];
    for (part, before, after) in ends {
        if let Some(part) = part {
            uri.push_str(before);
            uri.push_str(part);
            uri.push_str(after);
        }
    }
    (uri, parts.fragment.to_owned())
}

fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        if segment == ".." && kept.iter().any(|kept| !kept.is_empty()) {
            kept.pop();
        }
        if segment != "." && segment != ".." {
            kept.push(segment);
        } else if segments.peek().is_none() {
            kept.push("");
        }
    }
    let mut joined = String::new();
    for (index, segment) in kept.into_iter().enumerate() {
        if index > 0 {
            joined.push('/');
        }
        joined.push_str(segment);
    }
    joined
}

/// Undoes percent-encoding; `None` when the result is not text.
pub(super) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            byte => byte,
        };
        bytes.push(byte);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::{decode, resolve};

    #[test]
    fn references_resolve_as_in_rfc_3986() {
        let base = "http://a/b/c/d;p?q";
        let cases = [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"),
        ];
        for (reference, expected) in cases {
            assert_eq!(resolve(base, reference), (expected.to_owned(), String::new()), "{reference}");
        }
        assert_eq!(resolve("", "item#/a").0, "item");
        assert_eq!(resolve("", "#/a%25b"), (String::new(), "/a%25b".to_owned()));
        assert_eq!(resolve("urn:x:y", "#z"), ("urn:x:y".to_owned(), "z".to_owned()));
        assert_eq!(resolve("http://a", "g").0, "http://a/g");
    }

    #[test]
    fn percent_encoding_is_undone_or_refused() {
        let cases =
            [("a%25b", Some("a%b")), ("%E2%82%AC", Some("€")), ("%", None), ("%2", None), ("%zz", None), ("%ff", None)];
        for (text, expected) in cases {
            assert_eq!(decode(text).as_deref(), expected, "{text}");
        }
    }
}
