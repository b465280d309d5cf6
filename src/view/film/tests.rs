//! Films of all walks of all lessons, and of random runs, are held to the rules; every kind of
//! event and action has a film. What a kind must have of its own is in `kinds`; `sheet` holds the
//! runs of the contact sheet to their names.

use std::collections::BTreeMap;
use std::mem::discriminant;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::lesson::Lesson;
use crate::lesson::source::read_folder;
use crate::lua;
use crate::resp;
use crate::sim::{Client, Faults, Kind, NodeDef, NodeId, ProcessId};
use crate::sim::{Scenario, State, World, schedule};

mod kinds;
mod sheet;

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);
const REDIS: NodeId = NodeId(0);

fn scenario(setup: &[&str], programs: &[&str]) -> Scenario {
    let argv = |line: &&str| resp::split_inline(line.as_bytes()).expect("a command");
    let chunk = |source: &&str| lua::compile(source.as_bytes(), "a.lua").expect("a program");
    Scenario::simple(setup.iter().map(argv).collect(), programs.iter().map(chunk).collect())
}

fn begin(scenario: Scenario) -> Timeline {
    Timeline::start(Rc::new(scenario)).expect("a scenario that starts")
}

fn play(timeline: &mut Timeline, text: &str) {
    schedule::play(timeline, text).unwrap_or_else(|why| panic!("{text}: {why:?}"));
}

/// The film of the step that was made last, held to the rules.
fn last(timeline: &Timeline) -> Film {
    hold(timeline, timeline.len())
}

/// The film of `text`'s last step.
fn shot(setup: &[&str], programs: &[&str], text: &str) -> Film {
    let mut timeline = begin(scenario(setup, programs));
    play(&mut timeline, text);
    last(&timeline)
}

/// Those of one thing.
fn of<'f>(film: &'f Film, what: &Place) -> Vec<&'f Move> {
    film.moves.iter().filter(|one| one.what == *what).collect()
}

#[track_caller]
fn one(film: &Film, what: &Place, how: How) -> Move {
    let found = film.moves.iter().find(|one| one.what == *what && one.how == how);
    found.cloned().unwrap_or_else(|| panic!("{how:?} of {}: {:#?}", what.name(), of(film, what)))
}

fn hows(film: &Film, what: &Place) -> Vec<How> {
    of(film, what).iter().map(|one| one.how).collect()
}

// ---- The rules ----------------------------------------------------------------------------------

/// The film of a step, which keeps to the rules.
#[track_caller]
fn hold(timeline: &Timeline, step: usize) -> Film {
    let film = film(timeline, step).expect("a film");
    let frames = timeline.frames();
    let event = &frames[step].seen.event;
    let problems = problems(&film, &frames[step - 1], &frames[step]);
    assert!(problems.is_empty(), "{event:?}: {problems:#?}\n{:#?}", film.moves);
    film
}

fn problems(film: &Film, before: &Frame, after: &Frame) -> Vec<String> {
    let mut problems = Vec::new();
    if film.ms == 0 || film.ms > times::FILM_MAX {
        problems.push(format!("lasts {} ms", film.ms));
    }
    for one in film.moves.iter().filter(|one| one.t0 > one.t1 || one.t1 > film.ms) {
        problems.push(format!("{one:?} is outside of {} ms", film.ms));
    }
    if !film.moves.iter().any(|one| one.what.kind() == "row") || of(film, &Place::say()).len() != 1
    {
        problems.push("the row or the sentence is missing".to_owned());
    }
    tokens(film, &mut problems);
    early(film, &mut problems);
    complete(film, before, after, &mut problems);
    problems
}

