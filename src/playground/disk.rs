//! Reads scenarios from disk (native only): a folder with a scenario.toml, a JSON or a zip that the
//! playground saved, or an example. `check`, the tests and the benchmarks read them here, with the
//! readers of the page; a mistake is named with its file and line.

use std::fs;
use std::path::Path;

use crate::engine::Version;
use crate::json::FromJson;
use crate::lesson::{Diagnostic, Lesson};
use crate::scenario::toml;
use crate::scenario::tree::Tree;
use crate::sim::Scenario;
use crate::text::{Key, Lang, fill, tr};

use super::example::{self, Example};
use super::folder::{self, Files, Read};
use super::{Definition, Mistake, MistakePlace, Part};

pub use super::scenario::MANIFEST;

/// The language of the words for authors.
const LANG: Lang = Lang::En;

/// A scenario as a lesson with one variant.
#[derive(Debug)]
pub struct OnDisk {
    pub name: String,
    /// The file that has the claims.
    pub file: String,
    pub lesson: Lesson,
    /// The lines of its properties in that file; none if they are not known.
    pub lines: Vec<usize>,
    /// What the file has besides, and was left out.
    pub left_out: Vec<Diagnostic>,
}

impl OnDisk {
    pub fn scenario(&self) -> Result<Scenario, String> {
        self.lesson.scenario(0)
    }
}

/// Reads a folder or a file; `set` gives parameters other values.
pub fn read(path: &Path, set: &[(String, i64)]) -> Result<OnDisk, Vec<Diagnostic>> {
    read_at(path, set, None)
}

/// The same at this server version, where it names none itself.
pub fn read_at(
    path: &Path,
    set: &[(String, i64)],
    version: Option<Version>,
) -> Result<OnDisk, Vec<Diagnostic>> {
    let is_folder = path.is_dir();
    let file = if is_folder { path.join(MANIFEST) } else { path.to_owned() };
    let place = At { folder: is_folder.then_some(path), file: &file, lines: Vec::new() };
    let unreadable = |error: std::io::Error| vec![place.wrong(0, error.to_string(), "")];
    let path_name = path.display().to_string();
    let (mut own, left_out, lines) = if is_folder {
        let files = files(path).map_err(unreadable)?;
        let text = files.iter().find(|(name, _)| name == MANIFEST).map(|(_, text)| text.as_str());
        let lines = lines(text.unwrap_or_default(), &["property"]);
        let (own, left_out) = place.all(folder::read(&files, MANIFEST, LANG, set))?;
        (own, left_out, lines)
    } else if path.extension().is_some_and(|end| end == "toml") {
        let text = fs::read_to_string(path).map_err(unreadable)?;
        let none = Definition::default();
        folder::no_parameters(set, &path_name).map_err(|wrong| place.each(&wrong, &none))?;
        let example = example::compile(&text)
            .and_then(|json| Example::from_json(json).map_err(|why| (0, why)));
        let remedy = "title, about and [scenario], as in static/examples";
        let example =
            example.map_err(|(line, why)| vec![place.wrong(line as usize, why, remedy)])?;
        (example.scenario.en, Vec::new(), lines(&text, &["scenario", "properties"]))
    } else {
        let bytes = fs::read(path).map_err(unreadable)?;
        let (own, left_out) = place.all(folder::open_with(&path_name, &bytes, LANG, set))?;
        (own, left_out, Vec::new())
    };
    let place = At { lines, ..place };
    own.version = own.version.or(version);
    let lesson = own.lesson().map_err(|mistakes| place.each(&mistakes, &own))?;
    let file = file.display().to_string();
    // The path, as two folders may have one name.
    let name = path_name.trim_end_matches('/').to_owned();
    Ok(OnDisk { name, file, lesson, lines: place.lines, left_out })
}

/// Reads the manifest and the programs of a folder.
fn files(folder: &Path) -> std::io::Result<Files> {
    let mut files = Files::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name == MANIFEST || name.ends_with(".lua") {
            let text = fs::read_to_string(&path)
                .map_err(|why| std::io::Error::other(format!("{name}: {why}")))?;
            files.push((name, text));
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the lines of the properties that stand under these names: of the id where there is one.
fn lines(text: &str, names: &[&str]) -> Vec<usize> {
    let Ok(root) = toml::parse(text) else { return Vec::new() };
    let rows = names.iter().try_fold(&root, |at, name| at.get(name));
    let line = |row: &Tree| row.get("id").unwrap_or(row).line as usize;
    rows.map(|rows| rows.items().iter().map(line).collect()).unwrap_or_default()
}

/// What is read, for naming the places of mistakes.
struct At<'p> {
    folder: Option<&'p Path>,
    /// The file, or the folder's manifest.
    file: &'p Path,
    lines: Vec<usize>,
}

impl At<'_> {
    fn wrong(&self, line: usize, message: String, remedy: &str) -> Diagnostic {
        let file = self.file.display().to_string();
        Diagnostic { file, line, message, remedy: remedy.to_owned() }
    }

    fn all(&self, read: Read) -> Result<(Definition, Vec<Diagnostic>), Vec<Diagnostic>> {
        let none = Definition::default();
        let (own, left_out) = read.map_err(|mistakes| self.each(&mistakes, &none))?;
        Ok((own, self.each(&left_out, &none)))
    }

    fn each(&self, mistakes: &[Mistake], own: &Definition) -> Vec<Diagnostic> {
        mistakes.iter().map(|mistake| self.one(mistake, own)).collect()
    }

    fn one(&self, mistake: &Mistake, own: &Definition) -> Diagnostic {
        let (what, remedy) = (mistake.what(LANG), mistake.remedy(LANG));
        let said = || self.wrong(mistake.line as usize, what.clone(), &remedy);
        match (&mistake.place, self.folder) {
            // The file itself, or one in a zip.
            (MistakePlace::File(name), None) if *name != self.file.display().to_string() => {
                Diagnostic { file: self.file.join(name).display().to_string(), ..said() }
            }
            (MistakePlace::File(_), _) => said(),
            (MistakePlace::Text(part @ Part::Program(_)), Some(folder)) => {
                let file = folder.join(part.name(own, LANG)).display().to_string();
                Diagnostic { file, ..said() }
            }
            (place, _) => {
                let mut name = place.name(own, LANG);
                if mistake.line > 0 {
                    let line = mistake.line.to_string();
                    name += &fill(tr(LANG, Key::OwnAtLine), &[&line]);
                }
                let line = match place {
                    MistakePlace::Property(at) => self.lines.get(*at).copied().unwrap_or(0),
                    _ => 0,
                };
                self.wrong(line, format!("{name}: {what}"), &remedy)
            }
        }
    }
}
