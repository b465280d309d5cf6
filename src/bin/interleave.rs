//! The one program: `interleave --help`. All of it is in the library's `program`, which is native
//! only; the checks of the wasm target compile this file too.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    interleave::program::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
