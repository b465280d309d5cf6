//! From an author's folder to a [`Lesson`] (native only). Nothing is fixed up silently: whatever
//! is wrong becomes a [`Diagnostic`], and all of them are reported at once.

mod build;
mod cast;
mod manifest;
mod markdown;
mod placeholders;
pub mod scenario;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::text::Both;

use super::{Chapter, Diagnostic, FORMAT, Index, Lesson};

/// The files of one lesson, by name: what [`compile`] works on, wherever they come from.
pub type Files = BTreeMap<String, String>;

/// Reads the folder of one lesson. Its name is the lesson's id.
pub fn read_folder(folder: &Path) -> Result<Lesson, Vec<Diagnostic>> {
    let id = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let shown = folder.display().to_string();
    let files = read_files(folder).map_err(|error| {
        vec![Diagnostic {
            file: shown.clone(),
            line: 0,
            message: format!("the folder cannot be read: {error}"),
            remedy: "give the path of a lesson's folder, such as static/lessons/lost-update".into(),
        }]
    })?;
    compile(&id.unwrap_or_default(), &shown, &files)
}

fn read_files(folder: &Path) -> std::io::Result<Files> {
    let mut files = Files::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let known =
            path.extension().is_some_and(|ext| ["toml", "lua", "md"].iter().any(|k| ext == *k));
        if known && path.is_file() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.insert(name, fs::read_to_string(&path)?);
        }
    }
    Ok(files)
}

/// Compiles a lesson from its files. `shown` is how its folder is called in diagnostics.
pub fn compile(id: &str, shown: &str, files: &Files) -> Result<Lesson, Vec<Diagnostic>> {
    build::build(id, shown, files)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IndexToml {
    chapter: Vec<ChapterToml>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChapterToml {
    title: Both<String>,
    lessons: Vec<String>,
}

/// Reads `index.toml` in `folder` and every lesson that it lists.
pub fn read_all(folder: &Path) -> Result<(Index, Vec<Lesson>), Vec<Diagnostic>> {
    let path = folder.join("index.toml");
    let problem = |line, message: String, remedy: &str| Diagnostic {
        file: path.display().to_string(),
        line,
        message,
        remedy: remedy.into(),
    };
    let text = fs::read_to_string(&path).map_err(|error| {
        vec![problem(0, error.to_string(), "it lists the chapters and their lessons")]
    })?;
    let parsed: IndexToml = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(0, |span| manifest::line_of(&text, span.start));
        vec![problem(
            line,
            error.message().into(),
            "a chapter has a title in en and zh, and lessons",
        )]
    })?;
    let mut problems = Vec::new();
    let mut index = Index { format: FORMAT, ..Index::default() };
    let mut lessons = Vec::new();
    for chapter in parsed.chapter {
        let mut cards = Vec::new();
        for id in &chapter.lessons {
            match read_folder(&folder.join(id)) {
                Ok(lesson) => {
                    cards.push(lesson.card());
                    lessons.push(lesson);
                }
                Err(found) => problems.extend(found),
            }
        }
        index.chapters.push(Chapter { title: chapter.title, lessons: cards, ..Chapter::default() });
    }
    let listed = |name: &str| lessons.iter().any(|lesson| lesson.id == name);
    let folders = fs::read_dir(folder).into_iter().flatten().flatten();
    for name in folders.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name()) {
        let name = name.to_string_lossy();
        if problems.is_empty() && !listed(&name) {
            let message = format!("the folder {name} is in no chapter");
            problems.push(problem(0, message, "add it to a chapter's lessons, or remove it"));
        }
    }
    if problems.is_empty() { Ok((index, lessons)) } else { Err(problems) }
}
