//! The run that is stepped: the session, the view settings, and the picture of the step.
//!
//! [`RunState::refresh`] makes the data the stage shows, and chooses the film that leads to it: one
//! step forward in the same run plays the film of that step, one step back plays the same film
//! backwards, and any other change is a jump without a film. The timer of "play" belongs to the
//! page.

use std::rc::Rc;

use crate::lesson::StopQuestion;
use crate::session::{Mode, Msg, Session};
use crate::sim::{Action, ClientId, Frame, Timeline};
use crate::text::{Key, Lang, ScreenWord, fill, screen, tr};
use crate::view::film;
use crate::view::film::board::{Spots, board};
use crate::view::learn::challenge::{Outlook, challenge};
use crate::view::stage::cards::Deck;
use crate::view::stage::chips::chips;
use crate::view::stage::compare::{Followers, comparison};
use crate::view::stage::diagram::{Plan, Space};
use crate::view::stage::explain::{cause_with, explain_with};
use crate::view::stage::faults;
use crate::view::stage::flow::charts;
use crate::view::stage::gauges::gauges;
use crate::view::stage::listing::listings;
use crate::view::stage::readings::{self, FLOW};
use crate::view::stage::redis::panel;
use crate::view::stage::spans::Finder;
use crate::view::stage::strip::{self, Strip};
use crate::view::stage::windows::RaceWindow;

use super::stage::{Ask, Hint, OtherStep, Picture, Say, Showing, StageView, Told, Way};

/// The speeds of films and of the pauses of "play"; the last one shows no films.
pub const SPEEDS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, f64::INFINITY];
pub const INSTANT: usize = SPEEDS.len() - 1;
/// The names of the speeds, except the last.
pub const SPEED_NAMES: [&str; INSTANT] = ["0.25×", "0.5×", "1×", "2×", "4×"];

/// The least time between two steps of "play" at speed 1, in ms; the film and a rest always fit in.
const BEAT_MS: f64 = 1_200.0;
const REST_MS: f64 = 350.0;
/// The speed of "play" without films, so that each step stays long enough to be read.
const INSTANT_SPEED: f64 = 2.0;

/// If a finger on the strip is nearer to a step than this, it snaps to the step.
const SNAP: f64 = 0.03;

/// A run and its view settings, which stay from one lesson to the next.
#[derive(Debug)]
pub struct RunState {
    /// None while no lesson with a run is open.
    pub session: Option<Session>,
    pub playing: bool,
    /// True until the time of the next step is set, for which the view has to be made first.
    pub(super) clock_is_due: bool,
    /// An index into [`SPEEDS`].
    pub speed: usize,
    /// The form in which the programs are shown, if the lesson has it.
    pub face: String,
    /// The room of the diagram, in px.
    pub room: (i32, i32),
    /// True if the steps after the present one are hidden in a free run too, and the strip has as
    /// many places as the longest story.
    pub hides_future: bool,
    /// The position of the finger on the strip: 2.37 is 37 % into the film of step 3.
    held: Option<f64>,
    plan: Plan,
    deck: Deck,
    followers: Followers,
    spots: Spots,
    /// Finds the lasting elements of the run, for its films.
    lasting: Finder,
    view: Option<Rc<StageView>>,
    serial: u32,
}

/// The inputs of the stage that the run does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Outside {
    pub lang: Lang,
    /// True if nothing should move: the reader prefers it, or a held key steps.
    pub calm: bool,
    /// True for the playground, whose variant has no name.
    pub is_own: bool,
    pub hint: Hint,
    /// The fewest steps with which the learner has met the challenge.
    pub best: Option<usize>,
    /// `Some` in the presenter view: whether the next step leaves the question without an answer.
    pub passes: Option<bool>,
    /// The known outcomes of the orders that continue the run of "Break it".
    pub outlook: Option<Outlook>,
}

