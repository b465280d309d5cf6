//! Checks the prose against the manifest: every section belongs to something, every part that needs
//! text has it in both languages, and code in it is executed or compiled.

use crate::lesson::{Block, Words};
use crate::lua;
use crate::sim::Frame;
use crate::text::{Both, Lang};

use super::build::Builder;
use super::manifest::Manifest;
use super::markdown::{self, Document, Fence, Section};
use super::{placeholders, transcript};

/// Sections that are optional, whatever the manifest says.
const FREE: [&str; 3] = ["misconception", "notes", "reading"];

/// The languages of code blocks. The first two are executed and compiled.
const LANGUAGES: [&str; 14] = [
    "redis", "lua", "", "text", "sh", "java", "python", "go", "rust", "js", "sql", "toml", "json",
    "xml",
];

/// Returns the name of the file with the prose of a language.
pub fn md(lang: Lang) -> String {
    format!("{}.md", lang.tag())
}

/// The frames from which a quiz's text takes its values: the state shown, and the one after.
pub struct Frames<'f> {
    pub label: &'f Frame,
    pub body: &'f Frame,
}

impl Builder<'_> {
    pub fn documents(&mut self) -> Option<Both<Document>> {
        let mut documents = Both::default();
        let mut whole = true;
        for lang in Lang::ALL {
            let file = md(lang);
            let Some(text) = self.files.get(&file) else {
                let remedy = "every lesson is written in English (en.md) and Chinese (zh.md)";
                self.problem(&file, 0, "the file is missing".into(), remedy);
                whole = false;
                continue;
            };
            let document = markdown::parse(text);
            for (line, what) in &document.unsupported {
                let remedy = "paragraphs, lists, code, **strong**, *emphasis* and links are shown";
                self.problem(&file, *line, format!("{what} cannot be shown"), remedy);
            }
            self.links_safe(&file, &document);
            for fence in &document.fences {
                self.fence(&file, fence);
            }
            *documents.get_mut(lang) = document;
        }
        whole.then_some(documents)
    }

    fn links_safe(&mut self, file: &str, document: &Document) {
        for (line, href) in &document.links {
            if !["https://", "http://", "#"].iter().any(|start| href.starts_with(start)) {
                let message = format!("a link leads to {href}");
                let remedy = "begin it with https://, or with #lesson= for another lesson";
                self.problem(file, *line, message, remedy);
            }
        }
    }

    /// Checks a code block: transcripts are executed, Lua is compiled.
    fn fence(&mut self, file: &str, fence: &Fence) {
        match fence.info.as_str() {
            "redis" => {
                for (offset, message) in transcript::mistakes(&fence.text) {
                    let remedy = "a line \"> SET a 1\" is a command, the lines after it its reply";
                    self.problem(file, fence.line + offset, message, remedy);
                }
            }
            "lua" => {
                if let Err(error) = lua::compile(fence.text.as_bytes(), file) {
                    let line = fence.line + error.line as usize - 1;
                    self.problem(file, line, error.message(), "a block of Lua is Lua 5.1");
                }
            }
            info if LANGUAGES.contains(&info) => {}
            info => {
                let message = format!("{info} is no language of a code block");
                let known = LANGUAGES.iter().filter(|known| !known.is_empty());
                let known: Vec<&str> = known.copied().collect();
                let remedy = format!("there are: {}", known.join(", "));
                self.problem(file, fence.line.saturating_sub(1), message, &remedy);
            }
        }
    }

    pub fn per_language<T: Default>(
        &self,
        documents: &Both<Document>,
        part: impl Fn(&Document) -> T,
    ) -> Both<T> {
        Both { en: part(&documents.en), zh: part(&documents.zh) }
    }

    /// Checks that every section belongs to something, and no two to the same.
    pub fn sections_known(&mut self, manifest: &Manifest, documents: &Both<Document>) {
        let keys = keys(manifest);
        for lang in Lang::ALL {
            let mut seen: Vec<&str> = Vec::new();
            for section in &documents.get(lang).sections {
                let (line, key) = (section.line, section.key.as_str());
                if !keys.iter().any(|known| known == key) {
                    let remedy = format!("there can be: {}", keys.join(", "));
                    self.problem(&md(lang), line, format!("\"{key}\" is nothing here"), &remedy);
                } else if seen.contains(&key) {
                    let remedy = "put both texts into one section";
                    self.problem(&md(lang), line, format!("a second section for {key}"), remedy);
                }
                let mixed = manifest.quizzes.iter().filter(|row| row.keep.is_some());
                let mut mixed = mixed.map(|row| format!("quiz {}", row.id.get_ref()));
                let has_steps = key.starts_with("walk ") || mixed.any(|known| known == key);
                if let Some(step) = section.steps.first().filter(|_| !has_steps) {
                    let message = format!("\"{}\" stands under {key}", step.heading);
                    let remedy = "only a walk has steps, ### 0 …, and a quiz with keep variants";
                    self.problem(&md(lang), step.line, message, remedy);
                }
                seen.push(key);
            }
        }
    }

    /// Returns the section called `key` in each language; a missing one is reported.
    pub fn section<'d>(
        &mut self,
        documents: &'d Both<Document>,
        key: &str,
    ) -> Both<Option<&'d Section>> {
        let mut found = Both::default();
        for lang in Lang::ALL {
            let mut sections = documents.get(lang).sections.iter();
            let section = sections.find(|section| section.key == key && !section.label.is_empty());
            if section.is_none() {
                let message = format!("there is no section for {key}, or it has no label");
                self.problem(&md(lang), 0, message, &format!("add \"## {key}: its label\""));
            }
            *found.get_mut(lang) = section;
        }
        found
    }

    /// Returns label and body of the section called `key`, with values from `frames` if it is about
    /// a state.
    pub fn words(
        &mut self,
        documents: &Both<Document>,
        key: &str,
        frames: Option<&Frames<'_>>,
    ) -> Words {
        let sections = self.section(documents, key);
        let mut words = Words::default();
        for lang in Lang::ALL {
            let Some(section) = sections.get(lang) else { continue };
            if section.body.is_empty() {
                let message = format!("there is nothing under {key}");
                self.problem(&md(lang), section.line, message, "write a sentence or two there");
            }
            let mut body = section.body.clone();
            let mut label = section.label.clone();
            let missing = match frames {
                Some(frames) => fill(&mut label, &mut body, frames),
                None => placeholders::places(&body),
            };
            for place in missing {
                let message = match frames {
                    Some(_) => format!("{place} has no value there"),
                    None => format!("{place} stands where there is no state to take it from"),
                };
                self.problem(&md(lang), section.line, message, placeholders::KINDS);
            }
            *words.label.get_mut(lang) = label;
            *words.body.get_mut(lang) = body;
        }
        words
    }

    /// The same for an optional section. If one language has it, both must.
    pub fn free_words(&mut self, documents: &Both<Document>, key: &str) -> Option<Words> {
        let has = |lang: Lang| documents.get(lang).sections.iter().any(|s| s.key == key);
        Lang::ALL.into_iter().any(has).then(|| self.words(documents, key, None))
    }
}

