//! The state of the lesson that is open: its run, and the reader's work on it.
//!
//! [`LessonState`] binds one state for each part of a lesson. Its methods answer what depends on
//! the lesson alone; what also needs storage, the address or the course page around is in
//! [`super::shell`]. The playground is a lesson here, too, whose text is in
//! [`Playground`](super::shell::Playground).
//! Absent: language and theme, banners, dialogs, the connection to a real Redis. They outlive a
//! lesson.

use super::crowd::CrowdStore;
use super::run::{Outside, RunState};
use super::search::SearchStore;
use super::shell::{ConsoleState, ExerciseState, OnServers, ReviewState};
use super::stage::Hint;
use crate::lesson::{Lesson, OWN};
use crate::session::link::LeftOut;
use crate::session::progress::Progress;
use crate::session::{Mode, Session};
use crate::text::Lang;
use crate::view::find::fix::{Fix, Grade};
use crate::view::find::{Results, hint};
use crate::view::learn::challenge;
use crate::view::learn::review::Answers;

/// The lesson that is open, or the settings that stay until the next one is.
#[derive(Debug)]
pub struct LessonState {
    pub run: RunState,
    /// True if a key is held down: it steps at full rate, without films.
    pub held_key: bool,
    /// `Some` while the presenter view is shown; `Some(true)` with a dark screen.
    pub presenter: Option<bool>,
    /// True if the presenter's next step leaves the question without an answer.
    pub passes: bool,
    pub searches: SearchStore,
    pub crowds: CrowdStore,
    /// The crowd that runs on real servers, if any.
    pub(super) servers: Option<OnServers>,
    pub exercise: ExerciseState,
    pub review: ReviewState,
    pub console: ConsoleState,
    /// The work done on the lesson.
    pub progress: Progress,
    /// The part of the run that the address has no room for.
    pub left_out: Option<LeftOut>,
}

impl LessonState {
    /// Returns a state in which no lesson is open. `face` is the form in which programs are shown;
    /// `embedded` is true in a course page.
    pub fn new(face: String, is_touch: fn() -> bool, embedded: bool) -> LessonState {
        LessonState {
            run: RunState::new(face),
            held_key: false,
            presenter: None,
            passes: false,
            searches: SearchStore::new(is_touch),
            crowds: CrowdStore::new(embedded),
            servers: None,
            exercise: ExerciseState::default(),
            review: ReviewState::default(),
            console: ConsoleState::default(),
            progress: Progress::default(),
            left_out: None,
        }
    }

    /// Begins the work on another lesson, or on the same one anew, with the `draft` and the
    /// `progress` of earlier visits.
    pub(super) fn begin(&mut self, lesson: &Lesson, draft: Option<String>, progress: Progress) {
        self.exercise.fix = Fix::new(lesson, draft);
        self.review.answers = Answers::new(lesson);
        self.progress = progress;
    }

    /// Returns whether the run of a lesson is stepped, as in Watch or Schedule.
    pub fn is_stepped(&self) -> bool {
        self.run.session.as_ref().is_some_and(|session| session.mode().is_stepped())
    }

    /// Returns the lesson with the learner's program as a variant; `None` if the program has
    /// errors.
    pub(super) fn with_draft(&self, lesson: &Lesson) -> Option<Lesson> {
        lesson.without_answer().with_answer(self.exercise.fix.draft()).ok()
    }

    /// Returns the work done in the state as it is; `None` in the playground and where no lesson is
    /// open.
    pub(super) fn worked(&self) -> Option<Progress> {
        let session = self.run.session.as_ref().filter(|one| one.lesson().id != OWN)?;
        let timeline = session.timeline();
        let at_end = !timeline.is_empty() && timeline.cursor() == timeline.len();
        let results = session.answer_shown().and_then(|_| self.searches.of(session));
        let is_searched = || self.searches.of(session).is_some_and(Results::is_answered);
        // The question of a mixed exercise is asked in Situation already.
        let has_rule = !session.lesson().is_mixed() || session.mode() == Mode::Review;
        Some(Progress {
            read: session.has_read(),
            found: session.mode() == Mode::Find && is_searched(),
            watched: session.mode() == Mode::Watch && at_end,
            best: challenge::met(session),
            fixed: self.exercise.fix.graded(results) == Grade::Passed,
            answered: has_rule && self.review.answers.all_right(session.lesson()),
            predicted: (session.mode() == Mode::Watch && at_end)
                .then(|| session.predictions())
                .and_then(|all| share(all.right, all.of)),
            right: Some(self.review.answers.answered(session.lesson()))
                .filter(|all| has_rule && all.given > 0)
                .and_then(|all| share(all.right, all.of)),
        })
    }

    /// Makes the data that the stage shows. `is_own` is true for the playground; `calm` if nothing
    /// should move.
    pub(super) fn refresh(&mut self, lang: Lang, is_own: bool, calm: bool) {
        let session = self.run.session.as_ref();
        let outside = Outside {
            lang,
            calm: std::mem::take(&mut self.held_key) || calm,
            is_own,
            hint: session.map_or(Hint::Absent, |one| hint_words(one, &self.searches, lang)),
            best: self.progress.best,
            passes: self.presenter.map(|_| self.passes),
            outlook: session.and_then(|one| self.searches.outlook(one)).cloned(),
        };
        self.run.refresh(&outside);
    }
}

/// Returns a share in percent; `None` of nothing.
fn share(part: usize, of: usize) -> Option<u32> {
    (of > 0).then(|| 100 * part as u32 / of as u32)
}

/// Returns the hint on how far the run is from breaking a condition; `Absent` in modes without
/// hints.
fn hint_words(session: &Session, searches: &SearchStore, lang: Lang) -> Hint {
    match (session.mode(), searches.hints()) {
        (mode, true) if mode.is_free() => Hint::Said(hint(session, searches.near(), lang)),
        (mode, false) if mode.is_free() => Hint::Offered,
        _ => Hint::Absent,
    }
}
