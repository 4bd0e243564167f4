//! JavaScript values at the border: checked and copied once, read into Rust, shown to the validator, handed back.

mod cursor;
mod live;

pub use cursor::number_text;
pub use live::{Live, interner, learn_keys, show, validate};

use crate::wire::walk::{check, read as read_source};
use crate::wire::{Bounds, Json, Refusal, to_text};
use cursor::Cursor;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/web/value/cursor.js")]
extern "C" {
    #[wasm_bindgen(js_name = parseText)]
    fn parse_text(text: &str) -> JsValue;
}

/// No text is cut.
const WHOLE: u32 = u32::MAX;

/// A value that passed the value rules.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The copy, made of plain objects and arrays; the value itself where no copy was asked for.
    pub value: JsValue,
    /// UTF-16 units of its compact JSON.
    pub units: u32,
    /// Whether a name in it begins like those of approval material, so that it is worth a closer look.
    pub is_marked: bool,
}

/// Walks a value and, with `copy`, copies it; without, it must be plain, as text that was just parsed is.
///
/// Every property is read once, so what was checked is what the copy holds, whatever getters and proxies do later.
///
/// # Errors
///
/// The first fault.
pub fn snapshot(value: &JsValue, bounds: Bounds, copy: bool) -> Result<Snapshot, Refusal> {
    let mut cursor = Cursor::new(value, copy, bounds, WHOLE);
    let units = check(&mut cursor, bounds)?;
    Ok(finish(cursor, value, units, copy))
}

/// A request: as [`snapshot`]; when it is refused, its `id` is returned beside the refusal if it could be read.
///
/// # Errors
///
/// The first fault.
pub fn envelope(value: &JsValue, bounds: Bounds, copy: bool) -> Result<Snapshot, (Refusal, Option<String>)> {
    let mut cursor = Cursor::new(value, copy, bounds, WHOLE);
    match check(&mut cursor, bounds) {
        Ok(units) => Ok(finish(cursor, value, units, copy)),
        Err(refusal) => Err((refusal, cursor.rescue("id"))),
    }
}

fn finish(cursor: Cursor, value: &JsValue, units: u32, copy: bool) -> Snapshot {
    let is_marked = cursor.is_marked();
    let copied = cursor.finish();
    Snapshot { value: if copy { copied } else { value.clone() }, units, is_marked }
}

/// Reads a value into Rust.
///
/// # Errors
///
/// The first fault.
pub fn read(value: &JsValue, bounds: Bounds) -> Result<Json, Refusal> {
    read_cut(value, bounds, WHOLE)
}

/// Reads a value into Rust with texts of at most `cut` UTF-16 units; longer ones end in `…`. Names are not cut.
///
/// # Errors
///
/// The first fault; the size is that of the cut value.
pub fn read_cut(value: &JsValue, bounds: Bounds, cut: u32) -> Result<Json, Refusal> {
    read_source(&mut Cursor::new(value, false, bounds, cut), bounds).map(|(json, _)| json)
}

/// The value as plain JavaScript objects and arrays. By way of JSON text: that was faster than every other way tried.
#[must_use]
pub fn to_js(value: &Json) -> JsValue {
    parse_text(&to_text(value, number_text))
}
