//! What the page asks of the checker, which is a program of its own and may be in a worker: the
//! messages between the two, and the checker's work on them.
//!
//! - [`find`] is a search, [`map`] the map of all schedules, [`crowd`] the runs of a crowd. Each
//!   has a `wire`, its messages, and a `Work`, which does its work in slices.
//! - [`wire`] joins the messages: a [`Request`] goes to the checker, [`Answer`]s come back.
//! - [`desk`] takes the requests and gives each work its slices.
//!
//! The same code runs in a worker, on the page and in a native test. Absent: words and pictures
//! (`view`), the page's side (`app`), the clock and the worker itself (`worker`).
//!
//! To add a job: its messages in a `wire`, a variant of [`Request`] and of [`Answer`], a `Work`,
//! and its turn in [`desk`].

pub mod crowd;
pub mod desk;
pub mod find;
pub mod map;
pub mod wire;

pub use wire::{Answer, Failure, Request};

use crate::json;
use crate::lesson::Lesson;
use crate::playground::Definition;

/// Returns the lesson that a worker was sent: a lesson's file, or with `own` a scenario of the
/// learner's; and with their program, if a variant runs it. The error is a mistake of its author,
/// in words.
pub fn lesson_of(text: &str, own: bool, answer: Option<&str>) -> Result<Lesson, String> {
    let lesson: Lesson = match own {
        true => Definition::read(text, "")
            .and_then(|own| own.lesson())
            .map_err(|_| "the scenario has mistakes".to_owned())?,
        false => json::read(text)?,
    };
    match answer {
        Some(answer) => lesson.with_answer(answer),
        None => Ok(lesson),
    }
}