impl RunState {
    /// Returns a state without a run; `face` is the form in which programs are shown.
    pub fn new(face: String) -> RunState {
        RunState {
            session: None,
            playing: false,
            clock_is_due: false,
            speed: 2,
            face,
            room: (560, 420),
            hides_future: false,
            held: None,
            plan: Plan::default(),
            deck: Deck::default(),
            followers: Followers::default(),
            spots: Spots::default(),
            lasting: Finder::default(),
            view: None,
            serial: 0,
        }
    }

    /// Returns the view made last.
    pub fn view(&self) -> Option<&Rc<StageView>> {
        self.view.as_ref()
    }

    pub fn is_open(&self) -> bool {
        self.plan.is_open()
    }

    pub fn set_open(&mut self, open: bool) {
        self.plan.set_open(open);
    }

    /// Shows the run at `place`, where a finger is on the strip or has just left it.
    pub fn scrub(&mut self, place: f64) {
        let Some(session) = &mut self.session else { return };
        let last = session.timeline().len() as f64;
        let place = if place.is_finite() { place.clamp(0.0, last) } else { 0.0 };
        let near = (place - place.round()).abs() <= SNAP;
        let place = if near { place.round() } else { place };
        session.update(Msg::Seek(place.ceil() as usize));
        self.held = Some(place);
    }

    /// Returns the time from one step of "play" to the next, in ms: the film and a rest after it.
    pub fn beat_ms(&self, calm: bool) -> u32 {
        let speed = SPEEDS[self.speed];
        if calm || self.speed == INSTANT {
            return (BEAT_MS / if speed.is_finite() { speed } else { INSTANT_SPEED }) as u32;
        }
        let film = self.view.as_ref().and_then(|view| view.showing.as_ref());
        let film_ms = film.map_or(0.0, |showing| f64::from(showing.film.ms));
        (BEAT_MS.max(film_ms + REST_MS) / speed) as u32
    }

    /// Returns whether a step may be shown as a film.
    pub fn has_films(&self) -> bool {
        let stepped = self.session.as_ref().is_some_and(|one| one.mode().is_stepped());
        stepped && self.speed != INSTANT
    }

    /// Makes the view if a run is stepped. Call it after every change.
    pub fn refresh(&mut self, outside: &Outside) {
        let old = self.view.take();
        self.view = self.session.take().and_then(|session| {
            let stepped = session.mode().is_stepped();
            let view = stepped.then(|| self.make(&session, old, outside));
            self.session = Some(session);
            view.map(Rc::new)
        });
        self.held = None;
    }

    fn make(
        &mut self,
        session: &Session,
        old: Option<Rc<StageView>>,
        outside: &Outside,
    ) -> StageView {
        let lang = outside.lang;
        let picture = Rc::new(self.picture(session, outside));
        let showing = self.showing(session, old.as_deref(), &picture, outside);
        let timeline = session.timeline();
        let lesson = session.lesson().clone();
        let races = self.plan.races(timeline);
        let variants = match outside.is_own || !session.can(&Msg::Variant(usize::MAX)) {
            true => Vec::new(),
            false => lesson.variants.iter().map(|one| one.label.get(lang).clone()).collect(),
        };
        StageView {
            lang,
            variants,
            variant: session.variant(),
            mode: session.mode(),
            step: timeline.cursor(),
            steps: timeline.len(),
            run_name: session.run_name().to_owned(),
            showing,
            say: say(session, &races, outside),
            ask: ask(session, outside.passes == Some(true), lang),
            hint: outside.hint.clone(),
            strip: Strip::new(timeline),
            places: places(session),
            kept: strip::kept(timeline),
            playing: self.playing,
            speed: self.speed,
            other: other_step(session, lang),
            is_given: session.part().readonly,
            has_faults: faults::has_any(session),
            tells_of_faults: tells_of_faults(session),
            can_compare: can_compare(session),
            wire: session.wire(),
            comparison: comparison(session, &mut self.followers, lang),
            face: self.face_of(session),
            world: picture.frame.fingerprint,
            digest: timeline.digest(),
            lesson,
            picture,
        }
    }

