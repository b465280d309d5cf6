//! The searches of the lesson that is open: one per variant, and how far the learner's run is from
//! going wrong.
//!
//! What the checker is asked is left in [`SearchStore::take_effects`]; what it answers comes to
//! [`SearchStore::hear`]. [`live`] is what stands beside the playground's editor.

use std::rc::Rc;

use super::effect::ForWorker;
use crate::checker::map::Fate;
use crate::lesson::{Lesson, OWN};
use crate::view::challenge::Outlook;
use crate::view::find::{Answer, Finding, Near, Request, Start};
use crate::view::map::around::Around;
use crate::view::map::wire::{Along, Ask, Plan};
use crate::view::map::{Orders, Sheet, Spot};
use crate::view::session::{Mode, Session};

mod live;

pub use live::Beside;

const STATES_MAX: u32 = 10_000_000;
/// The same for a learner's program: the lessons' own have a few thousand, and one whose loop has
/// no end shall not keep its author waiting.
const ANSWER_STATES_MAX: u32 = 50_000;
/// The same for a scenario of the learner's, which may be meant to be large.
const OWN_STATES_MAX: u32 = 2_000_000;
/// The same while it is being written: each pause in typing searches anew.
pub const LIVE_STATES_MAX: u32 = 60_000;
/// States of the search that warms the checker up.
const WARM_STATES: u32 = 300;
/// Memory for one search.
const BYTES_MAX: usize = 512 << 20;
/// The same where a finger is the pointer: phones end pages that want more.
const BYTES_MAX_TOUCH: usize = 160 << 20;

/// How wide a map is, in px: its layout depends on it.
pub fn map_width(is_touch: bool) -> u32 {
    if is_touch { 340 } else { 540 }
}

/// The worker that searches.
const WORKER: usize = 0;

/// Maps beside a run have numbers from here on, those of searches smaller ones.
const BESIDE_IDS: u32 = 1 << 30;

/// How wide such a map is, in px.
pub const BESIDE_WIDTH: u32 = 200;

/// The map beside the run that is stepped, and what it says of it.
#[derive(Debug, Default)]
struct Followed {
    /// The map that was asked for, and of which variant.
    id: u32,
    asked: Option<usize>,
    sheet: Option<Rc<Sheet>>,
    /// The run that was asked about, and what is known of it.
    run: Option<String>,
    spots: Rc<[Spot]>,
    around: Option<Rc<Around>>,
    outlook: Option<Outlook>,
}

/// A block of the last map that is pointed at, and a shortest way there once it is known.
#[derive(Debug)]
pub struct Pointed {
    pub block: u16,
    pub way: Option<Box<Along>>,
}

/// What is known of the lesson that is open.
#[derive(Debug)]
pub struct SearchStore {
    /// Whether a finger is the pointer.
    is_touch: fn() -> bool,
    lesson: String,
    /// The lesson's file, for the checker to read.
    text: Rc<str>,
    /// At most one per variant.
    list: Vec<Finding>,
    last: u32,
    hints: bool,
    near: Option<Near>,
    /// The run that was asked about.
    asked: Option<String>,
    followed: Followed,
    /// The checker was called ahead of need: a map may be asked of it where none was asked for.
    is_warm: bool,
    /// The question for the map of the search that runs.
    plan: Option<Plan>,
    pointed: Option<Pointed>,
    /// The map that the worker has, or makes.
    at_worker: u32,
    /// The map of the last search, by its number.
    map: Option<(u32, Rc<Sheet>)>,
    /// The last search of which it is known what its map is, or that it has none.
    mapped: u32,
    /// The last search was begun for a text that is being written: it is a small one.
    is_live: bool,
    /// A verdict on an earlier text of the playground, with the lesson that it is about.
    before: Option<(Rc<Lesson>, Finding)>,
    /// The lesson of the last search.
    searched: Option<Rc<Lesson>>,
    effects: Vec<ForWorker>,
}

impl SearchStore {
    /// Without a lesson. `is_touch` says whether a finger is the pointer.
    pub fn new(is_touch: fn() -> bool) -> SearchStore {
        SearchStore {
            is_touch,
            lesson: String::new(),
            text: Rc::from(""),
            list: Vec::new(),
            last: 0,
            hints: false,
            near: None,
            asked: None,
            followed: Followed::default(),
            is_warm: false,
            pointed: None,
            at_worker: 0,
            plan: None,
            map: None,
            mapped: 0,
            is_live: false,
            before: None,
            searched: None,
            effects: Vec::new(),
        }
    }

