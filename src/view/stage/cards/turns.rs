//! Records, for each step of a run, the lines that its programs ran. A run grows by a frame, or is
//! cut and grows again; every frame is read once, and the record of any step is found without
//! reading the earlier ones.

use super::in_short;
use crate::lua::Turned;
use crate::sim::{ClientId, Frame, Run, Timeline, shared_frames};
use crate::view::short::began_ms;

/// The turns of all clients in a run.
#[derive(Debug, Default)]
pub struct Turns {
    run: Run,
    of: Vec<Turn>,
}

/// The turns of one client.
#[derive(Debug)]
pub struct Turn {
    client: ClientId,
    /// The steps at which its program ran.
    steps: Vec<usize>,
    /// The variables of its lines, in the order in which they were first set.
    slots: Vec<Slot>,
}

/// A variable at a line.
#[derive(Debug)]
struct Slot {
    line: u32,
    name: String,
    /// Each assignment: the step, and its place within the step.
    set: Vec<(usize, WithinStep)>,
}

/// The index of the program among those that ran at a step, and of the variable among those it set.
type WithinStep = (u16, u16);

/// A variable with its value at a step.
pub struct Value<'r> {
    pub line: u32,
    pub name: &'r str,
    pub value: &'r str,
    /// The step that set it.
    pub step: usize,
    /// True if no other line has set the variable since, and no later turn of a loop has begun
    /// around the line.
    pub is_current: bool,
}

impl Turns {
    /// Follows the run to its end, from the point where it differs from the one followed so far.
    pub fn follow(&mut self, timeline: &Timeline) {
        let run = timeline.run();
        let shared = shared_frames(&self.run, run);
        if shared < self.run.len() {
            self.of.iter_mut().for_each(|one| one.cut(shared));
        }
        for (step, frame) in run.iter().enumerate().skip(shared) {
            self.see(step, frame);
        }
        self.run = run.clone();
    }

    fn see(&mut self, step: usize, frame: &Frame) {
        for (place, ran) in frame.seen.ran.iter().enumerate() {
            let known = self.of.iter().position(|one| one.client == ran.client);
            let at = known.unwrap_or_else(|| {
                let (steps, slots) = (Vec::new(), Vec::new());
                self.of.push(Turn { client: ran.client, steps, slots });
                self.of.len() - 1
            });
            let turn = &mut self.of[at];
            if turn.steps.last() != Some(&step) {
                turn.steps.push(step);
            }
            for (number, assigned) in ran.trace.assigned.iter().enumerate() {
                let set = (step, (place as u16, number as u16));
                let mut slots = turn.slots.iter_mut();
                let is_it =
                    |slot: &&mut Slot| slot.line == assigned.line && slot.name == assigned.name;
                match slots.find(is_it) {
                    Some(slot) => slot.set.push(set),
                    None => turn.slots.push(Slot {
                        line: assigned.line,
                        name: assigned.name.clone(),
                        set: vec![set],
                    }),
                }
            }
        }
    }

    fn of(&self, client: ClientId) -> Option<&Turn> {
        self.of.iter().find(|one| one.client == client)
    }

    /// Returns the steps up to `step` at which a client's program ran.
    fn steps(&self, client: ClientId, step: usize) -> &[usize] {
        let steps = self.of(client).map(|one| one.steps.as_slice()).unwrap_or_default();
        &steps[..steps.partition_point(|one| *one <= step)]
    }

    /// Returns the last of these steps.
    pub fn last(&self, client: ClientId, step: usize) -> Option<usize> {
        self.steps(client, step).last().copied()
    }

    /// Returns the line that ran last, up to `step`; the line `next` has only begun. Lines that ran
    /// before the first step do not count.
    pub fn ran(&self, client: ClientId, step: usize, next: Option<u32>) -> Option<u32> {
        let steps = self.steps(client, step).iter().rev();
        steps.filter(|step| **step > 0).find_map(|step| {
            let ran = self.run.get(*step)?.seen.ran.iter().rev();
            let mut lines = ran
                .filter(|ran| ran.client == client)
                .flat_map(|ran| ran.trace.lines.iter().rev().copied());
            lines.find(|line| Some(*line) != next)
        })
    }

    /// Returns the turns that a client's program began after one of its runs, up to `step`.
    fn turns_after(
        &self,
        client: ClientId,
        (at, place): (usize, usize),
        step: usize,
    ) -> impl Iterator<Item = &Turned> {
        let steps = self.steps(client, step);
        let steps = &steps[steps.partition_point(|one| *one < at)..];
        let frames = steps.iter().filter_map(|one| Some((*one, self.run.get(*one)?)));
        let ran = frames.flat_map(move |(step, frame)| {
            let skipped = if step == at { place + 1 } else { 0 };
            frame.seen.ran.iter().skip(skipped)
        });
        ran.filter(move |ran| ran.client == client).flat_map(|ran| ran.trace.turns_from(0))
    }

    /// Returns the values of the variables up to `step`, in the order in which they were first set.
    pub fn values(&self, client: ClientId, step: usize) -> impl Iterator<Item = Value<'_>> {
        let slots = self.of(client).map(|one| one.slots.as_slice()).unwrap_or_default();
        let last = move |slot: &Slot| {
            let count = slot.set.partition_point(|(at, _)| *at <= step);
            slot.set[..count].last().copied()
        };
        slots.iter().filter_map(move |slot| {
            let set = last(slot)?;
            let (at, (ran, number)) = set;
            let later = |other: &Slot| other.name == slot.name && last(other) > Some(set);
            let place = usize::from(ran);
            let ran = self.run.get(at)?.seen.ran.get(place)?;
            let assigned = ran.trace.assigned.get(usize::from(number))?;
            // What was set before the loop, too, goes through all of its turns.
            let is_new = |turn: &Turned| {
                let before = |one: &Slot| one.name == slot.name && one.line < turn.first;
                (turn.first..=turn.last).contains(&slot.line) && !slots.iter().any(before)
            };
            let mut turns = ran.trace.turns_from(assigned.turns);
            let is_current = !slots.iter().any(later)
                && !turns.any(is_new)
                && !self.turns_after(client, (at, place), step).any(is_new);
            Some(Value {
                line: slot.line,
                name: &slot.name,
                value: &assigned.value,
                step: at,
                is_current,
            })
        })
    }
}

impl Turns {
    /// Returns the variables that a client's lines have set: line, name, characters of the longest
    /// value.
    pub fn room(&self, client: ClientId) -> Vec<(u32, String, usize)> {
        let mut room: Vec<(u32, String, usize)> = Vec::new();
        let began_ms = began_ms(&self.run);
        for step in 0..self.run.len() {
            for set in self.values(client, step).filter(|set| set.is_current) {
                let short = in_short(set.value, began_ms);
                let chars = short.as_deref().unwrap_or(set.value).chars().count();
                match room.iter_mut().find(|one| one.0 == set.line && one.1 == set.name) {
                    Some(one) => one.2 = one.2.max(chars),
                    None => room.push((set.line, set.name.to_owned(), chars)),
                }
            }
        }
        room
    }
}

impl Turn {
    /// Forgets everything from `step` on.
    fn cut(&mut self, step: usize) {
        self.steps.truncate(self.steps.partition_point(|one| *one < step));
        for slot in &mut self.slots {
            slot.set.truncate(slot.set.partition_point(|(at, _)| *at < step));
        }
        self.slots.retain(|slot| !slot.set.is_empty());
    }
}
