//! The page: `trunk build` makes it from this.

#[cfg(target_arch = "wasm32")]
fn main() {
    interleave::ui::run();
}

/// Only wasm has a page; natively there is nothing to run.
#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("The page runs in a browser: make serve");
}
