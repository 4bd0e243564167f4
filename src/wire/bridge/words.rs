//! Closed lists of words: one table makes the type, the wire text, the reader and the TypeScript union.

macro_rules! words {
    ($(#[doc = $about:literal])* $type:ident { $($(#[$doc:meta])* $name:ident = $wire:literal;)+ }) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type { $($(#[$doc])* $name,)+ }

        impl $type {
            /// Every word, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$name),+];
            /// The text of every word, in the order of the table.
            pub const WORDS: &[&str] = &[$($wire),+];

            /// The text on the wire; it never changes its meaning.
            #[must_use]
            pub const fn as_str(self) -> &'static str { match self { $(Self::$name => $wire),+ } }

            /// The word with this text.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.as_str() == text)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(not(target_arch = "wasm32"))]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'_, str>>::deserialize(deserializer)?;
                Self::parse(&text).ok_or_else(|| serde::de::Error::unknown_variant(&text, Self::WORDS))
            }
        }

        #[cfg(feature = "ts")]
        impl ts_rs::TS for $type {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(_: &ts_rs::Config) -> String {
                stringify!($type).into()
            }

            fn inline(_: &ts_rs::Config) -> String {
                Self::WORDS.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | ")
            }

            fn decl(config: &ts_rs::Config) -> String {
                format!("type {} = {};", stringify!($type), Self::inline(config))
            }

            fn docs() -> Option<String> {
                Some(concat!("/**", $($about,)* " */\n").into())
            }
        }
    };
}
