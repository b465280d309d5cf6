//! A lesson being worked on: its variant and mode, the run, and the effect of each input.
//!
//! Runs are kept per variant and per story, so that switching back and forth loses nothing.
//!
//! - [`link`] reads and writes the part of the URL after `#`; only it knows the grammar.
//!   [`deflate`] packs what is long in it. [`spelling`] writes commands, calls and replies.
//! - [`mode`] lists the parts of a lesson, [`part`] keeps a session within the part that a course
//!   page shows, [`progress`] is what the learner has done of it.
//! - [`limit`] has the words for the bound of a run, [`undo`] serves every editor, [`digests`] has
//!   the fingerprints of whole runs, for tests of other targets.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::lesson::{ANSWER, Lesson, OWN, Stop};
use crate::sim::{Action, Branch, ClientId, Impossible, Timeline, Typed, schedule};
use crate::text::Lang;

use self::link::Link;
pub use self::mode::Mode;
use self::part::Part;

pub mod deflate;
pub mod digests;
pub mod limit;
pub mod link;
pub mod mode;
mod notice;
pub mod part;
mod predictions;
pub mod progress;
mod rest;
pub mod spelling;
pub mod undo;

pub use notice::{Notice, impossible_text, not_ready_text};
pub use predictions::Predictions;
use rest::{Rest, Then};

/// The most steps of "Random" and "run until it stops", for programs that go on forever.
pub(crate) const RUN_STEPS_MAX: usize = 400;

/// An input of the learner.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    Step(ClientId),
    /// Steps a client until it cannot go on.
    RunClient(ClientId),
    Advance,
    /// A fault, or a repair.
    Act(Action),
    /// A line typed at a console; in a story the run goes on as the learner's own.
    Type(Typed),
    /// Closes a console's connection.
    Disconnect(ClientId),
    /// Switches wire mode, in which commands and replies travel in steps of their own, on or off.
    Wire(bool),
    Back,
    Forward,
    Seek(usize),
    /// Continues in a random order, drawn from this seed, until every client has stopped.
    Random(u64),
    Reset,
    /// Makes the kept run with this number the run again.
    TakeBranch(u32),
    /// Gives the run with this number a name.
    NameRun(u32, String),
    /// Forgets a kept run.
    RemoveRun(u32),
    /// Sets the comparison shown beside the run.
    Compare(Option<Beside>),
    Mode(Mode),
    Variant(usize),
    Walk(usize),
    /// Answers what the next step of the story will give, by the index of the choice.
    Foretell(usize),
    /// Takes that step without an answer, which nothing else does but a jump.
    Skip,
    /// Opens a run that was found, at its start, to be stepped; the present run is kept.
    Open(String),
    /// The same in a variant; `to_end` shows its end.
    OpenIn {
        variant: usize,
        schedule: String,
        to_end: bool,
    },
}

/// The runs for comparison with the run shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beside {
    /// A kept run of the same variant, by its number.
    Run(u32),
    /// Other variants under the same schedule.
    Variants(Vec<usize>),
}

/// The most variants beside the run; there is no room for more columns.
pub const BESIDE_MAX: usize = 2;

/// What became of the question before a story's step, when the reader first met it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Predicted {
    Open,
    /// The step was taken without an answer.
    Skipped,
    /// The choice.
    Said(usize),
}

/// The lesson, the mode, and a run for every variant and story that was opened.
#[derive(Debug)]
pub struct Session {
    lesson: Rc<Lesson>,
    mode: Mode,
    variant: usize,
    walk: usize,
    free: Vec<Timeline>,
    walks: Vec<Timeline>,
    /// The run of "Break it". Violations found in Schedule do not solve it.
    dared: Option<Timeline>,
    /// True if the situation was shown and left.
    has_read: bool,
    /// The reader's answer at the stop of each story.
    foretold: Vec<Option<usize>>,
    /// What became of the first chance to predict the stop of each story.
    predicted: Vec<Predicted>,
    part: Part,
    beside: Option<Beside>,
    /// The work under way, in order.
    rest: VecDeque<Rest>,
    /// A clock in ms. Without one, everything is done at once.
    clock: Option<fn() -> f64>,
}

