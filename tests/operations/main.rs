//! Operations from outside, natively: manifests, and the page as a state machine.

#![cfg(not(target_arch = "wasm32"))]

mod bodies;
mod manifest;
mod page;
