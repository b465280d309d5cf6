//! The score of an embedded lesson, 0 to 100: how much of its goals was reached.

use super::Embed;
use crate::session::Session;
use crate::session::mode::Mode;
use crate::session::progress::Progress;
use crate::view::learn::review::{Answered, Answers};

/// The learner's result in this visit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Score {
    /// The goals that count, as names of modes.
    pub goals: Vec<&'static str>,
    /// The goals that are reached, in the same order.
    pub reached: Vec<&'static str>,
    /// 0 to 100: the mean of the goals; for questions the share of right answers, for a story the
    /// share of right predictions.
    pub percent: u32,
    /// The questions of stories that were passed without an answer: not right, and not wrong.
    pub skipped: usize,
    /// True if every goal was tried: each is reached, or each question answered.
    pub complete: bool,
    /// The questions that were met: in stories, and in the review.
    pub questions: Vec<Question>,
    /// All that was done, as [`Progress::write`] has it.
    pub progress: String,
}

/// A question, and what the learner answered first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// `watch.ID` of a story, `review.ID` of a question of the review.
    pub id: String,
    /// The choices; `None` if the question was skipped.
    pub answer: Option<Vec<usize>>,
    pub right: bool,
}

/// The most questions of an earlier visit that are read, and the most choices of each.
pub const QUESTIONS_MAX: usize = 100;

/// Returns the questions that were met in this visit.
pub fn questions(session: &Session, answers: &Answers) -> Vec<Question> {
    let watched = session.predicted().map(|(id, said, right)| Question {
        id: format!("{}.{id}", Mode::Watch.id()),
        answer: said.map(|choice| vec![choice]),
        right,
    });
    let reviewed = answers.all_given(session.lesson()).map(|(id, choices, right)| Question {
        id: format!("{}.{id}", Mode::Review.id()),
        answer: Some(choices.to_vec()),
        right,
    });
    watched.chain(reviewed).collect()
}

/// Computes the score over the goals that the course page names, as far as the lesson has them and
/// they can be reached.
pub fn score(embed: &Embed, session: &Session, done: Progress, answered: Answered) -> Score {
    let counts = |mode: Mode| {
        let named = embed.goals.as_ref().is_none_or(|goals| goals.contains(&mode.id()));
        let can = matches!(mode, Mode::Watch | Mode::Break | Mode::Fix)
            || (mode == Mode::Review && answered.of > 0);
        named && can && !(mode == Mode::Break && session.part().readonly)
    };
    let goals: Vec<Mode> = session.modes().into_iter().filter(|mode| counts(*mode)).collect();
    let (mut percent, mut complete, mut skipped) = (0, !goals.is_empty(), 0);
    let mut reached = Vec::new();
    for goal in &goals {
        let met = match goal {
            Mode::Review => answered.right == answered.of,
            part => done.has_done(*part),
        };
        reached.extend(met.then_some(goal.id()));
        let share = |right: usize, of: usize| 100 * right as u32 / of.max(1) as u32;
        let predictions = session.predictions();
        if *goal == Mode::Watch {
            skipped = predictions.skipped;
        }
        percent += match goal {
            Mode::Review => share(answered.right, answered.of),
            // The predictions count, and not the clicks.
            Mode::Watch if met && predictions.of > 0 => share(predictions.right, predictions.of),
            _ => 100 * u32::from(met),
        };
        complete &= if *goal == Mode::Review { answered.given == answered.of } else { met };
    }
    Score {
        percent: percent / goals.len().max(1) as u32,
        goals: goals.into_iter().map(Mode::id).collect(),
        reached,
        skipped,
        complete,
        questions: Vec::new(),
        progress: done.write(),
    }
}
