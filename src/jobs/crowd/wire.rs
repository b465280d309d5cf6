//! The messages between the page and the crowd's workers: the request, run by run, and its results.

use crate::load::{Histogram, Tally};
use crate::{json_enum, json_struct};

use super::Spot;

/// Sent before the first run: the lesson and the plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Begin {
    pub id: u32,
    /// The lesson's file.
    pub lesson: String,
    /// True if the text is a scenario of the learner's, not a lesson.
    pub own: bool,
    /// The learner's program, if it is one of the variants.
    pub answer: Option<String>,
    /// The differences from each variant's own plan, in the form of [`crate::load::Plan::read`].
    pub changes: String,
}

json_struct!(Begin { id, lesson, own, answer, changes });

/// One run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Task {
    pub id: u32,
    pub variant: usize,
    pub spot: Spot,
    pub seed: u64,
    /// True to find the fewest requests that show what is wrong, instead of numbers.
    pub reduce: bool,
}

json_struct!(Task { id, variant, spot, seed, reduce });

json_enum!(Spot { Form, Clients(number), Down(number) });

/// The progress of the run under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Under {
    pub id: u32,
    /// The number of requests that have ended.
    pub ended: u64,
}

json_struct!(Under { id, ended });

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ran {
    pub task: Task,
    /// The tally as [`packed`]; empty for a run that was reduced.
    pub numbers: Vec<i64>,
    /// The reduced run, as links write it.
    pub schedule: Option<String>,
}

json_struct!(Ran { task, numbers, schedule });

/// Writes a tally as a list of whole numbers; fractions by their bits.
pub fn packed(tally: &Tally) -> Vec<i64> {
    let bits = |number: f64| number.to_bits() as i64;
    let mut out: Vec<i64> = [
        tally.seed,
        tally.arrived,
        tally.finished,
        tally.failed,
        tally.crashed,
        tally.stuck,
        u64::from(tally.deadlocked),
        u64::from(tally.cut),
        tally.end_ns,
        tally.commands,
        tally.sleeps,
        tally.events,
    ]
    .map(|number| number as i64)
    .to_vec();
    out.extend([bits(tally.presence), bits(tally.fairness)]);
    out.push(tally.values.len() as i64);
    out.extend(tally.values.iter().copied().map(bits));
    out.push(tally.busy_ns.len() as i64);
    out.extend(tally.busy_ns.iter().map(|ns| *ns as i64));
    for histogram in [&tally.response, &tally.waiting, &tally.queueing] {
        histogram.pack(&mut out);
    }
    out
}

/// Reads a tally that [`packed`] has written; `None` for anything else.
pub fn unpacked(numbers: &[i64]) -> Option<Tally> {
    let mut rest = numbers.iter().copied();
    let mut count = || rest.next().map(|number| number as u64);
    let mut tally = Tally {
        seed: count()?,
        arrived: count()?,
        finished: count()?,
        failed: count()?,
        crashed: count()?,
        stuck: count()?,
        deadlocked: count()? != 0,
        cut: count()? != 0,
        end_ns: count()?,
        commands: count()?,
        sleeps: count()?,
        events: count()?,
        presence: f64::from_bits(count()?),
        fairness: f64::from_bits(count()?),
        ..Tally::default()
    };
    for _ in 0..count()?.min(numbers.len() as u64) {
        tally.values.push(f64::from_bits(count()?));
    }
    for _ in 0..count()?.min(numbers.len() as u64) {
        tally.busy_ns.push(count()?);
    }
    tally.response = Histogram::unpack(&mut rest)?;
    tally.waiting = Histogram::unpack(&mut rest)?;
    tally.queueing = Histogram::unpack(&mut rest)?;
    Some(tally)
}
