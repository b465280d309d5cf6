//! The searches of the open lesson, one per variant, and the distance of the learner's run from a
//! violation.
//!
//! [`SearchStore::take_effects`] returns the requests to the checker; [`SearchStore::hear`] takes
//! its answers. `live` is the verdict beside the playground's editor.

use std::borrow::Cow;
use std::rc::Rc;

use super::effect::ForWorker;
use crate::checker::map::Fate;
use crate::jobs::find::{Near, Start};
use crate::jobs::map::wire::{Along, Ask, Plan};
use crate::jobs::map::{Around, Sheet, Spot};
use crate::jobs::{Answer, Request};
use crate::lesson::{Lesson, OWN};
use crate::session::{Mode, Session};
use crate::view::find::Results;
use crate::view::learn::challenge::Outlook;
use crate::view::map::Orders;

mod finding;
mod live;

pub use finding::Finding;
pub use live::Beside;

const STATES_MAX: u32 = 10_000_000;
/// The most states for a learner's program. The lessons' own have a few thousand, and the author of
/// an endless loop should not wait long.
const ANSWER_STATES_MAX: u32 = 50_000;
/// The most states for a learner's scenario, which may be meant to be large.
const OWN_STATES_MAX: u32 = 2_000_000;
/// The most states for a scenario that is being written, as each pause in typing starts a new
/// search.
pub const LIVE_STATES_MAX: u32 = 60_000;
/// A search that begins by itself ends after this number of states; or of ms, where even few take
/// long: a slow phone needs several seconds for a lesson's largest.
const ITSELF_STATES: u64 = 50_000;
const ITSELF_MS: u64 = 20_000;
/// The states of the search that warms up the checker.
const WARM_STATES: u32 = 300;
/// The most bytes for one search.
const BYTES_MAX: usize = 512 << 20;
/// The most bytes for one search on touch devices: phones close pages that use more.
const BYTES_MAX_TOUCH: usize = 160 << 20;

/// Returns the width of a map in px; the layout of the map depends on it.
pub fn map_width(is_touch: bool) -> u32 {
    if is_touch { 340 } else { 680 }
}

/// The number of the worker that searches.
const WORKER: usize = 0;

/// The first id of maps beside a run; the ids of searches are smaller.
const BESIDE_IDS: u32 = 1 << 30;

/// The width of a map beside a run, in px.
pub const BESIDE_WIDTH: u32 = 228;

/// The map beside the run that is stepped, and the position of the run on it.
#[derive(Debug, Default)]
struct Followed {
    /// The id of the requested map; `asked` is its variant.
    id: u32,
    asked: Option<usize>,
    sheet: Option<Rc<Sheet>>,
    /// The run that was asked about; the answers follow.
    run: Option<String>,
    spots: Rc<[Spot]>,
    around: Option<Rc<Around>>,
    outlook: Option<Outlook>,
}

/// The block of a map that is pointed at, and a shortest way to it once known.
#[derive(Debug)]
pub struct Pointed {
    /// The id of the map.
    of: u32,
    pub block: u16,
    pub way: Option<Box<Along>>,
}

/// The results for the open lesson.
#[derive(Debug)]
pub struct SearchStore {
    /// Returns whether the main pointer is a finger.
    is_touch: fn() -> bool,
    lesson: String,
    /// The lesson's file, for the checker to read.
    text: Rc<str>,
    /// The results, at most one per variant.
    list: Vec<Finding>,
    last: u32,
    hints: bool,
    near: Option<Near>,
    /// The run that the hint was asked for.
    asked: Option<String>,
    followed: Followed,
    /// True if the checker was warmed up, so that maps may be requested before a search.
    is_warm: bool,
    /// The request for the map of the running search.
    plan: Option<Plan>,
    pointed: Option<Pointed>,
    /// The id of the map that the worker holds or makes.
    at_worker: u32,
    /// The maps of the searches in `list` by their ids, the last one made last; `None` for one that
    /// is known not to exist.
    maps: Vec<(u32, Option<Rc<Sheet>>)>,
    /// True if the last search was a small one, for a text that is being written.
    is_live: bool,
    /// The search that began by itself, unless the learner has asked for it since; else 0.
    itself: u32,
    /// The verdict on an earlier text of the playground, with the lesson made of that text.
    before: Option<(Rc<Lesson>, Finding)>,
    /// The lesson of the last search.
    searched: Option<Rc<Lesson>>,
    effects: Vec<ForWorker>,
}

