//! Lessons: the form in which they are sent to the page, and their conversion to worlds.
//!
//! Authors write a folder (`lesson.toml`, `*.lua`, `en.md`, `zh.md`, `exercise/`, `lens/`). The
//! `check` tool reads it ([`source`], native only), reports every mistake with file, line and
//! remedy ([`Diagnostic`]), verifies the lesson's claims ([`verify`]), grades the answers to its
//! exercise ([`grade`]), and compiles it to one JSON file. The page knows only [`Lesson`], so no
//! TOML or Markdown parser is shipped.
//!
//! To add a lesson, no Rust is needed: static/lessons/README.md. A field of a variant's world is a
//! row of [`scenario::def`](crate::scenario::def). To add another field, add a row to
//! `source::manifest`, its reader to `source`, a field to the struct here or in `parts` and to
//! its `from_json!`; increase [`FORMAT`] if an old page could not read the new form; and describe
//! it in the manual for authors.

mod answer;
mod crowd;
mod diagnostic;
pub mod grade;
mod parts;
mod rich;
#[cfg(not(target_arch = "wasm32"))]
pub mod source;
pub mod verify;

pub use answer::{ANSWER, Piece, no_piece};
pub use crowd::{CrowdDef, CrowdProgram, MeasureDef, job_of, processes};
pub use diagnostic::Diagnostic;
pub use parts::{
    Advice, Answer, Challenge, Evidence, Exercise, Flow, FlowEdge, FlowKind, FlowNode, Guide, Lens,
    Panels, Question, Quiz, Quorum, Words,
};
pub use rich::{Block, Inline, plain};

use serde::Serialize;

use crate::from_json;
use crate::lua;
use crate::scenario::{Definition, With};
use crate::sim::{Kind, Property, Scenario};
use crate::text::{Both, Lang};

/// Grows if an old page cannot read a new file.
pub const FORMAT: u32 = 5;

/// The id of the lesson that the playground makes of a learner's scenario; no folder has it.
pub const OWN: &str = "playground";

/// Returns whether the text can be a lesson's id, which is a folder's name. Any other text must not
/// become part of a path.
pub fn is_id(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// The syllabus: `lessons/index.json`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Index {
    pub format: u32,
    pub chapters: Vec<Chapter>,
    /// Where to start, depending on what the reader knows.
    pub starts: Vec<Start>,
}

from_json!(Index { format, chapters, starts });

impl Index {
    /// The lessons of all chapters, in order, after those of a chapter its mixed exercise.
    #[inline(never)]
    pub fn lessons(&self) -> std::vec::IntoIter<&Card> {
        // A list, not a chain of iterators: every use of that would be compiled by itself.
        let mut cards = Vec::new();
        for chapter in &self.chapters {
            cards.extend(chapter.cards());
        }
        cards.into_iter()
    }
}

/// A reader's own words for what they know, and the lesson to start with then.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Start {
    pub know: Both<String>,
    pub lesson: String,
}

from_json!(Start { know, lesson });

/// The terms of the field: `lessons/glossary.json`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Glossary {
    pub format: u32,
    pub terms: Vec<Term>,
}

from_json!(Glossary { format, terms });

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Term {
    pub id: String,
    pub name: Both<String>,
    /// Synonyms.
    pub also: Both<Vec<String>>,
    pub about: Both<Vec<Inline>>,
    /// The lesson that explains it.
    pub lesson: Option<String>,
    /// Its place in the order of the Chinese names; terms stand in that of the English ones.
    pub zh: u32,
}

from_json!(Term { id, name, also, about, lesson, zh });

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Chapter {
    pub title: Both<String>,
    /// The subject of the chapter, in a sentence.
    pub about: Both<String>,
    pub lessons: Vec<Card>,
    /// The mixed exercise at its end, a lesson too. Its goal stays out of the list: every visitor
    /// would load it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exercise: Option<Card>,
}

from_json!(Chapter { title, about, lessons, exercise });

impl Chapter {
    /// The lessons, and the mixed exercise.
    pub fn cards(&self) -> impl Iterator<Item = &Card> {
        self.lessons.iter().chain(&self.exercise)
    }
}

