//! The native server: it serves the built page, and nothing else needs to run for the lessons.
//!
//! Contract: one folder, read only, on one address (loopback unless told otherwise), optionally
//! under a sub-path. What can go wrong at the start is a [`StartError`], worded for the person at
//! the terminal. Native only; deliberately absent: TLS (a reverse proxy's work), listings of
//! folders, and any fallback page (the page's own addresses live behind `#`).
//!
//! - [`options`]: the command line.
//! - [`files`]: the page's files with types, compression and cache rules.
//! - [`server`]: the socket, the routes, starting and ending.

pub mod files;
pub mod options;
pub mod server;

use std::process::ExitCode;

use options::{Command, Options};

/// What `src/bin/proxy.rs` runs: parses the command line, serves until Ctrl-C.
pub fn main() -> ExitCode {
    match options::parse(std::env::args_os().skip(1)) {
        Ok(Command::Help) => {
            print!("{}", options::HELP);
            ExitCode::SUCCESS
        }
        Ok(Command::Serve(options)) => serve(&options),
        Err(mistake) => {
            eprintln!("proxy: {mistake}\n\n{}", options::HELP);
            ExitCode::from(2)
        }
    }
}

fn serve(options: &Options) -> ExitCode {
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("proxy: cannot start any thread: {error}");
            return ExitCode::FAILURE;
        }
    };
    let outcome = runtime.block_on(async {
        let server = server::Server::start(options).await?;
        // The browser tests read the address from this line.
        println!("Interleave is at {} (Ctrl-C stops it)", server.url());
        if !server.address().ip().is_loopback() {
            println!("Everybody on this network can open it.");
        }
        server.run(server::interrupted()).await
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("proxy: {error}");
            ExitCode::FAILURE
        }
    }
}
