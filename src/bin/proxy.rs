//! The server: `proxy --help`. All of it is in the library's `proxy`, which is native only; the
//! checks of the wasm target compile this file too.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    interleave::proxy::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
