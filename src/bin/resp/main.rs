//! `resp`: the engine behind a TCP port, for redis-cli, client libraries, redis-benchmark and
//! conformance tests.

#[cfg(not(target_arch = "wasm32"))]
mod options;
#[cfg(not(target_arch = "wasm32"))]
mod server;

/// A browser has no ports to listen on.
#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    let options = match options::Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(text) => {
            eprintln!("{text}");
            return std::process::ExitCode::from(2);
        }
    };
    match server::run(&options) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("resp: {text}");
            std::process::ExitCode::FAILURE
        }
    }
}
