//! Verdicts for lessons, and their compiled form: `check --help`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let started = std::time::Instant::now();
    interleave::check::run(&arguments, &|| started.elapsed().as_secs_f64())
}

/// A native tool; in wasm there is nothing to run.
#[cfg(target_arch = "wasm32")]
fn main() {}
