//! The invariant chips: each claim of the lesson, and its state at the present step of the run.

use std::rc::Rc;

use crate::lesson::Lesson;
use crate::sim::{Client, Frame, Kind, Scenario, World};
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
    /// An `always` that is true because ends have not come: `not all_done() or …`.
    Open,
    /// An `always` that has not been broken.
    Holds,
    /// An `always` that was broken at this step; no later step repairs it.
    Broken(usize),
    /// A `sometimes` or `eventually` that has come true.
    Reached(usize),
    NotYet,
    /// One that has not come true in a run that is over.
    NotHere,
}

/// The conditions that a presenter's bar has room for.
const PRESENTED: usize = 2;

/// Returns how many of them the presenter view leaves out in windows that have no room for all: of
/// those after the first two, it shows the broken ones (`.claim` in static/present.css).
pub fn left_out(chips: &[Chip]) -> usize {
    let is_broken = |chip: &&Chip| matches!(chip.state, ChipState::Broken(_));
    chips.iter().skip(PRESENTED).filter(|chip| !is_broken(chip)).count()
}

/// Returns one chip per property of the variant, at the cursor.
pub fn chips(session: &Session, lang: Lang) -> Vec<Chip> {
    let timeline = session.timeline();
    let frames = &timeline.frames()[..=timeline.cursor()];
    chips_of(session.lesson(), session.variant(), timeline.scenario(), frames, lang)
}

/// The same at the end of `frames`, a run of `scenario`, which is that of the variant.
pub fn chips_of(
    lesson: &Lesson,
    variant: usize,
    scenario: &Scenario,
    frames: &[Rc<Frame>],
    lang: Lang,
) -> Vec<Chip> {
    let properties = lesson.properties_of(variant).zip(&scenario.properties).enumerate();
    properties
        .map(|(index, (property, compiled))| {
            let decided = frames.last().and_then(|frame| *frame.decided.get(index)?);
            let world = frames.last().map(|frame| &frame.world);
            let state = match (property.kind, decided) {
                (Kind::Always, None) if world.is_some_and(|it| compiled.waits_for_ends(it)) => {
                    ChipState::Open
                }
                (Kind::Always, None) => ChipState::Holds,
                (Kind::Always, Some(step)) => ChipState::Broken(step),
                (_, None) if world.is_some_and(is_over) => ChipState::NotHere,
                (_, None) => ChipState::NotYet,
                (_, Some(step)) => ChipState::Reached(step),
            };
            let words = match state {
                ChipState::Open => tr(lang, Key::AlwaysOpen).to_owned(),
                ChipState::NotHere => tr(lang, Key::SometimesNotHere).to_owned(),
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

fn is_over(world: &World) -> bool {
    world.ids().all(|id| world.client(id).is_none_or(Client::is_over))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_condition_is_never_left_out() {
        let chip = |state| {
            let (id, label, words) = (String::new(), String::new(), String::new());
            Chip { id, label, state, words }
        };
        let left = |states: &[ChipState]| {
            left_out(&states.iter().map(|state| chip(*state)).collect::<Vec<_>>())
        };
        let [holds, broken] = [ChipState::Holds, ChipState::Broken(3)];
        assert_eq!(left(&[holds, holds]), 0);
        assert_eq!(left(&[broken, holds, holds, ChipState::NotYet]), 2);
        assert_eq!(left(&[holds, holds, broken, holds]), 1);
    }
}