/// An entry of the list of lessons.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Card {
    pub id: String,
    pub title: Both<String>,
    pub goal: Both<Vec<Inline>>,
    pub minutes: u32,
    pub variants: usize,
    /// The parts of the lesson, in order, by their names in links.
    pub parts: Vec<String>,
}

from_json!(Card { id, title, goal, minutes, variants, parts });

/// A complete lesson: `lessons/<id>.json`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Lesson {
    pub format: u32,
    pub id: String,
    pub minutes: u32,
    pub title: Both<String>,
    /// The goal in one sentence.
    pub goal: Both<Vec<Inline>>,
    pub intro: Both<Vec<Block>>,
    pub programs: Vec<Program>,
    pub properties: Vec<PropertyDef>,
    pub variants: Vec<Variant>,
    pub walks: Vec<Walk>,
    pub challenge: Option<Challenge>,
    pub exercise: Option<Exercise>,
    pub quizzes: Vec<Quiz>,
    pub lenses: Vec<Lens>,
    pub flows: Vec<Flow>,
    pub panels: Panels,
    /// A misconception, and the correction.
    pub misconception: Option<Words>,
    /// Advice for the reader's own code.
    pub notes: Option<Words>,
    pub reading: Option<Words>,
    /// A guide to a decision, which replaces variants.
    pub guide: Option<Guide>,
    /// Variants that stand in other lessons now.
    pub moved: Vec<Moved>,
    /// The crowd, if the lesson has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crowd: Option<CrowdDef>,
}

from_json!(Lesson {
    format,
    id,
    minutes,
    title,
    goal,
    intro,
    programs,
    properties,
    variants,
    walks,
    challenge,
    exercise,
    quizzes,
    lenses,
    flows,
    panels,
    misconception,
    notes,
    reading,
    guide,
    moved,
    crowd,
});

/// A variant that stands in another lesson now; links to it lead there.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Moved {
    pub variant: String,
    /// The lesson that has it now, or one like it.
    pub lesson: String,
    /// Its id there.
    pub to: String,
}

from_json!(Moved { variant, lesson, to });

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Program {
    /// The file name, such as `naive.lua`; shown in the card's head and in error messages.
    pub file: String,
    pub source: String,
}

from_json!(Program { file, source });

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PropertyDef {
    pub id: String,
    pub kind: Kind,
    /// The condition, a Lua expression, see [`crate::sim::Property`].
    pub check: String,
    pub label: Both<String>,
}

from_json!(PropertyDef { id, kind, check, label });

/// One implementation of the lesson's task.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Variant {
    pub id: String,
    pub label: Both<String>,
    pub about: Both<Vec<Block>>,
    /// The author's claims about it, one for each property.
    pub claims: Vec<Claim>,
    /// The number of distinct states, if the lesson pins it.
    pub states: Option<u64>,
    /// Its world, without title, programs and properties: these are the lesson's, and a client's
    /// program is an index of the lesson's list.
    pub world: Definition,
}

from_json!(Variant { id, label, about, claims, states, world });

impl Variant {
    /// Returns by client the index of its program in the lesson's list.
    pub fn programs(&self) -> impl ExactSizeIterator<Item = usize> + Clone {
        self.world.clients.iter().map(|client| client.program)
    }
}

/// The answer that a complete search must give for one property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The index of the property in the lesson's list.
    pub property: usize,
    pub holds: bool,
    /// The fewest steps to the violation (`always`) or the example (`sometimes`).
    pub steps: Option<usize>,
}

from_json!(Claim { property, holds, steps });

/// A guided walk: a schedule of a variant with words for each step.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Walk {
    pub id: String,
    pub variant: usize,
    pub schedule: String,
    pub title: Both<String>,
    /// The texts: one for the start, and one for each step.
    pub steps: Both<Vec<Vec<Block>>>,
    /// The step whose outcome the reader has to predict.
    pub stop: Option<Stop>,
}

from_json!(Walk { id, variant, schedule, title, steps, stop });

/// A step of a story before which the reader is asked for its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stop {
    /// The step, from 1.
    pub step: usize,
    pub asked: StopQuestion,
    /// The choices: the outcomes that the clients can meet there in any order.
    pub choices: Vec<String>,
    /// The index of the right choice.
    pub right: usize,
}

