//! Runs side by side: another run of the same variant, or other variants under the same schedule. A
//! row is a step of the run shown. If a variant cannot make a step, the reason is shown instead,
//! and it continues with the next step that it can make.

use std::rc::Rc;

use crate::lesson::Lesson;
use crate::resp::{Bytes, Value};
use crate::sim::{Action, ClientId, Event, Frame, Impossible, Scenario, Timeline};
use crate::sorted::SortedMap;
use crate::text::{Key, Lang, fill, tr};

use super::chips::{Chip, chips_of};
use super::redis::value_text;
use super::strip::broken_steps;
use super::{explain, redis};
use crate::session::spelling::{call_text_at, reply_text, shortened};
use crate::session::{Beside, Session, impossible_text};

const COMMAND_CHARS_MAX: usize = 46;
const VALUE_CHARS_MAX: usize = 40;

#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The columns; the first is the run shown.
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    /// The first step at which the runs differ.
    pub parts_at: Option<usize>,
    pub keys: Vec<KeyLine>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub title: String,
    pub about: String,
    pub chips: Vec<Chip>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub step: usize,
    pub now: bool,
    /// True after the cursor.
    pub future: bool,
    /// True if the cells differ.
    pub differs: bool,
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    pub client: Option<ClientId>,
    pub what: String,
    pub reply: String,
    /// True if the step was not possible here: `what` says why.
    pub refused: bool,
    /// True if a claim breaks here.
    pub breaks: bool,
}

/// A key with its value in each column; `None` if it does not exist there.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyLine {
    pub key: String,
    pub values: Vec<Option<String>>,
    pub differs: bool,
}

/// Variants that follow a schedule, as far as they have come.
#[derive(Debug, Default)]
pub struct Followers {
    lesson: Option<Rc<Lesson>>,
    wire: bool,
    actions: Vec<Action>,
    tracks: Vec<Track>,
}

#[derive(Debug)]
struct Track {
    variant: usize,
    timeline: Timeline,
    /// For each step of the schedule: the frame that it led to, or the reason why it was
    /// impossible.
    made: Vec<Result<usize, Impossible>>,
}

impl Followers {
    /// Makes the steps of the run shown in the variants.
    fn follow(&mut self, session: &Session, variants: &[usize]) {
        let lesson = session.lesson();
        let same_lesson = self.lesson.as_ref().is_some_and(|known| Rc::ptr_eq(known, lesson));
        let known: Vec<usize> = self.tracks.iter().map(|track| track.variant).collect();
        if !same_lesson || known != variants || self.wire != session.wire() {
            let wire = session.wire();
            let start = |variant: &usize| {
                let scenario = Scenario { wire, ..lesson.scenario(*variant).ok()? };
                let timeline = Timeline::start(Rc::new(scenario)).ok()?;
                Some(Track { variant: *variant, timeline, made: Vec::new() })
            };
            self.tracks = variants.iter().filter_map(start).collect();
            (self.lesson, self.wire) = (Some(lesson.clone()), wire);
            self.actions.clear();
        }
        let frames = session.timeline().frames();
        let actions: Vec<Action> =
            frames.iter().filter_map(|frame| Some(frame.token?.action)).collect();
        let pairs = self.actions.iter().zip(&actions);
        let shared = pairs.take_while(|(known, wanted)| known == wanted).count();
        for track in &mut self.tracks {
            track.made.truncate(shared);
            let at = track.made.iter().rev().find_map(|made| made.as_ref().ok().copied());
            track.timeline.seek(at.unwrap_or(0));
            for action in &actions[shared..] {
                let made = track.timeline.step(*action);
                track.made.push(made.map(|()| track.timeline.cursor()));
            }
        }
        self.actions = actions;
    }
}

