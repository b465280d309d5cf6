//! The program cards: for each client its code with the two arrows, the values beside the lines,
//! and the button that steps it.

use crate::lesson::{Lens, Lesson};
use crate::sim::{Action, ClientId, State, Timeline};
use crate::text::{Key, Lang};

use super::call_text_at;
use super::faults::label;
use super::highlight::{self, Kind};
use super::session::{Session, not_ready_text};

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

/// The program's own language, as [`Face`]s are called.
pub const LUA: &str = "lua";
/// The flow chart in place of the programs.
pub const FLOW: &str = "flow";

/// A form in which the programs can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Face {
    /// [`LUA`], [`FLOW`], or how the names of the files end: `java`.
    pub id: String,
    /// The language's name; the word for a flow chart is the page's.
    pub label: &'static str,
}

/// The forms that there are for the programs of the variant shown.
pub fn faces(session: &Session) -> Vec<Face> {
    let lesson = session.lesson();
    let Some(variant) = lesson.variants.get(session.variant()) else { return Vec::new() };
    let has = |program| variant.clients.contains(&program);
    let mut faces = vec![Face { id: LUA.to_owned(), label: "Lua" }];
    for (id, label) in [("java", "Java"), ("py", "Python"), ("go", "Go"), ("rs", "Rust")] {
        if lesson.lenses.iter().any(|lens| has(lens.program) && lens.extension() == id) {
            faces.push(Face { id: id.to_owned(), label });
        }
    }
    if lesson.flows.iter().any(|flow| has(flow.program)) {
        faces.push(Face { id: FLOW.to_owned(), label: "" });
    }
    faces
}

/// A longer value would push its line apart.
const VALUE_CHARS_MAX: usize = 20;

/// One card per client, in the order of their letters. `face` is the form of the programs; one
/// that has no such form is shown in Lua.
pub fn cards(session: &Session, face: &str, lang: Lang) -> Vec<Card> {
    session.timeline().world().ids().map(|id| card(session, id, face, lang)).collect()
}

fn card(session: &Session, id: ClientId, face: &str, lang: Lang) -> Card {
    let lesson: &Lesson = session.lesson();
    let timeline = session.timeline();
    let world = timeline.world();
    let program = lesson.program(session.variant(), id.index());
    let state = world.client(id).map(|client| client.state());
    let going = world.next_of(id);
    let call = world.client(id).and_then(|client| client.call());
    let command = call.filter(|_| going.is_some()).map(|call| call_text_at(call, world));
    let lua = lines(timeline, id, program.map_or("", |program| &program.source));
    let place = lesson.variants.get(session.variant()).and_then(|v| v.clients.get(id.index()));
    let mut lenses = lesson.lenses.iter().filter(|lens| Some(&lens.program) == place);
    let (file, lines) = match lenses.find(|lens| lens.extension() == face) {
        Some(lens) => (lens.label.clone(), through(lens, &lua)),
        None => (program.map(|program| program.file.clone()).unwrap_or_default(), lua),
    };
    Card {
        client: id,
        file,
        status: status(timeline, id),
        ran_last: ran_last(timeline, id),
        lines,
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
        State::Done | State::Idle => Status::Done,
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
        enabled: session.mode().is_free() || session.story_next() == Some(action),
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

/// The program in another language: its arrows and values stand where the Lua lines that it says
/// the same as have them.
fn through(lens: &Lens, lua: &[Line]) -> Vec<Line> {
    let grammar = highlight::grammar(lens.extension());
    let texts = highlight::lines_of(&lens.source, grammar).into_iter().zip(1..);
    let mut lines: Vec<Line> = texts.map(|(pieces, number)| line(number, pieces)).collect();
    for of_lua in lua {
        let stands_for =
            |at: &usize| lens.lines.get(*at).is_some_and(|to| to.contains(&of_lua.number));
        let mut places = (0..lines.len()).filter(stands_for).collect::<Vec<_>>().into_iter();
        let Some(first) = places.next() else { continue };
        lines[first].values.extend(of_lua.values.iter().cloned());
        for place in places.chain([first]) {
            lines[place].next |= of_lua.next;
            lines[place].ran |= of_lua.ran;
        }
    }
    lines.iter_mut().for_each(|line| line.ran &= !line.next);
    lines
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