impl Session {
    /// Returns the session at another step of the run shown, without the work under way. The two
    /// share their frames.
    #[inline(never)]
    pub fn at(&self, step: usize) -> Session {
        let mut session = Session {
            lesson: self.lesson.clone(),
            free: self.free.clone(),
            walks: self.walks.clone(),
            dared: self.dared.clone(),
            foretold: self.foretold.clone(),
            predicted: self.predicted.clone(),
            part: self.part.clone(),
            beside: self.beside.clone(),
            rest: VecDeque::new(),
            ..*self
        };
        session.update(Msg::Seek(step));
        session
    }

    /// Opens a lesson as `link` says. Mistakes in the link are returned as notices; its valid parts
    /// are used. The error says why a lesson cannot run at all.
    pub fn open(lesson: Rc<Lesson>, link: &Link) -> Result<(Session, Vec<Notice>), String> {
        Session::open_with(lesson, link, None)
    }

    /// The same without long waits: work that is not done within `rest::SLICE_MS` by `clock` is
    /// left to [`Session::go_on`].
    pub fn open_with(
        lesson: Rc<Lesson>,
        link: &Link,
        clock: Option<fn() -> f64>,
    ) -> Result<(Session, Vec<Notice>), String> {
        let start = |variant| {
            Timeline::start(Rc::new(lesson.scenario(variant)?)).map_err(|why| why.to_string())
        };
        let free = (0..lesson.variants.len()).map(start).collect::<Result<Vec<_>, String>>()?;
        if free.is_empty() {
            return Err("the lesson has no variant".into());
        }
        let mut walks = Vec::new();
        for walk in &lesson.walks {
            let mut timeline = free.get(walk.variant).ok_or("a story has no variant")?.clone();
            schedule::play(&mut timeline, &walk.schedule).map_err(|error| format!("{error:?}"))?;
            timeline.seek(0);
            walks.push(timeline);
        }
        let stories = walks.len();
        let challenge = lesson.challenge.as_ref();
        let dared = challenge.and_then(|challenge| free.get(challenge.variant).cloned());
        let mut session = Session {
            lesson,
            mode: Mode::Schedule,
            variant: 0,
            walk: 0,
            free,
            walks,
            dared,
            has_read: false,
            foretold: vec![None; stories],
            predicted: vec![Predicted::Open; stories],
            part: Part::default(),
            beside: None,
            rest: VecDeque::new(),
            clock,
        };
        let mut notices = session.follow(link);
        notices.extend(session.follow_beside(link));
        notices.extend(session.go_on());
        Ok((session, notices))
    }

    fn follow(&mut self, link: &Link) -> Vec<Notice> {
        let mut notices = Vec::new();
        if let Some(wanted) = &link.variant {
            match self.lesson.variant(wanted) {
                Some(variant) => self.variant = variant,
                None => notices.push(Notice::NoSuchVariant { wanted: wanted.clone(), shown: 0 }),
            }
        }
        // A link with a schedule is a run of the learner's; one with nothing begins with the story.
        let mode = match &link.mode {
            Some(wanted) => {
                let mode = Mode::of(&self.lesson).find(|mode| mode.id() == wanted);
                if mode.is_none() {
                    notices.push(Notice::NoSuchMode(wanted.clone()));
                }
                mode
            }
            None => None,
        };
        let free = link.schedule.is_some() || (link.step.is_some() && link.walk.is_none());
        let first = if self.lesson.id == OWN { Mode::Edit } else { Mode::Watch };
        self.mode = mode.unwrap_or(if free { Mode::Schedule } else { first });
        self.walk = self.lesson.walk_of(self.variant).unwrap_or(0);
        if let Some(wanted) = &link.walk {
            match self.lesson.walk(wanted) {
                Some(walk) => {
                    self.walk = walk;
                    self.variant = self.lesson.walks[walk].variant;
                }
                None => notices.push(Notice::NoSuchWalk(wanted.clone())),
            }
        }
        if !self.mode.is_in(&self.lesson) {
            self.mode = Mode::Schedule;
        }
        if let Some(challenge) = self.lesson.challenge.as_ref().filter(|_| self.mode == Mode::Break)
        {
            self.variant = challenge.variant;
        }
        if let Some(wire) = &link.wire {
            self.set_wire(wire == "1");
        }
        // In Watch, the run is the story's.
        if self.mode != Mode::Watch {
            self.rest.extend(link.compare.iter().map(|text| Rest::play(text, Then::Compare)));
            self.rest.extend(link.schedule.iter().map(|text| Rest::play(text, Then::Stay)));
            self.rest.extend(link.run.iter().map(|name| Rest::Name(name.clone())));
        }
        self.rest.extend(link.step.iter().map(|text| Rest::Step(text.clone())));
        notices
    }