from_json!(Stop { step, asked, choices, right });

/// The question: the value of a key after a command, or the reply to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StopQuestion {
    /// The letter of the client.
    pub client: String,
    /// The program's line of the command, from 1; 0 if the question is about a key.
    pub line: u32,
    pub key: Option<String>,
    /// The command's name.
    pub command: String,
}

from_json!(StopQuestion { client, line, key, command });

impl Lesson {
    /// Returns the variant called `id`.
    pub fn variant(&self, id: &str) -> Option<usize> {
        self.variants.iter().position(|variant| variant.id == id)
    }

    pub fn walk(&self, id: &str) -> Option<usize> {
        self.walks.iter().position(|walk| walk.id == id)
    }

    /// Returns true for the mixed exercise of a chapter: it asks which of its variants do what is
    /// wanted.
    pub fn is_mixed(&self) -> bool {
        self.quizzes.iter().any(|quiz| quiz.variant.is_none())
    }

    /// Returns true if it begins with a situation, which a story or a question about the variants
    /// follows.
    pub fn has_situation(&self) -> bool {
        !self.intro.en.is_empty() && (!self.walks.is_empty() || self.is_mixed())
    }

    /// Returns the first walk through `variant`.
    pub fn walk_of(&self, variant: usize) -> Option<usize> {
        self.walks.iter().position(|walk| walk.variant == variant)
    }

    /// Returns the properties of `variant`, in the order of its scenario.
    pub fn properties_of(&self, variant: usize) -> impl Iterator<Item = &PropertyDef> {
        let claims = self.variants.get(variant).map(|v| v.claims.as_slice()).unwrap_or_default();
        claims.iter().filter_map(|claim| self.properties.get(claim.property))
    }

    /// Returns the program of client `client` in `variant`.
    pub fn program(&self, variant: usize, client: usize) -> Option<&Program> {
        self.programs.get(self.variants.get(variant)?.world.clients.get(client)?.program)
    }

    /// Returns the variant's initial world and properties, followed by the property that no program
    /// ends with an error. `Err` is an author's mistake, in words.
    pub fn scenario(&self, variant: usize) -> Result<Scenario, String> {
        let def = self.variants.get(variant).ok_or("there is no such variant")?;
        let compiled = |at: usize, with: &With| {
            let program = self.programs.get(at).ok_or("a client has no program")?;
            let chunk = lua::compile(with.program(&program.source).as_bytes(), &program.file);
            chunk.map_err(|error| error.to_string())
        };
        let properties = self.properties_of(variant).map(|property| {
            Property::new(property.kind, &property.check, &property.id).map_err(|e| e.to_string())
        });
        let scenario = def.world.start(compiled, properties.collect::<Result<_, _>>()?)?;
        Ok(scenario.asked_for_errors())
    }

    /// Returns this lesson's entry in the list.
    pub fn card(&self) -> Card {
        Card {
            id: self.id.clone(),
            title: self.title.clone(),
            goal: self.goal.clone(),
            minutes: self.minutes,
            variants: self.variants.len(),
            parts: self.parts().into_iter().map(str::to_owned).collect(),
        }
    }

    /// Returns the parts that the lesson has, in order.
    fn parts(&self) -> Vec<&'static str> {
        let is_run = !self.variants.is_empty();
        let parts = [
            ("situation", self.has_situation()),
            ("watch", !self.walks.is_empty()),
            ("break", self.challenge.is_some()),
            ("find", is_run),
            ("fix", self.exercise.is_some()),
            ("review", is_run && !self.quizzes.is_empty()),
        ];
        parts.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect()
    }

    /// Returns the text of a walk's step; empty past its end.
    pub fn walk_step(&self, walk: usize, step: usize, lang: Lang) -> &[Block] {
        let steps = self.walks.get(walk).map(|walk| walk.steps.get(lang));
        steps.and_then(|steps| steps.get(step)).map(Vec::as_slice).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_no_id() {
        assert!(is_id("lost-update") && is_id("redlock2"));
        assert!(!is_id("../index") && !is_id("a/b") && !is_id("a.json") && !is_id("Lock"));
    }
}
