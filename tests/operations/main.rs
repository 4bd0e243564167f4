//! Operations from outside, natively: manifests, and the page as a state machine.

#![cfg(not(target_arch = "wasm32"))]

mod manifest;
mod page;
