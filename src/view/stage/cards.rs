//! The program cards: for each client its code with the two arrows, the values beside the lines,
//! and the step button.

use std::rc::Rc;

use crate::lesson::{Lens, Lesson};
use crate::scenario::lacking_words;
use crate::sim::{Action, Client, ClientId, Frame, Impossible, State, Timeline, World};
use crate::text::{Key, Lang, tr};

use super::faults::label;
use super::listing::Room;
use super::readings::{self, Faces, LUA, faces, lens};
use crate::session::spelling::call_text_at;
use crate::session::{Session, not_ready_text};
use crate::view::highlight::{self, Kind};
use crate::view::short::{self, began_ms, with_times};

mod turns;

use turns::Turns;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub client: ClientId,
    /// The number of its program in the lesson: cards with the same number show the same lines.
    pub program: usize,
    pub file: String,
    /// The forms of the program.
    pub faces: Faces,
    pub status: Status,
    /// True if the last step was this client's.
    pub ran_last: bool,
    pub lines: Rc<Vec<Line>>,
    /// The command that the button sends, if the client is about to call Redis.
    pub command: Option<String>,
    /// The same in the forms that the button may have room for, longest first; the reason, and a
    /// word for it, if it cannot step.
    pub forms: Vec<String>,
    pub button: Button,
    /// The client's uncaught error.
    pub error: Option<String>,
    /// How far its clock is off, in ms, if it is.
    pub ahead_ms: Option<i64>,
}

impl Card {
    /// Returns its next command as far as its key, for a question that asks what comes after it.
    pub fn asked(&self) -> Option<String> {
        let shortest = self.forms.last().filter(|_| self.command.is_some())?;
        Some(format!("{shortest} …"))
    }
}

/// The state of a client, for display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Ready,
    JustRan,
    Blocked,
    Sleeping,
    /// Its command or its reply is on the way (wire mode).
    OnTheWire,
    /// Its instance does not answer.
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

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// The number of the line, from 1.
    pub number: u32,
    /// The columns of white space at its start, which the pieces leave out.
    pub indent: usize,
    pub pieces: Rc<[(Kind, String)]>,
    /// True for the pale arrow: the last line that ran.
    pub ran: bool,
    /// True for the solid arrow: the line of the next command.
    pub next: bool,
    pub values: Vec<InlineValue>,
}

/// A value such as `stock = 10` beside the line that set it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineValue {
    pub name: String,
    pub value: String,
    /// A shorter form: see `in_short`.
    pub short: Option<String>,
    /// True if the last step set it.
    pub fresh: bool,
    /// True if no other line has set the variable since.
    pub current: bool,
}

/// The step button: its label, and the reason if it is disabled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Button {
    pub label: String,
    pub enabled: bool,
}

/// The most characters of a value beside a line; a longer one would push its line apart.
const VALUE_CHARS_MAX: usize = 20;

impl InlineValue {
    /// What stands beside the line.
    pub fn shown(&self) -> &str {
        self.short.as_ref().unwrap_or(&self.value)
    }
}

