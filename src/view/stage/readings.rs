//! The readings of a program: its own Lua, the same in other languages, and its flow chart.
//!
//! To add a language, add its row here, a grammar in `view::highlight`, and its extension in
//! `lesson::source::lens`.

use std::rc::Rc;

use crate::lesson::{Lens, Lesson, Variant};
use crate::view::highlight::{self, Kind};

/// The [`Face`] of the programs' own language.
pub const LUA: &str = "lua";
/// The [`Face`] of the flow chart.
pub const FLOW: &str = "flow";

/// A form in which a program can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Face {
    /// [`LUA`], [`FLOW`], or a file extension such as `java`.
    pub id: &'static str,
    /// The name of the language; the page has the word for a flow chart.
    pub label: &'static str,
}

/// The forms in which a program can be shown, and the one that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faces {
    pub all: Rc<[Face]>,
    pub shown: &'static str,
}

/// File extensions and their languages, in the order of the choice.
pub const LANGUAGES: [Face; 6] = [
    Face { id: "java", label: "Java" },
    Face { id: "py", label: "Python" },
    Face { id: "mjs", label: "Node.js" },
    Face { id: "go", label: "Go" },
    Face { id: "cs", label: "C#" },
    Face { id: "rs", label: "Rust" },
];

/// Returns the program's text in the language `face`; `None` if it has none, as Lua has none.
pub fn lens<'l>(lesson: &'l Lesson, program: usize, face: &str) -> Option<&'l Lens> {
    let mut lenses = lesson.lenses.iter().filter(|lens| lens.program == program);
    lenses.find(|lens| lens.extension() == face)
}

/// Returns the lines of a text in another language, in their colours.
pub fn lines(lens: &Lens) -> Vec<Vec<(Kind, String)>> {
    highlight::lines_of(&lens.source, highlight::grammar(lens.extension()))
}

/// Returns the forms of a program. `face` is the one asked for; without it, Lua is shown.
pub fn faces(lesson: &Lesson, program: usize, face: &str) -> Faces {
    let mut all = vec![Face { id: LUA, label: "Lua" }];
    all.extend(LANGUAGES.into_iter().filter(|one| lens(lesson, program, one.id).is_some()));
    if lesson.flows.iter().any(|flow| flow.program == program) {
        all.push(Face { id: FLOW, label: "" });
    }
    let shown = all.iter().find(|one| one.id == face).map_or(LUA, |one| one.id);
    Faces { all: all.into(), shown }
}

/// Returns the form in which the programs of a variant are shown: the one asked for, if one of them
/// has it.
pub fn of_variant(lesson: &Lesson, variant: usize, face: &str) -> &'static str {
    let programs = lesson.variants.get(variant).into_iter().flat_map(Variant::programs);
    let mut shown = programs.map(|program| faces(lesson, program, face).shown);
    shown.find(|shown| *shown == face).unwrap_or(LUA)
}

impl Faces {
    /// Returns the same without the flow chart, for a listing that is not stepped.
    pub fn written(self) -> Faces {
        let all = self.all.iter().filter(|one| one.id != FLOW).cloned().collect();
        Faces { all, shown: if self.shown == FLOW { LUA } else { self.shown } }
    }
}