fn tokens(film: &Film, problems: &mut Vec<String>) {
    let mut legs: BTreeMap<&str, Vec<&Move>> = BTreeMap::new();
    for one in film.moves.iter().filter(|one| one.what.kind() == "token") {
        legs.entry(one.what.name()).or_default().push(one);
    }
    let mut stays: Vec<(&Place, u32, u32, &str)> = Vec::new();
    for (name, legs) in &legs {
        let [first, .., end] = legs.as_slice() else {
            problems.push(format!("{name} does not move"));
            continue;
        };
        if first.how != How::Lift {
            problems.push(format!("{name} begins with {:?}", first.how));
        }
        if !matches!(end.how, How::Gone | How::Land | How::Lose) {
            problems.push(format!("{name} ends with {:?}", end.how));
        }
        for pair in legs.windows(2) {
            let [one, next] = pair else { continue };
            if one.to.is_none() || one.to != next.from || next.t0 < one.t1 || next.how == How::Lift
            {
                problems.push(format!("{name}: {one:?} and {next:?} do not join"));
            }
            if let Some(slot) = one.to.as_ref().filter(|to| to.kind() == "slot") {
                let until = if next.how == How::Gone { next.t1 } else { next.t0 };
                stays.push((slot, if one.how == How::Lift { one.t0 } else { one.t1 }, until, name));
            }
        }
    }
    for (number, one) in stays.iter().enumerate() {
        for other in &stays[number + 1..] {
            // Replies and messages come out of the slot side by side.
            let comes_out = |name: &str| name.contains("reply") || name.contains("message");
            let both_out = comes_out(one.3) && comes_out(other.3);
            if one.0 == other.0
                && one.1 < other.2
                && other.1 < one.2
                && !both_out
                && one.3 != other.3
            {
                problems.push(format!("two in one slot: {one:?} {other:?}"));
            }
        }
    }
}

/// What a command changes does not change before the command has arrived.
fn early(film: &Film, problems: &mut Vec<String>) {
    const CHANGES: [&str; 21] = [
        "key", "value", "ttl", "by", "written", "chip", "client", "marker", "next", "claim",
        "thread", "queue", "shelf", "out", "link", "role", "gate", "table", "mutex", "tally",
        "say",
    ];
    let arrives = |one: &&Move| one.what == reel::command() && one.how == How::Fly;
    let Some(arrives) = film.moves.iter().find(arrives).map(|one| one.t1) else { return };
    // It turns into what it becomes where it lies.
    let t0 = arrives.saturating_sub(60);
    let changes = film.moves.iter().filter(|one| CHANGES.contains(&one.what.kind()));
    for one in changes.filter(|one| one.t0 < t0) {
        problems.push(format!("{one:?} comes before its command, at {arrives}"));
    }
}

/// Whatever differs is mentioned.
fn complete(film: &Film, before: &Frame, after: &Frame, problems: &mut Vec<String>) {
    let mut mentioned = |what: Vec<Place>| {
        if !film.moves.iter().any(|one| what.contains(&one.what)) {
            problems.push(format!("{what:?} is not mentioned"));
        }
    };
    for node in after.world.setting().node_ids() {
        let entries = |world: &World| {
            let node = world.node(node).expect("an instance");
            let now_ms = node.now_ms(world.now_ms());
            let of = |db| node.instance.entries(db, now_ms).map(move |one| (db, one));
            let all = (0..node.instance.databases()).flat_map(of);
            all.map(|(db, one)| ((db, one.key.clone()), one)).collect::<BTreeMap<_, _>>()
        };
        let (old, new) = (entries(&before.world), entries(&after.world));
        for place in old.keys().chain(new.keys()).filter(|place| old.get(place) != new.get(place)) {
            let name = crate::view::stage::redis::key_name(place.0, &place.1);
            mentioned(vec![
                Place::key(node, &name),
                Place::value(node, &name),
                Place::ttl(node, &name),
            ]);
        }
    }
    for id in after.world.everybody() {
        let client = |frame: &Frame| frame.world.client(id).cloned();
        let (was, is) = (client(before), client(after));
        let kind = |client: &Option<Client>| client.as_ref().map(|one| discriminant(one.state()));
        let line = |client: &Option<Client>| {
            let client = client.as_ref()?;
            let asleep = matches!(client.state(), State::Sleeping { .. });
            client.call().map(|call| call.line).or(client.vm().line().filter(|_| asleep))
        };
        if kind(&was) != kind(&is) {
            mentioned(vec![Place::client(id)]);
        }
        if line(&was) != line(&is) && !id.is_console() {
            mentioned(vec![Place::marker(id)]);
        }
        mentioned(vec![Place::lane_past(id)]);
    }
    type Find = fn(&World) -> Vec<(ClientId, NodeId)>;
    type Put = fn(NodeId, ClientId) -> Place;
    let laid: [(Find, Put); 3] = [
        (look::Scene::sent, Place::arrived),
        (look::Scene::held, Place::held),
        (look::Scene::answered, Place::replied),
    ];
    for (find, put) in laid {
        let (old, new) = (find(&before.world), find(&after.world));
        for one in old.iter().chain(&new).filter(|one| old.contains(one) != new.contains(one)) {
            mentioned(vec![put(one.1, one.0)]);
        }
    }
    let (old, new) = [before, after].map(|frame| look::Scene::threads(&frame.world)).into();
    for one in old.iter().chain(&new).filter(|one| old.contains(one) != new.contains(one)) {
        mentioned(vec![one.place()]);
    }
    for link in after.world.links() {
        let entries =
            |world: &World| world.link_of(link.replica).map_or(0, |one| one.backlog.len());
        let (old, new) = (entries(&before.world), entries(&after.world));
        for number in old.min(new)..old.max(new).min(12) {
            mentioned(vec![Place::entry(link.replica, number), Place::entry(link.replica, 0)]);
        }
    }
    for index in 0..after.decided.len() {
        if before.decided.get(index) != after.decided.get(index) {
            mentioned(vec![Place::claim(index)]);
        }
    }
    for run in &after.seen.ran {
        for set in run.trace.assigned.iter().filter(|set| set.name != "_").take(24) {
            mentioned(vec![Place::chip(run.client, &set.name)]);
        }
    }
}