impl SearchStore {
    /// Returns a store without a lesson. `is_touch` returns whether the main pointer is a finger.
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
            maps: Vec::new(),
            is_live: false,
            itself: 0,
            before: None,
            searched: None,
            effects: Vec::new(),
        }
    }

    /// Returns the effects to carry out, in order, and empties the queue.
    pub fn take_effects(&mut self) -> Vec<ForWorker> {
        std::mem::take(&mut self.effects)
    }

    /// Takes a lesson that was loaded; `text` is its file.
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
        self.unfollow();
        self.list.clear();
    }

    /// Warms up the checker with a small search, because browsers compile code when it is first
    /// used. Its result, under id 0, is ignored.
    pub fn warm(&mut self, session: &Session) {
        self.is_warm = true;
        let start = self.start(0, session);
        let start = Start { states_max: WARM_STATES, bytes_max: BYTES_MAX_TOUCH, ..start };
        self.ask(Request::Start(Start { answer: None, ..start }));
    }

    /// Returns the file of the open lesson.
    pub fn text(&self) -> &Rc<str> {
        &self.text
    }

    /// Returns the results for the variant that is shown.
    pub fn of(&self, session: &Session) -> Option<&Results> {
        self.finding_of(session).map(Finding::results)
    }

    fn finding_of(&self, session: &Session) -> Option<&Finding> {
        let mut list = self.list.iter().filter(|_| session.lesson().id == self.lesson);
        list.find(|finding| finding.results().variant == session.variant())
    }

    /// Searches the variant shown, unless its search is running. An error is a mistake in the
    /// lesson.
    pub fn begin(&mut self, session: &Session) -> Result<(), String> {
        self.itself = 0;
        // One for a text that was being written looks at fewer states.
        if self.of(session).is_some_and(Results::is_running) && !self.is_live {
            return Ok(());
        }
        self.is_live = false;
        self.begin_anew(session)
    }

    /// Searches the variant that Find shows, if nothing is known of it and nothing is searched. The
    /// search ends soon.
    pub fn begin_by_itself(&mut self, session: &Session) {
        if session.mode() == Mode::Find
            && session.lesson().id == self.lesson
            && self.of(session).is_none()
            && !self.is_searching()
            && self.begin(session).is_ok()
        {
            self.itself = self.last;
        }
    }

    /// Returns whether the search that runs began by itself.
    pub fn is_by_itself(&self) -> bool {
        self.list.iter().any(|finding| finding.is_running() && finding.id() == self.itself)
    }

    fn begin_anew(&mut self, session: &Session) -> Result<(), String> {
        self.stop();
        let variant = session.variant();
        let scenario = Rc::new(session.lesson().scenario(variant)?);
        self.last += 1;
        self.list.retain(|finding| finding.results().variant != variant);
        self.list.push(Finding::begin(self.last, variant, scenario));
        (self.near, self.asked) = (None, None);
        self.searched = Some(session.lesson().clone());
        self.plan = Some(self.plan(self.last, session));
        let start = self.start(self.last, session);
        self.ask(Request::Start(start));
        Ok(())
    }

    /// Returns the search request for the variant that is shown.
    fn start(&self, id: u32, session: &Session) -> Start {
        let own = session.lesson().id == OWN;
        Start {
            id,
            lesson: self.text.to_string(),
            variant: session.variant(),
            answer: session.answer_shown().map(Cow::into_owned),
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

    /// Returns the map request for the variant that is shown.
    fn plan(&self, id: u32, session: &Session) -> Plan {
        let Start { id, lesson, variant, answer, own, .. } = self.start(id, session);
        Plan { id, lesson, variant, answer, own, width: map_width((self.is_touch)()) }
    }

    fn ask(&mut self, request: Request) {
        self.effects.push(ForWorker::Ask(WORKER, request));
    }

    /// Forgets the result for a variant whose program has changed.
    pub fn forget(&mut self, variant: usize) {
        let is_it = |finding: &Finding| finding.results().variant == variant;
        if self.list.iter().any(|finding| is_it(finding) && finding.is_running()) {
            self.stop();
        }
        self.list.retain(|finding| !is_it(finding));
        (self.near, self.asked) = (None, None);
        if self.followed.asked == Some(variant) {
            self.unfollow();
        }
    }

    /// Forgets the map beside the run.
    fn unfollow(&mut self) {
        self.followed = Followed { id: self.followed.id, ..Followed::default() };
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
            Answer::Along(along) if along.id <= BESIDE_IDS => {
                let Some(pointed) = &mut self.pointed else { return false };
                let leads_to = along.way_spots.last().and_then(|spot| spot.block);
                let is_asked = along.id == pointed.of && leads_to == Some(pointed.block);
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
                let is_known = self.is_answered(made.id) || made.id == self.last;
                if is_known {
                    self.keep_map(made.id, made.sheet.map(Rc::new));
                    self.ask_way();
                }
                is_known
            }
            Answer::Failed(failure) if self.is_answered(failure.id) => {
                self.keep_map(failure.id, None);
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
                let (id, (states, ms)) = (finding.id(), finding.results().met());
                if finding.results().is_answered() {
                    self.ask_map(id);
                } else if id == self.itself && (states > ITSELF_STATES || ms > ITSELF_MS) {
                    self.stop();
                }
                is_news
            }
        }
    }

    /// Keeps the map of a search as long as its result.
    fn keep_map(&mut self, id: u32, sheet: Option<Rc<Sheet>>) {
        let list = &self.list;
        self.maps.retain(|(of, _)| *of != id && list.iter().any(|finding| finding.id() == *of));
        self.maps.push((id, sheet));
    }

    /// Returns whether this is a search that has ended with an answer.
    fn is_answered(&self, id: u32) -> bool {
        self.list.iter().any(|finding| finding.id() == id && finding.results().is_answered())
    }

    /// Requests the map of a finished search. Searches that are too large get none.
    fn ask_map(&mut self, id: u32) {
        let Some(plan) = self.plan.take().filter(|plan| plan.id == id) else { return };
        // The worker keeps one map.
        self.unfollow();
        self.pointed = None;
        self.make_map(plan);
    }

    fn make_map(&mut self, plan: Plan) {
        self.at_worker = plan.id;
        self.ask(Request::Map(Box::new(plan)));
    }

    /// Points at a block of the variant's map, and asks for a shortest way to it.
    pub fn point(&mut self, session: &Session, block: u16) {
        let Some(id) = self.finding_of(session).map(Finding::id) else { return };
        let is_ours = self.map_of(session).is_some();
        let known = self.pointed.as_ref();
        let is_new = known.is_none_or(|known| (known.of, known.block) != (id, block));
        if !is_ours || !is_new || self.is_searching() {
            return;
        }
        if self.at_worker != id {
            self.unfollow();
            let plan = self.plan(id, session);
            self.make_map(plan);
        }
        self.pointed = Some(Pointed { of: id, block, way: None });
        self.ask_way();
    }

    /// Asks for the way to the block pointed at. The worker does not answer before the map is made;
    /// then this is called again.
    fn ask_way(&mut self) {
        if let Some(Pointed { of, block, way: None }) = &self.pointed {
            let (id, block) = (*of, Some(u32::from(*block)));
            self.ask(Request::Along(Ask { id, schedule: String::new(), block }));
        }
    }

    /// Returns the block that is pointed at on the map of the variant that is shown.
    pub fn pointed(&self, session: &Session) -> Option<&Pointed> {
        let id = self.finding_of(session)?.id();
        self.pointed.as_ref().filter(|pointed| pointed.of == id)
    }

    /// Follows the run on the map of its variant, which is requested once.
    fn follow(&mut self, session: &Session) {
        let is_time = self.is_warm || session.mode() == Mode::Break;
        if !is_time || !has_map_beside(session) || self.is_searching() {
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

    /// Returns the map beside the run. In a story it shows no outcomes before the story has ended.
    pub fn orders(&self, session: &Session) -> Option<Orders> {
        let is_shown = matches!(session.mode(), Mode::Watch | Mode::Break | Mode::Schedule)
            && self.followed.asked == Some(session.variant());
        let sheet = self.followed.sheet.as_ref().filter(|_| is_shown)?;
        let timeline = session.timeline();
        Some(Orders {
            sheet: sheet.clone(),
            spots: self.followed.spots.clone(),
            blind: session.mode() == Mode::Watch && timeline.cursor() < timeline.len(),
            // In "Break it" that is a hint, to be asked for.
            far: session.mode() != Mode::Break || self.hints,
            // There they would give the order away.
            around: self.followed.around.clone().filter(|_| session.mode() == Mode::Schedule),
        })
    }

    fn is_searching(&self) -> bool {
        self.list.iter().any(Finding::is_running)
    }

    /// Returns the common outcome of the orders that continue the run of "Break it"; `None` if
    /// there is none or it is not known.
    pub fn outlook(&self, session: &Session) -> Option<&Outlook> {
        let outlook = self.followed.outlook.as_ref().filter(|_| session.mode() == Mode::Break)?;
        // The run is written out only where there is something to say of it.
        (self.followed.run.as_ref() == Some(&session.run_so_far())).then_some(outlook)
    }

    /// Returns the map of the variant that is shown; `None` until its search has made one.
    pub fn map_of(&self, session: &Session) -> Option<&Sheet> {
        let id = self.finding_of(session)?.id();
        self.maps.iter().find(|(of, _)| *of == id)?.1.as_deref()
    }

    /// Requests the map of the search that Find shows, if another request has taken its place.
    fn map_again(&mut self, session: &Session) {
        let finding = self.finding_of(session).filter(|_| session.mode() == Mode::Find);
        let Some(id) = finding.map(Finding::id).filter(|id| self.is_answered(*id)) else { return };
        let is_asked = self.at_worker == id || self.maps.iter().any(|(of, _)| *of == id);
        if !is_asked && !self.is_searching() {
            self.plan = Some(self.plan(id, session));
            self.ask_map(id);
        }
    }

    pub fn hints(&self) -> bool {
        self.hints
    }

    pub fn set_hints(&mut self, on: bool) {
        self.hints = on;
    }

    /// Returns the distance of the run up to the cursor from a violation.
    pub fn near(&self) -> Option<&Near> {
        self.near.as_ref()
    }

    /// Sends the requests that the hint and the map still need.
    pub fn settle(&mut self, session: &Session) {
        self.follow(session);
        self.map_again(session);
        if !self.hints || !session.mode().is_free() {
            return;
        }
        match self.finding_of(session) {
            // The checker keeps only its last search.
            Some(finding) if finding.is_running() => {}
            Some(finding) if finding.id() == self.last && finding.results().is_answered() => {
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

/// Returns true if a map is shown beside the session's run, as soon as it is known.
pub fn has_map_beside(session: &Session) -> bool {
    let withheld = session.part().exam || session.part().readonly;
    let is_run = match session.mode() {
        Mode::Break => true,
        Mode::Watch | Mode::Schedule => session.lesson().id != OWN,
        _ => false,
    };
    is_run && !withheld
}

#[cfg(test)]
mod tests;
