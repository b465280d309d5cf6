//! Reads all lessons together: the syllabus, the glossary, and the links between lessons.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::lesson::{
    Block, Card, Chapter, Diagnostic, Evidence, FORMAT, Glossary, Index, Inline, Lesson, Start,
    Term,
};
use crate::sim::Kind;
use crate::text::{Both, Lang};

use super::manifest::line_of;
use super::{Mention, Written, markdown, read_written};

const INDEX: &str = "index.toml";
const GLOSSARY: &str = "glossary.toml";

/// All lessons, with the syllabus and the glossary.
#[derive(Debug)]
pub struct Course {
    pub index: Index,
    pub glossary: Glossary,
    /// The lessons in reading order.
    pub lessons: Vec<Written>,
}

/// A chapter as the syllabus lists it.
#[derive(Debug)]
pub struct Listed {
    pub id: String,
    pub title: Both<String>,
    /// The ids of its lessons in order, with its exercise at the end.
    pub lessons: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IndexToml {
    #[serde(rename = "chapter")]
    chapters: Vec<ChapterToml>,
    #[serde(default, rename = "start")]
    starts: Vec<StartToml>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChapterToml {
    id: String,
    title: Both<String>,
    about: Both<String>,
    lessons: Vec<String>,
    /// The mixed exercise at its end: a folder like a lesson's.
    exercise: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StartToml {
    know: Both<String>,
    lesson: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GlossaryToml {
    #[serde(default, rename = "term")]
    terms: Vec<TermToml>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TermToml {
    id: Spanned<String>,
    name: Both<String>,
    /// How the Chinese name is sorted: its syllables, without tones.
    pinyin: String,
    #[serde(default)]
    also: Both<Vec<String>>,
    /// A line of Markdown.
    about: Spanned<Both<String>>,
    lesson: Option<Spanned<String>>,
}

/// A file beside the lessons' folders.
struct Beside {
    shown: String,
    text: String,
}

impl Beside {
    fn read(folder: &Path, name: &str, purpose: &str) -> Result<Beside, Vec<Diagnostic>> {
        let path = folder.join(name);
        let shown = path.display().to_string();
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Beside { shown, text }),
            Err(error) => {
                let beside = Beside { shown, text: String::new() };
                Err(vec![beside.problem(None, error.to_string(), purpose)])
            }
        }
    }

    fn problem(&self, at: Option<usize>, message: String, remedy: &str) -> Diagnostic {
        let line = at.map_or(0, |at| line_of(&self.text, at));
        Diagnostic { file: self.shown.clone(), line, message, remedy: remedy.to_owned() }
    }

    fn parse<'t, T: Deserialize<'t>>(&'t self, remedy: &str) -> Result<T, Vec<Diagnostic>> {
        toml::from_str(&self.text).map_err(|error| {
            vec![self.problem(error.span().map(|span| span.start), error.message().into(), remedy)]
        })
    }
}

/// Reads `index.toml` in `folder`.
fn syllabus(folder: &Path) -> Result<(Beside, IndexToml), Vec<Diagnostic>> {
    let file = Beside::read(folder, INDEX, "it lists the chapters and their lessons")?;
    let remedy = "a chapter has id, title and about in en and zh, lessons, and may have an \
                  exercise; a start know and lesson";
    let parsed = file.parse(remedy)?;
    Ok((file, parsed))
}

/// Reads the chapters that `index.toml` in `folder` lists, and none of their lessons.
pub fn read_chapters(folder: &Path) -> Result<Vec<Listed>, Vec<Diagnostic>> {
    let (_, parsed) = syllabus(folder)?;
    let listed = parsed.chapters.into_iter().map(|chapter| {
        let ChapterToml { id, title, mut lessons, exercise, .. } = chapter;
        lessons.extend(exercise.map(Spanned::into_inner));
        Listed { id, title, lessons }
    });
    Ok(listed.collect())
}

/// Reads `index.toml` and `glossary.toml` in `folder`, and every lesson that the former lists.
pub fn read_all(folder: &Path) -> Result<Course, Vec<Diagnostic>> {
    let (file, parsed) = syllabus(folder)?;
    let mut problems = Vec::new();
    let mut index = Index { format: FORMAT, ..Index::default() };
    let mut lessons: Vec<Written> = Vec::new();
    for chapter in parsed.chapters {
        let mut cards = Vec::new();
        for id in &chapter.lessons {
            match read_written(&folder.join(id)) {
                Ok(written) => {
                    cards.push(written.lesson.card());
                    lessons.push(written);
                }
                Err(found) => problems.extend(found),
            }
        }
        let ChapterToml { title, about, exercise, .. } = chapter;
        let mut mixed = None;
        if let Some(id) = exercise {
            match read_written(&folder.join(id.get_ref())) {
                Ok(written) => {
                    if !written.lesson.is_mixed() {
                        let message = format!("{} asks nothing about its variants", id.get_ref());
                        let remedy = "a mixed exercise has a quiz with keep = [\"a property\"]";
                        problems.push(file.problem(Some(id.span().start), message, remedy));
                    }
                    mixed = Some(Card { goal: Both::default(), ..written.lesson.card() });
                    lessons.push(written);
                }
                Err(found) => problems.extend(found),
            }
        }
        index.chapters.push(Chapter { title, about, lessons: cards, exercise: mixed });
    }
    // One that cannot be read is not missing.
    if !problems.is_empty() {
        return Err(problems);
    }
    let known = |id: &str| lessons.iter().any(|written| written.lesson.id == id);
    let folders = fs::read_dir(folder).into_iter().flatten().flatten();
    for name in folders.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name()) {
        let name = name.to_string_lossy();
        if !known(&name) {
            let message = format!("the folder {name} is in no chapter");
            let remedy = "add it to a chapter's lessons, make it its exercise, or remove it";
            problems.push(file.problem(None, message, remedy));
        }
    }
    for start in parsed.starts {
        let lesson = start.lesson.get_ref().clone();
        if !known(&lesson) {
            let message = format!("there is no lesson {lesson}");
            let at = Some(start.lesson.span().start);
            problems.push(file.problem(at, message, "name one of a chapter's lessons"));
        }
        index.starts.push(Start { know: start.know, lesson });
    }
    let glossary = match glossary(folder, &known) {
        Ok(glossary) => glossary,
        Err(found) => {
            problems.extend(found);
            Glossary::default()
        }
    };
    problems.extend(mentions(&mut lessons));
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Course { index, glossary, lessons })
}

/// Reads the glossary, sorted by English names, with each term's place among the Chinese ones.
/// Empty if there is no such file.
fn glossary(folder: &Path, known: &dyn Fn(&str) -> bool) -> Result<Glossary, Vec<Diagnostic>> {
    let mut glossary = Glossary { format: FORMAT, terms: Vec::new() };
    if !folder.join(GLOSSARY).exists() {
        return Ok(glossary);
    }
    let file = Beside::read(folder, GLOSSARY, "it explains the words of the field")?;
    let parsed: GlossaryToml =
        file.parse("a term has id, name, pinyin, about, and may have also, lesson")?;
    let mut sorted: Vec<_> = parsed.terms.iter().map(|row| row.pinyin.clone()).collect();
    sorted.sort();
    let mut problems = Vec::new();
    for row in parsed.terms {
        let id = row.id.get_ref().clone();
        let zh = sorted.partition_point(|pinyin| *pinyin < row.pinyin) as u32;
        let mut wrong = |at: usize, message: String, remedy: &str| {
            problems.push(file.problem(Some(at), message, remedy));
        };
        if glossary.terms.iter().any(|term| term.id == id) {
            wrong(row.id.span().start, format!("a second {id}"), "put both into one");
        }
        let lesson = row.lesson.as_ref().map(|lesson| lesson.get_ref().clone());
        if let Some(lesson) = lesson.as_ref().filter(|lesson| !known(lesson)) {
            let at = row.lesson.as_ref().map_or(0, |lesson| lesson.span().start);
            wrong(at, format!("there is no lesson {lesson}"), "name one of the syllabus");
        }
        let mut about = Both::default();
        for lang in Lang::ALL {
            match line_of_words(row.about.get_ref().get(lang)) {
                Some(words) => *about.get_mut(lang) = words,
                None => wrong(
                    row.about.span().start,
                    format!("the {} of {id} is not a line of words", lang.tag()),
                    "write one paragraph; `code`, **strong** and links are shown",
                ),
            }
        }
        glossary.terms.push(Term { id, name: row.name, also: row.also, about, lesson, zh });
    }
    glossary.terms.sort_by_key(|term| term.name.en.to_lowercase());
    if problems.is_empty() { Ok(glossary) } else { Err(problems) }
}

/// Parses one paragraph of Markdown.
fn line_of_words(text: &str) -> Option<Vec<Inline>> {
    let document = markdown::parse(text);
    match document.intro.as_slice() {
        [Block::Paragraph(inlines)] if document.unsupported.is_empty() => Some(inlines.clone()),
        _ => None,
    }
}

/// Checks that links lead to existing lessons, and fills in the evidence that they claim.
fn mentions(lessons: &mut [Written]) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for at in 0..lessons.len() {
        let mentions = std::mem::take(&mut lessons[at].mentions);
        for mention in &mentions {
            let Mention { file, line, lesson: id, variant, evidence } = mention;
            let mut wrong = |message: String, remedy: &str| {
                let (file, remedy) = (file.clone(), remedy.to_owned());
                problems.push(Diagnostic { file, line: *line, message, remedy });
            };
            let Some(other) = lessons.iter().position(|written| written.lesson.id == *id) else {
                wrong(format!("there is no lesson {id}"), "name one of the syllabus");
                continue;
            };
            if let Some(variant) = variant
                && lessons[other].lesson.variant(variant).is_none()
            {
                wrong(format!("{id} has no variant {variant}"), "name one of that lesson");
            }
            let Some((advice, place)) = *evidence else { continue };
            let guide = lessons[at].lesson.guide.as_ref();
            let found = guide.and_then(|guide| guide.advice.get(advice)?.because.get(place));
            let Some(asked) = found.cloned() else { continue };
            match testimony(&lessons[other].lesson, asked) {
                Ok(evidence) => {
                    let guide = lessons[at].lesson.guide.as_mut();
                    let place = guide.and_then(|guide| guide.advice[advice].because.get_mut(place));
                    place.into_iter().for_each(|place| *place = evidence.clone());
                }
                Err(why) => wrong(why, "name a variant of that lesson, and a property it expects"),
            }
        }
        lessons[at].mentions = mentions;
    }
    problems
}

/// Fills in the claim of `lesson` about the variant and property that `asked` names.
fn testimony(lesson: &Lesson, asked: Evidence) -> Result<Evidence, String> {
    let variant = lesson.variant(&asked.variant).map(|at| &lesson.variants[at]);
    let variant = variant.ok_or(format!("{} has no variant {}", lesson.id, asked.variant))?;
    let claims = variant.claims.iter().map(|claim| (claim, &lesson.properties[claim.property]));
    let (claim, property) =
        claims.into_iter().find(|(_, property)| property.id == asked.property).ok_or_else(
            || format!("{} of {} claims nothing of {}", asked.variant, lesson.id, asked.property),
        )?;
    let kind = match property.kind {
        Kind::Always => "always",
        Kind::Sometimes => "sometimes",
        Kind::Eventually => "eventually",
    };
    Ok(Evidence {
        holds: claim.holds,
        kind: kind.to_owned(),
        title: lesson.title.clone(),
        variant_label: variant.label.clone(),
        label: property.label.clone(),
        ..asked
    })
}