// ---- All lessons --------------------------------------------------------------------------------

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons");
    let entries = std::fs::read_dir(root).expect("the lessons");
    let paths = entries.map(|entry| entry.expect("a lesson").path());
    let mut folders: Vec<PathBuf> =
        paths.filter(|path| path.join("lesson.toml").exists()).collect();
    folders.sort();
    folders
}

fn lesson(folder: &Path) -> Lesson {
    read_folder(folder).unwrap_or_else(|problems| panic!("{folder:?}: {problems:?}"))
}

fn start(lesson: &Lesson, variant: usize) -> Timeline {
    begin(lesson.scenario(variant).expect("a scenario"))
}

/// Every step of a run, held to the rules.
fn hold_all(timeline: &Timeline) {
    let mut finder = Finder::default();
    finder.follow(timeline);
    assert_eq!(film_with(timeline, 0, finder.spans()), None);
    assert_eq!(film_with(timeline, timeline.len() + 1, finder.spans()), None);
    for step in 1..=timeline.len() {
        let film = film_with(timeline, step, finder.spans()).expect("a film");
        let frames = timeline.frames();
        let problems = problems(&film, &frames[step - 1], &frames[step]);
        let (run, event) = (timeline.schedule(), &frames[step].seen.event);
        assert!(problems.is_empty(), "{run} {step}: {event:?}: {problems:#?}\n{:#?}", film.moves);
    }
}

#[test]
fn every_step_of_every_walk_has_its_film() {
    let mut steps = 0;
    for folder in folders() {
        let lesson = lesson(&folder);
        for walk in &lesson.walks {
            let mut timeline = start(&lesson, walk.variant);
            play(&mut timeline, &walk.schedule);
            hold_all(&timeline);
            steps += timeline.len();
        }
    }
    assert!(steps > 300, "{steps} steps");
}

/// Faults included, and every other run in wire mode.
#[test]
fn random_runs_have_their_films() {
    for (number, folder) in folders().iter().enumerate() {
        let lesson = lesson(folder);
        for seed in 0..3 {
            // The seeds share the variants between them.
            let Some(variant) = (number + seed).checked_rem(lesson.variants.len()) else {
                continue;
            };
            let scenario = lesson.scenario(variant).expect("a scenario");
            let wire = scenario.wire || (number + seed) % 2 == 1;
            let mut timeline = begin(Scenario { wire, ..scenario });
            let mut random = ChaCha8Rng::seed_from_u64((number * 3 + seed) as u64);
            for _ in 0..40 {
                let enabled = timeline.world().enabled();
                if enabled.is_empty() {
                    break;
                }
                let action = enabled[random.random_range(0..enabled.len() as u32) as usize];
                timeline.step(action).expect("a step that is enabled");
            }
            hold_all(&timeline);
        }
    }
}

/// Nothing of a lesson's may be down, lost or replicated: a world where everything may go wrong.
#[test]
fn random_troubles_have_their_films() {
    for seed in 0..12 {
        let mut timeline = begin(troubles(seed % 2 == 1));
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..40 {
            let mut enabled = timeline.world().enabled();
            enabled.retain(|action| {
                !matches!(action, Action::Crash(_) | Action::CrashProcess(_)) || seed % 4 == 0
            });
            if enabled.is_empty() {
                break;
            }
            let action = enabled[random.random_range(0..enabled.len() as u32) as usize];
            timeline.step(action).expect("a step that is enabled");
        }
        hold_all(&timeline);
    }
}

// ---- All kinds ----------------------------------------------------------------------------------

