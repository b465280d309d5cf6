//! Explains why a run went wrong, in words made from the run itself: which value was stale when it
//! was written back, whose lease expired during a pause, which client believes that it holds
//! another's lock.

use std::rc::Rc;

use crate::engine::KeyChange;
use crate::lua::Data;
use crate::resp::Bytes;
use crate::sim::{Action, CallKind, ClientId, Event, Frame, NodeId, State, Timeline};
use crate::sorted::sort_by;
use crate::text::{Key, Lang, VerdictWord, fill, tr, verdict};

use super::deadlines;
use super::explain::{in_times, letter, text};
use super::spans::is_taken;
use super::stale;
use super::windows::{self, RaceWindow};
use crate::session::spelling::{reply_text, shortened};
use crate::view::short;

/// The most sentences; more would not be read.
const SENTENCES_MAX: usize = 6;

/// Explains how the run came to its end, in order.
pub fn why(timeline: &Timeline, lang: Lang) -> Vec<String> {
    let last = timeline.len();
    let said = why_until(timeline, &windows::find(timeline), last, last, lang);
    if said.is_empty() { idle(timeline, lang) } else { said }
}

/// Explains an end in which a client changed nothing while others did: it left its part undone.
fn idle(timeline: &Timeline, lang: Lang) -> Vec<String> {
    let frames = timeline.frames();
    let calls_of = |id: ClientId| {
        let of = move |frame: &&Rc<Frame>| frame.seen.event.executed().is_some_and(|e| e.0 == id);
        frames.iter().filter(of)
    };
    let changes = |frame: &Rc<Frame>| !frame.seen.changes.is_empty();
    let Some(world) = frames.last().map(|frame| &frame.world) else { return Vec::new() };
    let is_over = |id: ClientId| world.client(id).is_some_and(|client| client.is_over());
    if !world.ids().all(is_over) || !world.ids().any(|id| calls_of(id).any(changes)) {
        return Vec::new();
    }
    let is_done = |id: &ClientId| world.client(*id).map(|one| one.state()) == Some(&State::Done);
    let ended = world.ids().filter(is_done).filter(|id| !calls_of(*id).any(changes));
    let words = |id: ClientId| {
        let last = calls_of(id).next_back().and_then(|frame| frame.seen.event.executed());
        match last {
            Some((_, call, Some(reply))) => {
                let command = &short::forms(timeline, id, call)[0];
                let values = [letter(id), shortened(command, 60), reply_text(reply)];
                let pattern = verdict(lang, VerdictWord::WhyIdle);
                fill(pattern, &values.each_ref().map(String::as_str))
            }
            Some(_) => String::new(),
            None => fill(verdict(lang, VerdictWord::WhyIdleSilent), &[&letter(id)]),
        }
    };
    in_times(ended.map(words).filter(|words| !words.is_empty()).collect())
}

/// Explains how the run came to frame `step`. Of the values written back too late only those up to
/// `stale_until` are mentioned; `found` are the run's race windows.
pub fn why_until(
    timeline: &Timeline,
    found: &[RaceWindow],
    step: usize,
    stale_until: usize,
    lang: Lang,
) -> Vec<String> {
    let mut said = stale::closing(timeline, found, stale_until, lang);
    said.extend(deadlines::closing(timeline, step, lang));
    let losses = losses(timeline, step);
    said.extend(losses.iter().filter_map(|loss| loss_words(timeline, loss, lang)));
    said.extend(losses.iter().filter_map(|loss| late_words(timeline, loss, step, lang)));
    said.extend(beliefs(timeline, step, &losses, lang));
    sort_by(&mut said, |a, b| a.0.cmp(&b.0));
    said.dedup_by(|a, b| a.1 == b.1);
    let first = said.len().saturating_sub(SENTENCES_MAX);
    in_times(said.drain(first..).map(|(_, sentence)| sentence).collect())
}

/// A sentence, and the step that it ends with.
type Said = (usize, String);

/// A key that a client had taken and then lost.
struct Loss {
    client: ClientId,
    node: NodeId,
    key: Bytes,
    taken_step: usize,
    lost_step: usize,
    /// The client that took it away; `None`: it was lost by itself, or with its instance.
    by: Option<ClientId>,
}

/// Finds keys that a client took for a while or only if free (locks, in a word) and lost again.
fn losses(timeline: &Timeline, until: usize) -> Vec<Loss> {
    let mut held: Vec<(NodeId, Bytes, ClientId, usize)> = Vec::new();
    let mut losses = Vec::new();
    for (step, frame) in timeline.frames().iter().enumerate().take(until + 1).skip(1) {
        let by = frame.seen.event.executed().map(|(client, ..)| client);
        for change in &frame.seen.changes {
            let at =
                held.iter().position(|(node, key, ..)| *node == change.node && *key == change.key);
            if let (Some(at), true) = (at, is_lost(change)) {
                let (node, key, client, taken_step) = held.swap_remove(at);
                losses.push(Loss { client, node, key, taken_step, lost_step: step, by });
            }
            if let Some(client) = by.filter(|_| is_taken(change, frame)) {
                held.push((change.node, change.key.clone(), client, step));
            }
        }
    }
    losses
}

fn is_lost(change: &KeyChange) -> bool {
    let value = |entry: &Option<crate::engine::Entry>| entry.as_ref().map(|e| e.value.clone());
    value(&change.before) != value(&change.after)
}

