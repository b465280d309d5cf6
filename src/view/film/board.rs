//! The board, which shows Redis as a place: for each instance its inbox, the one slot where
//! commands run, blocked commands, and the keys, each in a spot of its own.
//!
//! A spot stays in place from the first step to the last: the keys are known from the lesson's
//! stories and from the run. To show something else of an instance, add it to [`Instance`], and see
//! in [`Spots`] whether a run needs room for it.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::engine::{Effects, Entry, EntryValue};
use crate::resp::{Bytes, Value, lossy};
use crate::sim::{Client, ClientId, Frame, NodeId, Run, State, Timeline, World, shared_frames};

use super::look::Scene;
pub use super::look::Thread;
use crate::session::Session;
use crate::session::spelling::{argument_text, command_text, reply_text, shortened};
use crate::view::short::{began_ms, fitting, on_line, with_times};
use crate::view::stage::explain::changed_member;
use crate::view::stage::redis::{HISTORY_MAX, KEYS_MAX, KeyRow, Panel, Written};
use crate::view::stage::redis::{key_name, value_text};

/// The most spots of an instance; further keys are only counted.
const SPOTS_MAX: usize = 16;
/// The most characters shown of each.
const HISTORY_CHARS: usize = 16;
/// The most commands shown of a transaction's queue.
pub const QUEUE_MAX: usize = 6;
const WORDS_MAX: usize = 40;

/// An entry's id, and its fields and values by turns.
type StreamEntry = (String, Vec<Bytes>);

#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    pub instances: Vec<Instance>,
    /// True in wire mode: sending, executing and replying are separate steps, and commands wait in
    /// the inbox.
    pub wire: bool,
    /// The most commands that wait at once.
    pub places: usize,
    /// For how many blocked commands there is room, and for how many replies that were not taken.
    pub shelf: usize,
    pub tray: usize,
    /// True if there is room for the mutexes that are held.
    pub has_mutexes: bool,
    /// The connections, if some run uses transactions, and the most commands that one queues.
    pub conns: Vec<Conn>,
    pub queue: usize,
    pub threads: Vec<Thread>,
    /// True if SQL tables are the store: neither a story of the variant nor the run sends a command
    /// to Redis, or finds a key there.
    pub is_sql: bool,
}

impl Board {
    /// Returns true if there are three instances or more, and none is another's replica: their
    /// names need no line for a role.
    pub fn has_peers(&self) -> bool {
        let is_alone = |one: &Instance| !one.is_master && one.follows.is_none();
        self.instances.len() > 2 && self.instances.iter().all(is_alone)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    pub id: NodeId,
    pub name: String,
    pub up: bool,
    /// True if replicas follow it.
    pub is_master: bool,
    pub follows: Option<NodeId>,
    /// Notes on its state, in words.
    pub notes: Vec<String>,
    pub inbox: Vec<Item>,
    pub held: Vec<Item>,
    pub replied: Vec<Item>,
    /// The entries of its master's backlog that it has not applied yet.
    pub behind: Vec<String>,
    pub keys: Vec<Key>,
    /// The number of keys that have no spot.
    pub more: usize,
}

/// A waiting command or reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub client: ClientId,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    pub name: String,
    /// The key; `None` if the spot is empty.
    pub row: Option<KeyRow>,
    /// For each item of the row its value in a shorter form, if there is one.
    pub short: Vec<Option<String>>,
    /// The length of its lease when it was set, in ms.
    pub lease_ms: u64,
    /// The values written there, oldest first, if it is the only key.
    pub history: Vec<Written>,
}

/// A client's connections, as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conn {
    pub client: ClientId,
    /// The names of those among them that the clients of its process share.
    pub shared: Vec<String>,
    pub in_multi: bool,
    pub queued: Vec<String>,
    /// The number of queued commands that are not shown.
    pub more: usize,
}

/// The spots that a run needs, found by visiting each of its frames once. Spots are never removed.
#[derive(Debug, Default)]
pub struct Spots {
    of: Option<(usize, usize)>,
    run: Run,
    keys: Vec<(NodeId, String)>,
    has_conns: bool,
    queue: usize,
    shelf: usize,
    tray: usize,
    has_mutexes: bool,
    has_stories: bool,
    has_commands: bool,
}