    /// Confines the session to a part of its lesson: to its modes, and to some steps of the given
    /// run. Parts that do not exist are returned as notices.
    pub fn confine(&mut self, part: Part) -> Vec<Notice> {
        let mut notices = Vec::new();
        self.part = part;
        let modes = self.modes();
        if !modes.contains(&self.mode) {
            match modes.first() {
                Some(mode) => self.set_mode(*mode),
                None => {
                    let wanted = self.part.modes.take().unwrap_or_default();
                    notices.extend(wanted.iter().map(|m| Notice::NoSuchMode(m.id().to_owned())));
                }
            }
        }
        self.rest.push_back(Rest::Confine);
        notices.extend(self.go_on());
        notices
    }

    /// Shows only the steps that the part allows of a given run.
    fn confine_run(&mut self) -> Vec<Notice> {
        let mut notices = Vec::new();
        let given = self.mode == Mode::Watch || (self.part.readonly && self.mode.is_free());
        if !self.part.is_fragment() || !given {
            return notices;
        }
        let last = self.timeline().len();
        let to = self.part.to.unwrap_or(last);
        if to > last {
            notices.push(Notice::StepBeyond { wanted: to, last });
        }
        let to = to.min(last);
        if self.part.from > to {
            notices.push(Notice::StepBeyond { wanted: self.part.from, last: to });
            self.part.from = to;
        }
        let cursor = self.timeline().cursor().clamp(self.part.from, to);
        self.timeline_mut().cut(to);
        self.timeline_mut().seek(cursor);
        notices
    }

    pub fn part(&self) -> &Part {
        &self.part
    }

    /// Returns true if the part allows `msg`.
    pub fn can(&self, msg: &Msg) -> bool {
        self.part.admits(msg, self.mode, self.variant)
    }

    /// Returns the modes that can be entered, in order.
    pub fn modes(&self) -> Vec<Mode> {
        Mode::of(&self.lesson).filter(|mode| self.part.has(*mode)).collect()
    }

    /// Adds the variants that the link puts beside the run.
    fn follow_beside(&mut self, link: &Link) -> Option<Notice> {
        let mut found = Vec::new();
        let mut wrong = None;
        for id in link.beside.as_deref().unwrap_or_default().split('.').filter(|id| !id.is_empty())
        {
            match self.lesson.variant(id) {
                Some(variant) if variant != self.variant => found.push(variant),
                Some(_) => {}
                None => {
                    wrong =
                        Some(Notice::NoSuchVariant { wanted: id.to_owned(), shown: self.variant })
                }
            }
        }
        if !found.is_empty() {
            found.truncate(BESIDE_MAX);
            self.beside = Some(Beside::Variants(found));
        }
        wrong
    }

    /// Returns the comparison beside the run: a run that exists, or variants other than its own.
    pub fn beside(&self) -> Option<Beside> {
        match self.beside.as_ref().filter(|_| self.mode.is_stepped())? {
            Beside::Run(id) => {
                let mut kept = self.timeline().branches().iter();
                kept.any(|branch| branch.id == *id).then_some(Beside::Run(*id))
            }
            Beside::Variants(list) => {
                let last = self.lesson.variants.len();
                let others = list.iter().filter(|one| **one != self.variant && **one < last);
                let others: Vec<usize> = others.take(BESIDE_MAX).copied().collect();
                (!others.is_empty()).then_some(Beside::Variants(others))
            }
        }
    }

