//! Hands a [`Json`] over to JavaScript without going through JSON text.

use crate::wire::Json;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/web/value/tape.js")]
extern "C" {
    fn build(tape: &[f64], text: &str) -> JsValue;
}

/// The value as plain JavaScript objects and arrays.
#[must_use]
pub fn to_js(value: &Json) -> JsValue {
    let mut tape = Tape::default();
    tape.write(value);
    build(&tape.entries, &tape.text)
}

/// What `tape.js` reads: the entries, and all texts one after the other.
#[derive(Default)]
struct Tape {
    entries: Vec<f64>,
    text: String,
}

impl Tape {
    fn write(&mut self, value: &Json) {
        match value {
            Json::Null => self.entries.push(0.0),
            Json::Bool(false) => self.entries.push(1.0),
            Json::Bool(true) => self.entries.push(2.0),
            Json::Number(number) => self.entries.extend([3.0, *number]),
            Json::String(text) => {
                self.entries.push(4.0);
                self.write_text(text);
            }
            Json::Array(items) => {
                self.write_count(5.0, items.len());
                items.iter().for_each(|item| self.write(item));
            }
            Json::Object(members) => {
                self.write_count(6.0, members.len());
                for (name, value) in members {
                    self.write_text(name);
                    self.write(value);
                }
            }
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "what fits in memory is exact")]
    fn write_count(&mut self, entry: f64, count: usize) {
        self.entries.extend([entry, count as f64]);
    }

    #[expect(clippy::cast_precision_loss, reason = "what fits in memory is exact")]
    fn write_text(&mut self, text: &str) {
        self.entries.push(text.encode_utf16().count() as f64);
        self.text.push_str(text);
    }
}
