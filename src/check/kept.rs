//! What the lessons were compiled to, kept for the next debug page: most edits of the page change
//! nothing of it, and compiling takes longer there than everything else.
//!
//! Kept files count as long as everything that they are made of is what it was: by the layers
//! (`tests/tidy.rs`), that is all but the page's own program. A release page is always compiled.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use super::files_below;
use crate::hash::fingerprint;

/// Parts of `src` that nothing in a lesson's file comes from.
const APART: [&str; 7] = ["app/", "bin/", "divide/", "program.rs", "proxy/", "server/", "ui/"];
/// Says of what the others were made. It is written last.
const MADE: &str = "made-of";

pub struct Kept {
    folder: PathBuf,
    /// What lessons are made of.
    from: [PathBuf; 3],
    made: String,
}

impl Kept {
    /// `None` if Trunk does not build a debug page.
    pub fn of(lessons: &Path) -> Option<Kept> {
        let target = env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
        let from = [lessons.to_owned(), lessons.with_file_name("examples"), "src".into()];
        let is_debug = env::var("TRUNK_PROFILE").is_ok_and(|profile| profile == "debug");
        let made = is_debug.then(|| made_of(&from).ok()).flatten()?;
        Some(Kept { folder: target.join("debug-lessons"), from, made })
    }

    /// Copies what was kept to `out`. Returns false if it was made of something else.
    pub fn copied(&self, out: &Path) -> bool {
        let kept = fs::read_to_string(self.folder.join(MADE));
        kept.is_ok_and(|made| made == self.made) && copy(&self.folder, out).is_ok()
    }

    /// Keeps what is in `out`, unless an edit came between. It costs time and nothing else if it
    /// cannot.
    pub fn keep(&self, out: &Path) {
        let _ = fs::remove_dir_all(&self.folder);
        if made_of(&self.from).is_ok_and(|made| made == self.made) {
            let _ = fs::create_dir_all(&self.folder)
                .and_then(|()| copy(out, &self.folder))
                .and_then(|()| fs::write(self.folder.join(MADE), &self.made));
        }
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for name in files_below(from)?.iter().filter(|name| *name != MADE) {
        fs::copy(from.join(name), to.join(name))?;
    }
    Ok(())
}

/// Returns a fingerprint of all files in these folders, with their names.
fn made_of(folders: &[PathBuf]) -> io::Result<String> {
    let mut all = Vec::new();
    for folder in folders {
        let mut names = files_below(folder)?;
        names.retain(|name| !APART.iter().any(|part| name.starts_with(part)));
        for name in names {
            let bytes = fs::read(folder.join(&name))?;
            all.push(fingerprint(&(name, bytes)));
        }
    }
    Ok(format!("{:016x}", fingerprint(&all)))
}
