//! The ids of operations: 128 bits, 32 lower-case hex digits on the wire.

use serde::{Serialize, Serializer};
use std::fmt;

const HEX: &[u8; 16] = b"0123456789abcdef";

fn write(bytes: [u8; 16]) -> [u8; 32] {
    let mut text = [0; 32];
    for (index, byte) in bytes.iter().enumerate() {
        text[2 * index] = HEX[usize::from(byte >> 4)];
        text[2 * index + 1] = HEX[usize::from(byte & 15)];
    }
    text
}

fn read(text: &str) -> Option<[u8; 16]> {
    let digits: &[u8; 32] = text.as_bytes().try_into().ok()?;
    let mut bytes = [0; 16];
    for (index, byte) in bytes.iter_mut().enumerate() {
        let digit = |at: usize| match digits[at] {
            digit @ b'0'..=b'9' => Some(digit - b'0'),
            digit @ b'a'..=b'f' => Some(digit - b'a' + 10),
            _ => None,
        };
        *byte = digit(2 * index)? << 4 | digit(2 * index + 1)?;
    }
    Some(bytes)
}

macro_rules! ids {
    ($($(#[$doc:meta])* $type:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type([u8; 16]);

        impl $type {
            /// The id of these random bytes.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(bytes)
            }

            /// The id with this text; `None` unless it is 32 lower-case hex digits.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                read(text).map(Self)
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(std::str::from_utf8(&write(self.0)).unwrap_or_default())
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, formatter)
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(std::str::from_utf8(&write(self.0)).unwrap_or_default())
            }
        }

        #[cfg(not(target_arch = "wasm32"))]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'_, str>>::deserialize(deserializer)?;
                Self::parse(&text).ok_or_else(|| serde::de::Error::custom("must be 32 lower-case hex digits"))
            }
        }

        #[cfg(feature = "ts")]
        impl ts_rs::TS for $type {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(_: &ts_rs::Config) -> String {
                "string".into()
            }

            fn inline(_: &ts_rs::Config) -> String {
                "string".into()
            }
        }
    )+};
}

ids! {
    /// One run of an operation; the same across its one reload.
    ExecutionId;
    /// One connected document.
    PageSessionId;
    /// The page's state as the host knows it; work of another revision is void.
    Revision;
    /// One invoke event's claim; its attempts share it.
    AttemptId;
    /// A batch of executions.
    BatchId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_32_lower_case_hex_digits_and_nothing_else() {
        let text = "00112233445566778899aabbccddeeff";
        assert_eq!(ExecutionId::parse(text).map(|id| id.to_string()).as_deref(), Some(text));
        for (case, text) in [
            ("31 digits", "00112233445566778899aabbccddeef"),
            ("33 digits", "00112233445566778899aabbccddeeff0"),
            ("upper case", "00112233445566778899AABBCCDDEEFF"),
            ("another letter", "00112233445566778899aabbccddeefg"),
            ("more bytes than characters", "é0112233445566778899aabbccddeef"),
            ("nothing", ""),
        ] {
            assert_eq!(ExecutionId::parse(text), None, "{case}");
        }
    }
}
