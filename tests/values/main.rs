//! Values natively: parsing, the value rules, canonical JSON and the option reader.
#![cfg(not(target_arch = "wasm32"))]

mod canonical;
mod properties;
mod reader;
mod serialize;
mod vectors;
mod walk;
