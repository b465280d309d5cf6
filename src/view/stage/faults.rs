//! The fault menu: the faults and repairs possible at this moment, and how often they may still
//! happen; with the words for them.
//!
//! To add a fault, add its place in a group of the menu (`groups`), its count (`left`), its label
//! ([`label`], which stops compiling without it) and its sentence ([`said`]). `left` and [`said`]
//! have an arm for everything else.

use crate::resp::Value;
use crate::sim::{
    Action, Change, ClientId, Due, Faults, Frame, NodeId, Paused, ProcessId, Setting, World,
};
use crate::text::{Key, Lang, VerdictWord, fill, tr, verdict};

use crate::session::Session;
use crate::session::spelling::{reply_text, shortened};

use super::redis::key_name;

/// The faults that can strike one client, process or instance.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    pub title: String,
    /// The client, for its colour.
    pub client: Option<ClientId>,
    pub items: Vec<Item>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub action: Action,
    pub label: String,
    /// How often it may still happen; `None` if that is not limited.
    pub left: Option<String>,
    pub enabled: bool,
}

/// Returns true if something can go wrong in this variant, and the learner decides.
pub fn has_any(session: &Session) -> bool {
    let world = session.timeline().world();
    let draws = || world.ids().any(|id| world.outcomes(id) > 0);
    let messages = || world.clients().iter().any(|one| one.arrivals().next().is_some());
    let allowed = session.timeline().scenario().faults;
    session.mode().is_free()
        && (allowed.any() || !world.links().is_empty() || draws() || messages())
}

/// Returns the menu; empty if there is none ([`has_any`]).
pub fn menu(session: &Session, lang: Lang) -> Vec<Group> {
    match has_any(session) {
        true => groups(session, session.timeline().scenario().faults, lang),
        false => Vec::new(),
    }
}

#[inline(never)]
fn groups(session: &Session, allowed: Faults, lang: Lang) -> Vec<Group> {
    let world = session.timeline().world();
    let setting = world.setting();
    let mut groups = Vec::new();
    for id in world.ids() {
        let paused = world.client(id).and_then(|client| client.paused()) == Some(Paused::Client);
        let pause = if paused { Action::Resume(id) } else { Action::Pause(id) };
        let (lose, drop) = (Action::LoseReply(id), Action::LoseRequest(id));
        let (cancel, jump) = (Action::Cancel(id), Action::JumpClient(id));
        let mut actions = vec![pause, Action::Crash(id), lose, drop, cancel, jump];
        let arrivals = world.client(id).into_iter().flat_map(|client| client.arrivals());
        actions.extend(arrivals.map(|connection| Action::Arrive(id, connection)));
        let title = id.name();
        let mut own = group(title, Some(id), &actions, world, allowed, lang);
        own.items.extend(draws(id, world, lang));
        groups.push(own);
    }
    for (number, process) in setting.processes.iter().enumerate() {
        if process.members.len() < 2 {
            continue;
        }
        let id = ProcessId(number as u16);
        let resume = Action::ResumeProcess(id);
        let paused = world.possible(resume).is_ok();
        let pause = if paused { resume } else { Action::PauseProcess(id) };
        let title = fill(verdict(lang, VerdictWord::FaultProcess), &[&process.name]);
        let actions = [pause, Action::CrashProcess(id)];
        groups.push(group(title, None, &actions, world, allowed, lang));
    }
    for id in setting.node_ids() {
        let up = world.node(id).is_some_and(|node| node.up);
        let mut actions = Vec::new();
        if world.link_of(id).is_some() {
            actions.push(Action::Replicate(id));
        }
        actions.push(if up { Action::Down(id) } else { Action::Up(id) });
        actions.extend([Action::Restart(id), Action::Rewind(id)]);
        if world.links().iter().any(|link| link.master == id) {
            actions.push(Action::Failover(id));
        }
        actions.push(Action::JumpNode(id));
        if allowed.evict > 0 && world.link_of(id).is_none() {
            // Where no key may go there is one row all the same, so that the menu stays.
            let keys = world.evictable(id).len().max(1) as u8;
            actions.extend((0..keys).map(|key| Action::Evict(id, key)));
        }
        let title = setting.node_name(id).to_owned();
        groups.push(group(title, None, &actions, world, allowed, lang));
    }
    groups.retain(|group| !group.items.is_empty());
    groups
}