    /// What is to be done, in order. It is handed over once.
    pub fn take_effects(&mut self) -> Vec<ForWorker> {
        std::mem::take(&mut self.effects)
    }

    /// A lesson was loaded, from this text.
    pub fn open(&mut self, lesson: &str, text: &str) {
        if self.lesson == OWN {
            if lesson == OWN && *self.text == *text {
                return;
            }
            self.set_aside(lesson);
        }
        self.stop();
        (self.lesson, self.text) = (lesson.to_owned(), text.into());
        (self.near, self.asked, self.hints) = (None, None, false);
        self.followed = Followed { id: self.followed.id, ..Followed::default() };
        self.list.clear();
    }

    /// The checker is about to be needed: it searches a little, as browsers compile what is used
    /// first when it is used first. What it finds under number 0 is for no search.
    pub fn warm(&mut self, session: &Session) {
        self.is_warm = true;
        let start = self.start(0, session);
        let start = Start { states_max: WARM_STATES, bytes_max: BYTES_MAX_TOUCH, ..start };
        self.ask(Request::Start(Start { answer: None, ..start }));
    }

    /// The file of the lesson that is open.
    pub fn text(&self) -> &Rc<str> {
        &self.text
    }

    /// What was found out about the variant that is shown.
    pub fn of(&self, session: &Session) -> Option<&Finding> {
        let list = self.list.iter().filter(|_| session.lesson().id == self.lesson);
        list.into_iter().find(|finding| finding.variant() == session.variant())
    }

    /// Searches the variant shown, unless that is being done. The error is the lesson's author's.
    pub fn begin(&mut self, session: &Session) -> Result<(), String> {
        // One for a text that was being written looks at fewer states.
        if self.of(session).is_some_and(Finding::is_running) && !self.is_live {
            return Ok(());
        }
        self.is_live = false;
        self.begin_anew(session)
    }

    fn begin_anew(&mut self, session: &Session) -> Result<(), String> {
        self.stop();
        let variant = session.variant();
        let scenario = Rc::new(session.lesson().scenario(variant)?);
        self.last += 1;
        self.list.retain(|finding| finding.variant() != variant);
        self.list.push(Finding::begin(self.last, variant, scenario));
        (self.near, self.asked) = (None, None);
        self.searched = Some(session.lesson().clone());
        self.plan = Some(self.plan(self.last, session));
        let start = self.start(self.last, session);
        self.ask(Request::Start(start));
        Ok(())
    }

    /// The question about the variant that is shown.
    fn start(&self, id: u32, session: &Session) -> Start {
        let own = session.lesson().id == OWN;
        Start {
            id,
            lesson: self.text.to_string(),
            variant: session.variant(),
            answer: session.answer_shown().map(str::to_owned),
            own,
            states_max: match session.answer_shown() {
                Some(_) => ANSWER_STATES_MAX,
                None if own && self.is_live => LIVE_STATES_MAX,
                None if own => OWN_STATES_MAX,
                None => STATES_MAX,
            },
            bytes_max: if (self.is_touch)() { BYTES_MAX_TOUCH } else { BYTES_MAX },
        }
    }

    /// The question for the map of the variant that is shown.
    fn plan(&self, id: u32, session: &Session) -> Plan {
        let Start { id, lesson, variant, answer, own, .. } = self.start(id, session);
        Plan { id, lesson, variant, answer, own, width: map_width((self.is_touch)()) }
    }

    fn ask(&mut self, request: Request) {
        self.effects.push(ForWorker::Ask(WORKER, request));
    }

    /// Forgets what was found out about a variant: it has become another one.
    pub fn forget(&mut self, variant: usize) {
        let is_it = |finding: &Finding| finding.variant() == variant;
        if self.list.iter().any(|finding| is_it(finding) && finding.is_running()) {
            self.stop();
        }
        self.list.retain(|finding| !is_it(finding));
        (self.near, self.asked) = (None, None);
    }

