//! The program cards: for each client its code with the two arrows, the values beside the lines,
//! and the button that steps it.

use crate::lesson::Lesson;
use crate::sim::{Action, ClientId, State, Timeline};
use crate::text::{Key, Lang};

use super::call_text_at;
use super::faults::label;
use super::highlight::{self, Kind};
use super::session::{Mode, Session, not_ready_text};

#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    pub client: ClientId,
    pub file: String,
    pub status: Status,
    /// The step just made was its.
    pub ran_last: bool,
    pub lines: Vec<Line>,
    /// The command that the button carries, where the client stands before one.
    pub command: Option<String>,
    pub button: Button,
    /// An uncaught error.
    pub error: Option<String>,
}

/// Where a client stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Ready,
    JustRan,
    Blocked,
    Sleeping,
    /// Its command or its reply is on the way.
    OnTheWire,
    /// The instance does not answer.
    Unanswered,
    Paused,
    Done,
    Failed,
    Crashed,
}

impl Status {
    pub fn label(self) -> Key {
        match self {
            Status::Ready => Key::CardReady,
            Status::JustRan => Key::CardJustRan,
            Status::Blocked => Key::CardBlocked,
            Status::Sleeping => Key::CardSleeping,
            Status::OnTheWire => Key::CardOnTheWire,
            Status::Unanswered => Key::CardUnanswered,
            Status::Paused => Key::CardPaused,
            Status::Crashed => Key::CardCrashed,
            Status::Done => Key::CardDone,
            Status::Failed => Key::CardFailed,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Line {
    /// From 1.
    pub number: u32,
    /// Columns of white space at its start; not in the pieces.
    pub indent: usize,
    pub pieces: Vec<(Kind, String)>,
    /// The pale arrow: the last line that ran.
    pub ran: bool,
    /// The solid arrow: the line of the next command.
    pub next: bool,
    pub values: Vec<InlineValue>,
}

/// `stock = 10` beside the line that set it.
#[derive(Debug, Clone, PartialEq)]
pub struct InlineValue {
    pub name: String,
    pub value: String,
    /// Set by the step just made.
    pub fresh: bool,
}

/// The step button: what it says, and why it is disabled where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Button {
    pub label: String,
    pub enabled: bool,
}

/// A longer value would push its line apart.
const VALUE_CHARS_MAX: usize = 20;

/// One card per client, in the order of their letters.
pub fn cards(session: &Session, lang: Lang) -> Vec<Card> {
    session.timeline().world().ids().map(|id| card(session, id, lang)).collect()
}

fn card(session: &Session, id: ClientId, lang: Lang) -> Card {
    let lesson: &Lesson = session.lesson();
    let timeline = session.timeline();
    let world = timeline.world();
    let program = lesson.program(session.variant(), id.index());
    let state = world.client(id).map(|client| client.state());
    let going = world.next_of(id);
    let call = world.client(id).and_then(|client| client.call());
    let command = call.filter(|_| going.is_some()).map(|call| call_text_at(call, world));
    Card {
        client: id,
        file: program.map(|program| program.file.clone()).unwrap_or_default(),
        status: status(timeline, id),
        ran_last: ran_last(timeline, id),
        lines: lines(timeline, id, program.map_or("", |program| &program.source)),
        button: button(session, id, going, lang),
        command,
        error: match state {
            Some(State::Failed(message)) => Some(message.to_string()),
            _ => None,
        },
    }
}

fn ran_last(timeline: &Timeline, id: ClientId) -> bool {
    let token = timeline.frame().token.filter(|_| timeline.cursor() > 0);
    token.is_some_and(|token| token.action.client() == Some(id))
}

fn status(timeline: &Timeline, id: ClientId) -> Status {
    let Some(client) = timeline.world().client(id) else { return Status::Done };
    match client.state() {
        State::Crashed => Status::Crashed,
        State::Failed(_) => Status::Failed,
        State::Done => Status::Done,
        _ if client.paused().is_some() => Status::Paused,
        State::Ready(_) if ran_last(timeline, id) => Status::JustRan,
        State::Ready(_) => Status::Ready,
        State::Blocked(_) | State::Waiting(..) | State::Receiving { .. } => Status::Blocked,
        State::Sent(_) | State::Answered(..) => Status::OnTheWire,
        State::Unanswered { .. } => Status::Unanswered,
        State::Sleeping { .. } => Status::Sleeping,
    }
}

fn button(session: &Session, id: ClientId, going: Option<Action>, lang: Lang) -> Button {
    let world = session.timeline().world();
    let Some(action) = going else {
        let label = not_ready_text(lang, id, world).unwrap_or_else(|| id.letter().to_string());
        return Button { label, enabled: false };
    };
    Button {
        label: label(action, world.setting(), 0, lang),
        enabled: session.mode() == Mode::Schedule || session.story_next() == Some(action),
    }
}

/// A line whose indent is a number, so that a line broken on the page keeps it.
fn line(number: u32, mut pieces: Vec<(Kind, String)>) -> Line {
    let mut indent = 0;
    if let Some((_, first)) = pieces.first_mut() {
        let text = first.trim_start_matches(' ');
        indent = first.len() - text.len();
        *first = text.to_owned();
    }
    Line { number, indent, pieces, ..Line::default() }
}

fn lines(timeline: &Timeline, id: ClientId, source: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = highlight::lines(source)
        .into_iter()
        .zip(1..)
        .map(|(pieces, number)| line(number, pieces))
        .collect();
    let cursor = timeline.cursor();
    let client = timeline.world().client(id);
    let next = client.and_then(|client| match (client.call(), client.state()) {
        (Some(call), _) => Some(call.line),
        (None, State::Sleeping { .. }) => client.vm().line(),
        _ => None,
    });
    let mut ran = None;
    for (step, frame) in timeline.frames()[..=cursor].iter().enumerate() {
        for run in frame.seen.ran.iter().filter(|run| run.client == id) {
            // Of what ran before the first call nothing "just" ran.
            if step > 0 {
                // The line it stopped at has begun, but is the next one.
                let mut lines = run.trace.lines.iter().rev();
                ran = lines.find(|line| Some(**line) != next).copied().or(ran);
            }
            for assigned in &run.trace.assigned {
                let at = (assigned.line as usize).wrapping_sub(1);
                let Some(line) = lines.get_mut(at) else { continue };
                let value = InlineValue {
                    name: assigned.name.clone(),
                    value: super::shortened(&assigned.value, VALUE_CHARS_MAX),
                    fresh: step == cursor && step > 0,
                };
                match line.values.iter_mut().find(|value| value.name == assigned.name) {
                    Some(old) => *old = value,
                    None => line.values.push(value),
                }
            }
        }
    }
    for line in &mut lines {
        line.next = next == Some(line.number);
        line.ran = ran == Some(line.number) && !line.next;
    }
    lines
}
