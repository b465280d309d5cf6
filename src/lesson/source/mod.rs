//! From an author's folder to a [`Lesson`] (native only). Nothing is corrected silently: every
//! mistake becomes a [`Diagnostic`], and all of them are reported at once.
//!
//! `manifest` and `markdown` parse the files; `build` assembles the lesson and checks its parts
//! against each other, with `cast`, `exercise`, `lens`, `flow`, `quiz` and `words` for one kind of
//! part each; `index` does so for all lessons. `whole` lists what is still to be written.

mod build;
mod cast;
mod crowd;
mod exercise;
mod flow;
mod index;
mod lens;
mod manifest;
mod markdown;
mod placeholders;
mod predict;
mod quiz;
mod transcript;
mod whole;
mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::{Diagnostic, Lesson};

pub use index::{Course, read_all, read_chapters};

/// The files of one lesson, by name: the input of [`compile`]. A file in a subfolder is called
/// `exercise/starter.lua`.
pub type Files = BTreeMap<String, String>;

/// The subfolders that a lesson may have.
const SUBFOLDERS: [&str; 3] = ["crowd", "exercise", "lens"];

/// A lesson, with the parts of its folder that the page does not get.
#[derive(Debug, Clone)]
pub struct Written {
    pub lesson: Lesson,
    /// Answers to the exercise, with the expected verdicts.
    pub attempts: Vec<Attempt>,
    mentions: Vec<Mention>,
}

/// An answer to the exercise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub role: Role,
    pub file: String,
    pub source: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Starter,
    Solution,
    Accept,
    Reject,
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::Starter => "starter",
            Role::Solution => "solution",
            Role::Accept => "accept",
            Role::Reject => "reject",
        }
    }

    /// Returns true if it solves the exercise.
    pub fn solves(self) -> bool {
        matches!(self, Role::Solution | Role::Accept)
    }
}

/// A mention of another lesson, and its place.
#[derive(Debug, Clone)]
struct Mention {
    file: String,
    line: usize,
    lesson: String,
    /// The variant that it must have.
    variant: Option<String>,
    /// If it is evidence for an advice: the indices of the advice and of the evidence.
    evidence: Option<(usize, usize)>,
}

/// Reads the folder of one lesson for the page. The folder's name is the lesson's id.
pub fn read_folder(folder: &Path) -> Result<Lesson, Vec<Diagnostic>> {
    read_written(folder).map(|written| written.lesson)
}

/// Reads the folder of one lesson with everything in it.
pub fn read_written(folder: &Path) -> Result<Written, Vec<Diagnostic>> {
    // Of "." the name stands elsewhere.
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let id = whole.file_name().map(|name| name.to_string_lossy().into_owned());
    let shown = folder.display().to_string();
    let files = read_files(folder).map_err(|error| {
        vec![Diagnostic {
            file: shown.clone(),
            line: 0,
            message: format!("the folder cannot be read: {error}"),
            remedy: "give the path of a lesson's folder, such as static/lessons/lost-update".into(),
        }]
    })?;
    built(id.unwrap_or_default(), shown, files)
}

#[cfg(not(test))]
fn built(id: String, shown: String, files: Files) -> Result<Written, Vec<Diagnostic>> {
    build::build(&id, &shown, &files)
}

/// The same, once for all tests that read these files: half of the tests read lessons, and their
/// questions take a search.
#[cfg(test)]
fn built(id: String, shown: String, files: Files) -> Result<Written, Vec<Diagnostic>> {
    use std::sync::{Mutex, PoisonError};
    type Known = BTreeMap<(String, String, Files), Result<Written, Vec<Diagnostic>>>;
    static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (id, shown, files);
    if let Some(written) = known().get(&key) {
        return written.clone();
    }
    let written = build::build(&key.0, &key.1, &key.2);
    known().insert(key, written.clone());
    written
}

fn read_files(folder: &Path) -> std::io::Result<Files> {
    let mut files = Files::new();
    let known = |name: &str| [".toml", ".lua", ".md"].iter().any(|end| name.ends_with(end));
    read_into(&mut files, folder, "", &known)?;
    for name in SUBFOLDERS.iter().filter(|name| folder.join(name).is_dir()) {
        // Whatever lies there must be named in lesson.toml.
        read_into(&mut files, &folder.join(name), &format!("{name}/"), &|_| true)?;
    }
    Ok(files)
}

fn read_into(
    files: &mut Files,
    folder: &Path,
    prefix: &str,
    known: &dyn Fn(&str) -> bool,
) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_file() && known(&name) && !name.starts_with('.') {
            files.insert(format!("{prefix}{name}"), fs::read_to_string(&path)?);
        }
    }
    Ok(())
}

/// Compiles a lesson from its files. `shown` is the folder's name in diagnostics.
pub fn compile(id: &str, shown: &str, files: &Files) -> Result<Lesson, Vec<Diagnostic>> {
    build::build(id, shown, files).map(|written| written.lesson)
}
