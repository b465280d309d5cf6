//! Lua, the engine, the checker, the page's search, the crowd and the session as one wasm, for the
//! browser tests that hold them to what they do natively (`tests/browser/example.mjs` loads it as
//! `window.harness`).
//! Natively, `harness lua|checker|crowd` prints what must come out, a line each.
//!
//! It is built with the profile of the page's checker and shares the library with it, so that it
//! costs little more than linking. To add a part: a module here, and a word in `main`.

#[path = "checker.rs"]
#[allow(dead_code)] // Each is also a program of its own, for benchmarks.
mod checker;
#[path = "crowd.rs"]
#[allow(dead_code)]
mod crowd;
#[path = "engine.rs"]
#[allow(dead_code)]
mod engine;
#[path = "faults.rs"]
#[allow(dead_code)]
mod faults;
#[path = "lua.rs"]
#[allow(dead_code)]
mod lua;

/// What `check digests` prints of a lesson; `lesson` is its file, as the page loads it.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn digests(lesson: &str) -> Result<Vec<String>, String> {
    let lesson = interleave::json::read(lesson).map_err(|error| error.to_string())?;
    interleave::session::digests::digests(&std::rc::Rc::new(lesson))
}

/// wasm-bindgen calls it when the module loads; there is nothing to do by then.
#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("lua") => lua::print()?,
        Some("checker") => checker::print(),
        Some("crowd") => crowd::print(),
        _ => eprintln!("harness lua|checker|crowd"),
    }
    Ok(())
}
