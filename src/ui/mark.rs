//! Temporary.
use wasm_bindgen::prelude::*;
#[wasm_bindgen]
extern "C" { #[wasm_bindgen(js_namespace = performance)] pub fn mark(name: &str); }
