//! What only a browser can show, run by `wasm-bindgen-test` in one.
#![cfg(target_arch = "wasm32")]

mod hostile;
mod schema;
mod values;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