/// The name of an action; a new one has none, and does not compile before it is in
/// [`every_action_has_a_film`] too.
fn name(action: Action) -> &'static str {
    match action {
        Action::Step(_) => "step",
        Action::Draw(..) => "draw",
        Action::Send(_) => "send",
        Action::Execute(_) => "execute",
        Action::Reply(_) => "reply",
        Action::Advance => "advance",
        Action::Tick(_) => "tick",
        Action::Resume(_) => "resume",
        Action::ResumeProcess(_) => "resume process",
        Action::Up(_) => "up",
        Action::Replicate(_) => "replicate",
        Action::Disconnect(_) => "disconnect",
        Action::LoseReply(_) => "lose reply",
        Action::Pause(_) => "pause",
        Action::PauseProcess(_) => "pause process",
        Action::Crash(_) => "crash",
        Action::CrashProcess(_) => "crash process",
        Action::JumpClient(_) => "jump client",
        Action::JumpNode(_) => "jump node",
        Action::Down(_) => "down",
        Action::Restart(_) => "restart",
        Action::Failover(_) => "failover",
        Action::Cancel(_) => "cancel",
        Action::Evict(..) => "evict",
        Action::LoseRequest(_) => "lose request",
        Action::Rewind(_) => "rewind",
        Action::Arrive(..) => "arrive",
    }
}

/// The same of an event.
fn event_name(event: &Event) -> &'static str {
    match event {
        Event::Start => "start",
        Event::Call { .. } => "call",
        Event::Send { .. } => "send",
        Event::Execute { .. } => "execute",
        Event::Reply { .. } => "reply",
        Event::Unheard { .. } => "unheard",
        Event::Advance { .. } => "advance",
        Event::Other(_) => "other",
    }
}

/// A master and its replica, two clients of one process, everything may go wrong.
fn troubles(wire: bool) -> Scenario {
    let program = "
redis.call('SET', 'lock', 'me', 'NX', 'PX', '20')
local one = redis.call('SRANDMEMBER', 'set')
sleep(30)
redis.call('SET', 'x', one)
redis.call('GET', 'x')
";
    let mut made = scenario(&["SADD set a b c"], &[program, program]);
    for client in &mut made.clients {
        client.process = Some("p".to_owned());
    }
    made.nodes.push(NodeDef {
        name: "replica".to_owned(),
        replica_of: Some(crate::sim::DEFAULT_NODE.to_owned()),
        ..NodeDef::default()
    });
    let faults = Faults {
        crash: 9,
        pause: 9,
        lose: 9,
        drop: 9,
        rewind: 9,
        jump: 9,
        down: 9,
        restart: 9,
        failover: 9,
        evict: 9,
        jump_ms: 25,
        ..Faults::default()
    };
    Scenario { faults, wire, ..made }
}