/// One column before it is put into words.
struct Side<'t> {
    title: String,
    about: String,
    variant: usize,
    scenario: &'t Scenario,
    frames: &'t [Rc<Frame>],
    /// The frames in which a claim breaks.
    broken: Vec<usize>,
    /// For each step the frame, or the reason why there is none.
    made: Vec<Result<usize, Option<&'t Impossible>>>,
}

/// Returns the comparison beside the run; `None` if none was chosen.
pub fn comparison(session: &Session, followers: &mut Followers, lang: Lang) -> Option<Comparison> {
    session.beside()?;
    compared(session, followers, lang)
}

#[inline(never)]
fn compared(session: &Session, followers: &mut Followers, lang: Lang) -> Option<Comparison> {
    let timeline = session.timeline();
    let lesson = session.lesson();
    let run_name = |id: u32, name: &str| match name {
        "" => fill(tr(lang, Key::RunNumber), &[&id.to_string()]),
        name => name.to_owned(),
    };
    let label = |variant: usize| {
        lesson.variants.get(variant).map(|v| v.label.get(lang).clone()).unwrap_or_default()
    };
    let steps = |frames: &[Rc<Frame>]| (1..frames.len()).map(Ok).collect::<Vec<_>>();
    let broken = |variant: usize, frames: &[Rc<Frame>]| {
        let kinds = lesson.properties_of(variant).map(|property| property.kind);
        broken_steps(&kinds.collect::<Vec<_>>(), frames)
    };
    let mut own = Side {
        title: label(session.variant()),
        about: tr(lang, Key::CompareDrives).to_owned(),
        variant: session.variant(),
        scenario: timeline.scenario(),
        frames: timeline.frames(),
        broken: broken(session.variant(), timeline.frames()),
        made: steps(timeline.frames()),
    };
    let mut sides = Vec::new();
    match session.beside()? {
        Beside::Run(id) => {
            let branch = timeline.branches().iter().find(|branch| branch.id == id)?;
            own.title = run_name(timeline.id(), timeline.name());
            own.about = many_steps(timeline.len(), lang);
            sides.push(own);
            sides.push(Side {
                title: run_name(branch.id, &branch.name),
                about: many_steps(branch.frames.len() - 1, lang),
                variant: session.variant(),
                scenario: timeline.scenario(),
                frames: &branch.frames,
                broken: broken(session.variant(), &branch.frames),
                made: steps(&branch.frames),
            });
        }
        Beside::Variants(variants) => {
            followers.follow(session, &variants);
            sides.push(own);
            for track in &followers.tracks {
                let done = track.made.iter().filter(|made| made.is_ok()).count().to_string();
                let all = track.made.len().to_string();
                sides.push(Side {
                    title: label(track.variant),
                    about: fill(tr(lang, Key::CompareFollows), &[&done, &all]),
                    variant: track.variant,
                    scenario: track.timeline.scenario(),
                    frames: track.timeline.frames(),
                    broken: broken(track.variant, track.timeline.frames()),
                    made: track.made.iter().map(shown).collect(),
                });
            }
        }
    }
    Some(put_together(session, &sides, lang))
}

fn shown(made: &Result<usize, Impossible>) -> Result<usize, Option<&Impossible>> {
    made.as_ref().copied().map_err(Some)
}

fn many_steps(count: usize, lang: Lang) -> String {
    fill(tr(lang, Key::Steps), &[&count.to_string()])
}

