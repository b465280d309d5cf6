//! The components of a world against the world itself: a plain search over whole worlds must find
//! the same.

use std::collections::HashSet;
use std::ops::Range;

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::super::*;
use crate::checker::{Components, Move, Options, Search, Status, View};
use crate::lua;
use crate::share;

/// The findings of a search: how many states, and how far it is to where each property is false,
/// and true, and to a deadlock.
#[derive(Debug, PartialEq)]
struct Found {
    states: u64,
    transitions: u64,
    first: Vec<[Option<u32>; 2]>,
    deadlock: Option<u32>,
}

const STATES_MAX: usize = 4_000;

/// A plain search from the beginning.
fn plain(scenario: &Scenario, merge: bool) -> Option<Found> {
    let (start, _) = World::start(scenario).unwrap();
    plain_from(scenario, start, merge)
}

/// A plain breadth-first search over whole worlds. With `merge`, worlds that are equal in all
/// components are one state; without, only worlds that are equal. `None` where there are too many.
#[allow(clippy::mutable_key_type)] // A world's cells only cache fingerprints.
fn plain_from(scenario: &Scenario, start: World, merge: bool) -> Option<Found> {
    let model = || WorldComponents::from_world(scenario, &start).unwrap();
    // Components that are read on the way belong to the states.
    let mut search = Search::new(model(), Options { states_max: 20_000, ..Options::default() });
    search.run();
    let (observed, ticks) = (search.model().observed().clone(), search.model().ticks());
    let mut start = start.clone();
    start.set_ticks(ticks);
    let mut left = model().with_late_faults(QuestionKind::States).without_unseen(scenario);
    left = left.knowing((&observed, Assumed::default()));
    let mut model = model().knowing((&observed, Assumed::default()));
    Components::initial(&mut model);
    // The same with dead state left out: a step's result is seen in the rest.
    Components::initial(&mut left);
    let mut rows: HashSet<Vec<u32>> = HashSet::new();
    let mut worlds: HashSet<World> = HashSet::new();
    let mut is_new = |model: &mut WorldComponents, world: &World| match merge {
        // Keys that come later were absent before.
        true => rows.insert(trimmed(model.row_of(world))),
        false => worlds.insert(world.clone()),
    };
    is_new(&mut model, &start);
    let mut found = Found {
        states: 0,
        transitions: 0,
        first: vec![[None; 2]; scenario.properties.len()],
        deadlock: None,
    };
    let mut queue = vec![(start, 0)];
    let mut at = 0;
    while at < queue.len() {
        let (world, depth) = queue[at].clone();
        at += 1;
        for (property, first) in scenario.properties.iter().zip(&mut found.first) {
            let holds = property.holds(&mut world.facts()).unwrap_or(false);
            first[usize::from(holds)].get_or_insert(depth);
        }
        if merge {
            check_moves(&mut model, &world, true);
            if at % 8 == 1 {
                check_moves(&mut left, &world, false);
            }
        }
        let choices = world.choices();
        // Nothing has to happen: a fault need not, and an instance may stay down forever.
        let may_stop = |action: &Action| action.is_fault() || matches!(action, Action::Up(_));
        if choices.iter().all(may_stop) && !world.all_over() {
            found.deadlock.get_or_insert(depth);
        }
        for action in choices {
            let mut next = world.clone();
            next.apply_unseen(action).unwrap();
            found.transitions += 1;
            if is_new(&mut model, &next) {
                if queue.len() == STATES_MAX {
                    return None;
                }
                queue.push((next, depth + 1));
            }
        }
    }
    found.states = queue.len() as u64;
    Some(found)
}

fn trimmed(mut row: Vec<u32>) -> Vec<u32> {
    while row.last() == Some(&0) {
        row.pop();
    }
    row
}

/// Checks that the moves of the components are those of the whole world and lead to the same; or
/// are some of them, unless `is_all`.
fn check_moves(model: &mut WorldComponents, world: &World, is_all: bool) {
    let row = model.row_of(world);
    let mut moves = Vec::new();
    for actor in 0..model.actors() {
        loop {
            let (before, from) = (model.epoch(), moves.len());
            model.moves(actor, &mut View::new(&row), &mut moves);
            if model.epoch() == before {
                break;
            }
            moves.truncate(from);
        }
    }
    let actions: HashSet<Action> = moves.iter().map(|one| one.action).collect();
    let choices: HashSet<Action> = world.choices().into_iter().collect();
    assert!(actions == choices || !is_all && actions.is_subset(&choices), "{world:?}");
    for Move { action, writes } in moves {
        let mut next = world.clone();
        next.apply_unseen(action).unwrap();
        let expected = model.row_of(&next);
        let mut got = row.clone();
        got.resize(expected.len(), 0);
        writes.iter().for_each(|(slot, component)| got[*slot] = *component);
        for slot in 0..got.len() {
            let (got, expected) = (got[slot], expected[slot]);
            if got != expected {
                let (got, expected) = (model.show(slot, got), model.show(slot, expected));
                panic!("{action:?} in {world:?}\n     got {got}\nexpected {expected}");
            }
        }
    }
}

