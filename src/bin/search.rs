//! The checker as the page loads it, when it is about to be needed: compiled for speed, where the
//! page itself is compiled for size.

#[cfg(target_arch = "wasm32")]
fn main() {
    interleave::worker::serve();
}

/// A part of the page; natively there is nothing to run.
#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("The checker of the page runs in a browser; natively it is: cargo run --bin check");
}
