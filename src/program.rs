//! The program `interleave` (native): its commands, and what each is given.
//!
//! `proxy`, `resp` and `check` are its commands `serve`, `server` and `check` as programs of their
//! own, under the names that the Makefile and the tests call. clap reads every command line: help,
//! completions, the nearest of a misspelt option, and status 2 for a wrong call. An option stands
//! with its command: `proxy::options`, `server::options`, `check`. To add a command, add it to
//! `Command` and to [`main`].

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use std::{fs, io};

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::playground::{Definition, folder};
use crate::{check, proxy, server};

/// Decide who goes next, see what breaks: Redis concurrency control, step by step
#[derive(Debug, Parser)]
#[command(name = "interleave", version, arg_required_else_help = true)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(proxy::options::Options),
    Server(server::options::Options),
    Check(check::Call),
    New(New),
    Export(check::Export),
    /// Print the completions of a shell, for its start-up file
    Completions {
        shell: Shell,
    },
}

/// Write a scenario to begin with: two clients that count
#[derive(Debug, Args)]
struct New {
    /// A folder that does not exist yet; `interleave check FOLDER` searches it
    folder: PathBuf,
}

/// Runs the program.
pub fn main() -> ExitCode {
    match Program::parse().command {
        Command::Serve(options) => serve(options),
        Command::Server(options) => serve_engine(&options),
        Command::Check(call) => timed(|clock| call.run(clock)),
        Command::New(New { folder }) => told(write_first(&folder).map_err(|error| {
            format!("{}: {error}; name a folder that does not exist yet", folder.display())
        })),
        Command::Export(export) => export.run(),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Program::command(), "interleave", &mut text);
            // A reader may go, as `head`.
            let _ = io::Write::write_all(&mut io::stdout(), &text);
            ExitCode::SUCCESS
        }
    }
}

/// Runs `proxy`.
pub fn proxy() -> ExitCode {
    serve(Parser::parse())
}

/// Runs `resp`.
pub fn resp() -> ExitCode {
    serve_engine(&Parser::parse())
}

/// Runs `check`.
pub fn check() -> ExitCode {
    timed(|clock| check::Call::parse().run(clock))
}

fn serve(options: proxy::options::Options) -> ExitCode {
    match options.completed(|name| std::env::var(name).ok()) {
        Ok(options) => proxy::run(&options),
        Err(mistake) => mistake.exit(),
    }
}

fn serve_engine(options: &server::options::Options) -> ExitCode {
    told(server::run(options))
}

fn timed(run: impl FnOnce(check::Clock<'_>) -> ExitCode) -> ExitCode {
    let started = Instant::now();
    run(&|| started.elapsed().as_secs_f64())
}

fn told(outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = io::Write::write_fmt(&mut io::stderr(), format_args!("error: {why}\n"));
            ExitCode::FAILURE
        }
    }
}

fn write_first(to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for (name, text) in folder::write_scenario(&Definition::first()) {
        fs::write(to.join(name), text)?;
    }
    Ok(())
}
