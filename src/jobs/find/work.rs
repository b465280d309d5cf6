//! The checker's side of Find: it searches a variant of a lesson and returns the results in the
//! form in which they are sent to the page. The same code runs in a worker, on the page and in a
//! native test.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::checker::Natural;
use crate::jobs::lesson_of;
use crate::lua::Data;
use crate::session::spelling::{members, reply_text, shortened};
use crate::sim::{
    self, Action, AskSlower, AskVacuous, Assumption, Check, Count, DEFAULT_NODE, End, Kind, Limits,
    Never, Property, Scenario, Timeline, Verdict, as_prompt, schedule,
};

use super::wire::{
    self, Census, Found, IdsShown, Near, Outcome, Progress, Report, Run, Slow, Stands, Start,
};

/// The most outcomes that are sent: the most frequent ones.
pub const OUTCOMES_MAX: usize = 24;
/// The number of whole worlds looked at in one slice.
const WORLDS_AT_ONCE: u32 = 200;

/// A search under way.
#[derive(Debug)]
pub struct Work {
    id: u32,
    scenario: Rc<Scenario>,
    check: Check,
    /// By property, true if it was reported as found.
    told: Vec<bool>,
    deadlock_told: bool,
    /// The run whose distance to a violation was asked for.
    asked: Option<String>,
    /// The question for slower clients, asked when the search is over.
    slower: Slower,
    /// The search for events that happen in no order. Runs last.
    vacuous: Option<AskVacuous>,
}

/// The state of the question for slower clients.
#[derive(Debug)]
enum Slower {
    Unasked,
    Asked(Box<AskSlower>),
    /// It is answered; `None` if there was nothing to ask.
    Over(Option<sim::Slower>),
}

impl Work {
    /// Starts; the error is a mistake of the lesson's author, in words.
    pub fn start(start: &Start) -> Result<Work, String> {
        let lesson = lesson_of(&start.lesson, start.own, start.answer.as_deref())?;
        let scenario = Rc::new(lesson.scenario(start.variant)?);
        let limits = Limits {
            states_max: start.states_max,
            bytes_max: start.bytes_max,
            ..Limits::default()
        };
        let check = Check::new(&scenario, limits).map_err(|why| why.to_string())?;
        let properties = scenario.properties.len();
        Ok(Work {
            id: start.id,
            scenario,
            check,
            told: vec![false; properties],
            deadlock_told: false,
            asked: None,
            slower: Slower::Unasked,
            vacuous: None,
        })
    }

    pub fn id(&self) -> u32 {
        self.id
    }

    /// Works on this number of further `states`; true when the work is complete.
    pub fn advance(&mut self, states: u32) -> bool {
        if !self.check.advance(states) {
            return false;
        }
        match &mut self.slower {
            Slower::Unasked => {
                let verdicts = (0..self.scenario.properties.len()).map(|at| self.check.verdict(at));
                let holds: Vec<bool> = verdicts.map(|one| one.holds == Some(true)).collect();
                let asked = AskSlower::new(&self.scenario, &holds);
                let has_timers = self.check.assumed().has(Assumption::Starts);
                let asked = asked.filter(|_| has_timers && self.check.mistake().is_none());
                self.slower = asked.map_or(Slower::Over(None), |one| Slower::Asked(Box::new(one)));
            }
            Slower::Asked(asked) => {
                if asked.advance(states) {
                    self.slower = Slower::Over(asked.answer().cloned());
                }
            }
            Slower::Over(_) => match &mut self.vacuous {
                Some(asked) => return asked.advance(states.min(WORLDS_AT_ONCE)),
                None => {
                    let is_known = self.check.mistake().is_none() && self.check.bound().is_none();
                    let asked = AskVacuous::new(&self.scenario).ok().filter(|_| is_known);
                    self.vacuous = asked;
                    return self.vacuous.is_none();
                }
            },
        }
        false
    }

    /// Returns true when the search itself is over, and what is asked after it is under way.
    pub fn is_searched(&self) -> bool {
        !matches!(self.slower, Slower::Unasked)
    }

    /// Ends a search that takes too long.
    pub fn give_up(&mut self) {
        self.check.give_up();
        if let Slower::Asked(asked) = &self.slower {
            let answer = asked.answer().cloned();
            let answer = answer.map(|answer| sim::Slower { is_open: true, ..answer });
            self.slower = Slower::Over(answer);
        }
        self.vacuous = None;
    }