/// Lists the random outcomes of a client's next step, each with its reply.
fn draws(id: ClientId, world: &World, lang: Lang) -> impl Iterator<Item = Item> {
    (0..world.outcomes(id) as u8).map(move |outcome| {
        let action = Action::Draw(id, outcome);
        let seen = world.clone().apply(action).ok();
        let reply = seen.as_ref().and_then(|seen| seen.event.executed()?.2);
        let reply = reply.map(Value::to_cli_short).unwrap_or_default();
        let label = fill(
            verdict(lang, VerdictWord::ChanceDraw),
            &[&id.name(), &crate::session::spelling::shortened(&reply, 24)],
        );
        Item { action, label, left: None, enabled: true }
    })
}

fn group(
    title: String,
    client: Option<ClientId>,
    actions: &[Action],
    world: &World,
    allowed: Faults,
    lang: Lang,
) -> Group {
    let items = actions.iter().filter_map(|action| {
        let left = left(*action, world.budget());
        let enabled = world.possible(*action).is_ok();
        // A fault that the scenario never allows is not offered.
        let offered = match self::left(*action, allowed) {
            Some(count) => count > 0,
            None => enabled || matches!(action, Action::Replicate(_)),
        };
        offered.then(|| Item {
            action: *action,
            label: label(*action, world, lang),
            left: left.map(|count| fill(tr(lang, Key::FaultLeft), &[&count.to_string()])),
            enabled,
        })
    });
    Group { title, client, items: items.collect() }
}

/// Returns the number of this kind in `faults`; `None` if it is not counted.
fn left(action: Action, faults: Faults) -> Option<u8> {
    match action {
        Action::LoseReply(_) => Some(faults.lose),
        Action::LoseRequest(_) => Some(faults.drop),
        Action::Cancel(_) => Some(faults.cancel),
        Action::Pause(_) | Action::PauseProcess(_) => Some(faults.pause),
        Action::Crash(_) | Action::CrashProcess(_) => Some(faults.crash),
        Action::JumpClient(_) | Action::JumpNode(_) => Some(faults.jump),
        Action::Down(_) => Some(faults.down),
        Action::Restart(_) => Some(faults.restart),
        Action::Rewind(_) => Some(faults.rewind),
        Action::Failover(_) => Some(faults.failover),
        Action::Evict(..) => Some(faults.evict),
        _ => None,
    }
}

/// Returns the client or instance that an action strikes: a letter, or a name.
pub fn whom(action: Action, setting: &Setting) -> String {
    match action {
        Action::PauseProcess(id) | Action::ResumeProcess(id) | Action::CrashProcess(id) => {
            Some(setting.process_name(id).to_owned())
        }
        action => match (action.client(), action.node()) {
            (Some(id), _) => Some(id.name()),
            (None, Some(id)) => Some(setting.node_name(id).to_owned()),
            (None, None) => None,
        },
    }
    .unwrap_or_default()
}

/// Returns the name of the key that is evicted next by this action; empty for other actions.
fn key_to_go(action: Action, world: &World) -> String {
    let Action::Evict(id, number) = action else { return String::new() };
    let keys = world.evictable(id);
    keys.get(usize::from(number)).map_or_else(String::new, |(db, key)| key_name(*db, key))
}

/// Returns the name of the key that was evicted in this step.
fn key_gone(action: Action, changes: &[Change]) -> String {
    let gone = |change: &&Change| Some(change.node) == action.node() && change.after.is_none();
    changes.iter().find(gone).map_or_else(String::new, |gone| key_name(gone.db, &gone.key))
}

/// Returns the menu's words for an action that is possible in this world.
pub fn label(action: Action, world: &World, lang: Lang) -> String {
    words(action, world, &key_to_go(action, world), lang)
}

/// Returns the menu's words for an action that led to this frame.
pub fn label_of(action: Action, frame: &Frame, lang: Lang) -> String {
    words(action, &frame.world, &key_gone(action, &frame.seen.changes), lang)
}

