//! "Break it": the goal, and how the learner's run does.

use crate::lesson::Block;
use crate::text::Lang;

use super::session::{Mode, Session};

#[derive(Debug, Clone, PartialEq)]
pub struct ChallengeView {
    pub goal: String,
    pub about: Vec<Block>,
    /// Steps made so far.
    pub steps: usize,
    /// The fewest with which it can be done.
    pub fewest: usize,
    /// The learner's best so far.
    pub best: Option<usize>,
    /// The step at which it was done.
    pub done: Option<usize>,
    /// The first step after which no order that is left can do it, where that is known.
    pub fine_since: Option<usize>,
}

/// Nothing in other modes.
pub fn challenge(
    session: &Session,
    best: Option<usize>,
    fine_since: Option<usize>,
    lang: Lang,
) -> Option<ChallengeView> {
    let challenge =
        session.lesson().challenge.as_ref().filter(|_| session.mode() == Mode::Break)?;
    let done = met(session);
    Some(ChallengeView {
        goal: challenge.words.label.get(lang).clone(),
        about: challenge.words.body.get(lang).clone(),
        steps: session.timeline().cursor(),
        fewest: challenge.steps,
        best: best.into_iter().chain(done).min(),
        done,
        fine_since: fine_since.filter(|_| done.is_none()),
    })
}

/// The step at which the run shown meets the lesson's challenge.
pub fn met(session: &Session) -> Option<usize> {
    let timeline = session.timeline();
    let step = timeline.decided(property(session)?)?;
    // The programs are to be broken; at a console a learner can break anything.
    let typed = timeline.frames()[..=step].iter().any(|frame| frame.typed.is_some());
    (!typed).then_some(step)
}

/// Returns the property that the challenge is about, as a place in the variant's list; `None` in
/// other modes.
pub fn property(session: &Session) -> Option<usize> {
    let challenge =
        session.lesson().challenge.as_ref().filter(|_| session.mode() == Mode::Break)?;
    let claims = &session.lesson().variants.get(challenge.variant)?.claims;
    claims.iter().position(|claim| claim.property == challenge.property)
}