fn in_components(scenario: &Scenario, options: Options) -> (Found, Search<WorldComponents>) {
    searched(
        scenario,
        Search::new(WorldComponents::new(scenario).unwrap().with_named_ticks(), options),
    )
}

fn searched(
    scenario: &Scenario,
    mut search: Search<WorldComponents>,
) -> (Found, Search<WorldComponents>) {
    assert_eq!(search.run(), Status::Complete);
    let depth = |condition: usize, truth: bool| {
        search.first(condition, truth).map(|state| search.depth(state))
    };
    let found = Found {
        states: search.counts().states,
        transitions: search.counts().transitions,
        first: (0..scenario.properties.len()).map(|c| [depth(c, false), depth(c, true)]).collect(),
        deadlock: search.first_deadlock().map(|state| search.depth(state)),
    };
    (found, search)
}

/// Traces are runs of the world, and end where they should.
fn check_traces(scenario: &Scenario, search: &mut Search<WorldComponents>) {
    for (index, property) in scenario.properties.iter().enumerate() {
        for truth in [false, true] {
            let Some(state) = search.first(index, truth) else { continue };
            let trace = search.trace(state);
            assert_eq!(trace.len() as u32, search.depth(state));
            let (mut world, _) = World::start(scenario).unwrap();
            world.set_ticks(search.model().ticks());
            for action in trace {
                assert!(world.choices().contains(&action), "{action:?} in {world:?}");
                world.apply(action).unwrap();
            }
            assert_eq!(property.holds(&mut world.facts()).unwrap_or(false), truth);
        }
    }
}

fn check(scenario: &Scenario, what: &str) -> Option<u64> {
    let merged = plain(scenario, true)?;
    let (found, mut search) = in_components(scenario, Options::default());
    assert_eq!(found, merged, "{what}");
    check_traces(scenario, &mut search);
    let asked = search.counts().asked;
    // Dropping what does not matter changes no verdict and no length.
    if let Some(raw) = plain(scenario, false) {
        assert_eq!((&found.first, found.deadlock), (&raw.first, raw.deadlock), "{what}");
        assert!(found.states <= raw.states);
    }
    check_budgets(scenario, &found, what);
    let options = Options { partial_order: true, learning: 10, ..Options::default() };
    let (reduced, _) = in_components(scenario, options);
    for (reduced, full) in reduced.first.iter().zip(&found.first) {
        assert_eq!(reduced.map(|d| d.is_some()), full.map(|d| d.is_some()), "{what}");
    }
    assert_eq!(reduced.deadlock, found.deadlock, "{what}");
    assert!(reduced.states <= found.states);
    Some(asked)
}

/// Checks a search that leaves out the remaining faults and takes faults late: open properties are
/// found at the same distance, whatever else is settled.
fn check_budgets(scenario: &Scenario, full: &Found, what: &str) {
    let options = Options { budgets: true, ..Options::default() };
    let (poorer, mut search) = in_components(scenario, options);
    assert_eq!((&poorer.first, poorer.deadlock), (&full.first, full.deadlock), "budgets: {what}");
    assert!(poorer.states <= full.states);
    check_traces(scenario, &mut search);
    let count = scenario.properties.len();
    for (unseen, symmetry) in [(false, false), (true, false), (true, true)] {
        // All of them open, and one of them alone, now this one, now that.
        for open in [None, Some(full.states as usize % count)] {
            let settled: Vec<bool> =
                (0..count).map(|at| open.is_some_and(|open| open != at)).collect();
            let model = WorldComponents::new(scenario).unwrap().with_named_ticks();
            let mut model = model.with_settled(&settled).with_late_faults(QuestionKind::States);
            if unseen {
                model = model.without_unseen(scenario);
            }
            let options = Options { symmetry, ..options };
            let (late, mut search) = searched(scenario, Search::new(model, options));
            for (at, (late, full)) in late.first.iter().zip(&full.first).enumerate() {
                if !settled[at] {
                    assert_eq!(late, full, "{at} late, {open:?}, {unseen} {symmetry}: {what}");
                }
            }
            assert_eq!(late.deadlock, full.deadlock, "{open:?}, {unseen} {symmetry}: {what}");
            assert!(symmetry || late.states <= full.states);
            if open.is_none() {
                check_traces(scenario, &mut search);
            }
        }
    }
}

