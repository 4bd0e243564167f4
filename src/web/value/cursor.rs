//! The [`Source`] over a JavaScript value that the cursor in `cursor.js` holds: one crossing a node.

use crate::wire::walk::{Event, Node, Source};
use crate::wire::{Bounds, Fault};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/web/value/cursor.js")]
extern "C" {
    fn begin(value: &JsValue, copying: bool, limit: u32, cut: u32);
    fn end() -> JsValue;
    fn next() -> u32;
    fn skim(left: u32) -> u32;
    fn number() -> f64;
    fn text() -> String;
    fn name() -> String;
    fn segment(level: u32) -> String;
    fn rescue(name: &str) -> Option<String>;
    fn marked() -> bool;
    #[wasm_bindgen(js_name = numberText)]
    fn print(number: f64) -> String;
}

/// The walk that JavaScript holds; it ends when this is dropped.
///
/// Page code that a getter runs may start another one, which then ends first.
pub(super) struct Cursor {
    is_open: bool,
}

impl Cursor {
    /// Texts longer than `cut` units are cut.
    pub(super) fn new(value: &JsValue, copy: bool, bounds: Bounds, cut: u32) -> Self {
        begin(value, copy, bounds.max_units, cut);
        Self { is_open: true }
    }

    /// Whether a name began like those of approval material.
    pub(super) fn is_marked(&self) -> bool {
        marked()
    }

    /// Ends the walk and returns the copy.
    pub(super) fn finish(mut self) -> JsValue {
        self.is_open = false;
        end()
    }

    /// A string member of the outermost object after a failed walk, if it can be told without reading anything twice.
    pub(super) fn rescue(&self, name: &str) -> Option<String> {
        rescue(name)
    }
}

impl Drop for Cursor {
    fn drop(&mut self) {
        if self.is_open {
            end();
        }
    }
}

/// The nodes in the order of their numbers in `cursor.js`.
const NODES: [Node; 15] = [
    Node::End,
    Node::Undefined,
    Node::Null,
    Node::False,
    Node::True,
    Node::Number,
    Node::Text,
    Node::Array,
    Node::Object,
    Node::Bad(Fault::Number),
    Node::Bad(Fault::Text),
    Node::Bad(Fault::Name),
    Node::Bad(Fault::Proto),
    Node::Bad(Fault::Type),
    Node::Bad(Fault::Getter),
];

fn event(code: u32) -> Event {
    Event { node: *NODES.get((code & 15) as usize).unwrap_or(&Node::Bad(Fault::Type)), units: code >> 4 }
}

impl Source for Cursor {
    fn next(&mut self) -> Event {
        event(next())
    }

    fn skim(&mut self, left: u32) -> Event {
        event(skim(left))
    }

    fn number(&mut self) -> f64 {
        number()
    }

    fn text(&mut self) -> String {
        text()
    }

    fn name(&mut self) -> String {
        name()
    }

    fn segment(&mut self, level: usize) -> String {
        u32::try_from(level).map(segment).unwrap_or_default()
    }
}

/// Prints a number as ECMAScript does: the engine's own printer.
pub fn number_text(value: f64, out: &mut String) {
    out.push_str(&print(value));
}
