//! The words for the bound of a run that forbids another step.

use crate::sim::{RUN_BYTES_MAX, Timeline};
use crate::text::{Key, Lang, fill, tr};

use super::Notice;

pub fn of(timeline: &Timeline) -> Notice {
    if timeline.holds_too_much() { Notice::RunBytes } else { Notice::RunLimit }
}

/// Returns the sentence that the run holds as many bytes as one may.
pub fn words(lang: Lang) -> String {
    fill(tr(lang, Key::RunBytes), &[&(RUN_BYTES_MAX >> 20).to_string()])
}