#[test]
fn every_action_has_a_film() {
    let process = ProcessId(0);
    let plain: [&[Action]; 8] = [
        &[Action::Step(A), Action::Draw(A, 1), Action::Advance, Action::Replicate(NodeId(1))],
        &[Action::Step(A), Action::Tick(5), Action::Advance],
        &[Action::Step(A), Action::Evict(REDIS, 0), Action::LoseRequest(B)],
        &[Action::Pause(A), Action::Resume(A), Action::LoseReply(A), Action::Crash(B)],
        &[Action::PauseProcess(process), Action::ResumeProcess(process)],
        &[Action::JumpClient(B), Action::Step(B), Action::JumpNode(REDIS)],
        &[Action::Step(A), Action::Down(REDIS), Action::Up(REDIS), Action::Restart(REDIS)],
        &[
            Action::Step(A),
            Action::Failover(REDIS),
            Action::Up(REDIS),
            Action::CrashProcess(process),
        ],
    ];
    let wire: [&[Action]; 3] = [
        &[Action::Send(A), Action::LoseRequest(A)],
        &[Action::Send(A), Action::Send(B), Action::Execute(A), Action::Reply(A)],
        &[Action::Send(A), Action::Execute(A), Action::LoseReply(A)],
    ];
    let mut filmed = std::collections::BTreeSet::new();
    let mut events = std::collections::BTreeSet::new();
    let runs = plain.iter().map(|run| (false, *run)).chain(wire.iter().map(|run| (true, *run)));
    for (is_wire, run) in runs {
        let mut timeline = begin(troubles(is_wire));
        for action in run {
            timeline.step(*action).unwrap_or_else(|why| panic!("{action:?} of {run:?}: {why:?}"));
            assert!(last(&timeline).moves.len() > 2, "{action:?}");
            filmed.insert(name(*action));
            events.insert(event_name(&timeline.frame().seen.event));
        }
        hold_all(&timeline);
    }
    // Without a replica.
    let mut alone = troubles(false);
    alone.nodes.truncate(1);
    let mut timeline = begin(alone);
    for action in [Action::Step(A), Action::Rewind(REDIS)] {
        timeline.step(action).expect("it is possible");
        assert!(last(&timeline).moves.len() > 2, "{action:?}");
    }
    filmed.insert(name(Action::Rewind(REDIS)));
    hold_all(&timeline);
    let mut console = begin(troubles(false));
    play(&mut console, "c1-GET_lock.c1-MULTI");
    let id = ClientId::console(1).expect("a console");
    console.step(Action::Disconnect(id)).expect("a console that is connected");
    last(&console);
    filmed.insert(name(Action::Disconnect(id)));
    let mut told = troubles(true);
    let listen = "local c = connect('redis') c:call('SUBSCRIBE', 'ch') c:receive(50)";
    told.clients = scenario(&[], &[listen, "redis.call('PUBLISH', 'ch', 'hi')"]).clients;
    let mut timeline = begin(told);
    play(&mut timeline, "sendA1.execA1.replyA1.A2.sendB1.execB1.arrive2-A");
    assert!(last(&timeline).moves.len() > 2);
    filmed.insert(name(Action::Arrive(A, 1)));
    hold_all(&timeline);
    let pop = "connect('redis', { shared = 'p' }):pcall('BLPOP', 'q', 0)";
    let mut shared = troubles(false);
    shared.clients = scenario(&[], &[pop, pop]).clients;
    shared.clients.iter_mut().for_each(|client| client.process = Some("p".to_owned()));
    shared.faults.cancel = 2;
    for waits in [false, true] {
        let mut timeline = begin(shared.clone());
        if waits {
            timeline.step(Action::Step(A)).expect("it can go on");
        }
        timeline.step(Action::Cancel(A)).expect("a call on a shared connection");
        assert!(last(&timeline).moves.len() > 2);
    }
    filmed.insert(name(Action::Cancel(A)));
    assert_eq!(filmed.len(), 27, "{filmed:?}");
    // Nothing leads to the start.
    assert_eq!(events.len(), 7, "{events:?}");
}

#[test]
fn a_film_that_is_too_long_is_played_faster() {
    let timeline = {
        let mut timeline = begin(scenario(&[], &["redis.call('PING')"]));
        play(&mut timeline, "A1");
        timeline
    };
    let frames = timeline.frames();
    let around = Around { timeline: &timeline, spans: &[] };
    let mut reel = Reel::new(&frames[0], &frames[1], 1, &around);
    reel.add(Place::say(), How::Swap, 3000, 9000);
    reel.add(Place::say(), How::Swap, 9000, 12_000);
    let film = reel.film();
    let moves: Vec<_> = film.moves.iter().map(|one| (one.t0, one.t1)).collect();
    assert_eq!((film.ms, moves), (6000, vec![(1500, 4500), (4500, 6000)]));
}

#[test]
fn a_script_of_many_commands_fills_a_bar_and_shows_some() {
    let script = "for i = 1, 40 do redis.call('INCR', KEYS[1]) end return 1";
    let program = format!("redis.call('EVAL', \"{script}\", 1, 'n')");
    let film = shot(&["SET n 1"], &[&program], "A1");
    let fills = one(&film, &Place::folder_bar(), How::Fill);
    assert_eq!(fills.t1 - fills.t0, 900);
    assert!(fills.t1 <= one(&film, &Place::folder_line(0), How::Show).t0);
    assert_eq!(one(&film, &Place::value(REDIS, "n"), How::Roll).text, "1");
    assert_eq!(of(&film, &Place::folder_line(11)).len(), 1);
    assert!(of(&film, &Place::folder_line(12)).is_empty());
}

#[test]
fn a_film_has_a_bound_however_much_changes() {
    let all: Vec<String> = (0..100).map(|n| format!("'k{n}', '{n}'")).collect();
    let program = format!("redis.call('MSET', {})\nredis.call('FLUSHALL')", all.join(", "));
    let mut timeline = begin(scenario(&[], &[&program]));
    for _ in 0..2 {
        timeline.step(Action::Step(A)).expect("a step");
        let film = film(&timeline, timeline.len()).expect("a film");
        assert!(film.moves.len() < 100, "{} moves", film.moves.len());
        let keys = film.moves.iter().filter(|one| matches!(one.how, How::Appear | How::Fall));
        assert_eq!(keys.count(), 24);
        one(&film, &Place::instance(REDIS), How::Swap);
    }
}
