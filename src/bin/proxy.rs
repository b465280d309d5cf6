//! `interleave serve` as a program of its own: `proxy --help`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    interleave::program::proxy()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
