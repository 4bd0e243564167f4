//! The page side of Pageport: what a web page declares, and how it answers.
//!
//! Everything outside `web` is pure: no clock, no randomness, no I/O and no JavaScript. Time and ids are
//! arguments, page code is never called from here, and the same code runs in a browser and natively.

pub mod operations;
pub mod schema;
pub mod surface;
#[cfg(target_arch = "wasm32")]
pub mod web;
pub mod wire;