    /// Stops all running searches and keeps their results.
    pub fn stop(&mut self) {
        for finding in self.list.iter_mut().filter(|finding| finding.is_running()) {
            finding.stop();
            self.effects.push(ForWorker::Stop(WORKER, finding.id()));
        }
    }

    /// Takes an answer of the checker. Returns whether there is something new to show.
    pub fn hear(&mut self, answer: Answer) -> bool {
        match answer {
            Answer::Stopped(_) => {
                self.effects.push(ForWorker::Stopped(WORKER));
                false
            }
            Answer::Near(near) => {
                let asked = self.asked.as_ref() == Some(&near.schedule) && near.id == self.last;
                self.near = Some(near).filter(|_| asked);
                asked
            }
            // The next worker knows nothing of what this one searched; and what ended it would end
            // the next one, too, if it was asked by itself.
            Answer::Map(made) if made.id > BESIDE_IDS => {
                let is_ours = made.id == self.followed.id;
                if is_ours {
                    self.followed.sheet = made.sheet.map(Rc::new);
                }
                is_ours
            }
            Answer::Along(along) if Some(along.id) == self.map.as_ref().map(|(id, _)| *id) => {
                let Some(pointed) = &mut self.pointed else { return false };
                let leads_to = along.way_spots.last().and_then(|spot| spot.block);
                let is_asked = leads_to == Some(pointed.block);
                if is_asked {
                    pointed.way = Some(along);
                }
                is_asked
            }
            Answer::Along(along) => {
                let is_asked = along.id == self.followed.id
                    && self.followed.run.as_ref() == Some(&along.schedule);
                if is_asked {
                    let find = |is_it: fn(Fate) -> bool| {
                        along.spots.iter().position(|spot| is_it(spot.fate))
                    };
                    let fine = find(Fate::is_saved)
                        .map(|since| Outlook::Fine { since, instead: along.instead.clone() });
                    let doomed = || find(Fate::is_lost).map(|_| Outlook::Doomed);
                    self.followed.outlook = fine.or_else(doomed);
                    self.followed.spots = along.spots.into();
                    self.followed.around = along.around.map(Rc::new);
                }
                is_asked
            }
            Answer::Map(made) => {
                let is_last = made.id == self.last;
                if is_last {
                    self.mapped = made.id;
                    self.map = made.sheet.map(|sheet| (made.id, Rc::new(sheet)));
                    self.ask_way();
                }
                is_last
            }
            Answer::Failed(failure) if self.is_without_map(failure.id) => {
                (self.mapped, self.map) = (failure.id, None);
                true
            }
            answer => {
                if matches!(answer, Answer::Ended(_)) {
                    (self.near, self.asked, self.hints) = (None, None, false);
                    // What ended it may have been the map: it is not asked for again.
                    self.followed.sheet = None;
                    self.last += 1;
                }
                let running = self.list.iter_mut().find(|finding| finding.is_running());
                let Some(finding) = running else { return false };
                let is_news = finding.receive(answer);
                if finding.is_answered() {
                    let id = finding.id();
                    self.ask_map(id);
                }
                is_news
            }
        }
    }

    /// Asks for the map of a search that has ended. What is too large for one gets none.
    fn ask_map(&mut self, id: u32) {
        let Some(plan) = self.plan.take().filter(|plan| plan.id == id) else { return };
        // The worker keeps one map.
        self.followed = Followed { id: self.followed.id, ..Followed::default() };
        self.pointed = None;
        self.make_map(plan);
    }

    fn make_map(&mut self, plan: Plan) {
        self.at_worker = plan.id;
        self.ask(Request::Map(Box::new(plan)));
    }

    /// A block of the variant's map is pointed at: which is a shortest way there?
    pub fn point(&mut self, session: &Session, block: u16) {
        let Some(id) = self.of(session).map(Finding::id) else { return };
        let is_ours = self.map.as_ref().is_some_and(|(of, _)| *of == id);
        let is_new = self.pointed.as_ref().is_none_or(|pointed| pointed.block != block);
        if !is_ours || !is_new || self.is_searching() {
            return;
        }
        if self.at_worker != id {
            self.followed = Followed { id: self.followed.id, ..Followed::default() };
            let plan = self.plan(id, session);
            self.make_map(plan);
        }
        self.pointed = Some(Pointed { block, way: None });
        self.ask_way();
    }

