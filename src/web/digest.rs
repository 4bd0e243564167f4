//! Hashing for the shim, which may not lean on `crypto.subtle`: insecure origins lack it.

use crate::surface::sha256_hex;
use wasm_bindgen::prelude::*;

/// SHA-256 of a text, as lower-case hex.
#[wasm_bindgen]
#[must_use]
pub fn sha256(text: &str) -> String {
    sha256_hex(text)
}