fn words(action: Action, world: &World, evicted: &str, lang: Lang) -> String {
    let whom = whom(action, world.setting());
    let key = match action {
        Action::Cancel(_) => return fill(verdict(lang, VerdictWord::FaultCancel), &[&whom]),
        Action::LoseRequest(_) => return fill(verdict(lang, VerdictWord::FaultDrop), &[&whom]),
        Action::Rewind(_) => return fill(verdict(lang, VerdictWord::FaultRewind), &[&whom]),
        Action::Arrive(..) => return fill(verdict(lang, VerdictWord::ArriveButton), &[&whom]),
        Action::Evict(..) => {
            let key = if evicted.is_empty() { "…" } else { &shortened(evicted, 24) };
            return fill(verdict(lang, VerdictWord::FaultEvict), &[&whom, key]);
        }
        Action::Pause(_) | Action::PauseProcess(_) => Key::FaultPause,
        Action::Resume(_) | Action::ResumeProcess(_) => Key::FaultResume,
        Action::Crash(_) | Action::CrashProcess(_) => Key::FaultCrash,
        Action::LoseReply(_) => Key::FaultLose,
        Action::JumpClient(_) | Action::JumpNode(_) => Key::FaultJump,
        Action::Down(_) => Key::FaultDown,
        Action::Up(_) => Key::FaultUp,
        Action::Restart(_) => Key::FaultRestart,
        Action::Failover(_) => Key::FaultFailover,
        Action::Replicate(_) => Key::FaultReplicate,
        Action::Send(_) => Key::SendButton,
        Action::Execute(_) => Key::ExecuteButton,
        Action::Reply(_) => Key::ReplyButton,
        Action::Disconnect(_) => Key::SaidDisconnect,
        Action::Step(_) | Action::Draw(..) | Action::Advance | Action::Tick(_) => Key::StepButton,
    };
    fill(tr(lang, key), &[&whom, &signed(world.budget().jump_ms)])
}

/// Says in a sentence what a fault did.
pub fn said(action: Action, frame: &Frame, lang: Lang) -> String {
    let world = &frame.world;
    let key = match action {
        Action::Evict(..) => {
            let (whom, gone) =
                (whom(action, world.setting()), key_gone(action, &frame.seen.changes));
            return fill(verdict(lang, VerdictWord::SaidEvict), &[&whom, &gone]);
        }
        Action::Cancel(id) => {
            return fill(verdict(lang, VerdictWord::SaidCancel), &[&id.name()]);
        }
        Action::Rewind(_) => {
            let whom = whom(action, world.setting());
            return fill(verdict(lang, VerdictWord::SaidRewind), &[&whom]);
        }
        Action::Arrive(id, _) => {
            let message = frame.seen.late.first().map(|(.., message)| reply_text(message));
            let words = [id.name(), message.unwrap_or_default()];
            let said = verdict(lang, VerdictWord::SaidArrive);
            return fill(said, &words.each_ref().map(String::as_str));
        }
        Action::Pause(_) | Action::PauseProcess(_) => Key::SaidPause,
        Action::Resume(_) | Action::ResumeProcess(_) => Key::SaidResume,
        Action::Crash(_) | Action::CrashProcess(_) => Key::SaidCrash,
        Action::JumpClient(_) | Action::JumpNode(_) => Key::SaidJump,
        Action::Down(_) => Key::SaidDown,
        Action::Up(_) => Key::SaidUp,
        Action::Restart(_) => Key::SaidRestart,
        Action::Failover(_) => Key::SaidFailover,
        Action::Replicate(_) => Key::SaidReplicate,
        Action::Disconnect(_) => Key::SaidDisconnect,
        _ => Key::SaidLoseReply,
    };
    let other = match action {
        Action::Failover(id) => name_of_successor(id, world),
        _ => signed(world.budget().jump_ms),
    };
    fill(tr(lang, key), &[&whom(action, world.setting()), &other])
}

/// Returns the name of the instance that took the place of `old` and is its master since.
fn name_of_successor(old: NodeId, world: &World) -> String {
    let link = world.link_of(old);
    link.map(|link| world.setting().node_name(link.master).to_owned()).unwrap_or_default()
}

fn signed(ms: i64) -> String {
    format!("{ms:+}")
}

/// Returns the label of the button that lets time pass, in three forms: how long, and until what.
pub fn advance_forms(world: &World, lang: Lang) -> Option<Vec<String>> {
    /// The most events named; more would not fit on a button.
    const NAMED: usize = 2;
    let left_ms = world.next_deadline_ms()?.saturating_sub(world.now_ms());
    let due = world.due();
    let mut named: Vec<String> = Vec::new();
    for due in &due {
        let event = match due {
            Due::Key { key, .. } => {
                let key = crate::session::spelling::shortened(&crate::resp::lossy(key), 16);
                fill(tr(lang, Key::DueKey), &[&key])
            }
            Due::Client(id) => fill(tr(lang, Key::DueClient), &[&id.name()]),
        };
        // One key on several instances is said once.
        if !named.contains(&event) {
            named.push(event);
        }
    }
    let mut until = named[..named.len().min(NAMED)].join(", ");
    if !until.is_empty() {
        until.insert_str(0, "\u{a0}· ");
    }
    if named.len() > NAMED {
        until += " …";
    }
    let ms = format!("+{left_ms}\u{a0}ms");
    let long = fill(tr(lang, Key::AdvanceTo), &[&left_ms.to_string()]);
    Some(vec![long + &until, [&ms, &*until].concat(), ms])
}
