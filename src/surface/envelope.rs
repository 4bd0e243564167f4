//! Step 1: the envelope (Surface §1, §2).

use super::id::is_request_id;
use crate::schema::{Interner, Key, Kind, Value};
use crate::wire::{ErrorDetails, Issue, Json, PROTOCOL, ProtocolCode, ProtocolError, Refusal, has_chars, limits};

/// The names that an envelope is read by.
#[derive(Debug)]
pub struct EnvelopeKeys {
    protocol: Key,
    id: Key,
    method: Key,
    capability: Key,
    input: Key,
    ours: Key,
    describe: Key,
    invoke: Key,
}

impl EnvelopeKeys {
    /// Interns the names.
    pub fn new(keys: &mut Interner) -> Self {
        Self {
            protocol: keys.key("protocol"),
            id: keys.key("id"),
            method: keys.key("method"),
            capability: keys.key("capability"),
            input: keys.key("input"),
            ours: keys.key(PROTOCOL),
            describe: keys.key("describe"),
            invoke: keys.key("invoke"),
        }
    }
}

/// A member of an envelope that should be a string.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Member {
    Absent,
    Text(String),
    Other,
}

/// What an envelope says, before any of it is judged.
#[derive(Clone, Debug)]
pub struct Envelope {
    refused: Option<Refusal>,
    is_object: bool,
    protocol: Option<bool>,
    id: Member,
    method: Word,
    capability: Member,
    has_object_input: bool,
    has_input: bool,
}

/// A method, as far as the protocol knows the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Absent,
    Describe,
    Invoke,
    Known(&'static str),
    Other,
}

/// The methods that a later version may bring; refused, but named in the audit.
const RESERVED: [&str; 4] = ["attach", "observe", "handoff", "detach"];

impl Envelope {
    /// Reads the members of a value that passed the value rules.
    pub fn read<V: Value>(value: V, keys: &EnvelopeKeys) -> Self {
        let mut envelope = Self::unreadable(None, None);
        envelope.refused = None;
        if value.kind() != Kind::Object {
            return envelope;
        }
        envelope.is_object = true;
        if let Some(member) = value.member(&keys.protocol) {
            envelope.protocol = (member.kind() == Kind::Text).then(|| member.is_text(&keys.ours));
        }
        envelope.id = text(value.member(&keys.id));
        if let Some(member) = value.member(&keys.method) {
            envelope.method = word(member, keys);
        }
        envelope.capability = text(value.member(&keys.capability));
        if let Some(member) = value.member(&keys.input) {
            envelope.has_input = true;
            envelope.has_object_input = member.kind() == Kind::Object;
        }
        envelope
    }

    /// An envelope that broke the value rules; its id is echoed when it could be read.
    #[must_use]
    pub fn unreadable(refused: Option<Refusal>, id: Option<String>) -> Self {
        Self {
            refused,
            is_object: false,
            protocol: None,
            id: id.map_or(Member::Absent, Member::Text),
            method: Word::Absent,
            capability: Member::Absent,
            has_object_input: false,
            has_input: false,
        }
    }

    /// The id to echo: when it satisfies its rule.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        match &self.id {
            Member::Text(id) if is_request_id(id) => Some(id),
            _ => None,
        }
    }

    /// The method as the audit may name it.
    #[must_use]
    pub fn audited_method(&self) -> &'static str {
        match self.method {
            Word::Describe => "describe",
            Word::Invoke => "invoke",
            Word::Known(word) => word,
            Word::Absent | Word::Other => "other",
        }
    }

    /// The capability named, whether or not it exists; a describe names none.
    #[must_use]
    pub fn capability(&self) -> &str {
        match &self.capability {
            Member::Text(id) if self.method != Word::Describe => id,
            _ => "",
        }
    }

    /// Whether this asks for a capability to run.
    #[must_use]
    pub fn is_invoke(&self) -> bool {
        self.method == Word::Invoke
    }

    /// Whether `input` is there; absent means `{}`.
    #[must_use]
    pub fn has_input(&self) -> bool {
        self.has_input
    }

    /// The rules of step 1, in their order.
    ///
    /// # Errors
    /// The first one broken.
    pub fn check(&self) -> Result<(), ProtocolError> {
        if let Some(refused) = &self.refused {
            return Err(invalid(&refused.pointer, refused.fault.keyword(), refused.fault.message()));
        }
        if !self.is_object {
            return Err(invalid("", "type", "must be an object"));
        }
        match self.protocol {
            None => return Err(invalid("/protocol", "type", "must be a string")),
            Some(false) => {
                let details = ErrorDetails { supported: Some(vec![PROTOCOL]), ..ErrorDetails::default() };
                let error = ProtocolError::new(ProtocolCode::ProtocolVersionUnsupported);
                return Err(ProtocolError { details: Some(details), ..error });
            }
            Some(true) => {}
        }
        if self.request_id().is_none() {
            return Err(invalid("/id", "(id)", "must have 1 to 128 characters, none of them a control character"));
        }
        match self.method {
            Word::Absent => return Err(invalid("/method", "type", "must be a string")),
            Word::Known(_) | Word::Other => return Err(ProtocolError::new(ProtocolCode::MethodNotSupported)),
            Word::Describe => return Ok(()),
            Word::Invoke => {}
        }
        match &self.capability {
            Member::Text(id) if has_chars(id, 1, limits::CAPABILITY_CHARS) => {}
            Member::Text(_) => return Err(invalid("/capability", "(id)", "must have 1 to 128 characters")),
            Member::Absent | Member::Other => return Err(invalid("/capability", "type", "must be a string")),
        }
        if self.has_input && !self.has_object_input {
            return Err(invalid("/input", "type", "must be an object"));
        }
        Ok(())
    }
}