impl Spots {
    /// Returns the spots that a story needs by itself.
    pub fn of_story(run: &Run) -> Spots {
        let mut spots = Spots { has_stories: true, ..Spots::default() };
        run.iter().for_each(|frame| spots.see(frame));
        spots
    }

    /// Adds spots for the stories of the session's variant, and for new frames of its run.
    pub fn follow(&mut self, session: &Session) {
        let of = (Rc::as_ptr(session.lesson()) as usize, session.variant());
        if self.of != Some(of) {
            *self = Spots { of: Some(of), ..Spots::default() };
            for story in session.stories() {
                self.has_stories = true;
                story.frames().iter().for_each(|frame| self.see(frame));
            }
        }
        let run = session.timeline().run();
        let shared = shared_frames(&self.run, run);
        run.iter().skip(shared).for_each(|frame| self.see(frame));
        self.run = run.clone();
    }

    fn see(&mut self, frame: &Frame) {
        let world = &frame.world;
        if frame.token.is_none() {
            for id in world.setting().node_ids() {
                for (db, entry) in entries(world, id) {
                    self.add(id, key_name(db, &entry.key));
                }
            }
        }
        for change in &frame.seen.changes {
            self.add(change.node, key_name(change.db, &change.key));
        }
        let transacts = |id: ClientId| Scene::queue(world, id).is_some();
        let shares = |client: &Rc<Client>| client.connections().iter().any(|c| c.shared.is_some());
        self.has_conns |= !Scene::threads(world).is_empty()
            || world.everybody().any(transacts)
            || world.clients().iter().any(shares);
        let queues = world.everybody().filter_map(|id| Scene::queue(world, id));
        self.queue = queues.fold(self.queue, usize::max);
        self.has_mutexes |= !world.mutexes().is_empty();
        self.shelf = self.shelf.max(Scene::held(world).len());
        self.tray = self.tray.max(Scene::answered(world).len());
        let executed = frame.seen.event.executed();
        self.has_commands |= executed.is_some_and(|(_, call, _)| !call.argv().is_empty())
            || !Scene::sent(world).is_empty();
    }

    /// Returns true if SQL tables are the store, as far as the stories and the run go.
    pub fn is_sql(&self, world: &World) -> bool {
        let redis_is_used = self.has_commands || !self.keys.is_empty();
        self.has_stories && !redis_is_used && !world.sql().is_empty()
    }

    fn add(&mut self, id: NodeId, name: String) {
        let there = self.keys.iter().filter(|(node, _)| *node == id).count();
        let key = (id, name);
        if there < SPOTS_MAX && !self.keys.contains(&key) {
            self.keys.push(key);
        }
    }
}

/// Returns the keys of an instance with their databases, as many as the panel shows.
pub(super) fn entries(world: &World, id: NodeId) -> Vec<(usize, Entry)> {
    let Some(node) = world.node(id) else { return Vec::new() };
    let now_ms = node.now_ms(world.now_ms());
    let full = (0..node.instance.databases()).filter(|db| node.instance.db_len(*db) > 0);
    full.flat_map(|db| node.instance.entries(db, now_ms).map(move |one| (db, one)))
        .take(KEYS_MAX)
        .collect()
}

/// Returns the length of a lease when it was set, in ms: the key's present deadline, seen from the
/// step that set it. `frames` end at the present one.
pub fn lease_ms(frames: &[Rc<Frame>], node: NodeId, (db, entry): (usize, &Entry)) -> u64 {
    let Some(at_ms) = entry.expires_at else { return 0 };
    let given = frames.iter().rev().find(|frame| {
        frame.seen.changes.iter().any(|change| {
            let mine = change.node == node && change.db == db && change.key == entry.key;
            let before = change.before.as_ref().and_then(|one| one.expires_at);
            let after = change.after.as_ref().and_then(|one| one.expires_at);
            mine && before != Some(at_ms) && after == Some(at_ms)
        })
    });
    let given = given.or(frames.first());
    let clock =
        given.and_then(|frame| frame.world.node(node).map(|one| one.now_ms(frame.world.now_ms())));
    at_ms.saturating_sub(clock.unwrap_or(at_ms))
}

