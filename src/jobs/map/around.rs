//! The surroundings of a run's end, exactly: the steps that come next, and those after them, each
//! with what is known of the state it leads to.

use crate::session::spelling::{call_text_at, shortened};
use crate::sim::{Action, Timeline, World, schedule};

use super::{Atlas, Spot};

/// The most steps that are named in each of the two lists.
pub const SHOWN_MAX: usize = 7;
/// The most characters of a step's name.
const LABEL_MAX: usize = 40;

/// A step, and what is known of the state it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearby {
    /// `B GET balance`; a step that no client makes as links write it.
    pub label: String,
    pub spot: Spot,
}

/// The next two steps, nearest to a break first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Around {
    pub next: Vec<Nearby>,
    pub after: Vec<Nearby>,
    /// The number of all next steps, and of all states that the steps after them lead to.
    pub next_count: u32,
    pub after_count: u32,
}

impl Atlas {
    /// Returns the surroundings of the end of a run, which `timeline` is at the end of; `None` if
    /// the search does not have the run's steps.
    pub fn around(&self, run: &[Action], timeline: &Timeline) -> Option<Around> {
        let space = &self.mapped.space;
        let states = self.mapped.follow(run.iter().copied());
        let here = *states.last().filter(|_| states.len() == run.len() + 1)?;
        let far = |state: u32| self.mapped.fates.distance(state).unwrap_or(u16::MAX);
        let mut next = space.of(here).to_vec();
        next.sort_by_key(|(_, to)| far(*to));
        let mut after: Vec<(Action, Action, u32)> = Vec::new();
        for (first, to) in next.iter().filter(|(_, to)| far(*to) > 0) {
            for (second, end) in space.of(*to) {
                if !after.iter().any(|(.., own)| own == end) {
                    after.push((*first, *second, *end));
                }
            }
        }
        after.sort_by_key(|(.., to)| far(*to));
        let (next_count, after_count) = (next.len() as u32, after.len() as u32);
        let nearby = |timeline: &Timeline, action: Action, to: u32| {
            let label = label(timeline, action)?;
            Some(Nearby { label, spot: self.spot(to, None) })
        };
        let stepped = |first: Action| {
            let mut timeline = timeline.clone();
            timeline.step(first).ok().map(|_| timeline)
        };
        let next = next.into_iter().take(SHOWN_MAX);
        let after = after.into_iter().take(SHOWN_MAX);
        Some(Around {
            next: next.filter_map(|(action, to)| nearby(timeline, action, to)).collect(),
            after: after
                .filter_map(|(first, second, to)| nearby(&stepped(first)?, second, to))
                .collect(),
            next_count,
            after_count,
        })
    }
}

/// Returns the name of a step; `None` if it cannot happen.
fn label(timeline: &Timeline, action: Action) -> Option<String> {
    let world: &World = timeline.world();
    let runs = action.runs().filter(|_| !matches!(action, Action::Arrive(..)));
    let client = runs.and_then(|id| world.clients().get(id.index()).map(|one| (id, one)));
    let text = match client.and_then(|(id, client)| Some((id, client.call()?))) {
        Some((id, call)) => format!("{} {}", id.letter(), call_text_at(call, world)),
        None => written(timeline, action)?,
    };
    Some(shortened(&text, LABEL_MAX))
}

/// Returns a step from the end of a timeline as links write it; `None` if it cannot happen.
pub(super) fn written(timeline: &Timeline, action: Action) -> Option<String> {
    let mut after = timeline.clone();
    after.step(action).ok()?;
    Some(schedule::write(after.frames().last()?.token?, timeline.world().setting()))
}
