//! The tokens of JSON text. A string may hold lone surrogates and a number may overflow: both are told apart from text
//! that is not JSON.

/// A place in the text.
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Whether nothing but space follows.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.at == self.text.len()
    }

    fn skip_space(&mut self) {
        let rest = self.text.as_bytes()[self.at..].iter();
        self.at += rest.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
    }

    /// The first byte of the next token.
    pub(super) fn token(&mut self) -> Option<u8> {
        self.skip_space();
        let byte = *self.text.as_bytes().get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    pub(super) fn token_if(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.text.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// Whether a word that was begun goes on like this.
    pub(super) fn word(&mut self, rest: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(rest.as_bytes());
        self.at += rest.len();
        found
    }

    /// A name and its colon; the inner `None` is a name with a lone surrogate.
    pub(super) fn name(&mut self) -> Option<Option<String>> {
        if self.token()? != b'"' {
            return None;
        }
        let name = self.string()?;
        (self.token()? == b':').then_some(name)
    }

    /// A string behind its first quote; the inner `None` is one with a lone surrogate.
    pub(super) fn string(&mut self) -> Option<Option<String>> {
        let bytes = self.text.as_bytes();
        let mut out = String::new();
        let mut is_well_formed = true;
        loop {
            let start = self.at;
            while !matches!(bytes.get(self.at)?, b'"' | b'\\' | 0..=0x1f) {
                self.at += 1;
            }
            out.push_str(&self.text[start..self.at]);
            self.at += 1;
            match bytes[self.at - 1] {
                b'"' => return Some(is_well_formed.then_some(out)),
                b'\\' => match self.escape()? {
                    Some(character) => out.push(character),
                    None => is_well_formed = false,
                },
                _ => return None,
            }
        }
    }

    /// An escape behind its backslash; the inner `None` is a lone surrogate.
    fn escape(&mut self) -> Option<Option<char>> {
        let byte = *self.text.as_bytes().get(self.at)?;
        self.at += 1;
        let character = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.hex()?;
                if !(0xD800..0xDC00).contains(&first) || !self.text[self.at..].starts_with("\\u") {
                    return Some(char::from_u32(first));
                }
                let after_first = self.at;
                self.at += 2;
                let second = self.hex()?;
                if !(0xDC00..0xE000).contains(&second) {
                    self.at = after_first;
                    return Some(None);
                }
                return Some(char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)));
            }
            _ => return None,
        };
        Some(Some(character))
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    }

    /// A number whose first byte was taken.
    pub(super) fn number(&mut self) -> Option<f64> {
        let start = self.at - 1;
        let bytes = self.text.as_bytes();
        let digits = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let first = start + usize::from(bytes[start] == b'-');
        let whole = digits(first);
        if whole == 0 || (whole > 1 && bytes[first] == b'0') {
            return None;
        }
        self.at = first + whole;
        if bytes.get(self.at) == Some(&b'.') {
            let fraction = digits(self.at + 1);
            if fraction == 0 {
                return None;
            }
            self.at += 1 + fraction;
        }
        if matches!(bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1 + usize::from(matches!(bytes.get(self.at + 1), Some(b'+' | b'-')));
            let exponent = bytes.get(self.at).map_or(0, |_| digits(self.at));
            if exponent == 0 {
                return None;
            }
            self.at += exponent;
        }
        self.text[start..self.at].parse().ok()
    }
}