/// Returns the board at the cursor; `panel` has the present keys.
pub fn board(timeline: &Timeline, panel: &Panel, spots: &Spots) -> Board {
    let world = timeline.world();
    let setting = world.setting();
    let frames = &timeline.frames()[..=timeline.cursor()];
    let only = setting.nodes.len() == 1;
    let instances = setting.node_ids().zip(&panel.nodes).map(|(id, node)| {
        let link = world.link_of(id);
        let of = |all: Vec<(ClientId, NodeId)>, text: &dyn Fn(ClientId, &Client) -> String| {
            let mine = all.into_iter().filter(|(_, at)| *at == id);
            let item = |(id, _)| Some(Item { client: id, text: text(id, world.client(id)?) });
            mine.filter_map(item).collect::<Vec<Item>>()
        };
        let command = |id: ClientId, client: &Client| {
            client.call().map(|call| on_line(timeline, id, call)).unwrap_or_default()
        };
        let reply = |_: ClientId, client: &Client| match client.state() {
            State::Answered(_, reply) => shortened(&reply_text(reply), WORDS_MAX),
            _ => String::new(),
        };
        let (keys, more) = keys(frames, id, &node.keys, spots, only);
        Instance {
            id,
            name: setting.node_name(id).to_owned(),
            up: node.up,
            is_master: world.links().iter().any(|link| link.master == id),
            follows: link.map(|link| link.master),
            notes: node.notes.clone(),
            inbox: of(Scene::sent(world), &command),
            held: of(Scene::held(world), &command),
            replied: of(Scene::answered(world), &reply),
            behind: link.map(|link| behind(&link.backlog)).unwrap_or_default(),
            keys,
            more: more + node.more,
        }
    });
    Board {
        instances: instances.collect(),
        wire: setting.wire,
        places: world.ids().count(),
        shelf: spots.shelf,
        has_mutexes: spots.has_mutexes,
        tray: spots.tray.max(usize::from(setting.wire)),
        conns: if spots.has_conns { conns(world) } else { Vec::new() },
        queue: spots.queue.min(QUEUE_MAX),
        threads: Scene::threads(world),
        is_sql: spots.is_sql(world),
    }
}

/// Returns the keys that an entry of a link writes.
pub(super) fn keys_of(effects: &Effects) -> String {
    let keys = effects.entries().map(|(key, _)| lossy(key).into_owned());
    keys.take(3).collect::<Vec<_>>().join(" ")
}

/// Names the entries on a link: the first few by their keys, then the number of the others.
fn behind(entries: &VecDeque<Rc<Effects>>) -> Vec<String> {
    const SHOWN: usize = 3;
    const CHARS: usize = 12;
    let mut words: Vec<String> =
        entries.iter().take(SHOWN).map(|one| shortened(&keys_of(one), CHARS)).collect();
    if entries.len() > SHOWN {
        words.push(format!("+{}", entries.len() - SHOWN));
    }
    words
}

fn conns(world: &World) -> Vec<Conn> {
    let conn = |client: ClientId| {
        let connections = world.client(client).map(Client::connections).unwrap_or_default();
        let mut queued = Vec::new();
        let mut in_multi = false;
        for (number, one) in connections.iter().enumerate() {
            let id = world.conn_of(client, number as u8);
            let Some(conn) = world.instance(world.serving(one.node)).and_then(|it| it.conn(id))
            else {
                continue;
            };
            in_multi |= conn.in_multi;
            if conn.in_multi {
                queued.extend(
                    conn.queued.iter().map(|argv| shortened(&command_text(argv), WORDS_MAX)),
                );
            }
        }
        let more = queued.len().saturating_sub(QUEUE_MAX);
        queued.truncate(QUEUE_MAX);
        let shared = connections.iter().filter_map(|one| one.shared.as_ref());
        let shared = shared.map(|name| shortened(&lossy(name), WORDS_MAX)).collect();
        Conn { client, shared, in_multi, queued, more }
    };
    world.ids().map(conn).collect()
}

