//! The Surface kernel from outside, natively: the vectors, and the order of the nine steps.

#![cfg(not(target_arch = "wasm32"))]

mod compare;
mod expand;
mod stage;
mod steps;
mod vectors;
