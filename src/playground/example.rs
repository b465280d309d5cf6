//! The examples and templates of the playground: scenarios to continue with as one's own. Each is a
//! TOML file in `static/examples`, with its words in both languages; the page loads all of them as
//! one JSON file when their menu is opened.

use crate::from_json;
use crate::text::Both;

use super::Definition;

#[cfg(not(target_arch = "wasm32"))]
use {
    super::{Mistake, MistakePlace},
    crate::json::{FromJson, Json},
    crate::scenario::Mistakes,
    crate::scenario::fields::Field,
    crate::scenario::toml,
    crate::scenario::tree::{Tree, Value},
    crate::text::{Key, Lang, fill, tr},
};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Example {
    /// The id of a template, to begin a scenario with; `None` for an example, which shows
    /// something.
    pub template: Option<bool>,
    pub title: Both<String>,
    pub about: Both<String>,
    pub scenario: Both<Definition>,
}

from_json!(Example { template, title, about, scenario });

/// The file that the page loads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Examples {
    pub examples: Vec<Example>,
}

from_json!(Examples { examples });

/// Compiles an example from its author's file. The error says what is wrong, and in which line if
/// that is known.
#[cfg(not(target_arch = "wasm32"))]
pub fn compile(source: &str) -> Result<Json, (u32, String)> {
    let root = toml::parse(source)
        .map_err(|wrong| (wrong.line, fill(tr(Lang::En, wrong.what), &[&wrong.found])))?;
    let mut wrong = Mistakes::new(MistakePlace::Whole, Key::OwnFolderRemedy);
    wrong.only(&root, &["title", "about", "template", "scenario"], &[]);
    let first = |mistakes: Vec<Mistake>, lang| {
        let lines = mistakes.iter().map(|one| one.line).find(|line| *line > 0);
        let words: Vec<String> = mistakes.iter().map(|one| one.what(lang)).collect();
        (lines.unwrap_or(0), words.join("; "))
    };
    if !wrong.found.is_empty() {
        return Err(first(wrong.found, Lang::En));
    }
    let mut both = Vec::new();
    for lang in Lang::ALL {
        let mut scenario = root.get("scenario").cloned().unwrap_or(Tree::table(0));
        if let Some(title) = root.get("title") {
            scenario.set("title", title.value.clone());
        }
        let scenario = pick(&scenario, lang.tag());
        let own = Definition::of_whole(&scenario, MistakePlace::Whole)
            .map_err(|wrong| first(wrong, lang))?;
        if let Err(mistakes) = own.lesson() {
            let words: Vec<String> = mistakes.iter().map(|one| one.text(&own, lang)).collect();
            return Err((0, words.join("; ")));
        }
        both.push((lang.tag().to_owned(), own.written()));
    }
    let fields = root.keeping(&["title", "about", "template"]).to_json();
    let Json::Object(mut fields) = fields else { return Err((0, "no table".to_owned())) };
    fields.push(("scenario".to_owned(), Json::Object(both)));
    let example = Json::Object(fields);
    Example::from_json(example.clone()).map(|_| example).map_err(|why| (0, why))
}

/// Replaces every pair of languages by the value for one of them.
#[cfg(not(target_arch = "wasm32"))]
fn pick(tree: &Tree, tag: &str) -> Tree {
    let value = match &tree.value {
        Value::Table(fields) if fields.len() == 2 && tree.get("zh").is_some() => {
            return tree.get(tag).unwrap_or(&fields[0].1).clone();
        }
        Value::Table(fields) => {
            Value::Table(fields.iter().map(|(name, one)| (name.clone(), pick(one, tag))).collect())
        }
        Value::List(items) => Value::List(items.iter().map(|one| pick(one, tag)).collect()),
        other => other.clone(),
    };
    Tree { line: tree.line, value }
}
