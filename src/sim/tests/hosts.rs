//! The services that programs have beside Redis: connections, messages, mutexes, tables, resources,
//! clocks.

use super::*;
use crate::engine::Version;

#[test]
fn connections_lead_to_other_instances() {
    let program = "
        local r2 = connect('r2')
        r2:call('SET', 'k', 'v')
        here = redis.call('GET', 'k')
        there = r2:call('GET', 'k')
        refused = r2:pcall('INCR', 'k').err
        r2:call('MULTI')
        plain = connect('r2'):call('GET', 'k')";
    let mut timeline = begin(Scenario { nodes: nodes(&["redis", "r2"]), ..cast(&[program]) });
    play(&mut timeline, "A1.A2.A3.A4.A5.A6");
    assert!(truth(&timeline, "global('A', 'here') == false and global('A', 'there') == 'v'"));
    assert!(truth(&timeline, "global('A', 'refused') and global('A', 'plain') == 'v'"));
    let r2 = timeline.frames()[0].seen.ran[0].trace.assigned[0].clone();
    assert_eq!((r2.name.as_str(), r2.value.as_str()), ("r2", "r2"));
    assert!(truth(&timeline, "on('r2'):call('GET', 'k') == 'v' and not on('redis'):number('k')"));
    let failed = |program: &str| {
        let timeline = begin(cast(&[program]));
        match timeline.world().client(ClientId(0)).map(|client| client.state().clone()) {
            Some(State::Failed(words)) => words.to_string(),
            other => panic!("{program}: {other:?}"),
        }
    };
    assert!(failed("connect('r9')").contains("no instance r9; there are: redis"));
    assert!(failed("connect('redis').call('GET', 'k')").contains("with a colon"));
    assert!(failed("connect('redis', -1)").contains("milliseconds"));
    assert!(failed("for i = 1, 20 do connect('redis') end").contains("at most 16 connections"));
}

#[test]
fn instances_of_one_world_have_versions_of_their_own() {
    let program = "
        local new = connect('new')
        new:call('SET', 'k', 'mine')
        theirs = new:call('DELEX', 'k', 'IFEQ', 'theirs')
        mine = new:call('DELEX', 'k', 'IFEQ', 'mine')
        refused = redis.pcall('DELEX', 'k', 'IFEQ', 'mine').err";
    let mut scenario = Scenario { nodes: nodes(&["redis", "new"]), ..cast(&[program]) };
    scenario.nodes[1].version = Some(Version::V8_4);
    scenario.faults.restart = 1;
    let mut timeline = begin(scenario);
    // An instance that restarts is what it was.
    play(&mut timeline, "restart-new.A1.A2.A3.A4");
    assert!(truth(&timeline, "global('A', 'theirs') == 0 and global('A', 'mine') == 1"));
    assert!(truth(&timeline, "global('A', 'refused'):find('unknown command') ~= nil"));
}

/// A field of a hash runs out by itself, also where nothing else has a timer: after A's two steps
/// time moves, and the hash is gone with its only field.
#[test]
fn the_deadline_of_a_field_is_a_timer_of_its_own() {
    let field = "redis.call('HSET', 'h', 'f', 1) redis.call('HPEXPIRE', 'h', 5, 'FIELDS', 1, 'f')";
    let asked = ["not done('A') or redis.call('HLEN', 'h') == 1"];
    let later = |one: &mut Scenario| {
        one.nodes = nodes(&[DEFAULT_NODE]);
        one.nodes[0].version = Some(Version::V7_4);
    };
    assert_eq!(contract::breaks(&contract::with(&[field], &asked, later)), [Some(3)]);
}