/// Returns the shorter form of a value beside a line: of a time, the time since the start; of a
/// text that is too long to be shown, such as a script, its quotation marks.
fn in_short(value: &str, began_ms: u64) -> Option<String> {
    let is_long = || value.starts_with('"') && value.chars().count() > VALUE_CHARS_MAX;
    with_times(value, began_ms).or_else(|| is_long().then(|| r#""…""#.to_owned()))
}

/// Returns one card per client, in the order of their letters. `face` is the form of the programs;
/// a program without that form is shown in Lua.
pub fn cards(session: &Session, face: &str, lang: Lang) -> Vec<Rc<Card>> {
    Deck::default().cards(session, face, lang)
}

/// The cards of the last call: unchanged cards are returned as the same allocations.
#[derive(Debug, Default)]
pub struct Deck {
    of: Option<(Rc<Lesson>, usize, String)>,
    turns: Turns,
    blank: Vec<Blank>,
    rooms: Vec<Room>,
    cards: Vec<Rc<Card>>,
}

/// A program as it is written, and with the values of a run.
#[derive(Debug)]
struct Blank {
    file: String,
    faces: Faces,
    lua: Vec<Line>,
    /// The program in another language.
    lens: Option<(Lens, Vec<Line>)>,
    made: Option<(Made, Rc<Vec<Line>>)>,
}

/// The situation for which the lines of a card were made.
#[derive(Debug)]
struct Made {
    /// The frame of the client's last turn.
    turn: Option<Rc<Frame>>,
    /// True if that was the last step.
    fresh: bool,
    next: Option<u32>,
}

impl Made {
    fn is(&self, other: &Made) -> bool {
        let same = match (&self.turn, &other.turn) {
            (Some(ours), Some(theirs)) => Rc::ptr_eq(ours, theirs),
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        same && self.fresh == other.fresh && self.next == other.next
    }
}

impl Deck {
    pub fn cards(&mut self, session: &Session, face: &str, lang: Lang) -> Vec<Rc<Card>> {
        let timeline = session.timeline();
        let (lesson, variant) = (session.lesson(), session.variant());
        let same = |of: &(Rc<Lesson>, usize, String)| {
            Rc::ptr_eq(&of.0, lesson) && of.1 == variant && of.2 == face
        };
        let ids: Vec<ClientId> = timeline.world().ids().collect();
        if !self.of.as_ref().is_some_and(same) || self.blank.len() != ids.len() {
            self.of = Some((lesson.clone(), variant, face.to_owned()));
            self.blank = ids.iter().map(|id| blank(session, *id, face)).collect();
            self.rooms = rooms(session, &ids, face);
        }
        self.turns.follow(timeline);
        let mut old = std::mem::take(&mut self.cards).into_iter();
        for (id, blank) in ids.into_iter().zip(&mut self.blank) {
            let card = card(session, id, blank, &self.turns, lang);
            let old = old.next().filter(|old| **old == card);
            self.cards.push(old.unwrap_or_else(|| Rc::new(card)));
        }
        self.cards.clone()
    }

    /// Returns, for each card, the room for the values that the lesson's stories set at its Lua
    /// lines.
    pub fn rooms(&self) -> &[Room] {
        &self.rooms
    }
}

fn rooms(session: &Session, ids: &[ClientId], face: &str) -> Vec<Room> {
    let programs: Vec<usize> = ids.iter().map(|id| program_of(session, *id)).collect();
    let mut rooms = vec![Room::new(); ids.len()];
    if face != LUA {
        return rooms;
    }
    for story in session.stories() {
        let mut turns = Turns::default();
        turns.follow(story);
        for (id, program) in ids.iter().zip(&programs) {
            for (line, name, chars) in turns.room(*id) {
                let alike = programs.iter().zip(&mut rooms).filter(|(other, _)| *other == program);
                for (_, room) in alike {
                    match room.iter_mut().find(|one| one.0 == line && one.1 == name) {
                        Some(one) => one.2 = one.2.max(chars),
                        None => room.push((line, name.clone(), chars)),
                    }
                }
            }
        }
    }
    rooms
}

fn program_of(session: &Session, id: ClientId) -> usize {
    let variant = session.lesson().variants.get(session.variant());
    variant.and_then(|one| one.programs().nth(id.index())).unwrap_or(usize::MAX)
}

fn blank(session: &Session, id: ClientId, face: &str) -> Blank {
    let lesson: &Lesson = session.lesson();
    let program = lesson.program(session.variant(), id.index());
    let place = program_of(session, id);
    let lens = lens(lesson, place, face);
    let file = match lens {
        Some(lens) => Some(&lens.label),
        None => program.map(|program| &program.file),
    };
    let numbered = |texts: Vec<Vec<(Kind, String)>>| {
        let texts = texts.into_iter().zip(1..);
        texts.map(|(pieces, number)| line(number, pieces)).collect::<Vec<Line>>()
    };
    Blank {
        file: file.cloned().unwrap_or_default(),
        faces: faces(lesson, place, face),
        lua: numbered(highlight::lines(program.map_or("", |program| &program.source))),
        lens: lens.map(|lens| (lens.clone(), numbered(readings::lines(lens)))),
        made: None,
    }
}

fn card(session: &Session, id: ClientId, blank: &mut Blank, turns: &Turns, lang: Lang) -> Card {
    let timeline = session.timeline();
    let world = timeline.world();
    let state = world.client(id).map(|client| client.state());
    let going = world.next_of(id);
    let call = world.client(id).and_then(|client| client.call());
    let call = call.filter(|_| going.is_some());
    let command = call.map(|call| call_text_at(call, world));
    let status = status(timeline, id);
    let button = button(session, id, going, lang);
    let forms = match call {
        Some(call) => {
            let node = call.node().filter(|_| world.nodes().len() > 1);
            let at = node.map(|node| [world.setting().node_name(node), " "].concat());
            let forms = short::forms(timeline, id, call).into_iter().skip(1);
            forms.map(|form| at.clone().unwrap_or_default() + &form).collect()
        }
        None => {
            // The button says already who it is.
            let own = button.label.strip_prefix(&[&id.name(), " "].concat());
            let own = own.unwrap_or(&button.label).replace(" ms", "\u{a0}ms");
            vec![own, tr(lang, status.label()).to_owned()]
        }
    };
    Card {
        client: id,
        program: program_of(session, id),
        file: blank.file.clone(),
        faces: blank.faces.clone(),
        status,
        ran_last: ran_last(timeline, id),
        lines: lines(timeline, id, blank, turns),
        button,
        command,
        forms,
        error: match state {
            Some(State::Failed(message)) => {
                let lacking = timeline.lacking(id, timeline.cursor());
                let more = lacking.map(|lacking| format!(". {}", lacking_words(&lacking, lang)));
                Some(message.to_string() + &more.unwrap_or_default())
            }
            _ => None,
        },
        ahead_ms: world.client(id).map(Client::clock_ms).filter(|ms| *ms != 0),
    }
}

fn ran_last(timeline: &Timeline, id: ClientId) -> bool {
    let token = timeline.frame().token.filter(|_| timeline.cursor() > 0);
    token.is_some_and(|token| token.action.client() == Some(id))
}

fn status(timeline: &Timeline, id: ClientId) -> Status {
    let world = timeline.world();
    let Some(client) = world.client(id) else { return Status::Done };
    match client.state() {
        State::Crashed => Status::Crashed,
        State::Failed(_) => Status::Failed,
        State::Done | State::Idle => Status::Done,
        _ if client.paused().is_some() => Status::Paused,
        State::Ready(_) if is_kept_out(world, id) => Status::Blocked,
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
        label: label(action, world, lang),
        enabled: session.mode().is_free() || session.story_next() == Some(action),
    }
}

/// Makes a line whose indent is a number, so that a broken line keeps it.
fn line(number: u32, mut pieces: Vec<(Kind, String)>) -> Line {
    let mut indent = 0;
    if let Some((_, first)) = pieces.first_mut() {
        let text = first.trim_start_matches(' ');
        indent = first.len() - text.len();
        *first = text.to_owned();
    }
    Line { number, indent, pieces: pieces.into(), ..Line::default() }
}

/// Returns the lines at the cursor. They are made again only after another turn.
fn lines(timeline: &Timeline, id: ClientId, blank: &mut Blank, turns: &Turns) -> Rc<Vec<Line>> {
    let cursor = timeline.cursor();
    let client = timeline.world().client(id);
    let next = client.and_then(|client| match (client.call(), client.state()) {
        (Some(call), _) => Some(call.line),
        (None, State::Sleeping { .. }) => client.vm().line(),
        _ => None,
    });
    let step = turns.last(id, cursor);
    let turn = step.and_then(|step| timeline.frames().get(step).cloned());
    let made = Made { turn, fresh: cursor > 0 && step == Some(cursor), next };
    if let Some((old, lines)) = &blank.made
        && old.is(&made)
    {
        return lines.clone();
    }
    let mut lua = blank.lua.clone();
    let began_ms = began_ms(timeline.frames());
    for set in turns.values(id, cursor) {
        let Some(line) = lua.get_mut((set.line as usize).wrapping_sub(1)) else { continue };
        line.values.push(InlineValue {
            name: set.name.to_owned(),
            value: crate::session::spelling::shortened(set.value, VALUE_CHARS_MAX),
            short: in_short(set.value, began_ms),
            fresh: made.fresh && set.step == cursor,
            current: set.is_current,
        });
    }
    let ran = turns.ran(id, cursor, next);
    for line in &mut lua {
        line.next = next == Some(line.number);
        line.ran = ran == Some(line.number) && !line.next;
    }
    let lines = Rc::new(match &blank.lens {
        Some((lens, lines)) => through(lens, lines.clone(), &lua),
        None => lua,
    });
    blank.made = Some((made, lines.clone()));
    lines
}

/// Returns the program in another language: arrows and values are put at the lines that correspond
/// to the Lua lines.
fn through(lens: &Lens, mut lines: Vec<Line>, lua: &[Line]) -> Vec<Line> {
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

/// Returns true if a client is about to take a mutex that another client holds, to use a shared
/// connection on which another one waits, or to meet a row that a transaction has locked.
pub(in crate::view) fn is_kept_out(world: &World, id: ClientId) -> bool {
    let why = world.possible(Action::Step(id));
    matches!(
        why,
        Err(Impossible::Locked { .. } | Impossible::Busy { .. } | Impossible::RowLocked { .. })
    )
}

#[cfg(test)]
mod tests;
