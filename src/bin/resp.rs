//! `interleave server` as a program of its own: `resp --help`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    interleave::program::resp()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