    /// Returns the form in which the programs are shown.
    fn face_of(&self, session: &Session) -> &'static str {
        readings::of_variant(session.lesson(), session.variant(), &self.face)
    }

    /// Returns the picture of the frame at the cursor.
    fn picture(&mut self, session: &Session, outside: &Outside) -> Picture {
        let lang = outside.lang;
        let timeline = session.timeline();
        let face = self.face_of(session);
        let charts = if face == FLOW { charts(session, lang) } else { Vec::new() };
        let watching = session.mode() == Mode::Watch;
        self.spots.follow(session);
        let space = Space {
            width: self.room.0,
            height: self.room.1,
            // A story's run is there from the start.
            total: match watching {
                true => timeline.len(),
                false if self.hides_future => places(session),
                false => Space::GROWING,
            },
            hides_future: watching || self.hides_future,
            is_sql: self.spots.is_sql(timeline.world()),
        };
        let cards = self.deck.cards(session, face, lang);
        let moved = moved_last(timeline);
        let redis = panel(timeline, lang);
        let listings = listings(&cards, self.deck.rooms(), moved).into_iter().map(Rc::new);
        Picture {
            step: timeline.cursor(),
            frame: timeline.frames()[timeline.cursor()].clone(),
            listings: listings.collect(),
            cards: cards.into(),
            diagram: self.plan.diagram(timeline, space, lang),
            is_open: self.plan.is_open(),
            board: board(timeline, &redis, &self.spots),
            redis,
            gauges: gauges(&session.lesson().panels, timeline),
            chips: chips(session, lang),
            charts,
        }
    }

    /// Returns the film that leads to `now`; `None` for a jump.
    fn showing(
        &mut self,
        session: &Session,
        old: Option<&StageView>,
        now: &Rc<Picture>,
        outside: &Outside,
    ) -> Option<Showing> {
        if outside.calm || self.speed == INSTANT {
            return None;
        }
        let step = now.step;
        if let Some(place) = self.held {
            if place.fract() == 0.0 {
                return None;
            }
            let known = old.and_then(|old| old.showing.as_ref());
            let known = known.filter(|one| Rc::ptr_eq(&one.after.frame, &now.frame));
            let (film, before) = match known {
                Some(showing) => (showing.film.clone(), showing.before.clone()),
                None => {
                    let film = self.film(session.timeline(), step)?;
                    let before = Rc::new(self.picture(&session.at(step - 1), outside));
                    (Self::completed(film, &before, now), before)
                }
            };
            let way = Way::Hold(place - (step - 1) as f64);
            return Some(self.show(film, before, now.clone(), way));
        }
        let old = old?;
        let was = &old.picture;
        let same = Rc::ptr_eq(&was.frame, &now.frame);
        if same {
            // Nothing has moved since: what plays goes on, if it is drawn alike.
            let alike = old.lang == outside.lang && old.face == self.face_of(session);
            return old.showing.clone().filter(|_| alike);
        }
        let timeline = session.timeline();
        let is_in_run = |picture: &Picture| {
            let frame = timeline.frames().get(picture.step);
            frame.is_some_and(|frame| Rc::ptr_eq(frame, &picture.frame))
        };
        if !is_in_run(was) {
            return None;
        }
        if was.step + 1 == step {
            let film = Self::completed(self.film(timeline, step)?, was, now);
            Some(self.show(film, was.clone(), now.clone(), Way::Forward))
        } else if step + 1 == was.step {
            let film = Self::completed(self.film(timeline, was.step)?, now, was);
            Some(self.show(film, now.clone(), was.clone(), Way::Back))
        } else {
            None
        }
    }

    fn film(&mut self, timeline: &Timeline, step: usize) -> Option<film::Film> {
        self.lasting.follow(timeline);
        film::film_with(timeline, step, self.lasting.spans())
    }

    /// Adds to `film` what only the two pictures contain.
    fn completed(film: film::Film, before: &Picture, after: &Picture) -> Rc<film::Film> {
        let mut film = film;
        film::pictures(&mut film, &before.diagram, &after.diagram);
        film::claims(&mut film, &before.chips, &after.chips);
        Rc::new(film)
    }

    fn show(
        &mut self,
        film: Rc<film::Film>,
        before: Rc<Picture>,
        after: Rc<Picture>,
        way: Way,
    ) -> Showing {
        self.serial = self.serial.wrapping_add(1);
        Showing { serial: self.serial, film, before, after, way }
    }
}

