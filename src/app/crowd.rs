//! The crowd of the open lesson, and the distribution of its runs over workers: the worker that
//! also searches, and as many more as the machine has spare cores.
//!
//! [`CrowdStore::take_effects`] returns the requests to the workers; [`CrowdStore::hear`] takes
//! their answers.

use std::rc::Rc;

use super::effect::ForWorker;
use crate::jobs::crowd::Which;
use crate::jobs::crowd::wire::Begin;
use crate::jobs::{Answer, Request};
use crate::session::Session;
use crate::view::crowd::{Crowding, Phase};

mod run;

pub use run::{CrowdRun, Heard};

const HANDS_MIN: usize = 2;
/// The most workers; more are of little use for a few dozen runs.
const HANDS_MAX: usize = 6;
/// The most workers on phones and beside other embeds.
const HANDS_MAX_SMALL: usize = 2;
/// The first id of a crowd. Ids of searches, which share the first worker, begin at 1.
const FIRST_ID: u32 = 1 << 24;

/// The machine that a crowd runs on.
#[derive(Debug, Clone, Copy)]
pub struct Machine {
    pub now_ms: u64,
    pub cores: usize,
    /// True if the main pointer is a finger.
    pub is_touch: bool,
    /// True if the first worker runs in its own thread. If it does not, there is no second one.
    pub beside: bool,
}

/// The crowd, its results, and its workers.
#[derive(Debug)]
pub struct CrowdStore {
    at: Option<CrowdRun>,
    /// The first request to every worker, and the number of workers that got it.
    begin: Option<Begin>,
    told: usize,
    /// The number of workers that were asked anything.
    hands: usize,
    last: u32,
    small: bool,
    /// True if it was opened since [`CrowdStore::run_by_itself`] was called.
    is_new: bool,
    /// True if the runs under way began by themselves.
    by_itself: bool,
    effects: Vec<ForWorker>,
}

impl CrowdStore {
    /// Returns a store without a crowd. With `small`, it uses fewer workers, because others run
    /// beside it.
    pub fn new(small: bool) -> CrowdStore {
        CrowdStore {
            at: None,
            begin: None,
            told: 0,
            hands: 0,
            last: FIRST_ID,
            small,
            is_new: false,
            by_itself: false,
            effects: Vec::new(),
        }
    }

    /// Returns the effects to carry out, in order, and empties the queue.
    pub fn take_effects(&mut self) -> Vec<ForWorker> {
        std::mem::take(&mut self.effects)
    }

    /// Returns whether an answer of the first worker is for a crowd.
    pub fn is_for(answer: &Answer) -> bool {
        match answer {
            Answer::Under(_) | Answer::Ran(_) => true,
            Answer::Failed(failure) => failure.id >= FIRST_ID,
            Answer::Stopped(id) | Answer::Ended(id) => *id >= FIRST_ID,
            _ => false,
        }
    }

    pub fn get(&self) -> Option<&Crowding> {
        self.at.as_ref().map(|at| &at.shown)
    }

    /// Opens the crowd of the session's lesson, set up by `link`. Returns the values in the link
    /// that are not valid.
    pub fn open(&mut self, session: &Session, link: Option<&str>) -> Vec<String> {
        let lesson = session.lesson();
        let known = self.at.as_ref().is_some_and(|at| Rc::ptr_eq(at.shown.lesson(), lesson));
        if known && link.is_none() {
            return Vec::new();
        }
        self.stop();
        let mut new = CrowdRun::new(lesson);
        let mut strange = Vec::new();
        match (link, &self.at) {
            (Some(link), _) => {
                let offered = new.shown.offered();
                let found = new.shown.form.read(link, lesson, &offered);
                strange = found.into_iter().map(|one| one.0).collect();
            }
            // Their own program has changed, and nothing else.
            (None, Some(old)) if old.shown.lesson().id == lesson.id => {
                let variants = new.shown.form.variants;
                new.shown.form = old.shown.form.clone();
                new.shown.form.variants = variants;
            }
            _ => {}
        }
        (self.at, self.is_new) = (Some(new), true);
        strange
    }