pub(super) fn scenario(setup: &[&str], programs: &[&str], properties: &[&str]) -> Scenario {
    let words = |line: &&str| line.split(' ').map(|word| word.as_bytes().into()).collect();
    let compiled = programs.iter().map(|source| {
        lua::compile(source.as_bytes(), "p.lua").unwrap_or_else(|e| panic!("{e}: {source}"))
    });
    let mut scenario = Scenario::simple(setup.iter().map(words).collect(), compiled.collect());
    scenario.properties =
        properties.iter().map(|text| Property::new(Kind::Always, text, "p").unwrap()).collect();
    scenario
}

/// From any world of a run, the search finds what a plain one finds from there.
fn check_on_the_way(scenario: &Scenario, random: &mut ChaCha8Rng) {
    let (mut world, _) = World::start(scenario).unwrap();
    while let Some(action) = world.choices().choose(random) {
        world.apply(*action).unwrap();
        let Some(merged) = plain_from(scenario, world.clone(), true) else { continue };
        let model = WorldComponents::from_world(scenario, &world).unwrap();
        let (found, _) = searched(scenario, Search::new(model, Options::default()));
        assert_eq!(found, merged, "from {world:?}");
        let Some(raw) = plain_from(scenario, world.clone(), false) else { continue };
        assert_eq!((&found.first, found.deadlock), (&raw.first, raw.deadlock), "{world:?}");
    }
}

#[test]
fn a_search_may_begin_in_the_middle_of_a_run() {
    let program = r#"
        local token = uuid()
        if redis.call("SET", "lock", token, "NX", "PX", 10) then holding = true end
        sleep(4)
        redis.call("INCR", "work")
        holding = false
    "#;
    let conditions = ["count('holding') <= 1", "number('work') ~= 2", "not paused('A')"];
    let mut scenario = scenario(&[], &[program, program], &conditions);
    let random = &mut ChaCha8Rng::seed_from_u64(7);
    let one = Faults { pause: 1, ..Faults::default() };
    for faults in [one, Faults { crash: 1, down: 1, ..one }, Faults { restart: 1, ..one }] {
        scenario.faults = faults;
        for _ in 0..3 {
            check_on_the_way(&scenario, random);
        }
    }
}

#[test]
fn a_mutex_held_where_a_search_begins_is_given_back() {
    let guarded = "synchronized('m', function() redis.call('INCR', 'n') end)";
    let later = format!("sleep(3) {guarded}");
    let mut scenario = scenario(&[], &[guarded, &later], &["number('n') ~= 2"]);
    scenario.clients.iter_mut().for_each(|client| client.process = Some("p".into()));
    let (mut world, _) = World::start(&scenario).unwrap();
    world.apply(Action::Step(ClientId(0))).unwrap();
    let mut check = Check::starting_at(&scenario, &world, Limits::default()).unwrap();
    check.run();
    assert!(check.is_complete());
    assert_eq!((check.deadlock(), check.verdict(0).holds), (None, Some(false)));
}

/// In the first rounds there is no variable that goes with A's process; in later ones there is.
#[test]
fn a_crash_takes_variables_along_that_came_after_it_was_asked_about() {
    let programs = [
        "while true do if redis.call('GET', 'k') then process.v = 1 end end",
        "redis.call('PING') redis.call('PING') redis.call('SET', 'k', 1)",
    ];
    let mut scenario = scenario(&[], &programs, &["not crashed('A')"]);
    scenario.faults.crash = 1;
    check(&scenario, "a round").expect("few states");
}

