//! "Break it": the goal, and the progress of the learner's run.

use crate::lesson::Block;
use crate::sim::{Action, schedule};
use crate::text::{Lang, ScreenWord, fill, screen};

use crate::session::spelling::{call_text_at, shortened};
use crate::session::{Mode, Session};
use crate::view::stage::faults;

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
    let outlook = outlook.filter(is_told).map(|one| told(session, one, lang));
    let typed = typed(session, steps).map(|step| Told {
        words: screen(lang, ScreenWord::TypedRun).to_owned(),
        back_to: step.checked_sub(1),
        is_fine: true,
    });
    Some(ChallengeView {
        goal: challenge.words.label.get(lang).clone(),
        about: challenge.words.body.get(lang).clone(),
        steps,
        fewest: challenge.steps,
        best: best.into_iter().chain(done).min(),
        done,
        outlook: typed.or(outlook),
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
    match action {
        Action::Step(id) | Action::Draw(id, _) | Action::Send(id) | Action::Execute(id) => {
            let call = world.client(id)?.ready()?;
            let call = shortened(&call_text_at(call, world), COMMAND_MAX);
            Some(fill(screen(lang, ScreenWord::InsteadStep), &[&id.name(), &call]))
        }
        Action::Advance => Some(screen(lang, ScreenWord::InsteadTime).to_owned()),
        Action::Tick(_) => None,
        // A fault, or a message on its way: as the menu has it.
        other => {
            let label = faults::label(other, world, lang);
            Some(fill(screen(lang, ScreenWord::InsteadChoose), &[&label]))
        }
    }
}

/// Returns the step at which the run shown meets the lesson's challenge.
pub fn met(session: &Session) -> Option<usize> {
    let step = session.timeline().decided(property(session)?)?;
    // The programs are to be broken; at a console a learner can break anything.
    typed(session, step).is_none().then_some(step)
}

/// Returns the first step until this one that was typed at a console.
fn typed(session: &Session, step: usize) -> Option<usize> {
    session.timeline().frames()[..=step].iter().position(|frame| frame.typed.is_some())
}

/// Returns the property that the challenge is about, as a place in the variant's list; `None` in
/// other modes.
pub fn property(session: &Session) -> Option<usize> {
    let challenge =
        session.lesson().challenge.as_ref().filter(|_| session.mode() == Mode::Break)?;
    let claims = &session.lesson().variants.get(challenge.variant)?.claims;
    claims.iter().position(|claim| claim.property == challenge.property)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::rc::Rc;

    use super::*;
    use crate::lesson::source::read_folder;
    use crate::session::Msg;
    use crate::session::link::Link;
    use crate::sim::{ClientId, NodeId, Typed};

    #[test]
    fn a_run_with_a_typed_line_says_that_it_does_not_count() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons/lost-update");
        let lesson = Rc::new(read_folder(&folder).unwrap());
        let link = Link::parse("variant=naive&mode=break&schedule=A1.B1.A2");
        let (mut session, _) = Session::open(lesson, &link).unwrap();
        let line = "SET balance 10".into();
        session.update(Msg::Type(Typed {
            console: ClientId::console(1).unwrap(),
            node: NodeId(0),
            line,
        }));
        let dared = challenge(&session, None, None, Lang::En).unwrap();
        assert_eq!((dared.done, dared.steps), (None, 4));
        assert_eq!(dared.outlook.unwrap().back_to, Some(3));
    }

    #[test]
    fn a_fault_instead_is_called_as_the_menu_has_it() {
        let said = |lesson: &str, link: &str, instead: &str| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons").join(lesson);
            let lesson = Rc::new(read_folder(&folder).unwrap());
            let (session, _) = Session::open(lesson, &Link::parse(link)).unwrap();
            let way = |lang| other_way(&session, 1, instead, lang).unwrap_or_default();
            Lang::ALL.map(way)
        };
        let evicted = "variant=evicted&mode=schedule&schedule=A1.A2";
        assert_eq!(
            said("lost-expiry", evicted, "evict1-redis"),
            [
                "Step back and choose “redis evicts session” there.",
                "退回去，在那里选择“redis 淘汰 session”。"
            ]
        );
        let [english, _] = said("expire-apart", "mode=schedule&schedule=A1", "crashA");
        assert_eq!(english, "Step back and choose “Crash A” there.");
    }
}