    /// Returns the runs found since the last call: violations and examples.
    pub fn news(&mut self) -> Vec<Found> {
        let mut news = Vec::new();
        for index in 0..self.scenario.properties.len() {
            if self.told[index] || !self.check.is_decided(index) {
                continue;
            }
            let verdict = self.check.verdict(index);
            if let Some(run) = self.run_of(&verdict) {
                self.told[index] = true;
                news.push(Found { id: self.id, property: Some(index), run });
            }
        }
        if !self.deadlock_told
            && let Some(trace) = self.check.deadlock()
        {
            self.deadlock_told = true;
            news.push(Found { id: self.id, property: None, run: self.run(&trace, 0) });
        }
        news
    }

    /// Returns the verdicts without a run that have become final since the last call; to be called
    /// after [`Work::news`].
    pub fn settled(&mut self) -> Vec<Stands> {
        let (id, reduced) = (self.id, self.check.is_reduced());
        let mut settled = Vec::new();
        if self.check.mistake().is_some() {
            return settled;
        }
        for index in 0..self.scenario.properties.len() {
            if self.told[index] || !self.check.is_decided(index) {
                continue;
            }
            if let Some(holds) = self.check.verdict(index).holds {
                self.told[index] = true;
                settled.push(Stands { id, property: Some(index), holds, reduced });
            }
        }
        if !self.deadlock_told && self.check.is_deadlock_decided() {
            self.deadlock_told = true;
            settled.push(Stands { id, property: None, holds: true, reduced });
        }
        settled
    }

    pub fn progress(&self, elapsed_ms: u64) -> Progress {
        let counts = self.check.counts();
        Progress {
            id: self.id,
            states: counts.states,
            transitions: counts.transitions,
            depth: counts.depth,
            waiting: counts.waiting,
            bytes: counts.bytes,
            elapsed_ms,
        }
    }

    /// Returns all results.
    pub fn report(&mut self, elapsed_ms: u64) -> Report {
        let verdicts = (0..self.scenario.properties.len()).map(|index| {
            let verdict = self.check.verdict(index);
            let run = self.run_of(&verdict);
            let empty = self.check.says_nothing(index);
            wire::Verdict { holds: verdict.holds, run, shortest: verdict.is_shortest, empty }
        });
        let verdicts = verdicts.collect();
        let deadlock = self.check.deadlock().map(|trace| self.run(&trace, 0));
        let census = self.check.count().map(|count| self.census(count));
        Report {
            progress: self.progress(elapsed_ms),
            bound: self.check.bound(),
            reduced: self.check.is_reduced(),
            verdicts,
            deadlock,
            mistake: self.check.mistake().map(str::to_owned),
            census,
            endless: self.check.is_endless(),
            slower: match &self.slower {
                Slower::Over(Some(answer)) => {
                    let mut runs = [None, None];
                    for slowed in answer.runs(&self.scenario) {
                        let is_late = slowed.2.slow_ms == 0;
                        let run = as_prompt(&self.scenario, &slowed);
                        runs[usize::from(!is_late)] = run.map(|run| self.run(&run, 0));
                    }
                    Some(Slow::of(answer, runs))
                }
                _ => None,
            },
            chance: self.check.has_chance(),
            ids: ids_shown(&self.check),
            tick: self.check.tick_ms(),
            assumed: self.check.assumed().bits(),
            unfollowed: self.check.unfollowed().cloned(),
            never: never_set(&self.check, &self.scenario)
                .chain(self.vacuous.iter().flat_map(AskVacuous::answer))
                .collect(),
        }
    }

    /// Asks for the distance from the end of the run `schedule` to breaking each `always`.
    /// [`Work::near`] gives the answer; it replaces an earlier question.
    pub fn ask_near(&mut self, schedule: String) {
        self.asked = Some(schedule);
    }

    /// Returns true if there is a question for [`Work::near`].
    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Works on this number of `states` for the last question, and returns the answer when it is
    /// known.
    pub fn near(&mut self, states: u32) -> Option<Near> {
        let always = |property: &Property| property.kind == Kind::Always;
        for index in 0..self.scenario.properties.len() {
            if always(&self.scenario.properties[index])
                && self.check.measure(index, states) == Some(false)
            {
                return None;
            }
        }
        let schedule = self.asked.take()?;
        let mut near = Near { id: self.id, schedule, ..Near::default() };
        let Ok(mut timeline) = Timeline::start(self.scenario.clone()) else { return Some(near) };
        if schedule::play(&mut timeline, &near.schedule).is_err() {
            return Some(near);
        }
        let Some(state) = self.check.locate(timeline.world()) else { return Some(near) };
        for (index, property) in self.scenario.properties.iter().enumerate() {
            // Where the graph is not at hand, nothing is known.
            near.known |= always(property) && self.check.measure(index, 0).is_some();
            near.steps.push(self.check.distance(index, state).filter(|_| always(property)));
        }
        Some(near)
    }

