//! "Break it": the goal, and the progress of the learner's run.

use crate::lesson::Block;
use crate::sim::{Action, schedule};
use crate::text::{Lang, ScreenWord, fill, screen};

use crate::session::spelling::{call_text_at, shortened};
use crate::session::{Mode, Session};

#[derive(Debug, Clone, PartialEq)]
pub struct ChallengeView {
    pub goal: String,
    pub about: Vec<Block>,
    /// The number of steps made so far.
    pub steps: usize,
    /// The fewest steps that break it.
    pub fewest: usize,
    /// The learner's best so far, in steps.
    pub best: Option<usize>,
    /// The step at which it was broken.
    pub done: Option<usize>,
    /// What is known of the remaining orders.
    pub outlook: Option<Told>,
}

/// What all continuations of a run have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outlook {
    /// None of them breaks.
    Fine {
        /// The first step after which that is true; 0 if no order breaks at all.
        since: usize,
        /// The step that the nearest break takes in place of that one, as links write it.
        instead: Option<String>,
    },
    /// All of them break.
    Doomed,
}

/// An [`Outlook`] in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// A sentence: no order breaks, and why; or all do.
    pub words: String,
    /// The step to go back to, from which some order breaks.
    pub back_to: Option<usize>,
    pub is_fine: bool,
}

/// Returns the goal and the progress; `None` in other modes.
pub fn challenge(
    session: &Session,
    best: Option<usize>,
    outlook: Option<&Outlook>,
    lang: Lang,
) -> Option<ChallengeView> {
    let challenge =
        session.lesson().challenge.as_ref().filter(|_| session.mode() == Mode::Break)?;
    let done = met(session);
    let steps = session.timeline().cursor();
    // Before the first step, that every order breaks would answer what the learner is to find out.
    let is_told = |one: &&Outlook| done.is_none() && (steps > 0 || **one != Outlook::Doomed);
    Some(ChallengeView {
        goal: challenge.words.label.get(lang).clone(),
        about: challenge.words.body.get(lang).clone(),
        steps,
        fewest: challenge.steps,
        best: best.into_iter().chain(done).min(),
        done,
        outlook: outlook.filter(is_told).map(|one| told(session, one, lang)),
    })
}

fn told(session: &Session, outlook: &Outlook, lang: Lang) -> Told {
    let said = |word: ScreenWord| screen(lang, word).to_owned();
    let Outlook::Fine { since, instead } = outlook else {
        return Told { words: said(ScreenWord::Doomed), back_to: None, is_fine: false };
    };
    let words = match since {
        0 => said(ScreenWord::StartIsFine),
        _ => {
            let why = closing(session, *since, lang).unwrap_or_else(|| {
                fill(screen(lang, ScreenWord::OrderIsFine), &[&since.to_string()])
            });
            let instead = instead.as_ref().and_then(|one| other_way(session, *since, one, lang));
            let gap = if lang == Lang::En { " " } else { "" };
            why + &instead.map(|words| format!("{gap}{words}")).unwrap_or_default()
        }
    };
    Told { words, back_to: since.checked_sub(1), is_fine: true }
}

/// The most characters of a command.
const COMMAND_MAX: usize = 44;

/// Says whose command closed the gap. `None` if the step was no command.
fn closing(session: &Session, step: usize, lang: Lang) -> Option<String> {
    let frame = session.timeline().frames().get(step)?;
    let (client, call, _) = frame.seen.event.executed()?;
    let call = shortened(&call_text_at(call, &frame.world), COMMAND_MAX);
    Some(fill(screen(lang, ScreenWord::ClosedTheGap), &[&client.name(), &call]))
}

/// Says what to do in place of a step.
fn other_way(session: &Session, step: usize, instead: &str, lang: Lang) -> Option<String> {
    let world = &session.timeline().frames().get(step.checked_sub(1)?)?.world;
    let action = schedule::parse_token(instead, world.setting())?.action;
    let client = action.client().map(|client| client.name()).unwrap_or_default();
    let (word, call) = match action {
        Action::Step(id) | Action::Draw(id, _) | Action::Send(id) | Action::Execute(id) => {
            let call = world.client(id)?.ready()?;
            (ScreenWord::InsteadStep, shortened(&call_text_at(call, world), COMMAND_MAX))
        }
        Action::Pause(_) => (ScreenWord::InsteadPause, String::new()),
        Action::Crash(_) => (ScreenWord::InsteadCrash, String::new()),
        Action::LoseReply(_) => (ScreenWord::InsteadLose, String::new()),
        Action::LoseRequest(_) => (ScreenWord::InsteadDrop, String::new()),
        Action::Cancel(_) => (ScreenWord::InsteadCancel, String::new()),
        Action::Advance => (ScreenWord::InsteadTime, String::new()),
        _ => return None,
    };
    Some(fill(screen(lang, word), &[&client, &call]))
}

/// Returns the step at which the run shown meets the lesson's challenge.
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