/// An `INVALID_REQUEST` with one issue.
pub(super) fn invalid(path: &str, keyword: &'static str, message: &str) -> ProtocolError {
    ProtocolError::invalid(vec![Issue { path: path.into(), keyword, message: message.into() }])
}

fn text<V: Value>(member: Option<V>) -> Member {
    match member {
        None => Member::Absent,
        Some(member) if member.kind() == Kind::Text => Member::Text(member.text()),
        Some(_) => Member::Other,
    }
}

fn word<V: Value>(member: V, keys: &EnvelopeKeys) -> Word {
    if member.kind() != Kind::Text {
        Word::Absent
    } else if member.is_text(&keys.invoke) {
        Word::Invoke
    } else if member.is_text(&keys.describe) {
        Word::Describe
    } else {
        let text = member.text();
        RESERVED.into_iter().find(|word| *word == text).map_or(Word::Other, Word::Known)
    }
}

/// The input of an envelope that Rust owns; `{}` when it is absent.
#[must_use]
pub fn owned_input(envelope: &Json) -> Json {
    envelope.get("input").cloned().unwrap_or_else(|| Json::Object(Vec::new()))
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::schema::Plain;

    fn check(text: &str) -> Result<(), (ProtocolCode, Option<String>)> {
        let json = Json::parse(text).expect("JSON");
        let mut keys = Interner::new();
        let keys = EnvelopeKeys::new(&mut keys);
        let envelope = Envelope::read(Plain::from(&json), &keys);
        envelope.check().map_err(|error| {
            let path = error.details.and_then(|details| details.issues).map(|issues| issues[0].path.clone());
            (error.code, path)
        })
    }

    #[test]
    fn the_rules_of_step_1_are_checked_in_order() {
        use ProtocolCode::{InvalidRequest, MethodNotSupported, ProtocolVersionUnsupported};
        let p = r#""protocol":"pling.surface/0.1""#;
        let cases = [
            ("an array", "[]".to_owned(), Err((InvalidRequest, Some("")))),
            ("no protocol wins over a bad id", r#"{"id":5}"#.into(), Err((InvalidRequest, Some("/protocol")))),
            (
                "another version wins over a bad id",
                r#"{"protocol":"pling.surface/0.2","id":5}"#.into(),
                Err((ProtocolVersionUnsupported, None)),
            ),
            ("a protocol that is no string", r#"{"protocol":1}"#.into(), Err((InvalidRequest, Some("/protocol")))),
            (
                "a bad id wins over an unknown method",
                format!(r#"{{{p},"id":"","method":"x"}}"#),
                Err((InvalidRequest, Some("/id"))),
            ),
            ("no method", format!(r#"{{{p},"id":"1"}}"#), Err((InvalidRequest, Some("/method")))),
            (
                "an unknown method wins over a missing capability",
                format!(r#"{{{p},"id":"1","method":"x"}}"#),
                Err((MethodNotSupported, None)),
            ),
            ("a reserved method", format!(r#"{{{p},"id":"1","method":"attach"}}"#), Err((MethodNotSupported, None))),
            (
                "no capability",
                format!(r#"{{{p},"id":"1","method":"invoke","input":1}}"#),
                Err((InvalidRequest, Some("/capability"))),
            ),
            (
                "an empty capability",
                format!(r#"{{{p},"id":"1","method":"invoke","capability":""}}"#),
                Err((InvalidRequest, Some("/capability"))),
            ),
            (
                "an input that is no object",
                format!(r#"{{{p},"id":"1","method":"invoke","capability":"a","input":[]}}"#),
                Err((InvalidRequest, Some("/input"))),
            ),
            ("no input", format!(r#"{{{p},"id":"1","method":"invoke","capability":"a"}}"#), Ok(())),
            ("describe ignores capability", format!(r#"{{{p},"id":"1","method":"describe","capability":5}}"#), Ok(())),
        ];
        for (case, text, expected) in cases {
            let expected = expected.map_err(|(code, path)| (code, path.map(str::to_owned)));
            assert_eq!(check(&text), expected, "{case}");
        }
    }

    #[test]
    fn a_valid_id_is_echoed_whatever_else_is_wrong() {
        let refused = Refusal { fault: crate::wire::Fault::Depth, pointer: "/input/a".into() };
        for (id, expected) in [(Some("req-1"), Some("req-1")), (Some("a\nb"), None), (None, None)] {
            let envelope = Envelope::unreadable(Some(refused.clone()), id.map(Into::into));
            assert_eq!(envelope.request_id(), expected);
            assert_eq!(envelope.check().expect_err("refused").code, ProtocolCode::InvalidRequest);
        }
    }
}