/// Returns the spots of an instance with their keys; keys without a spot get the free ones.
fn keys(
    frames: &[Rc<Frame>],
    id: NodeId,
    rows: &[KeyRow],
    spots: &Spots,
    only: bool,
) -> (Vec<Key>, usize) {
    let mut names: Vec<&str> = Vec::new();
    names.extend(spots.keys.iter().filter(|(node, _)| *node == id).map(|(_, key)| key.as_str()));
    let late = rows.iter().map(|row| row.key.as_str()).filter(|key| !names.contains(key));
    let late: Vec<&str> = late.collect();
    let room = SPOTS_MAX.saturating_sub(names.len());
    let more = late.len().saturating_sub(room);
    names.extend(late.into_iter().take(room));
    let alone = only && names.len() == 1;
    let began_ms = began_ms(frames);
    let last = frames.last().map(|frame| entries(&frame.world, id)).unwrap_or_default();
    let key = |name: &str| {
        let entry = last.iter().find(|(db, entry)| key_name(*db, &entry.key) == name);
        let row = rows.iter().find(|row| row.key == name && !row.gone).cloned();
        let items = row.iter().flat_map(|row| &row.items);
        Key {
            name: name.to_owned(),
            short: items.map(|item| with_times(item.now.as_ref()?, began_ms)).collect(),
            row,
            lease_ms: entry.map_or(0, |(db, entry)| lease_ms(frames, id, (*db, entry))),
            history: if alone { history(frames, id, name) } else { Vec::new() },
        }
    };
    (names.into_iter().map(key).collect(), more)
}

/// Returns the last values written under a key.
fn history(frames: &[Rc<Frame>], id: NodeId, name: &str) -> Vec<Written> {
    let began_ms = began_ms(frames);
    let mut all: Vec<Written> = Vec::new();
    for (step, frame) in frames.iter().enumerate().rev() {
        if all.len() == HISTORY_MAX {
            break;
        }
        let start = frame.token.is_none();
        let by = frame.seen.event.executed().map(|(client, ..)| client);
        let of_start = || {
            let found = entries(&frame.world, id).into_iter();
            found.filter(|(db, one)| key_name(*db, &one.key) == name).map(|(_, one)| one).next()
        };
        let mut changes = frame.seen.changes.iter().filter(|one| one.node == id);
        let changed = changes.find(|one| key_name(one.db, &one.key) == name);
        let rewritten = crate::view::stage::redis::written(frame, id).is_some_and(|(_, keys)| {
            changed.is_none() && keys.iter().any(|(db, key)| key_name(*db, key) == name)
        });
        let now = match (start, changed) {
            (true, _) => of_start(),
            (_, Some(change)) => change.after.clone(),
            _ if rewritten => of_start(),
            _ => continue,
        };
        let before = changed.and_then(|change| change.before.as_ref()).map(|one| &one.value);
        // Of a value with members, the one that came or changed.
        let member = changed.filter(|change| change.before.is_some()).and_then(changed_member);
        let text = match (member, now) {
            (_, Some(Entry { value: EntryValue::Stream(now), .. })) => {
                let verb = frame.seen.event.executed().map(|(_, call, _)| call.argv());
                in_stream(before, &now, rewritten, verb.unwrap_or_default())
            }
            (Some((member, now)), _) => {
                let now = with_times(&now, began_ms).unwrap_or(now);
                shortened(format!("{member} {now}").trim_end(), HISTORY_CHARS)
            }
            (None, Some(entry)) => {
                let whole = value_text(&entry.value, 4, WORDS_MAX);
                let whole = with_times(&whole, began_ms).unwrap_or(whole);
                shortened(&whole, HISTORY_CHARS)
            }
            (None, None) => reply_text(&Value::NilBulk),
        };
        all.push(Written { step, by: by.filter(|_| !start), text });
    }
    all.reverse();
    all
}

