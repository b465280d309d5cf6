//! A lesson being worked on: which variant and mode, the run, and what each input does to it.
//!
//! Runs are kept per variant and per story, so that switching back and forth loses nothing.

use std::rc::Rc;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

use crate::lesson::{ANSWER, Lesson, OWN};
use crate::sim::{
    Action, Branch, Call, CallKind, ClientId, Impossible, Scenario, ScheduleError, State, Timeline,
    Typed, World, schedule,
};
use crate::text::{Key, Lang, fill, tr};

use super::limit;
use super::link::{self, Link};
pub use super::mode::Mode;
use super::part::Part;

/// "Random" and "run until it stops" end here even where the programs would go on for ever.
const RUN_STEPS_MAX: usize = 400;

/// An input.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    Step(ClientId),
    /// Steps a client until it can no more.
    RunClient(ClientId),
    Advance,
    /// A fault, or what mends it.
    Act(Action),
    /// A line typed at a console; in a story the run goes on as the learner's own.
    Type(Typed),
    /// A console's connection is closed.
    Disconnect(ClientId),
    /// Shows the way of commands and replies as steps of their own, or no longer.
    Wire(bool),
    Back,
    Forward,
    Seek(usize),
    /// Goes on in a random order, drawn from this seed, until everybody has stopped.
    Random(u64),
    Reset,
    /// Takes up the kept run with this number again.
    TakeBranch(u32),
    /// Gives the run with this number a name.
    NameRun(u32, String),
    /// Forgets a kept run.
    RemoveRun(u32),
    /// What is shown beside the run.
    Compare(Option<Beside>),
    Mode(Mode),
    Variant(usize),
    Walk(usize),
    /// Opens a run that was found, from its start, to be stepped; the run that was there is kept.
    Open(String),
    /// The same in a variant; `to_end` shows its end.
    OpenIn {
        variant: usize,
        schedule: String,
        to_end: bool,
    },
}

/// What a run is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beside {
    /// A kept run of the same variant, by its number.
    Run(u32),
    /// Other variants under the same schedule.
    Variants(Vec<usize>),
}

/// More columns have no room.
pub const BESIDE_MAX: usize = 2;

/// Something to tell the learner, with a way on; the words are made when it is shown, so that they
/// follow a change of language.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    NoSuchVariant {
        wanted: String,
        shown: usize,
    },
    NoSuchWalk(String),
    NoSuchMode(String),
    BadStep(String),
    StepBeyond {
        wanted: usize,
        last: usize,
    },
    Schedule(ScheduleError),
    RunLimit,
    /// The run holds as many bytes as one may.
    RunBytes,
    /// The run has become too long for a link.
    LinkLimit,
}

/// The lesson, the mode, and a run for every variant and story that was opened.
#[derive(Debug, Clone)]
pub struct Session {
    lesson: Rc<Lesson>,
    mode: Mode,
    variant: usize,
    walk: usize,
    free: Vec<Timeline>,
    walks: Vec<Timeline>,
    part: Part,
    beside: Option<Beside>,
}

impl Session {
    /// Opens a lesson as `link` says. What the link gets wrong comes back as notices; what is
    /// right is still shown. The error is a lesson that cannot run at all, in words.
    pub fn open(lesson: Rc<Lesson>, link: &Link) -> Result<(Session, Vec<Notice>), String> {
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
        let mut session = Session {
            lesson,
            mode: Mode::Schedule,
            variant: 0,
            walk: 0,
            free,
            walks,
            part: Part::default(),
            beside: None,
        };
        let mut notices = session.follow(link);
        notices.extend(session.follow_beside(link));
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
        if let Some(text) = &link.compare {
            // It becomes a kept run.
            let timeline = &mut self.free[self.variant];
            match schedule::play(timeline, text) {
                Ok(()) => self.beside = Some(Beside::Run(timeline.id())),
                Err(error) => notices.push(Notice::Schedule(error)),
            }
            timeline.reset();
        }
        if let Some(text) = &link.schedule {
            let timeline = &mut self.free[self.variant];
            if let Err(error) = schedule::play(timeline, text) {
                notices.push(Notice::Schedule(error));
            }
        }
        if let Some(text) = &link.step {
            let last = self.timeline().len();
            match text.parse::<usize>() {
                Ok(step) if step <= last => {}
                Ok(wanted) => notices.push(Notice::StepBeyond { wanted, last }),
                Err(_) => notices.push(Notice::BadStep(text.clone())),
            }
            if let Ok(step) = text.parse() {
                self.timeline_mut().seek(step);
            }
        }
        notices
    }