#[test]
fn a_lock_with_a_lease_and_a_pause() {
    let program = r#"
        local token = uuid()
        while not redis.call("SET", "lock", token, "NX", "PX", 10) do sleep(4) end
        holding = true
        redis.call("INCR", "work")
        holding = false
        if redis.call("GET", "lock") == token then redis.call("DEL", "lock") end
    "#;
    let mut scenario =
        scenario(&[], &[program, program], &["count('holding') <= 1", "number('work') ~= 2"]);
    check(&scenario, "no faults");
    scenario.faults = Faults { pause: 1, ..Faults::default() };
    check(&scenario, "one pause");
    let (found, _) = in_components(&scenario, Options::default());
    assert!(found.first[0][0].is_some(), "the lease runs out during the pause");
    scenario.faults = Faults { crash: 1, lose: 1, ..Faults::default() };
    check(&scenario, "a crash and a lost reply");
    scenario.faults = Faults { early: 1, ..Faults::default() };
    scenario.time = TimeMode::Any;
    check(&scenario, "time moves early");
}

#[test]
fn everything_there_is() {
    let watch = r#"
        redis.call("WATCH", "n")
        local n = redis.call("GET", "n")
        redis.call("MULTI")
        redis.call("SET", "n", n + 1)
        ok = redis.call("EXEC") and true
    "#;
    check(
        &scenario(&["SET n 1"], &[watch, watch], &["number('n') < 3", "count('ok') < 2"]),
        "watch",
    );
    let queue = [
        "got = redis.call('BLPOP', 'q', 0)[2]",
        "got = redis.call('BLPOP', 'q', 1)",
        "redis.call('RPUSH', 'q', 'x') redis.call('DEL', 'r')",
    ];
    check(&scenario(&[], &queue, &["count('got') < 2"]), "blocking");
    let channel = [
        "local c = connect('redis') c:call('SUBSCRIBE', 'news') m = c:receive(5)",
        "heard = redis.call('PUBLISH', 'news', 'hi')",
    ];
    check(
        &scenario(&[], &channel, &["global('A', 'm') == nil", "global('B', 'heard') ~= 1"]),
        "pub/sub",
    );
    let script = r#"
        n = redis.call("EVAL", "return redis.call('INCRBY', KEYS[1], ARGV[1])", 1, "k", 2)
        m = #redis.call("KEYS", "*")
        redis.call("SET", "other" .. n, m)
    "#;
    check(
        &scenario(&[], &[script, script], &["sum('m') < 4", "sum('n') ~= 6"]),
        "scripts and KEYS",
    );
    let mutex = "synchronized('m', function() \
                 local n = redis.call('GET', 'n') redis.call('SET', 'n', n + 1) end)";
    let mut one = scenario(&["SET n 0"], &[mutex, mutex, mutex], &["number('n') < 3"]);
    check(&one, "three processes");
    one.clients.iter_mut().for_each(|client| client.process = Some("jvm".into()));
    check(&one, "one process");
    one.faults = Faults { crash: 1, pause: 1, ..Faults::default() };
    check(&one, "one process with faults");
    let sql =
        "local n = sql('SELECT n FROM t')[1].n sql('UPDATE t SET n = ? WHERE n = ?', n + 1, n)";
    let mut table = scenario(&[], &[sql, sql], &["sql('SELECT n FROM t')[1].n < 2"]);
    table.sql = vec!["CREATE TABLE t (n INT)".into(), "INSERT INTO t VALUES (0)".into()];
    check(&table, "sql");
    table.faults.lose = 1;
    check(&table, "sql, and a lost reply");
    let (found, _) = in_components(&table, Options::default());
    assert!(found.first[0][0].is_some(), "one adds twice");
    let [a, b] = [[1, 2], [2, 1]].map(|[one, other]| {
        format!(
            "sql('BEGIN') local n = sql('SELECT n FROM t WHERE id = {one} FOR UPDATE')[1].n
            local ok = pcall(sql, 'UPDATE t SET n = ? WHERE id = {other}', n + 1)
            if ok then redis.call('PING') sql('COMMIT') x = true end"
        )
    });
    let mut rows =
        scenario(&[], &[&a, &b], &["count('x') < 2", "count('x') > 0 or not all_over()"]);
    let sql = ["CREATE TABLE t (id INT PRIMARY KEY, n INT)", "INSERT INTO t VALUES (1, 0), (2, 0)"];
    rows.sql = sql.map(str::to_owned).to_vec();
    rows.faults = Faults { crash: 1, pause: 1, lose: 1, ..Faults::default() };
    check(&rows, "transactions with faults");
    let fence = r#"
        local token = redis.call("INCR", "token")
        ok = resource("file"):write("x", token)
    "#;
    check(
        &scenario(
            &[],
            &[fence, fence],
            &["count('ok') < 2", "resource('file') == nil or resource('file').token < 2"],
        ),
        "fence",
    );
    check(
        &scenario(
            &[],
            &[
                "redis.call('SET', 'a', 1) at = now() sleep(5) at = now()",
                "sleep(3) redis.call('SET', 'a', now())",
            ],
            &["number('a') ~= 1"],
        ),
        "now",
    );
}