    /// Adds the learner's program as one more variant and shows it. The error is a mistake in it,
    /// in words.
    pub fn set_answer(&mut self, source: &str) -> Result<(), String> {
        if self.lesson.answer().as_deref() != Some(source) {
            let lesson = self.lesson.without_answer().with_answer(source)?;
            let variant = lesson.variants.len() - 1;
            let scenario = Rc::new(lesson.scenario(variant)?);
            self.free.truncate(variant);
            self.free.push(Timeline::start(scenario).map_err(|why| why.to_string())?);
            self.lesson = Rc::new(lesson);
        }
        self.variant = self.lesson.variants.len() - 1;
        Ok(())
    }

    /// Returns the learner's program, if the variant shown runs it.
    pub fn answer_shown(&self) -> Option<Cow<'_, str>> {
        let shown = self.lesson.variants.get(self.variant)?;
        self.lesson.answer().filter(|_| shown.id == ANSWER)
    }

    pub fn lesson(&self) -> &Rc<Lesson> {
        &self.lesson
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the stop of the story being told, and the reader's answer there. `None` if it has
    /// none, or if that step is not shown.
    pub fn stop(&self) -> Option<(&Stop, Option<usize>)> {
        let walk = self.lesson.walks.get(self.walk)?;
        let shown = |stop: &&Stop| self.mode == Mode::Watch && self.part.makes(stop.step);
        let stop = walk.stop.as_ref().filter(shown)?;
        Some((stop, self.foretold.get(self.walk).copied().flatten()))
    }

    /// Returns true if the story's next step is the one that the reader is asked about.
    pub fn is_at_stop(&self) -> bool {
        let next = self.timeline().cursor() + 1;
        self.stop().is_some_and(|(stop, _)| stop.step == next)
    }

    /// Returns true if the story waits for the reader's answer.
    pub fn asks(&self) -> bool {
        self.is_at_stop() && self.stop().is_some_and(|(_, said)| said.is_none())
    }

    /// Notes the first answer to the story's question, or that there was none.
    fn note_prediction(&mut self) {
        let Some((stop, said)) = self.stop() else { return };
        let now = match said {
            Some(choice) => Predicted::Said(choice),
            None if self.timeline().cursor() >= stop.step => Predicted::Skipped,
            None => return,
        };
        self.predict(self.walk, now);
    }

    fn predict(&mut self, walk: usize, now: Predicted) {
        let first = self.predicted.get_mut(walk).filter(|one| **one == Predicted::Open);
        if let Some(first) = first {
            *first = now;
        }
    }

    /// Returns true if the question of the story being told was passed without an answer.
    pub fn has_skipped(&self) -> bool {
        self.predicted.get(self.walk) == Some(&Predicted::Skipped)
    }

    /// Returns true if the situation was shown and left.
    pub fn has_read(&self) -> bool {
        self.has_read
    }

    pub fn variant(&self) -> usize {
        self.variant
    }

    /// Returns the story being told; meaningful in [`Mode::Watch`].
    pub fn walk(&self) -> usize {
        self.walk
    }

    /// Returns the stories of the variant shown, each with its run.
    pub fn stories(&self) -> impl Iterator<Item = &Timeline> {
        let walks = self.lesson.walks.iter().zip(&self.walks);
        walks.filter(|(told, _)| told.variant == self.variant).map(|(_, run)| run)
    }

    /// Returns the number of the story that stands for the lesson, and its run: the one that is
    /// told, else the first of the variant shown, else the first. `None` if stories are not shown.
    pub fn story(&self) -> Option<(usize, &Timeline)> {
        if !self.modes().contains(&Mode::Watch) {
            return None;
        }
        let of_variant = self.lesson.walks.iter().position(|told| told.variant == self.variant);
        let walk = match self.mode {
            Mode::Watch => self.walk,
            _ => of_variant.unwrap_or(0),
        };
        self.walks.get(walk).map(|run| (walk, run))
    }

    /// Returns the run shown.
    pub fn timeline(&self) -> &Timeline {
        match (self.mode, &self.dared) {
            (Mode::Watch, _) => &self.walks[self.walk],
            (Mode::Break, Some(dared)) => dared,
            _ => &self.free[self.variant],
        }
    }

    fn timeline_mut(&mut self) -> &mut Timeline {
        match (self.mode, &mut self.dared) {
            (Mode::Watch, _) => &mut self.walks[self.walk],
            (Mode::Break, Some(dared)) => dared,
            _ => &mut self.free[self.variant],
        }
    }

    /// Shares a read-only run between Schedule and "Break it".
    fn share_given(&mut self) {
        let challenge = self.lesson.challenge.as_ref().map(|challenge| challenge.variant);
        let (Some(variant), Some(dared)) = (challenge, &mut self.dared) else { return };
        match self.mode {
            Mode::Break => self.free[variant] = dared.clone(),
            _ => *dared = self.free[variant].clone(),
        }
    }

    /// Returns the run up to the cursor as text.
    pub fn run_so_far(&self) -> String {
        let timeline = self.timeline();
        let schedule = timeline.schedule();
        schedule.split('.').take(timeline.cursor()).collect::<Vec<_>>().join(".")
    }

    /// Returns the learner's name for the run shown; empty if it has none, or no run of the
    /// learner's is shown.
    pub fn run_name(&self) -> &str {
        if self.mode.is_free() { self.timeline().name() } else { "" }
    }

    /// Names the run that was asked for last, as soon as it is there.
    pub fn name_next(&mut self, name: String) {
        match self.is_under_way() {
            true => self.rest.push_back(Rest::Name(name)),
            false => drop(self.a_bit(Rest::Name(name))),
        }
    }

    /// Returns the link that opens a run of this variant at its start, by its name if it has one.
    pub fn link_to_run(&self, schedule: &str, name: &str, lang: Lang) -> Link {
        Link {
            mode: Some(Mode::Schedule.id().to_owned()),
            walk: None,
            wire: None,
            run: Some(name.to_owned()).filter(|name| !name.is_empty()),
            schedule: Some(link::fitting(schedule.to_owned())).filter(|text| !text.is_empty()),
            step: Some("0".to_owned()),
            ..self.link(lang)
        }
    }

    /// Returns the action that comes next in the story.
    pub fn story_next(&self) -> Option<Action> {
        let timeline = self.timeline();
        timeline.frames().get(timeline.cursor() + 1)?.token.map(|token| token.action)
    }

    /// Handles an input. An input that is impossible at the moment changes nothing: the page shows
    /// such buttons as disabled, with the reason.
    pub fn update(&mut self, msg: Msg) -> Option<Notice> {
        if !self.can(&msg) {
            return None;
        }
        let left = self.leave_rest();
        let notice = self.take(msg);
        let told = self.go_on();
        self.note_prediction();
        notice.or(left).or_else(|| told.into_iter().next())
    }

    fn take(&mut self, msg: Msg) -> Option<Notice> {
        let floor = self.part.floor(self.mode);
        match msg {
            Msg::Step(id) => {
                let next = self.timeline().world().next_of(id);
                return self.act(next.unwrap_or(Action::Step(id)));
            }
            Msg::Advance => return self.act(Action::Advance),
            Msg::Act(action) => return self.act(action),
            Msg::Type(typed) => return self.at_console(&|timeline| timeline.type_line(&typed)),
            Msg::Disconnect(id) => {
                return self.at_console(&|timeline| timeline.step(Action::Disconnect(id)));
            }
            Msg::Wire(wire) if self.mode.is_free() => self.set_wire(wire),
            Msg::RunClient(id) if self.mode.is_free() => {
                self.rest.push_back(Rest::Client(id, RUN_STEPS_MAX))
            }
            Msg::Random(seed) if self.mode.is_free() => {
                let random = Box::new(ChaCha8Rng::seed_from_u64(seed));
                self.rest.push_back(Rest::Random(random, RUN_STEPS_MAX));
            }
            Msg::RunClient(_) | Msg::Random(_) | Msg::Wire(_) => {}
            Msg::Back if self.timeline().cursor() <= floor => {}
            Msg::Back => self.timeline_mut().back(),
            Msg::Forward if self.asks() => {}
            Msg::Skip if !self.asks() => {}
            Msg::Forward | Msg::Skip => self.timeline_mut().forward(),
            Msg::Seek(step) => self.timeline_mut().seek(step.max(floor)),
            Msg::Reset => match self.mode {
                Mode::Watch => self.timeline_mut().seek(floor),
                Mode::Schedule | Mode::Break if self.part.readonly => {
                    self.timeline_mut().seek(floor);
                }
                Mode::Schedule | Mode::Break => self.timeline_mut().reset(),
                _ => {}
            },
            Msg::TakeBranch(id) => {
                let mut kept = self.timeline().branches().iter();
                if let Some(number) = kept.position(|branch| branch.id == id) {
                    self.timeline_mut().take_branch(number);
                }
            }
            Msg::NameRun(id, name) => self.timeline_mut().set_name(id, &name),
            Msg::RemoveRun(id) => self.timeline_mut().remove_branch(id),
            Msg::Compare(beside) => self.beside = beside,
            Msg::Mode(mode) => self.set_mode(mode),
            Msg::Variant(variant) => self.set_variant(variant),
            Msg::Open(schedule) => self.open_run(schedule, Then::Start),
            Msg::OpenIn { variant, schedule, to_end } => {
                self.set_variant(variant);
                self.open_run(schedule, if to_end { Then::Stay } else { Then::Start });
            }
            Msg::Foretell(choice) => {
                let is_choice = |(stop, _): (&Stop, _)| choice < stop.choices.len();
                let is_there = self.is_at_stop() && self.stop().is_some_and(is_choice);
                if is_there && let Some(said) = self.foretold.get_mut(self.walk) {
                    *said = Some(choice);
                }
            }
            Msg::Walk(walk) => {
                if let Some(told) = self.lesson.walks.get(walk) {
                    (self.walk, self.variant) = (walk, told.variant);
                }
            }
        }
        None
    }

    fn act(&mut self, action: Action) -> Option<Notice> {
        match self.mode {
            // In a story only its own next step can be made, and a question is answered before.
            Mode::Watch if self.story_next() == Some(action) && !self.asks() => {
                self.timeline_mut().forward();
            }
            Mode::Schedule | Mode::Break => {
                let timeline = self.timeline_mut();
                let before = timeline.cursor();
                let done = timeline.step(action);
                if done.is_ok() && timeline.cursor() == before {
                    return Some(limit::of(self.timeline()));
                }
            }
            _ => {}
        }
        None
    }

    /// Handles an input at a console.
    fn at_console(
        &mut self,
        what: &dyn Fn(&mut Timeline) -> Result<(), Impossible>,
    ) -> Option<Notice> {
        if self.mode == Mode::Watch {
            // As short as a story is.
            self.open_run(self.run_so_far(), Then::Stay);
            while let Some(rest) = self.rest.pop_front() {
                if let Some(notice) = self.a_bit(rest).into_iter().next() {
                    return Some(notice);
                }
            }
        }
        if !self.mode.is_free() {
            return None;
        }
        let timeline = self.timeline_mut();
        let before = timeline.cursor();
        let done = what(timeline);
        if done.is_ok() && timeline.cursor() == before {
            return Some(limit::of(self.timeline()));
        }
        let too_long = link::encoded_len(&timeline.schedule()) > link::SCHEDULE_MAX;
        (done.is_ok() && too_long).then_some(Notice::LinkLimit)
    }

    fn open_run(&mut self, text: String, then: Then) {
        self.mode = Mode::Schedule;
        // The form in which it was searched.
        self.set_wire(self.wire_by_default());
        self.rest.push_back(Rest::Open(text, then));
    }

    /// Returns true if the run shown is in wire mode.
    pub fn wire(&self) -> bool {
        self.timeline().world().setting().wire
    }

    fn wire_by_default(&self) -> bool {
        self.lesson.variants.get(self.variant).is_some_and(|variant| variant.world.wire)
    }

    fn set_mode(&mut self, mode: Mode) {
        if !mode.is_in(&self.lesson) || !self.part.has(mode) {
            return;
        }
        if mode == Mode::Watch
            && !self.part.is_fragment()
            && let Some(walk) = self.lesson.walk_of(self.variant)
            && self.lesson.walks[self.walk].variant != self.variant
        {
            self.walk = walk;
        }
        self.has_read |= self.mode == Mode::Situation && mode != Mode::Situation;
        self.mode = mode;
        if mode == Mode::Watch {
            self.variant = self.lesson.walks[self.walk].variant;
        }
        if let Some(challenge) = self.lesson.challenge.as_ref().filter(|_| mode == Mode::Break) {
            self.variant = challenge.variant;
        }
    }

    fn set_variant(&mut self, variant: usize) {
        let told = self.lesson.walk_of(variant).is_some();
        let stays = self.mode != Mode::Watch || (told && !self.part.is_fragment());
        if variant >= self.lesson.variants.len() || !(stays || self.part.has(Mode::Schedule)) {
            return;
        }
        self.variant = variant;
        if self.mode == Mode::Break {
            self.mode = Mode::Schedule;
        }
        // Of the one story only some steps are shown, of others nothing.
        let told = self.lesson.walk_of(variant).filter(|_| !self.part.is_fragment());
        match told {
            Some(walk) => self.walk = walk,
            // Nothing is told of this variant: it can only be scheduled.
            None if self.mode == Mode::Watch => self.mode = Mode::Schedule,
            None => {}
        }
    }

    /// Returns to an earlier view, if it still is as `link` says: runs, drafts and answers stay.
    /// False if the link asks for something else.
    #[inline(never)]
    pub fn returns_to(&mut self, link: &Link, lang: Lang) -> bool {
        let mode = Mode::of(&self.lesson).find(|mode| link.mode.as_deref() == Some(mode.id()));
        let variant = link.variant.as_ref().and_then(|id| self.lesson.variant(id));
        let (Some(mode), Some(variant)) = (mode, variant) else { return false };
        let walk = link.walk.as_ref().and_then(|id| self.lesson.walk(id));
        let msgs = [Some(Msg::Variant(variant)), walk.map(Msg::Walk), Some(Msg::Mode(mode))];
        msgs.into_iter().flatten().for_each(|msg| drop(self.update(msg)));
        // Where no run is shown, it may be another one by now.
        if !mode.is_stepped() {
            return (self.mode, self.variant) == (mode, variant)
                && self.answer_shown().as_deref() == link.program.as_deref();
        }
        if let Some(step) = link.step.as_ref().and_then(|step| step.parse().ok()) {
            self.update(Msg::Seek(step));
        }
        let now = self.link(lang);
        let said = |link: &Link| {
            let Link { mode, variant, walk, schedule, wire, step, beside, .. } = link.clone();
            (mode, variant, walk, schedule, wire, step.unwrap_or_else(|| "0".into()), beside)
        };
        said(&now) == said(link) && now.program == link.program && link.compare == now.compare
    }

    /// Returns the link to the present view.
    pub fn link(&self, lang: Lang) -> Link {
        let timeline = self.timeline();
        let (walk, schedule) = match self.mode {
            Mode::Watch => (self.lesson.walks.get(self.walk).map(|walk| walk.id.clone()), None),
            _ => (None, Some(link::fitting(timeline.schedule())).filter(|text| !text.is_empty())),
        };
        // A run that is too long travels as far as there is room.
        let linked = schedule.as_ref().map_or(usize::MAX, |text| text.split('.').count());
        Link {
            lesson: Some(self.lesson.id.clone()),
            variant: self.lesson.variants.get(self.variant).map(|variant| variant.id.clone()),
            mode: Some(self.mode.id().to_owned()),
            walk,
            schedule,
            run: Some(self.run_name().to_owned()).filter(|name| !name.is_empty()),
            wire: (self.mode.is_free() && self.wire() != self.wire_by_default())
                .then(|| u8::from(self.wire()).to_string()),
            step: Some(timeline.cursor().min(linked).to_string()).filter(|_| !timeline.is_empty()),
            compare: match (self.beside(), self.mode.is_free()) {
                (Some(Beside::Run(id)), true) => {
                    let mut kept = timeline.branches().iter();
                    kept.find(|branch| branch.id == id).map(Branch::schedule)
                }
                _ => None,
            },
            beside: match self.beside() {
                Some(Beside::Variants(list)) => {
                    let ids = list.iter().filter_map(|one| self.lesson.variants.get(*one));
                    Some(ids.map(|one| one.id.as_str()).collect::<Vec<_>>().join("."))
                }
                _ => None,
            },
            program: self.answer_shown().map(Cow::into_owned),
            lang: Some(lang.tag().to_owned()),
            ..Link::default()
        }
    }
}