#[test]
fn messages_wait_for_their_reader_or_the_reader_for_them() {
    let reader = "
        local c = connect('redis')
        ack = c:call('SUBSCRIBE', 'news')
        first = c:receive(100)
        second = c:receive(100)
        third = c:receive(20)
        last = redis.call('PING')";
    let writer = "redis.call('PUBLISH', 'news', 'one') redis.call('PUBLISH', 'news', 'two')";
    let mut timeline = begin(cast(&[reader, writer]));
    play(&mut timeline, "A1.A2");
    assert!(matches!(timeline.world().clients()[0].state(), State::Receiving { .. }));
    play(&mut timeline, "B1.B2.A3.A4.T1.A5");
    assert!(truth(&timeline, "global('A', 'ack')[1] == 'subscribe'"));
    assert!(truth(&timeline, "global('A', 'first').payload == 'one'"));
    assert!(truth(&timeline, "global('A', 'second').channel == 'news'"));
    assert!(truth(&timeline, "global('A', 'third') == nil and all_done()"));
    assert_eq!(timeline.world().now_ms(), START_MS + 20);
}

const COUNT: &str = "
    for i = 1, 2 do
        synchronized('m', function()
            local n = tonumber(redis.call('GET', 'n'))
            synchronized('m', function() redis.call('SET', 'n', n + 1) end)
        end)
    end";

#[test]
fn a_mutex_lets_one_client_of_its_process_in() {
    let mut scenario = Scenario { nodes: with_setup(&["SET n 0"]), ..cast(&[COUNT, COUNT, COUNT]) };
    scenario.clients[0].process = Some("shop".into());
    scenario.clients[1].process = Some("shop".into());
    let mut timeline = begin(scenario.clone());
    play(&mut timeline, "A1.A2");
    let locked = Impossible::Locked { client: ClientId(1), owner: ClientId(0) };
    assert_eq!(timeline.world().possible(B), Err(locked));
    let actions = timeline.world().enabled();
    assert_eq!(actions, [A, Action::Step(ClientId(2))], "C has a mutex of its own");
    // Re-entry is no step; leaving the outer one frees the mutex for the first client that comes.
    play(&mut timeline, "A3.B1");
    assert!(timeline.world().possible(A).is_err());
    play(&mut timeline, "B2.B3.A4.A5.A6.B4.B5.B6");
    assert!(truth(&timeline, "number('n') == 4") && timeline.world().mutexes().is_empty());
    // Another process reads in between: an update is lost.
    let mut timeline = begin(scenario);
    play(&mut timeline, "A1.C1.A2.C2.A3.C3");
    assert!(truth(&timeline, "number('n') == 1"));
}

#[test]
fn a_mutex_is_given_back_however_its_function_ends() {
    let program = "
        ok, why = pcall(function() synchronized('m', function() error('boom') end) end)
        a, b = synchronized('m', function() return 1, 2 end)
        caught = pcall(synchronized, 'm', function() redis.call('INCR', 'name') end)
        local co = coroutine.wrap(function() synchronized('m', function() c = 3 end) end)
        co()
        synchronized('m', function() while true do end end)";
    let mut timeline = begin(Scenario { nodes: with_setup(&["SET name x"]), ..cast(&[program]) });
    play(&mut timeline, "A1.A2.A3");
    assert!(!timeline.world().mutexes().is_empty());
    play(&mut timeline, "A4.A5.A6");
    assert!(truth(&timeline, "global('A', 'ok') == false and global('A', 'caught') == false"));
    assert!(truth(&timeline, "global('A', 'why') == '0.lua:2: boom'"));
    assert!(truth(&timeline, "global('A', 'a') + global('A', 'b') + global('A', 'c') == 6"));
    assert!(truth(&timeline, "failed('A')") && timeline.world().mutexes().is_empty());
    let timeline = begin(cast(&["synchronized('m')"]));
    assert!(truth(&timeline, "failed('A')"));
}