    /// Confines the session to a part of its lesson: to its modes, and to some steps of the run
    /// that is given. What the part asks for in vain comes back as notices.
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
        let cursor = self.timeline().cursor();
        let (scenario, run) = (self.timeline().scenario().clone(), self.timeline().schedule());
        let shown = run.split('.').take(to).collect::<Vec<_>>().join(".");
        // It started and went as far before.
        if let Ok(mut timeline) = Timeline::start(Rc::new(scenario)) {
            let _ = schedule::play(&mut timeline, &shown);
            timeline.seek(cursor.clamp(self.part.from, to));
            *self.timeline_mut() = timeline;
        }
        notices
    }

    pub fn part(&self) -> &Part {
        &self.part
    }

    /// Whether `msg` stays inside of the part.
    pub fn can(&self, msg: &Msg) -> bool {
        self.part.admits(msg, self.mode, self.variant)
    }

    /// The modes that can be entered, in order.
    pub fn modes(&self) -> Vec<Mode> {
        Mode::of(&self.lesson).filter(|mode| self.part.has(*mode)).collect()
    }

    /// The variants that the link wants beside the run.
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

    /// What is shown beside the run: a run that is there, or variants other than its own.
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

    /// Takes the learner's program as one more variant and shows it. The error is a mistake in it,
    /// in words.
    pub fn set_answer(&mut self, source: &str) -> Result<(), String> {
        if self.lesson.answer() != Some(source) {
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

    /// The learner's program, where the variant shown is the one that runs it.
    pub fn answer_shown(&self) -> Option<&str> {
        let shown = self.lesson.variants.get(self.variant)?;
        self.lesson.answer().filter(|_| shown.id == ANSWER)
    }

    pub fn lesson(&self) -> &Rc<Lesson> {
        &self.lesson
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    pub fn variant(&self) -> usize {
        self.variant
    }

    /// The story being told; meaningful in [`Mode::Watch`].
    pub fn walk(&self) -> usize {
        self.walk
    }

    /// The run shown.
    /// The stories of the variant shown, each with its run.
    pub fn stories(&self) -> impl Iterator<Item = &Timeline> {
        let walks = self.lesson.walks.iter().zip(&self.walks);
        walks.filter(|(told, _)| told.variant == self.variant).map(|(_, run)| run)
    }

    pub fn timeline(&self) -> &Timeline {
        match self.mode {
            Mode::Watch => &self.walks[self.walk],
            _ => &self.free[self.variant],
        }
    }

    fn timeline_mut(&mut self) -> &mut Timeline {
        match self.mode {
            Mode::Watch => &mut self.walks[self.walk],
            _ => &mut self.free[self.variant],
        }
    }

    /// The run up to the cursor, in writing.
    pub fn run_so_far(&self) -> String {
        let timeline = self.timeline();
        let schedule = timeline.schedule();
        schedule.split('.').take(timeline.cursor()).collect::<Vec<_>>().join(".")
    }

    /// The link that opens a run of this variant at its start.
    pub fn link_to_run(&self, schedule: &str, lang: Lang) -> Link {
        Link {
            mode: Some(Mode::Schedule.id().to_owned()),
            walk: None,
            wire: None,
            schedule: Some(link::fitting(schedule.to_owned())).filter(|text| !text.is_empty()),
            step: Some("0".to_owned()),
            ..self.link(lang)
        }
    }

    /// The client whose step comes next in the story.
    pub fn story_next(&self) -> Option<Action> {
        let timeline = self.timeline();
        timeline.frames().get(timeline.cursor() + 1)?.token.map(|token| token.action)
    }

    /// Does what `msg` says. An input that is impossible at the moment changes nothing: the page
    /// shows such buttons as disabled, with the reason.
    pub fn update(&mut self, msg: Msg) -> Option<Notice> {
        if !self.can(&msg) {
            return None;
        }
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
            Msg::RunClient(id) if self.mode.is_free() => return self.run_client(id),
            Msg::Random(seed) if self.mode.is_free() => return self.run_random(seed),
            Msg::RunClient(_) | Msg::Random(_) | Msg::Wire(_) => {}
            Msg::Back if self.timeline().cursor() <= floor => {}
            Msg::Back => self.timeline_mut().back(),
            Msg::Forward => self.timeline_mut().forward(),
            Msg::Seek(step) => self.timeline_mut().seek(step.max(floor)),
            Msg::Reset => match self.mode {
                Mode::Watch => self.timeline_mut().seek(floor),
                Mode::Schedule | Mode::Break if self.part.readonly => {
                    self.timeline_mut().seek(floor);
                }
                Mode::Schedule | Mode::Break => self.timeline_mut().reset(),
                Mode::Edit | Mode::Find | Mode::Fix | Mode::Crowd | Mode::Review => {}
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
            Msg::Open(schedule) => return self.open_run(&schedule),
            Msg::OpenIn { variant, schedule, to_end } => {
                self.set_variant(variant);
                let notice = self.open_run(&schedule);
                if to_end {
                    self.timeline_mut().seek(usize::MAX);
                }
                return notice;
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
            // In a story only its own next step can be made.
            Mode::Watch if self.story_next() == Some(action) => self.timeline_mut().forward(),
            Mode::Watch | Mode::Edit | Mode::Find | Mode::Fix | Mode::Crowd | Mode::Review => {}
            Mode::Schedule | Mode::Break => {
                let timeline = self.timeline_mut();
                let before = timeline.cursor();
                let done = timeline.step(action);
                if done.is_ok() && timeline.cursor() == before {
                    return Some(limit::of(self.timeline()));
                }
            }
        }
        None
    }

    /// Something that is done at a console.
    fn at_console(
        &mut self,
        what: &dyn Fn(&mut Timeline) -> Result<(), Impossible>,
    ) -> Option<Notice> {
        if self.mode == Mode::Watch {
            let run = self.run_so_far();
            let notice = self.open_run(&run);
            self.timeline_mut().seek(usize::MAX);
            if notice.is_some() {
                return notice;
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

    fn run_client(&mut self, id: ClientId) -> Option<Notice> {
        for _ in 0..RUN_STEPS_MAX {
            let next = self.timeline().world().next_of(id)?;
            if let Some(notice) = self.act(next) {
                return Some(notice);
            }
        }
        None
    }

    fn run_random(&mut self, seed: u64) -> Option<Notice> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..RUN_STEPS_MAX {
            let action = pick(&self.timeline().world().enabled(), &mut random)?;
            if let Some(notice) = self.act(action) {
                return Some(notice);
            }
        }
        None
    }

    fn open_run(&mut self, text: &str) -> Option<Notice> {
        self.mode = Mode::Schedule;
        // The form in which it was searched.
        self.set_wire(self.wire_by_default());
        let timeline = self.timeline_mut();
        if timeline.schedule() != text {
            timeline.reset();
        }
        timeline.seek(0);
        let played = schedule::play(timeline, text);
        timeline.seek(0);
        played.err().map(Notice::Schedule)
    }

    /// Whether the run shown has the way of commands and replies as steps of their own.
    pub fn wire(&self) -> bool {
        self.timeline().world().setting().wire
    }

    fn wire_by_default(&self) -> bool {
        self.lesson.variants.get(self.variant).is_some_and(|variant| variant.wire)
    }

    /// Makes the same run again in the other form, as far as it goes there.
    fn set_wire(&mut self, wire: bool) {
        let old = &self.free[self.variant];
        if old.world().setting().wire == wire {
            return;
        }
        let scenario = Rc::new(Scenario { wire, ..old.scenario().clone() });
        // It started in the other form, and the form makes no difference to that.
        let Ok(mut new) = Timeline::start(scenario) else { return };
        for frame in &old.frames()[1..=old.cursor()] {
            let Some(token) = frame.token else { continue };
            if let Some(typed) = &frame.typed {
                if new.type_line(typed).is_err() {
                    break;
                }
                continue;
            }
            if translate(token.action, wire, &mut new).is_err() {
                break;
            }
        }
        self.free[self.variant] = new;
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

    /// The link to this very view.
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
            program: self.answer_shown().map(str::to_owned),
            lang: Some(lang.tag().to_owned()),
            ..Link::default()
        }
    }
}

/// Makes a step of a run in the other form.
fn translate(action: Action, wire: bool, timeline: &mut Timeline) -> Result<(), Impossible> {
    if !wire {
        return match action {
            Action::Send(_) | Action::Reply(_) => Ok(()),
            Action::Execute(id) => timeline.step(Action::Step(id)),
            other => timeline.step(other),
        };
    }
    if let Action::Step(id) | Action::LoseReply(id) = action
        && timeline.world().possible(Action::Send(id)).is_ok()
    {
        timeline.step(Action::Send(id))?;
        timeline.step(Action::Execute(id))?;
        if action == Action::LoseReply(id) {
            timeline.step(action)?;
        }
    } else {
        timeline.step(action)?;
    }
    // Replies arrive at once, as they did.
    for id in timeline.world().ids() {
        if timeline.world().possible(Action::Reply(id)).is_ok() {
            timeline.step(Action::Reply(id))?;
        }
    }
    Ok(())
}

/// A random one of the clients that can go on; time moves, or a fault is mended, only when there is
/// none. Nothing goes wrong at random.
fn pick(enabled: &[Action], random: &mut impl Rng) -> Option<Action> {
    let steps: Vec<Action> =
        enabled.iter().copied().filter(|action| action.runs().is_some()).collect();
    if steps.is_empty() {
        return enabled.iter().copied().find(|action| !action.is_fault());
    }
    // u32, so that 32-bit wasm draws the same numbers as native code.
    let drawn = random.random_range(0..steps.len() as u32);
    steps.get(drawn as usize).copied()
}

impl Notice {
    /// What to tell, in `lang`.
    pub fn text(&self, lang: Lang, session: &Session) -> String {
        let lesson = session.lesson();
        let steps_look_like = "A1.B1.A2.T1.pauseA";
        match self {
            Notice::NoSuchVariant { wanted, shown } => {
                let ids: Vec<&str> = lesson.variants.iter().map(|v| v.id.as_str()).collect();
                let shown = ids.get(*shown).copied().unwrap_or_default();
                fill(tr(lang, Key::NoSuchVariant), &[wanted, shown, &ids.join(", ")])
            }
            Notice::NoSuchWalk(wanted) => fill(tr(lang, Key::NoSuchWalk), &[wanted]),
            Notice::NoSuchMode(wanted) => {
                let modes: Vec<&str> = Mode::of(lesson).map(Mode::id).collect();
                fill(tr(lang, Key::NoSuchMode), &[wanted, &modes.join(", ")])
            }
            Notice::BadStep(text) => fill(tr(lang, Key::BadParam), &["step", text, "0, 1, 2 …"]),
            Notice::StepBeyond { wanted, last } => {
                fill(tr(lang, Key::StepBeyond), &[&wanted.to_string(), &last.to_string()])
            }
            Notice::RunLimit => {
                fill(tr(lang, Key::RunLimit), &[&crate::sim::MAX_STEPS.to_string()])
            }
            Notice::RunBytes => limit::words(lang),
            Notice::LinkLimit => tr(lang, Key::LinkLimit).to_owned(),
            Notice::Schedule(error) => match error {
                ScheduleError::Unknown { step, token } => {
                    let values = [&step.to_string(), token.as_str(), steps_look_like];
                    fill(tr(lang, Key::ScheduleUnknown), &values)
                }
                ScheduleError::Impossible { step, token, why } => {
                    let frames = session.timeline().frames();
                    let world = &frames[frames.len() - 1].world;
                    let why = impossible_text(lang, why, world);
                    fill(tr(lang, Key::ScheduleImpossible), &[&step.to_string(), token, &why])
                }
                ScheduleError::Ordinal { step, token, expected } => {
                    let values = [&step.to_string(), token.as_str(), expected];
                    fill(tr(lang, Key::ScheduleOrdinal), &values)
                }
                ScheduleError::TooLarge => limit::words(lang),
                ScheduleError::TooLong => {
                    let steps_max = crate::sim::MAX_STEPS.to_string();
                    fill(tr(lang, Key::ScheduleTooLong), &[&steps_max])
                }
            },
        }
    }
}

/// Why an action cannot happen in `world`.
pub fn impossible_text(lang: Lang, why: &Impossible, world: &World) -> String {
    match why {
        Impossible::NoSuchClient(id) => {
            let clients = world.ids().map(|id| id.name());
            let clients = clients.collect::<Vec<_>>().join(", ");
            fill(tr(lang, Key::NoSuchClient), &[&id.name(), &clients])
        }
        Impossible::NotReady(id) => not_ready_text(lang, *id, world).unwrap_or_default(),
        Impossible::Paused(id) => fill(tr(lang, Key::PausedReason), &[&id.name()]),
        Impossible::Locked { client, owner } => {
            let letters = [client.name(), owner.name()];
            fill(tr(lang, Key::LockedReason), &letters.each_ref().map(String::as_str))
        }
        Impossible::NoBudget => tr(lang, Key::NoBudget).to_owned(),
        Impossible::NotNow => tr(lang, Key::NotNow).to_owned(),
        Impossible::NoDeadline => tr(lang, Key::NoTimePasses).to_owned(),
    }
}

/// Why `id` cannot be stepped in `world`; `None` where it can.
pub fn not_ready_text(lang: Lang, id: ClientId, world: &World) -> Option<String> {
    let letter = id.name();
    let client = world.client(id)?;
    let left = |until_ms: u64| until_ms.saturating_sub(world.now_ms()).to_string();
    let name = |call: &Call| {
        let node = call.node().unwrap_or_default();
        world.setting().node_name(node).to_owned()
    };
    let paused = client.paused().filter(|_| !client.is_over());
    Some(match client.state() {
        _ if paused.is_some() => fill(tr(lang, Key::PausedReason), &[&letter]),
        State::Ready(Call { kind: CallKind::Lock { name }, .. }) => {
            let owner = world.mutexes().owner(world.process(id), name)?;
            fill(tr(lang, Key::LockedReason), &[&letter, &owner.name()])
        }
        State::Ready(_) => return None,
        State::Sent(call) => fill(tr(lang, Key::SentReason), &[&letter, &name(call)]),
        State::Answered(call, _) => fill(tr(lang, Key::AnsweredReason), &[&letter, &name(call)]),
        State::Blocked(_) => fill(tr(lang, Key::BlockedReason), &[&letter]),
        State::Waiting(_, wait) => {
            let counts = [wait.caught_up().to_string(), wait.wanted.to_string()];
            fill(tr(lang, Key::WaitingReason), &[&letter, &counts[0], &counts[1]])
        }
        State::Unanswered { call, until_ms } => {
            fill(tr(lang, Key::UnansweredReason), &[&letter, &name(call), &left(*until_ms)])
        }
        State::Receiving { until_ms, .. } => {
            fill(tr(lang, Key::ReceivingReason), &[&letter, &left(*until_ms)])
        }
        State::Sleeping { until_ms } => {
            fill(tr(lang, Key::SleepingReason), &[&letter, &left(*until_ms)])
        }
        State::Done | State::Idle => fill(tr(lang, Key::DoneReason), &[&letter]),
        State::Failed(_) => fill(tr(lang, Key::FailedReason), &[&letter]),
        State::Crashed => fill(tr(lang, Key::CrashedReason), &[&letter]),
    })
}
