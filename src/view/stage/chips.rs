//! The invariant chips: each claim of the lesson, and its state at the present step of the run.

use std::rc::Rc;

use crate::lesson::Lesson;
use crate::sim::{Frame, Kind};
use crate::text::{Key, Lang, fill, tr};

use crate::session::Session;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chip {
    pub id: String,
    pub label: String,
    pub state: ChipState,
    /// The state in words: "broken at step 4".
    pub words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChipState {
    /// An `always` that has not been broken.
    Holds,
    /// An `always` that was broken at this step; no later step repairs it.
    Broken(usize),
    /// A `sometimes` or `eventually` that has come true.
    Reached(usize),
    NotYet,
}

/// Returns one chip per property of the variant, at the cursor.
pub fn chips(session: &Session, lang: Lang) -> Vec<Chip> {
    let timeline = session.timeline();
    let frames = &timeline.frames()[..=timeline.cursor()];
    chips_of(session.lesson(), session.variant(), frames, lang)
}

/// The same at the end of `frames`.
pub fn chips_of(lesson: &Lesson, variant: usize, frames: &[Rc<Frame>], lang: Lang) -> Vec<Chip> {
    let properties = lesson.properties_of(variant).enumerate();
    properties
        .map(|(index, property)| {
            let decided = frames.last().and_then(|frame| *frame.decided.get(index)?);
            let state = match (property.kind, decided) {
                (Kind::Always, None) => ChipState::Holds,
                (Kind::Always, Some(step)) => ChipState::Broken(step),
                (_, None) => ChipState::NotYet,
                (_, Some(step)) => ChipState::Reached(step),
            };
            let words = match state {
                ChipState::Holds => tr(lang, Key::AlwaysHolds).to_owned(),
                ChipState::Broken(step) => fill(tr(lang, Key::AlwaysBroken), &[&step.to_string()]),
                ChipState::Reached(step) => {
                    fill(tr(lang, Key::SometimesReached), &[&step.to_string()])
                }
                ChipState::NotYet => tr(lang, Key::SometimesNotYet).to_owned(),
            };
            let label = property.label.get(lang).clone();
            Chip { id: property.id.clone(), label, state, words }
        })
        .collect()
}