#[test]
fn instances_that_fail() {
    let program = r#"
        local r = pcall(function()
            if redis.call("SET", "lock", uuid(), "NX") then holding = true end
        end)
    "#;
    let mut failing = scenario(&[], &[program, program], &["count('holding') < 2"]);
    failing.nodes.push(replica("replica"));
    check(&failing, "a replica");
    failing.faults = Faults { failover: 1, down: 1, ..Faults::default() };
    check(&failing, "failover");
    let (found, _) = in_components(&failing, Options::default());
    assert!(found.first[0][0].is_some(), "the lock is lost in the failover");
    failing.faults = Faults { restart: 1, jump: 1, jump_ms: 7, ..Faults::default() };
    check(&failing, "restart and jump");
}

/// So many programs of so many of these lines.
pub(super) fn random_programs(
    rng: &mut ChaCha8Rng,
    lines: &[&str],
    programs: Range<usize>,
    length: Range<usize>,
) -> Vec<String> {
    let program = |rng: &mut ChaCha8Rng| {
        let chosen = 0..rng.random_range(length.clone());
        let chosen: Vec<&str> = chosen.filter_map(|_| lines.choose(rng).copied()).collect();
        chosen.join("\n")
    };
    (0..rng.random_range(programs)).map(|_| program(rng)).collect()
}

fn replica(name: &str) -> NodeDef {
    NodeDef { name: name.into(), replica_of: Some("redis".into()), ..NodeDef::default() }
}

