//! A plain JavaScript value as the validator sees it: it stays in JavaScript, numbers cross.

use crate::schema::{Interner, Key, Kind, Names, Pattern, Schema, Value};
use crate::wire::Issue;
use std::cell::Cell;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/web/value/live.js")]
extern "C" {
    fn learn(id: u32, name: &str);
    #[wasm_bindgen(js_name = learnPattern)]
    fn learn_pattern(id: u32, source: &str);
    #[wasm_bindgen(js_name = isPattern)]
    fn is_pattern(source: &str) -> bool;
    fn open(value: &JsValue) -> u32;
    fn close();
    fn item(slot: u32, index: u32) -> u32;
    fn member(slot: u32, id: u32) -> u32;
    fn list(slot: u32) -> u32;
    #[wasm_bindgen(js_name = nameText)]
    fn name_text(slot: u32, index: u32) -> String;
    #[wasm_bindgen(js_name = nameId)]
    fn name_id(slot: u32, index: u32) -> u32;
    #[wasm_bindgen(js_name = nameAt)]
    fn name_at(slot: u32, index: u32) -> u32;
    #[wasm_bindgen(js_name = memberAt)]
    fn member_at(slot: u32, index: u32) -> u32;
    #[wasm_bindgen(js_name = numberIn)]
    fn number_in(slot: u32) -> f64;
    #[wasm_bindgen(js_name = textIn)]
    fn text_in(slot: u32) -> String;
    #[wasm_bindgen(js_name = isText)]
    fn is_text(slot: u32, id: u32) -> bool;
    fn matches(slot: u32, pattern: u32) -> bool;
    #[wasm_bindgen(js_name = codePoints)]
    fn code_points(slot: u32) -> u32;
}

thread_local! {
    /// How many names and patterns JavaScript has learned.
    static LEARNED: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// The interner of this module: JavaScript mirrors it, so there is one.
#[must_use]
pub const fn interner() -> Interner {
    Interner::with_engine(is_pattern_source)
}

fn is_pattern_source(source: &str) -> bool {
    is_pattern(source)
}

/// Hands what is new in the interner over to JavaScript; to be called after every compilation.
pub fn learn_keys(keys: &Interner) {
    let (mut names, mut patterns) = LEARNED.get();
    for name in keys.names_from(names as usize) {
        learn(names, name);
        names += 1;
    }
    for pattern in keys.patterns_from(patterns as usize) {
        learn_pattern(patterns, pattern);
        patterns += 1;
    }
    LEARNED.set((names, patterns));
}

/// Checks a plain value: what [`snapshot`](super::snapshot) made or what was parsed from text. No page code runs.
///
/// # Errors
///
/// As for [`Schema::validate`].
pub fn validate(schema: &Schema, value: &JsValue) -> Result<(), Vec<Issue>> {
    show(value, |live| schema.validate(live))
}

/// Shows a plain value to `look`. No page code runs meanwhile, so that one value is shown at a time.
pub fn show<R>(value: &JsValue, look: impl FnOnce(Live) -> R) -> R {
    let result = look(Live { slot: 0, code: open(value) });
    close();
    result
}

/// A value in a slot of `live.js`.
#[derive(Clone, Copy, Debug)]
pub struct Live {
    slot: u32,
    code: u32,
}

impl Live {
    const fn child(self, code: u32) -> Self {
        Self { slot: self.slot + 1, code }
    }
}

impl Value for Live {
    fn kind(self) -> Kind {
        match self.code & 7 {
            2 => Kind::False,
            3 => Kind::True,
            4 => Kind::Number,
            5 => Kind::Text,
            6 => Kind::Array,
            7 => Kind::Object,
            _ => Kind::Null,
        }
    }

    fn number(self) -> f64 {
        match self.code >> 3 {
            0 => number_in(self.slot),
            small => f64::from(small - 1),
        }
    }

    fn length(self) -> u32 {
        self.code >> 3
    }

    fn code_points(self) -> u32 {
        code_points(self.slot)
    }

    fn is_text(self, text: &Key) -> bool {
        is_text(self.slot, text.id)
    }

    fn matches(self, pattern: &Pattern) -> bool {
        matches(self.slot, pattern.id)
    }

    fn text(self) -> String {
        text_in(self.slot)
    }

    fn item(self, index: u32) -> Self {
        self.child(item(self.slot, index))
    }

    fn member(self, key: &Key) -> Option<Self> {
        let code = member(self.slot, key.id);
        (code != 0).then(|| self.child(code))
    }

    fn member_count(self) -> u32 {
        self.code >> 3
    }

    fn list(self) -> u32 {
        list(self.slot)
    }

    fn name(self, index: u32) -> String {
        name_text(self.slot, index)
    }

    fn is_named(self, index: u32, names: &Names) -> bool {
        names.has_id(name_id(self.slot, index))
    }

    fn name_at(self, index: u32) -> Self {
        self.child(name_at(self.slot, index))
    }

    fn member_at(self, index: u32) -> Self {
        self.child(member_at(self.slot, index))
    }
}