    fn run_of(&self, verdict: &Verdict) -> Option<Run> {
        let mut trace = verdict.trace.clone()?;
        trace.extend(&verdict.cycle);
        Some(self.run(&trace, verdict.cycle.len()))
    }

    fn run(&self, trace: &[Action], repeats: usize) -> Run {
        let steps = trace.len();
        // Written by the same code that writes links, so that it is one.
        let written = Timeline::start(self.scenario.clone()).ok().and_then(|mut timeline| {
            trace.iter().try_for_each(|action| timeline.step(*action)).ok()?;
            Some(timeline.schedule())
        });
        Run { schedule: written.unwrap_or_default(), steps, repeats }
    }

    fn census(&self, count: &Count) -> Census {
        let all = count.schedules.to_f64().max(1.0);
        let outcomes = count.outcomes.iter().take(OUTCOMES_MAX).map(|outcome| Outcome {
            left: self.left(&outcome.end),
            truths: outcome.truths.clone(),
            broke: outcome.broke.clone(),
            stuck: outcome.stuck,
            schedules: outcome.schedules.to_string(),
            share: (outcome.schedules.to_f64() / all * 1e6) as u32,
            witness: self.run(&outcome.witness, 0),
        });
        let mut more_wrong = Natural::default();
        let more = count.outcomes.iter().skip(OUTCOMES_MAX).filter(|outcome| outcome.is_wrong());
        more.for_each(|outcome| more_wrong.add(&outcome.schedules));
        Census {
            schedules: count.schedules.to_string(),
            classes: count.classes.as_ref().map(|classes| classes.to_string()),
            outcomes: outcomes.collect(),
            more: count.outcomes.len().saturating_sub(OUTCOMES_MAX),
            more_wrong: more_wrong.to_string(),
            split: count.is_split,
        }
    }

    fn left(&self, end: &End) -> Vec<String> {
        let node = |at: usize| match self.scenario.nodes.get(at) {
            Some(node) if self.scenario.nodes.len() > 1 && node.name != DEFAULT_NODE => {
                format!("{}: ", node.name)
            }
            _ => String::new(),
        };
        let keys = end.keys.iter().map(|(id, entry)| {
            let name = reply_text(&crate::resp::Value::Bulk(entry.key.clone()));
            format!("{}{name} = {}", node(id.index()), shortened(&entry_text(entry), 40))
        });
        let globals = end.globals.iter().map(|(id, name, value)| {
            format!("{}.{name} = {}", id.letter(), shortened(&data_text(value), 40))
        });
        keys.chain(globals).collect()
    }
}

/// Returns the globals that conditions ask for and that no program gives a value, each once.
pub fn never_set(check: &Check, scenario: &Scenario) -> impl Iterator<Item = Never> {
    let unset = (0..scenario.properties.len()).flat_map(|index| check.unset(index));
    let names: BTreeSet<String> = unset.map(|one| one.words()).collect();
    names.into_iter().map(Never::Set)
}

/// Returns what other orders of unique ids have shown; `None` if there is nothing to say.
pub fn ids_shown(check: &Check) -> Option<IdsShown> {
    let ids = check.ids()?;
    Some(match (&ids.other, ids.is_open()) {
        (Some(order), _) => IdsShown::Other(names(order)),
        _ if ids.by_text.contains(&true) => IdsShown::Written,
        _ if ids.reads_text => IdsShown::Read,
        (None, true) => IdsShown::Open,
        _ if ids.every && ids.reads_letter => IdsShown::EveryLetter,
        _ if ids.every && ids.texts => IdsShown::Every,
        _ if ids.every => IdsShown::EveryOrder,
        _ if ids.reads_letter => IdsShown::Letter,
        _ if check.has_ids() && !ids.texts => IdsShown::Text,
        _ => return None,
    })
}

/// Returns the order of unique ids in which property `index` has another answer.
pub fn ids_of_other(check: &Check, index: usize) -> Option<String> {
    check.ids()?.by_property.get(index)?.as_deref().map(names)
}

fn names(clients: &[sim::ClientId]) -> String {
    clients.iter().map(|client| client.name()).collect::<Vec<_>>().join(", ")
}

fn entry_text(entry: &crate::engine::Entry) -> String {
    let part = |(name, value): &(Option<String>, String)| match name {
        Some(name) => format!("{name} {value}"),
        None => value.clone(),
    };
    members(&entry.value).iter().map(part).collect::<Vec<_>>().join(", ")
}

fn data_text(data: &Data) -> String {
    match data {
        Data::Nil => "nil".to_owned(),
        Data::Bool(value) => value.to_string(),
        Data::Num(number) => number.to_string(),
        Data::Str(bytes) => reply_text(&crate::resp::Value::Bulk(bytes.clone())),
        _ => "{…}".to_owned(),
    }
}