    /// What the worker has not made yet it says nothing of: then this is asked again.
    fn ask_way(&mut self) {
        if let (Some((id, _)), Some(Pointed { block, way: None })) = (&self.map, &self.pointed) {
            let (id, block) = (*id, Some(u32::from(*block)));
            self.ask(Request::Along(Ask { id, schedule: String::new(), block }));
        }
    }

    /// What is pointed at on the map of the variant that is shown.
    pub fn pointed(&self) -> Option<&Pointed> {
        self.pointed.as_ref()
    }

    /// Follows the run that is stepped on the map of its variant, which is asked for once.
    fn follow(&mut self, session: &Session) {
        let withheld = session.part().exam || session.part().readonly;
        let is_wanted = match session.mode() {
            Mode::Break => true,
            Mode::Watch | Mode::Schedule => self.is_warm && session.lesson().id != OWN,
            _ => false,
        };
        if !is_wanted || withheld || self.is_searching() {
            return;
        }
        if self.followed.asked != Some(session.variant()) {
            let id = self.followed.id.max(BESIDE_IDS) + 1;
            self.followed = Followed { id, asked: Some(session.variant()), ..Followed::default() };
            let plan = Plan { width: BESIDE_WIDTH, ..self.plan(id, session) };
            self.make_map(plan);
        }
        if self.followed.sheet.is_none() {
            return;
        }
        let run = session.run_so_far();
        if self.followed.run.as_ref() != Some(&run) {
            (self.followed.run, self.followed.outlook) = (Some(run.clone()), None);
            self.ask(Request::Along(Ask { id: self.followed.id, schedule: run, block: None }));
        }
    }

    /// The map beside the run. A story says nothing of how orders end before it has ended itself.
    pub fn orders(&self, session: &Session) -> Option<Orders> {
        let is_shown = matches!(session.mode(), Mode::Watch | Mode::Break | Mode::Schedule)
            && self.followed.asked == Some(session.variant());
        let sheet = self.followed.sheet.as_ref().filter(|_| is_shown)?;
        let timeline = session.timeline();
        Some(Orders {
            sheet: sheet.clone(),
            spots: self.followed.spots.clone(),
            blind: session.mode() == Mode::Watch && timeline.cursor() < timeline.len(),
            // In "Break it" they would give the order away.
            around: self.followed.around.clone().filter(|_| session.mode() == Mode::Schedule),
        })
    }

    fn is_searching(&self) -> bool {
        self.list.iter().any(Finding::is_running)
    }

    /// What the orders that go on from the run of "Break it" have in common. `None` while that is
    /// nothing, or not known.
    pub fn outlook(&self, session: &Session) -> Option<&Outlook> {
        let outlook = self.followed.outlook.as_ref().filter(|_| session.mode() == Mode::Break)?;
        // The run is written out only where there is something to say of it.
        (self.followed.run.as_ref() == Some(&session.run_so_far())).then_some(outlook)
    }

    /// The map of the variant that is shown; `None` until its search has made one.
    pub fn map_of(&self, session: &Session) -> Option<&Sheet> {
        let finding = self.of(session)?;
        self.map.as_ref().filter(|(id, _)| *id == finding.id()).map(|(_, sheet)| &**sheet)
    }

    pub fn hints(&self) -> bool {
        self.hints
    }

    pub fn set_hints(&mut self, on: bool) {
        self.hints = on;
    }

    /// What is known of the run up to the cursor.
    pub fn near(&self) -> Option<&Near> {
        self.near.as_ref()
    }

    /// Asks what the hint needs to know, where one is wanted and it is not known yet.
    pub fn settle(&mut self, session: &Session) {
        self.follow(session);
        if !self.hints || !session.mode().is_free() {
            return;
        }
        match self.of(session) {
            // The checker keeps only its last search.
            Some(finding) if finding.is_running() => {}
            Some(finding) if finding.id() == self.last && finding.report().is_some() => {
                let run = session.run_so_far();
                if self.asked.as_ref() != Some(&run) {
                    let request = Request::Near { id: self.last, schedule: run.clone() };
                    (self.asked, self.near) = (Some(run), None);
                    self.ask(request);
                }
            }
            _ => {
                // A lesson that cannot be searched says so in Find.
                if self.begin(session).is_err() {
                    self.hints = false;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
