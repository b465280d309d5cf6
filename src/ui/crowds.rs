//! The crowd of the lesson that is open, and the workers that run it: the one that searches too,
//! and as many more as the machine has room for beside the page.

use std::rc::Rc;

use crate::view::crowd::wire::Begin;
use crate::view::crowd::{Crowding, Heard, Which};
use crate::view::find::{Answer, Request};
use crate::view::session::Session;

use super::browser;
use super::line::Line;

const HANDS_MIN: usize = 2;
/// More are of little use for some dozens of runs.
const HANDS_MAX: usize = 6;
/// On phones, and beside other embeds.
const HANDS_MAX_SMALL: usize = 2;
/// The first worker has searches too, whose numbers begin at 1.
const FIRST_ID: u32 = 1 << 24;

type Hear = Rc<dyn Fn(usize, Answer)>;

pub struct Crowds {
    hear: Hear,
    lines: Vec<Rc<Line>>,
    at: Option<Crowding>,
    /// What every worker is told first, and how many were.
    begin: Option<Begin>,
    told: usize,
    last: u32,
    small: bool,
}

impl Crowds {
    /// `first` is a line that others use too; what comes there is passed on where
    /// [`Crowds::is_for`] says so.
    pub fn new(small: bool, first: Rc<Line>, hear: impl Fn(usize, Answer) + 'static) -> Crowds {
        Crowds {
            hear: Rc::new(hear),
            lines: vec![first],
            at: None,
            begin: None,
            told: 0,
            last: FIRST_ID,
            small,
        }
    }

    /// Whether an answer on the first line is for a crowd.
    pub fn is_for(answer: &Answer) -> bool {
        match answer {
            Answer::Under(_) | Answer::Ran(_) => true,
            Answer::Failed(failure) => failure.id >= FIRST_ID,
            Answer::Stopped(id) => *id >= FIRST_ID,
            _ => false,
        }
    }

    pub fn get(&self) -> Option<&Crowding> {
        self.at.as_ref()
    }

    /// The crowd of the session's lesson; made where there is none yet. What the link asked for in
    /// vain comes back.
    pub fn open(&mut self, session: &Session, link: Option<&str>) -> Vec<String> {
        let lesson = session.lesson();
        let known = self.at.as_ref().is_some_and(|at| Rc::ptr_eq(at.lesson(), lesson));
        if known && link.is_none() {
            return Vec::new();
        }
        self.stop();
        let mut new = Crowding::new(lesson);
        let mut strange = Vec::new();
        match (link, &self.at) {
            (Some(link), _) => {
                let offered = new.offered();
                let found = new.form.read(link, lesson, &offered);
                strange = found.into_iter().map(|one| one.0).collect();
            }
            // Their own program has changed, and nothing else.
            (None, Some(old)) if old.lesson().id == lesson.id => {
                let variants = new.form.variants;
                new.form = old.form.clone();
                new.form.variants = variants;
            }
            _ => {}
        }
        self.at = Some(new);
        strange
    }

    /// Another lesson is opened, or none.
    pub fn close(&mut self) {
        self.stop();
        (self.at, self.begin) = (None, None);
        self.lines.truncate(1);
    }

    pub fn change(&mut self, change: impl FnOnce(&mut Crowding)) {
        if let Some(at) = &mut self.at {
            change(at);
        }
    }

    pub fn run(&mut self, text: &str, which: Which) {
        self.stop();
        let Some(at) = &mut self.at else { return };
        self.last += 1;
        self.begin = at.begin(self.last, text, which, browser::now_ms() as u64);
        self.told = 0;
        if self.begin.is_some() {
            self.feed();
        }
    }

    /// Looks for the few requests that show what went wrong in a run.
    pub fn reduce(&mut self, text: &str, variant: usize, seed: u64) {
        self.last += 1;
        let id = self.last;
        let Some((begin, task)) =
            self.at.as_mut().and_then(|at| at.reduce(id, text, variant, seed))
        else {
            return;
        };
        let line = self.line(0);
        line.ask(Request::Crowd(Box::new(begin)));
        line.ask(Request::Task(task));
    }

    /// Ends what is running; what came out stays.
    pub fn stop(&mut self) {
        let Some(at) = &mut self.at else { return };
        if !at.is_running() && at.reducing().is_none() {
            return;
        }
        at.stop();
        let id = at.id();
        for line in self.lines.iter().filter(|line| !line.is_idle()) {
            line.stop(id);
        }
    }

    /// What is to be done after an answer.
    pub fn hear(&mut self, hand: usize, answer: Answer) -> Heard {
        if matches!(answer, Answer::Stopped(_)) {
            if let Some(line) = self.lines.get(hand) {
                line.stopped();
            }
            return Heard::Nothing;
        }
        let Some(at) = &mut self.at else { return Heard::Nothing };
        let heard = at.hear(hand, answer, browser::now_ms() as u64);
        match heard {
            Heard::Over if *at.phase() != crate::view::crowd::Phase::Done => {
                let id = at.id();
                self.lines.iter().filter(|line| !line.is_idle()).for_each(|line| line.stop(id));
            }
            Heard::Quiet | Heard::News => self.feed(),
            _ => {}
        }
        heard
    }

    fn line(&mut self, hand: usize) -> &Line {
        while self.lines.len() <= hand {
            let (number, hear) = (self.lines.len(), self.hear.clone());
            self.lines.push(Rc::new(Line::new(move |answer| hear(number, answer))));
        }
        &self.lines[hand]
    }

    fn hands_max(&self) -> usize {
        let most = if self.small || browser::is_touch() { HANDS_MAX_SMALL } else { HANDS_MAX };
        // One core is the page's; where there are two it shares, for it has little to do meanwhile.
        browser::cores().saturating_sub(1).clamp(HANDS_MIN, most)
    }

    /// Gives every worker something to do. Where the first one works on the page there is no
    /// second.
    fn feed(&mut self) {
        let mut hand = 0;
        loop {
            let Some(at) = &mut self.at else { return };
            let tasks = at.next_for(hand);
            let begin = self.begin.clone().filter(|_| hand >= self.told && !tasks.is_empty());
            let line = self.line(hand);
            if let Some(begin) = begin {
                line.ask(Request::Crowd(Box::new(begin)));
                self.told = hand + 1;
            }
            let line = self.line(hand);
            tasks.into_iter().for_each(|task| line.ask(Request::Task(task)));
            hand += 1;
            let more = self.at.as_ref().is_some_and(Crowding::has_more);
            if !more || hand >= self.hands_max() || !self.lines[0].is_in_worker() {
                return;
            }
        }
    }
}