fn fill(label: &mut String, body: &mut [Block], frames: &Frames<'_>) -> Vec<String> {
    let mut missing = placeholders::fill_blocks(body, frames.body);
    match placeholders::fill_text(label, frames.label) {
        Ok(filled) => *label = filled,
        Err(places) => missing.extend(places),
    }
    missing
}

/// Returns the keys of the sections that the prose may have.
fn keys(manifest: &Manifest) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let mut add = |kind: &str, id: &toml::Spanned<String>| {
        keys.push(format!("{kind} {}", id.get_ref()));
    };
    manifest.variants.iter().for_each(|row| add("variant", &row.id));
    manifest.properties.iter().for_each(|row| add("property", &row.id));
    manifest.walks.iter().for_each(|row| add("walk", &row.id));
    manifest.quizzes.iter().for_each(|row| add("quiz", &row.id));
    manifest.advice.iter().for_each(|row| add("advice", &row.id));
    keys.extend(manifest.challenge.iter().map(|_| "challenge".to_owned()));
    keys.extend(manifest.exercise.iter().map(|_| "exercise".to_owned()));
    keys.extend(FREE.map(str::to_owned));
    keys
}

/// Returns the lessons that links in the prose lead to: file, line and id.
pub fn mentions(documents: &Both<Document>) -> impl Iterator<Item = (String, usize, &str)> {
    Lang::ALL.into_iter().flat_map(move |lang| {
        documents.get(lang).links.iter().filter_map(move |(line, href)| {
            let parameters = href.strip_prefix('#')?.split('&');
            let id = parameters.filter_map(|one| one.strip_prefix("lesson=")).next()?;
            Some((md(lang), *line, id))
        })
    })
}