/// Returns the client that made the last step among the lesson's clients.
fn moved_last(timeline: &Timeline) -> Option<ClientId> {
    let frames = timeline.frames()[..=timeline.cursor()].iter().rev();
    let mut clients = frames.filter_map(|frame| frame.token?.action.client());
    clients.find(|id| id.console_number().is_none())
}

/// Returns whether there is a run or variant to compare with.
pub fn can_compare(session: &Session) -> bool {
    session.lesson().variants.len() > 1 || !session.timeline().branches().is_empty()
}

fn tells_of_faults(session: &Session) -> bool {
    let is_fault = |frame: &Rc<Frame>| frame.token.is_some_and(|token| token.action.is_fault());
    session.stories().any(|story| story.frames().iter().any(is_fault))
}

/// Returns the length of the story that is watched; else of the variant's longest story or of the
/// run, whichever is greater.
fn places(session: &Session) -> usize {
    let is_free = session.mode().is_free();
    let told = session.stories().filter(|_| is_free).map(Timeline::len).max().unwrap_or(0);
    told.max(session.timeline().len()).max(1)
}

/// Returns the button for the steps that no client takes. It stays if there is such a step anywhere
/// in the run or its stories, so that the buttons do not move.
fn other_step(session: &Session, lang: Lang) -> Option<OtherStep> {
    if !session.mode().is_free() {
        return told_step(session, lang);
    }
    let timeline = session.timeline();
    let label = faults::advance_forms(timeline.world(), lang);
    let may_pass = |frame: &Rc<Frame>| frame.world.next_deadline_ms().is_some();
    let somewhere =
        || session.stories().chain([timeline]).any(|run| run.frames().iter().any(may_pass));
    let enabled = label.is_some();
    let forms = label.or_else(|| somewhere().then(|| no_wait(lang)))?;
    Some(OtherStep { who: tr(lang, Key::Time).to_owned(), forms, enabled })
}

fn no_wait(lang: Lang) -> Vec<String> {
    [tr(lang, Key::AdvanceNone), screen(lang, ScreenWord::NoWait)].map(str::to_owned).to_vec()
}

/// Returns that button for a story: its next step, if no client's button takes it. Before and after
/// it bears the name of the step of that kind that is next, or was last.
#[inline(never)]
fn told_step(session: &Session, lang: Lang) -> Option<OtherStep> {
    let timeline = session.timeline();
    // What is drawn at random is chosen too, which no client's button does in a story.
    // So is a message that arrives, while its client could go on.
    let is_other = |action: &Action| {
        action.runs().is_none() || matches!(action, Action::Draw(..) | Action::Arrive(..))
    };
    let others = |frame: &Rc<Frame>| frame.token.map(|token| token.action).filter(is_other);
    let (past, ahead) = timeline.frames().split_at(timeline.cursor() + 1);
    let next = session.story_next().filter(is_other);
    let mut nearest = ahead.iter().filter_map(others).chain(past.iter().rev().filter_map(others));
    let action = next.or_else(|| nearest.next())?;
    let passes = action.is_time();
    let who = match action {
        _ if passes => tr(lang, Key::Time),
        Action::Replicate(_) | Action::Arrive(..) => tr(lang, Key::Redis),
        Action::Draw(..) => tr(lang, Key::Forward),
        _ => screen(lang, ScreenWord::Fault),
    };
    let world = timeline.world();
    let forms = match next {
        Some(Action::Tick(ms)) => vec![format!("+{ms}\u{a0}ms")],
        Some(_) if passes => faults::advance_forms(world, lang).unwrap_or_default(),
        Some(action) => {
            vec![faults::label(action, world, lang)]
        }
        None if passes => no_wait(lang),
        None => Vec::new(),
    };
    Some(OtherStep { who: who.to_owned(), forms, enabled: next.is_some() })
}

