//! The request for a search, its progress, and its results, as they are sent.

use crate::checker::Bound;
use crate::sim::{self, ClientId, Never, Unfollowed};
use crate::{json_enum, json_struct};

/// A request to search all schedules of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Start {
    pub id: u32,
    /// The lesson's file.
    pub lesson: String,
    pub variant: usize,
    /// The learner's program, if the variant runs it.
    pub answer: Option<String>,
    /// True if the text is a scenario of the learner's, not a lesson.
    pub own: bool,
    pub states_max: u32,
    pub bytes_max: usize,
}

json_struct!(Start { id, lesson, variant, answer, own, states_max, bytes_max });

/// The progress of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    pub id: u32,
    pub states: u64,
    pub transitions: u64,
    pub depth: u32,
    /// The number of states met and not yet looked at.
    pub waiting: u64,
    pub bytes: usize,
    pub elapsed_ms: u64,
}

json_struct!(Progress { id, states, transitions, depth, waiting, bytes, elapsed_ms });

impl Progress {
    /// Returns the states per second.
    pub fn rate(&self) -> u64 {
        self.states * 1_000 / self.elapsed_ms.max(1)
    }
}

/// A property that is decided by a run before the search is over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    pub id: u32,
    /// The property; `None`: the run ends in a deadlock.
    pub property: Option<usize>,
    pub run: Run,
}

json_struct!(Found { id, property, run });

/// A verdict without a run that is final before the search is over, as there is still something to
/// count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stands {
    pub id: u32,
    /// The property; `None`: the verdict on deadlock.
    pub property: Option<usize>,
    pub holds: bool,
    /// True if orders of steps were left out.
    pub reduced: bool,
}

json_struct!(Stands { id, property, holds, reduced });

/// A run as links write it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Run {
    pub schedule: String,
    pub steps: usize,
    /// The number of its last steps that repeat forever.
    pub repeats: usize,
}

json_struct!(Run { schedule, steps, repeats });

/// All results of a search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    pub progress: Progress,
    /// The bound that ended it early.
    pub bound: Option<Bound>,
    /// True if orders of commuting steps were left out.
    pub reduced: bool,
    /// The verdicts, in the order of the variant's properties.
    pub verdicts: Vec<Verdict>,
    pub deadlock: Option<Run>,
    /// A mistake in a property; then the verdicts have no meaning.
    pub mistake: Option<String>,
    pub census: Option<Census>,
    /// True if the schedules cannot be counted, because some runs go round forever.
    pub endless: bool,
    /// The answer for slower clients.
    pub slower: Option<Slow>,
    /// True if commands drew at random, and each of their outcomes was followed.
    pub chance: bool,
    /// What other orders and texts of unique ids have shown; `None` if there is nothing to say.
    pub ids: Option<IdsShown>,
    /// The tick in ms, if clients may be held up; else 0.
    pub tick: u32,
    /// What the search takes for granted ([`Assumed`](crate::sim::Assumed)).
    pub assumed: u32,
    /// Something that the search did not follow.
    pub unfollowed: Option<Unfollowed>,
    /// Events that happen in no order; empty if that is not known.
    pub never: Vec<Never>,
}

json_struct!(Report {
    progress,
    bound,
    reduced,
    verdicts,
    deadlock,
    mistake,
    census,
    endless,
    slower,
    chance,
    ids,
    tick,
    assumed,
    unfollowed,
    never
});

json_enum!(Unfollowed { Draw(command), Random, Counters(command), Evicted });
json_enum!(Never {
    Runs { program, first, last },
    Fault(kind),
    Expires(key),
    True(part),
    TrueAfter(part, kind),
    Set(global),
});

/// What other orders and texts of unique ids have shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdsShown {
    /// The clients of an order that denies a verdict, the one with the least id first: `B, A`.
    Other(String),
    /// A verdict is denied by ids of another text.
    Written,
    /// Something is not decided, because the text of an id is read.
    Read,
    /// Something is not decided, because not every order was searched.
    Open,
    /// Every order was searched, and no text is read.
    Every,
    /// Every order was searched, and nothing that reads a text was looked for.
    EveryOrder,
    /// Every order was searched, and the first letter of an id is read.
    EveryLetter,
    /// The first letter of an id is read.
    Letter,
    /// Nothing that reads a text was looked for.
    Text,
}

json_enum!(IdsShown {
    Other(order), Written, Read, Open, Every, EveryOrder, EveryLetter, Letter, Text
});

