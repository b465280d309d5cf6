//! `interleave check` as a program of its own: `check --help`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    interleave::program::check()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