fn put_together(session: &Session, sides: &[Side<'_>], lang: Lang) -> Comparison {
    let timeline = session.timeline();
    let cursor = timeline.cursor();
    let at_end = cursor == timeline.len();
    let count = sides.iter().map(|side| side.made.len()).max().unwrap_or(0);
    // The frame in which each column stands: that of the cursor, or at the end its own last one.
    let now: Vec<usize> = sides
        .iter()
        .map(|side| {
            let upto = if at_end { side.made.len() } else { cursor.min(side.made.len()) };
            side.made[..upto].iter().rev().find_map(|made| made.ok()).unwrap_or(0)
        })
        .collect();
    let rows = (1..=count).map(|step| {
        let cells: Vec<Cell> = sides.iter().map(|side| cell(side, step, lang)).collect();
        let said = |cell: &Cell| (cell.client, cell.what.clone(), cell.reply.clone());
        let differs = cells.iter().any(|cell| said(cell) != said(&cells[0]));
        Row { step, now: step == cursor, future: step > cursor, differs, cells }
    });
    let rows: Vec<Row> = rows.collect();
    let columns = sides.iter().zip(&now).map(|(side, now)| {
        let (lesson, frames) = (session.lesson(), &side.frames[..=*now]);
        Column {
            title: side.title.clone(),
            about: side.about.clone(),
            chips: chips_of(lesson, side.variant, side.scenario, frames, lang),
        }
    });
    Comparison {
        columns: columns.collect(),
        parts_at: rows.iter().find(|row| row.differs).map(|row| row.step),
        keys: keys(sides, &now),
        rows,
    }
}

fn cell(side: &Side<'_>, step: usize, lang: Lang) -> Cell {
    let frame = match side.made.get(step - 1) {
        Some(Ok(at)) => side.frames.get(*at),
        Some(Err(why)) => {
            let before = side.made[..step - 1].iter().rev().find_map(|made| made.ok());
            let world = side.frames.get(before.unwrap_or(0)).map(|frame| &frame.world);
            let what = why.zip(world).map(|(why, world)| impossible_text(lang, why, world));
            return Cell { what: what.unwrap_or_default(), refused: true, ..Cell::default() };
        }
        None => None,
    };
    let Some(frame) = frame else {
        let what = tr(lang, Key::CompareOver).to_owned();
        return Cell { what, refused: true, ..Cell::default() };
    };
    let at = side.made.get(step - 1).and_then(|made| made.ok());
    let breaks = at.is_some_and(|at| side.broken.contains(&at));
    let client = frame.token.and_then(|token| token.action.client());
    match &frame.seen.event {
        Event::Call { call, reply, .. } | Event::Execute { call, reply, .. } => Cell {
            client,
            what: shortened(&call_text_at(call, &frame.world), COMMAND_CHARS_MAX),
            reply: reply.as_ref().map(short).unwrap_or_default(),
            refused: false,
            breaks,
        },
        _ => {
            let what = shortened(&explain::row_words(frame, lang), 2 * COMMAND_CHARS_MAX);
            Cell { client, what, breaks, ..Cell::default() }
        }
    }
}

fn short(reply: &Value) -> String {
    shortened(&reply_text(reply), VALUE_CHARS_MAX)
}

/// Returns the keys of all instances in the frames shown.
fn keys(sides: &[Side<'_>], now: &[usize]) -> Vec<KeyLine> {
    let mut lines: SortedMap<(String, Bytes), Vec<Option<String>>> = SortedMap::default();
    for (column, (side, at)) in sides.iter().zip(now).enumerate() {
        let Some(world) = side.frames.get(*at).map(|frame| &frame.world) else { continue };
        for (id, node) in world.setting().node_ids().zip(world.nodes()) {
            let one = world.nodes().len() == 1;
            let name = if one { String::new() } else { world.setting().node_name(id).to_owned() };
            let entries = node.instance.entries(0, node.now_ms(world.now_ms()));
            for entry in entries.take(redis::KEYS_MAX) {
                let value = value_text(&entry.value, VALUE_CHARS_MAX, VALUE_CHARS_MAX);
                let values = lines.get_or_default((name.clone(), entry.key.clone()));
                values.resize(sides.len(), None);
                values[column] = Some(value);
            }
        }
    }
    let line = |((node, key), values): ((String, Bytes), Vec<Option<String>>)| {
        let key = crate::resp::lossy(&key).into_owned();
        KeyLine {
            key: if node.is_empty() { key } else { format!("{node}: {key}") },
            differs: values.iter().any(|value| *value != values[0]),
            values,
        }
    };
    lines.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests;