/// Describes how it was lost; `None` if a client released its own lock.
fn loss_words(timeline: &Timeline, loss: &Loss, lang: Lang) -> Option<Said> {
    let (who, key) = (letter(loss.client), text(&loss.key));
    let (step, taken) = (loss.lost_step.to_string(), loss.taken_step.to_string());
    let say = |key: Key, values: &[&str]| Some((loss.lost_step, fill(tr(lang, key), values)));
    let frame = timeline.frames().get(loss.lost_step)?;
    match loss.by {
        Some(by) if by == loss.client => None,
        Some(by) => say(Key::WhyTaken, &[&letter(by), &key, &step, &who, &taken]),
        None => {
            let client = timeline.frames()[loss.lost_step - 1].world.client(loss.client)?;
            let since = paused_since(timeline, loss.client, loss.lost_step);
            match (&frame.seen.event, client.state()) {
                (Event::Other(_), _) => say(Key::WhyLostWithNode, &[&key, &step, &who, &taken]),
                _ if client.is_over() => None,
                _ if client.paused().is_some() => {
                    let since = since.unwrap_or_default().to_string();
                    say(Key::WhyExpiredPaused, &[&who, &key, &step, &since])
                }
                (_, State::Sleeping { .. }) => say(Key::WhyExpiredAsleep, &[&who, &key, &step]),
                _ => say(Key::WhyExpired, &[&who, &key, &step]),
            }
        }
    }
}

/// Describes the first change that a client made, up to frame `until`, after it had lost its key to
/// others.
fn late_words(timeline: &Timeline, loss: &Loss, until: usize, lang: Lang) -> Option<Said> {
    if loss.by == Some(loss.client) {
        return None;
    }
    for step in loss.lost_step + 1..=until {
        let frame = &timeline.frames()[step];
        let executed = frame.seen.event.executed();
        let Some((_, call, _)) = executed.filter(|(client, ..)| *client == loss.client) else {
            continue;
        };
        let mut changes = frame.seen.changes.iter();
        let what = match &call.kind {
            CallKind::Resource { name, .. } => text(name),
            _ => match changes.find(|change| change.key != loss.key) {
                Some(change) => text(&change.key),
                // It has it again, or asks for it.
                None if frame.seen.changes.is_empty() => continue,
                None => return None,
            },
        };
        let values = [&letter(loss.client), &what, &step.to_string(), &text(&loss.key)];
        let words = fill(tr(lang, Key::WhyLate), &values.map(String::as_str));
        return Some((step, words));
    }
    None
}

fn paused_since(timeline: &Timeline, client: ClientId, before: usize) -> Option<usize> {
    let is_pause = |action: Action| match action {
        Action::Pause(id) => id == client,
        Action::PauseProcess(id) => timeline.world().setting().members(id).contains(&client),
        _ => false,
    };
    (1..before)
        .rev()
        .find(|step| timeline.frames()[*step].token.is_some_and(|token| is_pause(token.action)))
}

/// Names the clients that believe, in frame `step`, to hold what they have lost. A belief is a
/// global that a property asks for and that is `true`.
fn beliefs(timeline: &Timeline, step: usize, losses: &[Loss], lang: Lang) -> Vec<Said> {
    let Some(frame) = timeline.frames().get(step) else { return Vec::new() };
    let names = asked_globals(timeline);
    let mut said = Vec::new();
    for (at, loss) in losses.iter().enumerate() {
        let again = |later: &Loss| {
            (later.client, later.node, &later.key) == (loss.client, loss.node, &loss.key)
        };
        let Some(client) = frame.world.client(loss.client) else { continue };
        let believed = names.iter().find(|name| client.global(name) == Data::Bool(true));
        let Some(name) = believed.filter(|_| !losses[at + 1..].iter().any(again)) else { continue };
        let (who, key) = (letter(loss.client), text(&loss.key));
        let words = match taken_since(timeline, loss, step) {
            Some((owner, _)) if owner == loss.client => continue,
            Some((owner, since)) => {
                let values = [&who, &key, name, &letter(owner), &since.to_string()];
                fill(tr(lang, Key::WhyBelievesOther), &values.map(String::as_str))
            }
            None => {
                let since = loss.lost_step.to_string();
                fill(tr(lang, Key::WhyBelievesGone), &[&who, &key, name, &since])
            }
        };
        said.push((step, words));
    }
    said
}

/// Returns the client that has the key after the loss, up to frame `until`, and since which step.
fn taken_since(timeline: &Timeline, loss: &Loss, until: usize) -> Option<(ClientId, usize)> {
    let mut owner = None;
    for step in loss.lost_step..=until {
        let frame = &timeline.frames()[step];
        let changes = frame.seen.changes.iter();
        for change in changes.filter(|c| c.node == loss.node && c.key == loss.key) {
            let by = frame.seen.event.executed().map(|(client, ..)| client);
            owner = by.filter(|_| change.after.is_some()).map(|client| (client, step));
        }
    }
    owner
}

/// Returns the quoted words of all properties: names of globals are among them.
fn asked_globals(timeline: &Timeline) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for property in &timeline.scenario().properties {
        let expression = property.expression();
        for name in expression.split(['"', '\'']).skip(1).step_by(2) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}