/// Random programs over few keys, with few values.
fn random_scenario(seed: u64) -> Scenario {
    const LINES: [&str; 36] = [
        "x = redis.call('GET', 'a')",
        "local v = tonumber(redis.call('GET', 'a') or 0) redis.call('SET', 'a', (v + 1) % 3)",
        "redis.call('SET', 'a', 1)",
        "redis.call('SET', 'b', x or 2)",
        "x = redis.call('INCR', 'n') % 3",
        "redis.call('DEL', 'a')",
        "x = redis.call('SET', 'lock', uuid(), 'NX', 'PX', 5) and 1 or 0",
        "redis.call('SET', 'lock', 'me', 'PX', 3)",
        "if redis.call('GET', 'lock') then y = 1 else y = 2 end",
        "redis.call('EXPIRE', 'a', 1)",
        "y = redis.call('PTTL', 'lock')",
        "sleep(2)",
        "sleep(4)",
        "redis.call('WATCH', 'a')",
        "redis.call('MULTI') redis.call('INCR', 'n') y = redis.call('EXEC') and 1 or 0",
        "redis.call('MULTI') redis.call('SET', 'a', 2) redis.call('GET', 'b') redis.call('EXEC')",
        "y = redis.call('BLPOP', 'q', 0.004) and 1 or 0",
        "redis.call('LPUSH', 'q', 'e')",
        "redis.call('EVAL', [[redis.call('SET', KEYS[1], ARGV[1]) \
         return redis.call('GET', 'b')]], 1, 'a', 2)",
        "x = #redis.call('KEYS', '*')",
        "x = redis.call('DBSIZE')",
        "redis.call('SADD', 's', 'm') x = redis.call('SCARD', 's')",
        "redis.call('HINCRBY', 'h', 'f', 1)",
        "for i = 1, 2 do redis.call('INCR', 'n') end",
        "synchronized('m', function() redis.call('GET', 'a') redis.call('SET', 'b', 1) end)",
        "local c = connect('redis') c:call('SUBSCRIBE', 'ch') y = c:receive(3) and 1 or 0",
        "redis.call('PUBLISH', 'ch', 'hi')",
        "x = resource('r'):write('v', redis.call('INCR', 'n')) and 1 or 0",
        "pcall(function() redis.call('LPUSH', 'a', 'x') end)",
        "redis.call('FLUSHALL')",
        "redis.call('RENAME', 'a', 'b')",
        "y = sql('UPDATE t SET n = n + 1 WHERE n < 2')",
        "local v = x redis.call('SET', 'a', tostring(v))",
        "while redis.call('EXISTS', 'a') == 1 do sleep(3) end",
        "local t = now() redis.call('GET', 'a') sleep(2) y = now() - t > 2 and 1 or nil",
        "if now() % 3 == 0 then redis.call('DEL', 'a') end",
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let programs = random_programs(&mut rng, &LINES, 2..4, 1..4);
    let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    let properties = [
        "sum('x') < 3",
        "count('y') < 2",
        "redis.call('GET', 'a') ~= '2'",
        "not all_done() or redis.call('EXISTS', 'lock') == 0",
        "redis.call('DBSIZE') < 3",
        "not failed('A')",
    ];
    let mut scenario = scenario(&["SET b 0"], &programs, &properties);
    scenario.sql = vec!["CREATE TABLE t (n INT)".into(), "INSERT INTO t VALUES (0)".into()];
    let mut budget = |one_in: u32| u8::from(rng.random_range(0..one_in) == 0);
    scenario.faults = Faults {
        crash: budget(4),
        pause: budget(3),
        lose: budget(6),
        jump: budget(8),
        down: budget(8),
        restart: budget(10),
        failover: budget(8),
        evict: budget(6),
        early: budget(2),
        jump_ms: 4,
        pause_ms: 3 * u32::from(budget(3)),
        ..Faults::default()
    };
    (scenario.slow_ms, scenario.wire) = (7 * u32::from(budget(3)), budget(5) == 1);
    scenario.time = [TimeMode::Prompt, TimeMode::Any][usize::from(budget(3))];
    (scenario.faults.drop, scenario.faults.rewind) = (budget(6), budget(10));
    if budget(5) == 1 {
        scenario.nodes.push(replica("r"));
    }
    if budget(3) == 1 {
        scenario.clients.iter_mut().for_each(|client| client.process = Some("p".into()));
    }
    scenario
}

/// Few short programs, with one or two replicas and much that can go wrong.
fn random_replicas(seed: u64) -> Scenario {
    const LINES: [&str; 14] = [
        "redis.call('SET', 'a', 1)",
        "redis.call('SET', 'b', x or 2)",
        "x = redis.call('GET', 'a') and 1 or 0",
        "redis.call('DEL', 'a')",
        "x = redis.call('INCR', 'b') % 3",
        "x = redis.call('SET', 'lock', uuid(), 'NX', 'PX', 5) and 1 or 0",
        "x = redis.call('WAIT', 1, 3)",
        "y = redis.call('WAIT', 2, 0)",
        "redis.call('MULTI') redis.call('INCR', 'b') y = redis.call('EXEC') and 1 or 0",
        "redis.call('WATCH', 'b')",
        "y = connect('r'):pcall('GET', 'b')",
        "local r = connect('r') r:pcall('WATCH', 'b') r:pcall('MULTI') r:pcall('EXEC')",
        "y = redis.call('BLPOP', 'q', 0.004) and 1 or 0",
        "local c = connect('r', 4) c:pcall('SUBSCRIBE', 'ch') y = c:receive(3) and 1 or 0",
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let programs = random_programs(&mut rng, &LINES, 1..3, 1..4);
    let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    let properties = ["sum('x') < 2", "count('y') < 2", "redis.call('GET', 'b') ~= '1'"];
    let mut scenario = scenario(&["SET b 0", "SET c 0 PX 6"], &programs, &properties);
    scenario.nodes.extend(["r", "s"].into_iter().take(rng.random_range(1..3)).map(replica));
    let mut budget = |one_in: u32| u8::from(rng.random_range(0..one_in) == 0);
    scenario.faults = Faults {
        crash: budget(6),
        lose: budget(4),
        jump: budget(4),
        down: budget(2),
        restart: budget(2),
        failover: budget(2),
        evict: budget(5),
        jump_ms: 4,
        ..Faults::default()
    };
    scenario
}

/// Compares the searches of random scenarios, most of which are small enough to be compared.
fn check_random(scenario: impl Fn(u64) -> Scenario, seeds: u64) {
    let mut compared = 0;
    for seed in 0..seeds {
        let scenario = scenario(seed);
        let sources: Vec<String> = scenario
            .clients
            .iter()
            .map(|client| String::from_utf8_lossy(client.program.source()).into_owned())
            .collect();
        let what = format!("{seed}: {sources:#?} {:?} {:?}", scenario.faults, scenario.time);
        compared += u64::from(check(&scenario, &what).is_some());
    }
    println!("{compared} of {seeds} scenarios were compared");
    assert!(compared * 2 > seeds, "{compared} of {seeds}");
}

#[test]
fn random_scenarios() {
    check_random(random_scenario, share(30));
}

#[test]
fn random_scenarios_with_replicas() {
    check_random(random_replicas, share(20));
}

/// Whether the end of this run can be repeated, `property` being false all the while. The states of
/// one round are those of the next, except for dead state.
fn goes_round(scenario: &Scenario, property: usize, run: &Verdict) -> bool {
    let (mut world, _) = World::start(scenario).unwrap();
    for action in run.trace.iter().flatten() {
        world.apply(*action).unwrap();
    }
    let rounds = std::iter::repeat_n(&run.cycle, 3).flatten();
    rounds.into_iter().all(|action| {
        world.apply(*action).is_ok()
            && scenario.properties[property].holds(&mut world.facts()) == Ok(false)
    })
}

/// A check that leaves out what it can finds what one that sees everything does.
pub(super) fn check_verdicts(scenario: &Scenario, what: &str) -> bool {
    let max = u32::MAX;
    let whole = Limits {
        states_max: 4 * STATES_MAX as u32,
        plain_max: max,
        plain_max_with_faults: max,
        census: false,
        ..Limits::default()
    };
    let mut full = Check::new(scenario, whole).unwrap();
    full.run();
    if !full.is_complete() || full.is_reduced() {
        return false;
    }
    let few = Limits { plain_max_with_faults: 3, ..whole };
    let mut reduced = Check::new(scenario, few).unwrap();
    reduced.run();
    // A reduced search need not come to where a condition cannot be evaluated.
    if full.mistake().is_some() || reduced.mistake().is_some() {
        return false;
    }
    assert!(reduced.is_complete(), "{what}");
    for index in 0..scenario.properties.len() {
        let (full, reduced) = (full.verdict(index), reduced.verdict(index));
        assert_eq!(full.holds, reduced.holds, "property {index}: {what}");
        let length = |verdict: &Verdict| verdict.trace.as_ref().map(Vec::len);
        if scenario.properties[index].kind != Kind::Eventually {
            assert_eq!(length(&full), length(&reduced), "property {index}: {what}");
        }
        let is_round = !reduced.cycle.is_empty();
        assert!(!is_round || goes_round(scenario, index, &reduced), "property {index}: {what}");
    }
    let length = |check: &mut Check| check.deadlock().map(|trace| trace.len());
    assert_eq!(length(&mut full), length(&mut reduced), "{what}");
    full.counts().states > 3
}

#[test]
fn what_happens_in_the_end_with_faults() {
    let (mut compared, seeds) = (0, share(40));
    for seed in 0..seeds {
        let mut scenario = random_scenario(seed);
        let in_the_end = ["done('A')", "all_done()", "count('y') > 0", "number('n') ~= nil"];
        for text in in_the_end {
            let property = Property::new(Kind::Eventually, text, "p").unwrap();
            scenario.properties.push(property);
        }
        let sources = scenario.clients.iter().map(|client| client.program.source().to_vec());
        let sources: Vec<String> =
            sources.map(|source| String::from_utf8_lossy(&source).into_owned()).collect();
        let what = format!("{seed}: {sources:#?} {:?} {:?}", scenario.faults, scenario.time);
        compared += u64::from(scenario.faults.any() && check_verdicts(&scenario, &what));
    }
    println!("{compared} of {seeds} scenarios were compared");
    assert!(compared * 4 > seeds, "{compared} of {seeds}");
}

/// A client that waits for one that has crashed waits forever, though the crash could come later.
#[test]
fn a_round_after_a_crash_is_found() {
    let waits = "while not redis.call('GET', 'k') do end finished = true";
    let mut scenario = scenario(&[], &["redis.call('SET', 'k', 1)", waits, waits], &[]);
    let finish = Property::new(Kind::Eventually, "count('finished') > 0", "finish").unwrap();
    scenario.properties = vec![finish];
    for (crash, holds) in [(0, true), (1, false)] {
        scenario.faults = Faults { crash, pause: 1, ..Faults::default() };
        let limits = Limits { plain_max_with_faults: 2, ..Limits::default() };
        let mut check = Check::new(&scenario, limits).unwrap();
        check.run();
        assert!(check.is_reduced());
        let verdict = check.verdict(0);
        assert_eq!(verdict.holds, Some(holds), "{crash} crashes");
        assert_eq!(verdict.cycle.is_empty(), holds, "{verdict:?}");
    }
}

/// With and without symmetry, and with everything: the same verdicts at the same distance.
fn check_symmetry(scenario: &Scenario, what: &str) -> (u64, u64) {
    let (full, _) = in_components(scenario, Options::default());
    let options = Options { symmetry: true, ..Options::default() };
    let (symmetric, mut search) = in_components(scenario, options);
    assert_eq!((&symmetric.first, symmetric.deadlock), (&full.first, full.deadlock), "{what}");
    check_traces(scenario, &mut search);
    let options = Options { partial_order: true, learning: 10, ..options };
    let (both, _) = in_components(scenario, options);
    for (both, full) in both.first.iter().zip(&full.first) {
        assert_eq!(both.map(|d| d.is_some()), full.map(|d| d.is_some()), "{what}");
    }
    assert!(symmetric.states <= full.states, "{what}");
    (full.states, symmetric.states)
}

#[test]
fn equal_clients_stand_for_each_other() {
    let lock = r#"
        local me = uuid()
        while not redis.call("SET", "lock", me, "NX", "PX", 10) do sleep(4) end
        holding = true
        if redis.call("GET", "lock") == me then redis.call("DEL", "lock") end
        holding = false
    "#;
    let mut locks = scenario(&[], &[lock; 3], &["count('holding') <= 1"]);
    locks.faults = Faults { pause: 1, ..Faults::default() };
    let (full, symmetric) = check_symmetry(&locks, "locks");
    assert!(symmetric * 4 < full, "{symmetric} of {full}");
    // The order in a sorted set follows from the names: no symmetry then.
    let rank = "local me = uuid() redis.call('ZADD', 'z', 0, me) \
                first = redis.call('ZRANK', 'z', me) == 0";
    let (full, symmetric) =
        check_symmetry(&scenario(&[], &[rank; 2], &["count('first') < 2"]), "rank");
    assert_eq!(full, symmetric);
}

/// What each leaves in the process, its name or under its name, is exchanged with it; alone in its
/// process it takes its variables along.
#[test]
fn threads_of_one_process_stand_for_each_other() {
    let leave = "local me = uuid() redis.call('PING') process.owner = me process[me] = true \
                 redis.call('PING') if process.owner == me then mine = 1 end redis.call('PING')";
    for process in [Some("shop".to_owned()), None] {
        let mut leave = scenario(&[], &[leave; 3], &["count('mine') < 2", "count('mine') < 3"]);
        leave.clients.iter_mut().for_each(|client| client.process.clone_from(&process));
        let (full, symmetric) = check_symmetry(&leave, "leave");
        assert!(symmetric * 3 < full, "{symmetric} of {full}");
    }
}

#[test]
fn who_takes_names_apart_is_not_exchanged() {
    let letter = "local me = uuid():sub(1, 1) same = not redis.call('SET', me, 1, 'NX') \
                  redis.call('GET', me)";
    let seed = "math.randomseed(uuid():byte()) local n = math.random(1, 1000) \
                same = not redis.call('SET', n, 1, 'NX') redis.call('GET', n)";
    let order = "local me = uuid() local other = redis.call('GET', 'k') or '' \
                 same = me < other redis.call('SET', 'k', me)";
    let number = "local me = uuid() same = 2 < tonumber(redis.call('INCR', 'k')) \
                  redis.call('SET', 'o', me)";
    let count = |program: &str, what: &str| {
        check_symmetry(&scenario(&[], &[program; 2], &["count('same') == 0"]), what)
    };
    for (program, what) in [(letter, "letter"), (seed, "seed")] {
        count(program, what);
    }
    let (full, symmetric) = count(order, "order");
    assert_eq!(full, symmetric, "the order of two names is seen");
    let (full, symmetric) = count(number, "number");
    assert!(symmetric < full, "{symmetric} of {full}");
}

#[test]
fn symmetry_of_random_programs() {
    let (mut reduced, seeds) = (0, share(60));
    for seed in 0..seeds {
        let mut scenario = random_scenario(seed);
        scenario.properties.pop();
        scenario.wire = false;
        scenario.nodes.truncate(1);
        scenario.sql.clear();
        let first = scenario.clients[0].clone();
        scenario.clients.iter_mut().for_each(|client| *client = first.clone());
        if plain(&scenario, true).is_none() {
            continue;
        }
        let source = String::from_utf8_lossy(first.program.source()).into_owned();
        let what = format!("{seed}: {source} {:?} {:?}", scenario.faults, scenario.time);
        let (full, symmetric) = check_symmetry(&scenario, &what);
        reduced += u64::from(symmetric < full);
    }
    println!("{reduced} of {seeds} searches were made smaller");
    assert!(reduced * 4 > seeds, "{reduced} of {seeds}");
}