fn told(session: &Session, is_presented: bool, lang: Lang) -> Told {
    let lesson = session.lesson();
    let walk = session.walk();
    let titles = || lesson.walks.iter().map(|walk| walk.title.get(lang).clone()).enumerate();
    let of_variant = |(number, _): &(usize, String)| {
        lesson.walks.get(*number).is_some_and(|walk| walk.variant == session.variant())
    };
    let free = session.can(&Msg::Walk(walk));
    let others: Vec<(usize, String)> = titles().filter(of_variant).collect();
    Told {
        words: lesson.walk_step(walk, session.timeline().cursor(), lang).to_vec(),
        title: titles().nth(walk).map(|(_, title)| title).unwrap_or_default(),
        others: if others.len() > 1 && free { others } else { Vec::new() },
        walk,
        next: titles().nth(walk + 1).filter(|_| free),
        foretold: foretold(session, is_presented, lang),
    }
}

/// Returns the text beside the stage.
fn say(session: &Session, races: &[RaceWindow], outside: &Outside) -> Say {
    let (lang, cursor) = (outside.lang, session.timeline().cursor());
    let said = || explain_with(session, races, lang);
    match challenge(session, outside.best, outside.outlook.as_ref(), lang) {
        // The verdict says what is broken; here only why.
        Some(dared) if dared.done == Some(cursor) => {
            let why = cause_with(session, races, lang);
            Say::Dared(dared, if why.is_empty() { said() } else { why })
        }
        Some(dared) => Say::Dared(dared, said()),
        None if session.mode() == Mode::Watch => {
            Say::Told(told(session, outside.passes.is_some(), lang))
        }
        None => Say::Happened(said()),
    }
}

/// Returns the question to the reader before the next step of the story.
fn ask(session: &Session, passes: bool, lang: Lang) -> Option<Ask> {
    let (stop, said) = session.stop().filter(|_| session.is_at_stop())?;
    let StopQuestion { client, key, command, .. } = &stop.asked;
    Some(Ask {
        question: match key {
            Some(key) => fill(screen(lang, ScreenWord::AskKey), &[key, client, command]),
            None => fill(screen(lang, ScreenWord::AskReply), &[client, command]),
        },
        choices: stop.choices.clone(),
        said,
        passes,
        is_of_key: key.is_some(),
        go: fill(screen(lang, ScreenWord::AskGo), &[client]),
        by: session.story_next().and_then(Action::client),
    })
}

/// Compares the reader's prediction of the step with its result, or says that there was none. A
/// room has none that the page knows of.
fn foretold(session: &Session, is_presented: bool, lang: Lang) -> Option<(Option<bool>, String)> {
    let (stop, said) =
        session.stop().filter(|(stop, _)| session.timeline().cursor() == stop.step)?;
    let given = stop.choices.get(stop.right)?;
    let words = |word| screen(lang, word);
    Some(match said {
        Some(said) if said == stop.right => {
            (Some(true), fill(words(ScreenWord::AsYouSaid), &[given]))
        }
        Some(said) => {
            (Some(false), fill(words(ScreenWord::YouSaid), &[stop.choices.get(said)?, given]))
        }
        None if is_presented => (None, fill(words(ScreenWord::TheAnswer), &[given])),
        None if session.has_skipped() => (None, fill(words(ScreenWord::Skipped), &[given])),
        None => return None,
    })
}

/// Returns whether the run is at its end.
pub fn at_end(timeline: &Timeline) -> bool {
    timeline.cursor() == timeline.len()
}

#[cfg(test)]
mod tests;