    /// Closes the crowd, because another lesson or none is open.
    pub fn close(&mut self) {
        self.stop();
        (self.at, self.begin) = (None, None);
        self.hands = self.hands.min(1);
        self.effects.push(ForWorker::Dismiss);
    }

    pub fn change(&mut self, change: impl FnOnce(&mut Crowding)) {
        if let Some(at) = &mut self.at {
            change(&mut at.shown);
        }
    }

    /// Limits the form to the size of a crowd on real servers.
    pub fn bound(&mut self) {
        if let Some(at) = &mut self.at {
            at.bound();
        }
    }

    /// Runs the crowd that was just opened, if it is small.
    pub fn run_by_itself(&mut self, text: &str, machine: &Machine) {
        let is_new = std::mem::take(&mut self.is_new);
        if is_new && self.at.as_ref().is_some_and(CrowdRun::is_small) {
            self.run(text, Which::Form, machine);
            self.by_itself = true;
        }
    }

    /// Returns whether the runs under way began by themselves.
    pub fn is_by_itself(&self) -> bool {
        self.by_itself && self.at.as_ref().is_some_and(|at| at.shown.is_running())
    }

    /// Runs the crowd or a sweep. `text` is the lesson's file.
    pub fn run(&mut self, text: &str, which: Which, machine: &Machine) {
        self.stop();
        self.by_itself = false;
        let Some(at) = &mut self.at else { return };
        self.last += 1;
        self.begin = at.begin(self.last, text, which, machine.now_ms);
        self.told = 0;
        if self.begin.is_some() {
            self.feed(machine);
        }
    }

    /// Reduces a run to the few requests that show the error.
    pub fn reduce(&mut self, text: &str, variant: usize, seed: u64) {
        self.last += 1;
        let id = self.last;
        let Some((begin, task)) =
            self.at.as_mut().and_then(|at| at.reduce(id, text, variant, seed))
        else {
            return;
        };
        self.ask(0, Request::Crowd(Box::new(begin)));
        self.ask(0, Request::Task(task));
    }

    fn ask(&mut self, hand: usize, request: Request) {
        self.hands = self.hands.max(hand + 1);
        self.effects.push(ForWorker::Ask(hand, request));
    }

    /// Ends the running work; its results stay.
    pub fn stop(&mut self) {
        let Some(at) = &mut self.at else { return };
        if !at.shown.is_running() && at.shown.reducing.is_none() {
            return;
        }
        at.stop();
        self.stop_workers();
    }

    fn stop_workers(&mut self) {
        let Some(id) = self.at.as_ref().map(CrowdRun::id) else { return };
        self.effects.extend((0..self.hands).map(|hand| ForWorker::Stop(hand, id)));
    }

    /// Takes a worker's answer. Returns what the page should do next.
    pub fn hear(&mut self, hand: usize, answer: Answer, machine: &Machine) -> Heard {
        if matches!(answer, Answer::Stopped(_)) {
            self.effects.push(ForWorker::Stopped(hand));
            return Heard::Nothing;
        }
        let Some(at) = &mut self.at else { return Heard::Nothing };
        let heard = at.hear(hand, answer, machine.now_ms);
        match heard {
            Heard::Over if at.shown.phase != Phase::Done => self.stop_workers(),
            Heard::Quiet | Heard::News => self.feed(machine),
            _ => {}
        }
        heard
    }

    fn hands_max(&self, machine: &Machine) -> usize {
        let most = if self.small || machine.is_touch { HANDS_MAX_SMALL } else { HANDS_MAX };
        // One core is the page's; where there are two it shares, for it has little to do meanwhile.
        machine.cores.saturating_sub(1).clamp(HANDS_MIN, most)
    }

    /// Gives every idle worker a task.
    fn feed(&mut self, machine: &Machine) {
        for hand in 0..self.hands_max(machine) {
            let Some(at) = &mut self.at else { return };
            let tasks = at.next_for(hand);
            let more = at.has_more();
            let begin = self.begin.clone().filter(|_| hand >= self.told && !tasks.is_empty());
            if let Some(begin) = begin {
                self.ask(hand, Request::Crowd(Box::new(begin)));
                self.told = hand + 1;
            }
            for task in tasks {
                self.ask(hand, Request::Task(task));
            }
            if !more || !machine.beside {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
