//! The examples and templates of the playground: scenarios to continue with as one's own. Each is a
//! TOML file in `static/examples`, with its words in both languages; the page loads all of them as
//! one JSON file when their menu is opened.

use crate::from_json;
#[cfg(not(target_arch = "wasm32"))]
use crate::json::{Error, FromJson, Json};
use crate::text::Both;

use super::Own;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Example {
    /// The id of a template, to begin a scenario with; `None` for an example, which shows
    /// something.
    pub template: Option<bool>,
    pub title: Both<String>,
    pub about: Both<String>,
    pub scenario: Both<Own>,
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
    use crate::text::{Lang, tr};

    let root = super::toml::parse(source).map_err(|wrong| {
        (wrong.line, crate::text::fill(tr(Lang::En, wrong.what), &[&wrong.found]))
    })?;
    let whole = root.to_json();
    let scenario = |lang: Lang| {
        let title = root.get("title").map_or(Json::Null, super::toml::Item::to_json);
        let mut scenario = root.get("scenario").map_or(Json::Null, super::toml::Item::to_json);
        if let Json::Object(fields) = &mut scenario {
            fields.push(("title".to_owned(), title));
        }
        pick(scenario, lang.tag())
    };
    let both = Lang::ALL.map(|lang| (lang.tag().to_owned(), scenario(lang)));
    let Json::Object(fields) = whole else { return Err((0, "no table".to_owned())) };
    let mut fields: Vec<(String, Json)> =
        fields.into_iter().filter(|(name, _)| name != "scenario").collect();
    fields.push(("scenario".to_owned(), Json::Object(both.into())));
    let example = Json::Object(fields);
    let mut wrong = crate::json::Wrong::default();
    example.only(&["title", "about", "template", "scenario"], &mut wrong);
    wrong.into_result().map_err(|why| (0, why))?;
    let read = Example::from_json(example.clone()).map_err(|why: Error| (0, why))?;
    for lang in Lang::ALL {
        if let Err(mistakes) = read.scenario.get(lang).lesson() {
            let own = read.scenario.get(lang);
            let words: Vec<String> = mistakes.iter().map(|one| one.text(own, lang)).collect();
            return Err((0, words.join("; ")));
        }
    }
    Ok(example)
}

/// Replaces every pair of languages in `json` by the value for one of them.
#[cfg(not(target_arch = "wasm32"))]
fn pick(json: Json, tag: &str) -> Json {
    match json {
        Json::Object(mut fields) if fields.len() == 2 && fields.iter().any(|(n, _)| n == "zh") => {
            let at = fields.iter().position(|(name, _)| name == tag).unwrap_or(0);
            fields.swap_remove(at).1
        }
        Json::Object(fields) => {
            Json::Object(fields.into_iter().map(|(name, one)| (name, pick(one, tag))).collect())
        }
        Json::List(items) => Json::List(items.into_iter().map(|one| pick(one, tag)).collect()),
        other => other,
    }
}
