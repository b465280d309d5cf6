//! With the feature `embedded`, lists the files of the built page for the program to hold them
//! (page.rs): those in dist, or in the folder that INTERLEAVE_PAGE names.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_EMBEDDED").is_some() {
        println!("cargo::rerun-if-env-changed=INTERLEAVE_PAGE");
        let named =
            env::var_os("INTERLEAVE_PAGE").map_or_else(|| "../../dist".into(), PathBuf::from);
        if let Err(why) = embed(&named) {
            let remedy = "make build, or name another page's folder: INTERLEAVE_PAGE";
            println!("cargo::error={}: {why}; {remedy}", named.display());
        }
    }
}

/// Writes the list of a page's files, by their paths, in the order of these.
fn embed(page: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", page.display());
    let page = page.canonicalize()?;
    let mut files = Vec::new();
    below(&page, "", &mut files)?;
    if !files.iter().any(|(name, _)| name == "index.html") {
        return Err(io::Error::other("there is no index.html"));
    }
    files.sort();
    let mut list = String::from("&[\n");
    for (name, path) in files {
        list += &format!("({name:?}, include_bytes!({path:?}) as &[u8]),\n");
    }
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(out.join("page.rs"), list + "]\n")
}

fn below(folder: &Path, start: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{start}{}", entry.file_name().to_string_lossy());
        match entry.file_type()?.is_dir() {
            true => below(&entry.path(), &format!("{name}/"), files)?,
            false => files.push((name, entry.path())),
        }
    }
    Ok(())
}