#[test]
fn statements_are_steps() {
    let program = "
        local num = sql('SELECT num FROM act WHERE id = ?', 1)[1].num
        hit = sql('UPDATE act SET num = ? WHERE id = 1 AND num = ?', num - 1, num)";
    let sql = ["CREATE TABLE act (id INT PRIMARY KEY, num INT)", "INSERT INTO act VALUES (1, 5)"];
    let sql = sql.map(str::to_owned).to_vec();
    let mut timeline = begin(Scenario { sql, ..cast(&[program, program, "sql('SELEC')"]) });
    play(&mut timeline, "A1.B1.A2.B2");
    assert!(truth(&timeline, "global('A', 'hit') == 1 and global('B', 'hit') == 0"));
    assert!(truth(&timeline, "sql('SELECT num FROM act')[1].num == 4 and failed('C')"));
    let property = Property::new(Kind::Always, "sql('DELETE FROM act')", "p").expect("compiles");
    let refused = property.holds(&mut timeline.world().facts()).expect_err("a write");
    assert!(refused.contains("only SELECT"), "{refused}");
    let wrong = Scenario { sql: vec!["CREATE act".into()], ..cast(&[]) };
    let why = World::start(&wrong).expect_err("no statement").to_string();
    assert!(why.contains("sql statement 1: SQL: TABLE should stand"), "{why}");
}

#[test]
fn a_resource_refuses_older_tokens() {
    let program = "
        local disk = resource('disk')
        first = disk:write('a', '2')
        second = disk:write('b', 1)
        third = disk:write('c')";
    let mut timeline = begin(cast(&[program]));
    play(&mut timeline, "A1.A2.A3");
    assert!(truth(&timeline, "global('A', 'first') and global('A', 'second') == false"));
    assert!(truth(&timeline, "resource('disk').value == 'c' and resource('disk').token == 2"));
    assert!(truth(&timeline, "#resource('disk').writes == 2 and not resource('none').value"));
    assert!(truth(&timeline, "resource('disk').writes[1].client == 'A'"));
}

#[test]
fn clocks_differ() {
    let mut scenario = cast(&["t = now() server = redis.call('TIME')[1]", "t = now()"]);
    scenario.clients[0].clock_ms = -10;
    scenario.nodes = with_setup(&["SET k v PX 500"]);
    scenario.nodes[0].clock_ms = 3_000;
    let mut timeline = begin(scenario);
    play(&mut timeline, "A1");
    assert!(truth(&timeline, "global('A', 't') == global('B', 't') - 10"));
    assert!(truth(&timeline, "tonumber(global('A', 'server')) * 1000 == global('B', 't') + 3000"));
    // The deadline is one of the instance's clock; the world's says how long it takes.
    assert_eq!(timeline.world().next_deadline_ms(), Some(START_MS + 500));
    let key = Due::Key { node: NodeId(0), key: b"k".as_slice().into() };
    assert_eq!(timeline.world().due(), [key]);
    play(&mut timeline, "T1");
    assert!(truth(&timeline, "redis.call('EXISTS', 'k') == 0"));
}

#[test]
fn scenarios_that_cannot_be_are_refused_in_words() {
    let why = |scenario: Scenario| World::start(&scenario).expect_err("refused").to_string();
    let named = |names: &[&str]| Scenario { nodes: nodes(names), ..cast(&[]) };
    assert!(why(named(&["r.1"])).contains("\"r.1\" cannot name an instance"));
    assert!(why(named(&["a", "a"])).contains("two instances are named a"));
    assert!(why(named(&["a", "b", "c", "d", "e", "f", "g", "h", "i"])).contains("at most 8"));
    let mut scenario = named(&["a", "b", "c"]);
    scenario.nodes[1].replica_of = Some("z".into());
    assert!(why(scenario.clone()).contains("no instance z to replicate"));
    scenario.nodes[1].replica_of = Some("c".into());
    scenario.nodes[2].replica_of = Some("a".into());
    assert!(why(scenario.clone()).contains("itself a replica"));
    scenario.nodes[1].replica_of = Some("a".into());
    scenario.nodes[1].setup = with_setup(&["SET k v"])[0].setup.clone();
    assert!(why(scenario).contains("it has no setup"));
    let many = cast(&["return"; 17]);
    assert!(why(many).contains("at most 16 clients"));
}