/// The answer to whether the properties that hold still hold when clients are slower.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Slow {
    /// How long clients may be held up, in ms.
    pub ms: u32,
    /// The unit of the delays that were tried, in ms.
    pub tick: u32,
    /// The property that breaks then, and the run that shows it.
    pub property: Option<usize>,
    pub run: Option<Run>,
    /// True if a bound ended the question.
    pub open: bool,
    /// The answer for clients that begin later, if that was asked.
    pub late: Option<Late>,
}

json_struct!(Slow { ms, tick, property, run, open, late });

/// The answer to whether the properties that hold still hold when clients begin later.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Late {
    /// How late clients may begin, in ms.
    pub ms: u32,
    /// The property that breaks then, and the run that shows it.
    pub property: Option<usize>,
    pub run: Option<Run>,
    /// On that run, the letters of the clients that do not begin at once.
    pub who: String,
    /// By how many ms each of them does.
    pub later: Vec<u32>,
    /// True if a bound ended the question.
    pub open: bool,
}

json_struct!(Late { ms, property, run, who, later, open });

impl Slow {
    /// Returns what is sent of an answer, with the runs that can be played.
    pub fn of(answer: &sim::Slower, run: [Option<Run>; 2]) -> Slow {
        let [late_run, slow_run] = run;
        let at = |breaks: &Option<(usize, Vec<sim::Action>)>| breaks.as_ref().map(|(at, _)| *at);
        let late = answer.late.as_ref().map(|late| Late {
            ms: late.within_ms,
            property: at(&late.breaks),
            run: late_run,
            who: late.begins.iter().map(|(id, _)| id.letter()).collect(),
            later: late.begins.iter().map(|(_, ms)| *ms).collect(),
            open: late.is_open,
        });
        Slow {
            ms: answer.slow_ms,
            tick: answer.tick_ms,
            property: at(&answer.breaks),
            run: slow_run,
            open: answer.is_open,
            late,
        }
    }

    /// Returns the answer that was sent, without its runs.
    pub fn answer(&self) -> sim::Slower {
        let breaks = |property: Option<usize>| property.map(|at| (at, Vec::new()));
        let late = self.late.as_ref().map(|late| {
            let who = late.who.chars().filter_map(ClientId::from_letter);
            sim::Late {
                within_ms: late.ms,
                breaks: breaks(late.property),
                begins: who.zip(late.later.iter().copied()).collect(),
                is_open: late.open,
            }
        });
        sim::Slower {
            slow_ms: self.ms,
            tick_ms: self.tick,
            breaks: breaks(self.property),
            is_open: self.open,
            late,
        }
    }

    /// Returns the run to show, and the property that it breaks.
    pub fn shown(&self) -> Option<(usize, &Run)> {
        let late = self.late.as_ref().and_then(|late| Some((late.property?, late.run.as_ref()?)));
        late.or_else(|| Some((self.property?, self.run.as_ref()?)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdict {
    /// `None` if a bound left it open.
    pub holds: Option<bool>,
    /// The run that shows it.
    pub run: Option<Run>,
    pub shortest: bool,
    /// True if it holds only because what it asks for never has a value.
    pub empty: bool,
}

json_struct!(Verdict { holds, run, shortest, empty });

/// The number of schedules. Numbers of any size are written as text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Census {
    pub schedules: String,
    pub classes: Option<String>,
    /// The most frequent ones, at most [`super::OUTCOMES_MAX`].
    pub outcomes: Vec<Outcome>,
    /// The number of outcomes that are not listed, and how many of their schedules go wrong.
    pub more: usize,
    pub more_wrong: String,
    /// False if it is not known what schedules broke before their end.
    pub split: bool,
}

json_struct!(Census { schedules, classes, outcomes, more, more_wrong, split });

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// The values at the end: `stock = 0`, `A.sold = 1`.
    pub left: Vec<String>,
    /// The truth of each property in the end.
    pub truths: Vec<bool>,
    /// By property, true if it is an `always` that these schedules break, in the end or before it.
    pub broke: Vec<bool>,
    /// True if a client got stuck.
    pub stuck: bool,
    pub schedules: String,
    /// The share in millionths.
    pub share: u32,
    pub witness: Run,
}

json_struct!(Outcome { left, truths, broke, stuck, schedules, share, witness });

/// The steps from a state to the nearest one that breaks an `always`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Near {
    pub id: u32,
    pub schedule: String,
    /// By property; `None` if no such state can be reached, or if it was not asked.
    pub steps: Vec<Option<u32>>,
    /// True if the search has met this state.
    pub known: bool,
}

json_struct!(Near { id, schedule, steps, known });