/// Returns what tells a write to a stream from others: the entries that came, or all; where they
/// stay as they were, and its groups alone changed, the command.
#[inline(never)]
fn in_stream(
    before: Option<&EntryValue>,
    now: &[StreamEntry],
    rewritten: bool,
    argv: &[Bytes],
) -> String {
    let old: &[StreamEntry] = match before {
        Some(EntryValue::Stream(old)) => old,
        _ if rewritten => now,
        _ => &[],
    };
    let came: Vec<&StreamEntry> = now.iter().filter(|entry| !old.contains(entry)).collect();
    let shown = match came.is_empty() {
        true if old != now => now.iter().collect(),
        _ => came,
    };
    let words = |(id, fields): &&StreamEntry| {
        let pairs = fields
            .chunks(2)
            .map(|pair| pair.iter().map(|word| argument_text(word)).collect::<Vec<_>>().join("="));
        std::iter::once(id.clone()).chain(pairs).collect::<Vec<_>>().join(" ")
    };
    match shown.as_slice() {
        [] => {
            // The words of a container, `XGROUP DELCONSUMER`, are told by the second.
            let verb = argv.get(usize::from(
                argv.first().is_some_and(|verb| verb.eq_ignore_ascii_case(b"XGROUP")),
            ));
            shortened(&verb.map(|verb| lossy(verb)).unwrap_or_default(), HISTORY_CHARS)
        }
        [one] => shortened(&words(one), HISTORY_CHARS),
        all => {
            let whole = all.iter().map(words).collect::<Vec<_>>().join(", ");
            let ids = all.iter().map(|(id, _)| &**id).collect::<Vec<_>>().join(", ");
            shortened(fitting(&[whole, ids], 1, HISTORY_CHARS), HISTORY_CHARS)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::lesson::source::read_folder;
    use crate::session::Msg;
    use crate::session::link::Link;
    use crate::text::Lang;
    use crate::view::stage::redis::panel;

    fn boards(lesson: &str, link: &str) -> Vec<Board> {
        let lesson = read_folder(&Path::new("static/lessons").join(lesson)).unwrap();
        let (mut session, _) = Session::open(Rc::new(lesson), &Link::parse(link)).unwrap();
        let mut spots = Spots::default();
        let steps = session.timeline().len();
        let at = |step| {
            session.update(Msg::Seek(step));
            spots.follow(&session);
            let shown = panel(session.timeline(), Lang::En);
            board(session.timeline(), &shown, &spots)
        };
        (0..=steps).map(at).collect()
    }

    fn values(key: &Key) -> String {
        let items = key.row.iter().flat_map(|row| &row.items);
        items.filter_map(|item| item.now.clone()).collect::<Vec<_>>().join(" ")
    }

    /// Where the store is a table, Redis is not: in no step, and only there.
    #[test]
    fn a_table_is_the_store_where_no_command_goes_to_redis() {
        let is_sql = |lesson: &str, link: &str| {
            boards(lesson, link).iter().map(|board| board.is_sql).collect::<Vec<_>>()
        };
        assert_eq!(is_sql("sign-up", "mode=watch&walk=in-a-table"), [true; 7]);
        assert_eq!(is_sql("sign-up", "mode=watch&walk=three-for-two"), [false; 7]);
        // It has a table and a cache.
        let cached = is_sql("cache-aside", "mode=watch");
        assert!(cached.len() > 1 && cached.iter().all(|is_sql| !is_sql), "{cached:?}");
        let lesson = read_folder(Path::new("static/lessons/sign-up")).unwrap();
        let link = Link::parse("mode=watch&walk=in-a-table&step=6");
        let (session, _) = Session::open(Rc::new(lesson), &link).unwrap();
        let shown = panel(session.timeline(), Lang::En);
        let held = shown.tables[0].history.iter();
        let held: Vec<_> = held.map(|one| (one.step, one.by, one.text.as_str())).collect();
        let [a, c] = [Some(ClientId(0)), Some(ClientId(2))];
        assert_eq!(held, [(0, None, "0"), (2, c, "1"), (5, a, "2")]);
    }

    #[test]
    fn instances_are_peers_where_none_follows_another() {
        let peers = |lesson: &str, link: &str| {
            boards(lesson, link).iter().map(|board| board.has_peers()).collect::<Vec<_>>()
        };
        let three = peers("redlock", "mode=watch&walk=majority");
        assert!(three.len() > 1 && three.iter().all(|it| *it), "{three:?}");
        let one = peers("lost-update", "mode=watch");
        assert!(one.iter().all(|it| !it), "{one:?}");
        // A master and two replicas.
        let copies = peers("failover", "variant=two-replicas&mode=schedule&schedule=A1.A2");
        assert_eq!(copies, [false; 3]);
    }

    #[test]
    fn one_key_tells_its_history() {
        let all = boards("lost-update", "mode=schedule&schedule=A1.B1.A2.B2");
        let last = &all[4].instances[0];
        assert_eq!(last.keys.len(), 1);
        assert_eq!(values(&last.keys[0]), "20");
        let told: Vec<String> = last.keys[0]
            .history
            .iter()
            .map(|one| one.by.map(|id| id.name()).unwrap_or_default() + &one.text)
            .collect();
        assert_eq!(told, ["10", "A20", "B20"]);
    }

    #[test]
    fn a_stream_tells_its_entries_apart_and_what_changed_its_groups() {
        let all = boards("fix-watermill", "mode=watch");
        let history = &all[all.len() - 1].instances[0].keys[0].history;
        let told: Vec<String> = history
            .iter()
            .map(|one| one.by.map(|id| id.name() + " ").unwrap_or_default() + &one.text)
            .collect();
        assert_eq!(told, ["1-1, 2-1", "A XCLAIM", "A DELCONSUMER"]);
        let entry = |id: &str, fields: &[&str]| {
            (id.to_owned(), fields.iter().map(|word| Bytes::from(word.as_bytes())).collect())
        };
        let one = entry("1-1", &["k", "v"]);
        let two = [one.clone(), entry("2-1", &["customer", "bob", "n", "1"])];
        let before = EntryValue::Stream(vec![one]);
        assert_eq!(in_stream(Some(&before), &two, false, &[]), "2-1 customer=bo…");
        assert_eq!(in_stream(None, &two[..1], false, &[]), "1-1 k=v");
        let before = EntryValue::Stream(two.to_vec());
        assert_eq!(in_stream(Some(&before), &two[..1], false, &[]), "1-1 k=v");
    }

    #[test]
    fn a_spot_stays_where_it_is_through_a_story() {
        for lesson in ["owner-token", "redlock", "watch", "fencing"] {
            let Ok(_) = read_folder(&Path::new("static/lessons").join(lesson)) else { continue };
            let all = boards(lesson, "mode=watch");
            let spots = |board: &Board| -> Vec<Vec<String>> {
                let keys = |one: &Instance| one.keys.iter().map(|key| key.name.clone()).collect();
                board.instances.iter().map(keys).collect()
            };
            let rooms = |board: &Board| (board.conns.len(), board.queue, board.shelf, board.tray);
            for (step, board) in all.iter().enumerate() {
                assert_eq!(spots(board), spots(&all[0]), "{lesson}, step {step}");
                assert_eq!(rooms(board), rooms(&all[0]), "{lesson}, step {step}");
            }
        }
    }

    #[test]
    fn on_the_wire_commands_wait_in_the_inbox_and_replies_in_the_tray() {
        let link = "mode=schedule&wire=1";
        let lesson = read_folder(Path::new("static/lessons/lost-update")).unwrap();
        let (mut session, _) = Session::open(Rc::new(lesson), &Link::parse(link)).unwrap();
        let mut spots = Spots::default();
        let mut at = |session: &Session| {
            spots.follow(session);
            let shown = panel(session.timeline(), Lang::En);
            board(session.timeline(), &shown, &spots).instances.remove(0)
        };
        session.update(Msg::Step(ClientId(0)));
        session.update(Msg::Step(ClientId(1)));
        let waits: Vec<String> = at(&session).inbox.into_iter().map(|one| one.text).collect();
        assert_eq!(waits, ["GET balance", "GET balance"]);
        session.update(Msg::Step(ClientId(0)));
        let now = at(&session);
        assert_eq!((now.inbox.len(), now.replied.len()), (1, 1));
        assert_eq!(now.replied[0].text, "10");
    }
}
