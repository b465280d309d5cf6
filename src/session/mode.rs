//! The modes of a lesson.

use crate::lesson::{Lesson, OWN};
use crate::text::Key;

/// A mode, in which a lesson is worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The learner writes the scenario: only the playground has this mode.
    Edit,
    /// An incident, and the program that caused it.
    Situation,
    /// A story is told; the schedule is given.
    Watch,
    /// The learner decides.
    Schedule,
    /// The learner decides, and has to reach a violation.
    Break,
    /// The checker decides: all schedules are searched.
    Find,
    /// The learner rewrites a program; the checker grades it.
    Fix,
    /// Thousands of requests under drawn delays.
    Crowd,
    /// The rule to keep, what to do in one's own code, and questions.
    Review,
}

impl Mode {
    pub const ALL: [Mode; 9] = [
        Mode::Edit,
        Mode::Situation,
        Mode::Watch,
        Mode::Schedule,
        Mode::Break,
        Mode::Find,
        Mode::Fix,
        Mode::Crowd,
        Mode::Review,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Mode::Edit => "edit",
            Mode::Situation => "situation",
            Mode::Watch => "watch",
            Mode::Schedule => "schedule",
            Mode::Break => "break",
            Mode::Find => "find",
            Mode::Fix => "fix",
            Mode::Crowd => "crowd",
            Mode::Review => "review",
        }
    }

    pub fn label(self) -> Key {
        match self {
            Mode::Edit => Key::ModeEdit,
            Mode::Situation => Key::ReviewIntro,
            Mode::Watch => Key::ModeWatch,
            Mode::Schedule => Key::ModeSchedule,
            Mode::Break => Key::ModeBreak,
            Mode::Find => Key::ModeFind,
            Mode::Fix => Key::ModeFix,
            Mode::Crowd => Key::ModeCrowd,
            Mode::Review => Key::ModeReview,
        }
    }

    /// Returns true if the learner steps the clients.
    pub fn is_free(self) -> bool {
        matches!(self, Mode::Schedule | Mode::Break)
    }

    /// Returns true if a run is shown step by step.
    pub fn is_stepped(self) -> bool {
        self.is_free() || self == Mode::Watch
    }

    /// Returns true if the lesson has what the mode needs.
    pub fn is_in(self, lesson: &Lesson) -> bool {
        match self {
            Mode::Edit => lesson.id == OWN,
            Mode::Situation => lesson.has_situation(),
            Mode::Watch => !lesson.walks.is_empty(),
            Mode::Schedule | Mode::Find => true,
            Mode::Break => lesson.challenge.is_some(),
            Mode::Fix => lesson.exercise.is_some(),
            Mode::Crowd => lesson.crowd.is_some() || lesson.id == OWN,
            Mode::Review => {
                !lesson.quizzes.is_empty()
                    || lesson.misconception.is_some()
                    || lesson.notes.is_some()
                    || lesson.reading.is_some()
                    || (!lesson.intro.en.is_empty() && lesson.walks.is_empty())
            }
        }
    }

    /// Returns the modes of `lesson`, in order.
    pub fn of(lesson: &Lesson) -> impl Iterator<Item = Mode> {
        Mode::ALL.into_iter().filter(|mode| mode.is_in(lesson))
    }
}
