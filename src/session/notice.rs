//! The notices of a session: its messages to the learner, in words.

use crate::sim::{Action, Call, CallKind, ClientId, Impossible, ScheduleError, State, World};
use crate::text::{Key, Lang, VerdictWord, fill, tr, verdict};

use super::{Mode, Session};
use crate::session::limit;

/// A message to the learner, with a remedy; the words are made when it is shown, so that they
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
    /// The run holds as many bytes as it may.
    RunBytes,
    /// The run is too long for a link.
    LinkLimit,
    /// A run that was being played was interrupted before its end.
    Left {
        step: usize,
    },
}

impl Notice {
    /// Returns its text in `lang`.
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
                // In the words of the page's tabs, where it is one that this lesson lacks.
                let name = |mode: Mode| tr(lang, mode.label());
                let known = Mode::ALL.into_iter().find(|mode| mode.id() == wanted);
                let there: Vec<&str> = Mode::of(lesson).map(name).collect();
                fill(tr(lang, Key::NoSuchMode), &[known.map_or(wanted, name), &there.join(" · ")])
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
            Notice::Left { step } => fill(tr(lang, Key::RunLeft), &[&step.to_string()]),
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

/// Says why an action cannot happen in `world`.
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
        Impossible::Busy { client, owner } => {
            let letters = [client.name(), owner.name()];
            fill(tr(lang, Key::BusyReason), &letters.each_ref().map(String::as_str))
        }
        Impossible::RowLocked { client, owner } => {
            let letters = [client.name(), owner.name()];
            fill(
                verdict(lang, VerdictWord::RowLockedReason),
                &letters.each_ref().map(String::as_str),
            )
        }
        Impossible::NoBudget => tr(lang, Key::NoBudget).to_owned(),
        Impossible::NotNow => tr(lang, Key::NotNow).to_owned(),
        Impossible::NoDeadline => tr(lang, Key::NoTimePasses).to_owned(),
    }
}

/// Says why `id` cannot be stepped in `world`; `None` if it can.
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
        State::Ready(_) => match world.possible(Action::Step(id)) {
            Err(why @ (Impossible::Busy { .. } | Impossible::RowLocked { .. })) => {
                impossible_text(lang, &why, world)
            }
            _ => return None,
        },
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
