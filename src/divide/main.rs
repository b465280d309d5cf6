//! Divides the page's program into what a first visit runs, what lessons run, and the rest.
//!
//! `check finish` calls `divide app` when Trunk has built a release page; a debug page stays whole.
//! [`LIST`] (`unused.txt`) names the functions that no first visit runs, first those that a visit
//! to a lesson runs; `make record` records them anew (tests/browser/record.mjs). A function it does
//! not name is loaded first. A stale list costs size, or a page that begins again: see [`cut()`]
//! and loader.js.
//!
//! Only a separate function can be moved. A function that a first visit does not run, but that
//! would be inlined into one that it does run, is marked `#[inline(never)]`.

mod cut;
mod data;
mod module;
mod names;
mod page;
mod record;
mod sizes;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use clap::Parser;

use self::cut::{Cut, cut};
use self::module::Wasm;

/// Names of the functions that no first visit runs, as [`names::stable`] writes them, one a line. A
/// line `# PART` stands before those of each of [`PARTS`] but the first.
const LIST: &str = "src/divide/unused.txt";

/// The parts of the program, in the order in which they are loaded.
const PARTS: [&str; 3] = ["first", "lessons", "later"];

/// Divide the program that Trunk built: what a first visit runs, and what comes later
#[derive(Debug, Parser)]
#[command(name = "divide")]
struct Call {
    /// Its name: app
    name: String,
    /// Print what the functions of the last one weigh
    #[arg(long)]
    sizes: bool,
    /// Write the last one so that it marks what runs
    #[arg(long, conflicts_with = "sizes")]
    record: bool,
}

fn main() -> ExitCode {
    let done = match Call::parse() {
        Call { name, record: true, .. } => marked(&name),
        Call { name, sizes: true, .. } => sizes_of(&name),
        Call { name, .. } => hook(&name),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("divide: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Divides the program that Trunk has just built.
fn hook(name: &str) -> Result<(), String> {
    let folder = env::var_os("TRUNK_STAGING_DIR")
        .ok_or("Trunk is not building anything: TRUNK_STAGING_DIR says where")?;
    match divide(Path::new(&folder), name) {
        Ok(Cut { counts: [all, moved, doors], modules, .. }) => {
            let sizes: Vec<String> = modules.iter().map(|part| part.len().to_string()).collect();
            println!(
                "{name}: {moved} of {all} functions come later, {doors} of them by a door; \
                 {} bytes",
                sizes.join(" + ")
            );
        }
        // It is larger then, and works as well.
        Err(why) => eprintln!("divide: {why}; the page stays whole"),
    }
    Ok(())
}

fn divide(folder: &Path, name: &str) -> Result<Cut, String> {
    let page = page::Page::read(folder, name)?;
    let kept = kept(name);
    page.keep(&kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    let linked = target().join("wasm32-unknown-unknown/page").join(format!("{name}.wasm"));
    let wasm = Wasm::read(&page.wasm)?;
    let unused = unused();
    let part_of = |name: &String| unused.get(name).copied().unwrap_or_default();
    let part_of: Vec<usize> = wasm.names.iter().map(part_of).collect();
    let data = match fs::read(&linked) {
        Ok(linked) => data::movable(&linked, &wasm, PARTS.len(), &part_of)?,
        Err(_) => Vec::new(),
    };
    let renaming = page.brief_names(&wasm);
    let cut = cut(&renaming.apply(Wasm::read(&page.wasm)?), PARTS.len(), &part_of, &data)?;
    for part in &cut.modules {
        wasmparser::validate(part).map_err(|error| format!("made wrong: {error}"))?;
    }
    page.write(&cut, &wasm, &renaming)?;
    // For who looks at a stack: engines name functions by their indices.
    let names = kept.join("first.txt");
    fs::write(&names, cut.names.join("\n")).map_err(|why| format!("{}: {why}", names.display()))?;
    Ok(cut)
}

/// Reads the list: the part of each function that is not of the first. An absent file is an empty
/// list.
fn unused() -> BTreeMap<String, usize> {
    let text = fs::read_to_string(LIST).unwrap_or_default();
    let mut part = PARTS.len() - 1;
    let mut list = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(head) => part = PARTS.iter().position(|part| *part == head).unwrap_or(part),
            None => drop(list.insert(line.to_owned(), part)),
        }
    }
    list
}

/// Returns Cargo's build folder, which contains this program.
fn target() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    program.ancestors().nth(2).unwrap_or(Path::new("target")).to_owned()
}

/// Returns the folder in which the undivided page is kept.
fn kept(name: &str) -> PathBuf {
    target().join("divide").join(name)
}

fn read_kept(name: &str) -> Result<Vec<u8>, String> {
    let file = kept(name).join(page::WASM);
    let remedy = "make build leaves what is needed";
    fs::read(&file).map_err(|error| format!("{}: {error}; {remedy}", file.display()))
}

/// Writes the input of tests/browser/record.mjs: the instrumented module, the address of the first
/// mark, and the names of the functions.
fn marked(name: &str) -> Result<(), String> {
    let bytes = read_kept(name)?;
    let wasm = Wasm::read(&bytes)?;
    let (module, base) = record::record(&bytes, &wasm)?;
    let folder = kept(name);
    let write =
        |file: &str, bytes: &[u8]| -> io::Result<()> { fs::write(folder.join(file), bytes) };
    write("marked.wasm", &module)
        .and_then(|()| {
            let lines = [base.to_string()].into_iter().chain(wasm.names.iter().cloned());
            write("functions.txt", lines.collect::<Vec<_>>().join("\n").as_bytes())
        })
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    println!("{}", folder.display());
    Ok(())
}

fn sizes_of(name: &str) -> Result<(), String> {
    let bytes = read_kept(name)?;
    let table = sizes::table(&Wasm::read(&bytes)?, &unused());
    // A reader may go, as `head`.
    let _ = io::stdout().write_all(table.as_bytes());
    Ok(())
}

#[cfg(test)]
mod tests;
