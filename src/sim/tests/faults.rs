//! Each fault: its effect, and the state that it leaves untouched.

use super::*;

fn faults(set: impl FnOnce(&mut Faults)) -> Faults {
    let mut faults = Faults::default();
    set(&mut faults);
    faults
}

fn state(timeline: &Timeline, client: u8) -> State {
    timeline.world().client(ClientId(client.into())).expect("a client").state().clone()
}

const HOLDER: &str = "
    while not redis.call('SET', 'lock', 'x', 'NX', 'PX', 50) do sleep(10) end
    holding = true
    redis.call('RPUSH', 'log', 'x')
    holding = false";

#[test]
fn a_paused_holder_outlives_its_lease() {
    let budget = faults(|f| f.pause = 1);
    let mut timeline = begin(Scenario { faults: budget, ..cast(&[HOLDER, HOLDER]) });
    play(&mut timeline, "A1.pauseA");
    assert_eq!(timeline.world().possible(A), Err(Impossible::Paused(ClientId(0))));
    let again = timeline.world().possible(Action::Pause(ClientId(1)));
    assert_eq!(again, Err(Impossible::NoBudget));
    play(&mut timeline, "B1.T1.B2.T2.B3.T3.B4.T4.B5.T5.B6");
    assert!(truth(&timeline, "count('holding') == 2 and paused('A')"));
    play(&mut timeline, "resumeA.A2.B7");
    assert!(truth(&timeline, "all_done() and count('holding') == 0"));
}

#[test]
fn a_search_lets_time_move_only_where_nobody_can_go_on() {
    let budget = faults(|f| f.pause = 1);
    let mut timeline = begin(Scenario { faults: budget, ..cast(&[HOLDER, "sleep(5)"]) });
    assert_eq!(timeline.world().choices()[0], A);
    assert!(!timeline.world().choices().contains(&Action::Advance));
    assert!(timeline.world().enabled().contains(&Action::Advance));
    play(&mut timeline, "pauseA");
    let choices = timeline.world().choices();
    assert_eq!(choices, [Action::Advance, Action::Resume(ClientId(0))]);
    // In the other mode it may also move earlier, as often as the budget says.
    let budget = faults(|f| f.early = 1);
    let programs = ["redis.call('PING') redis.call('PING')", "sleep(5) sleep(5)"];
    let mut timeline = begin(Scenario { faults: budget, time: TimeMode::Any, ..cast(&programs) });
    assert_eq!(timeline.world().choices(), [A, Action::Advance]);
    play(&mut timeline, "T1");
    assert_eq!(timeline.world().choices(), [A]);
    play(&mut timeline, "A1.A2");
    assert_eq!(timeline.world().choices(), [Action::Advance], "nobody can run: it costs nothing");
}

#[test]
fn what_came_during_a_pause_is_taken_when_it_ends() {
    let programs = [
        "job = redis.call('BLPOP', 'jobs', 0)[2]",
        "sleep(10) woke = now()",
        "local c = connect('redis') c:call('SUBSCRIBE', 'ch') m = c:receive(50)",
        "sleep(30) redis.call('RPUSH', 'jobs', 'j1') redis.call('PUBLISH', 'ch', 'hi')",
    ];
    let mut timeline = begin(Scenario { faults: faults(|f| f.pause = 3), ..cast(&programs) });
    play(&mut timeline, "A1.C1.C2.pauseA.pauseB.pauseC");
    assert_eq!(timeline.world().next_deadline_ms(), Some(START_MS + 30), "B's and C's wait");
    play(&mut timeline, "T1.D1.D2");
    assert!(matches!(state(&timeline, 0), State::Answered(..)));
    assert!(!truth(&timeline, "done('A') or done('B') or done('C')"));
    play(&mut timeline, "resumeA.resumeB.resumeC");
    assert!(truth(&timeline, "global('A', 'job') == 'j1' and global('C', 'm').payload == 'hi'"));
    let woke = format!("global('B', 'woke') == {}", START_MS + 30);
    assert!(truth(&timeline, &woke));
}

#[test]
fn a_crash_takes_connections_and_mutexes_but_not_locks() {
    let program = "
        synchronized('m', function()
            redis.call('SET', 'lock', 'x')
            holding = true
            redis.call('BLPOP', 'jobs', 0)
        end)";
    let mut scenario = cast(&[program, program, "redis.call('RPUSH', 'jobs', 'j')"]);
    scenario.faults = faults(|f| f.crash = 1);
    scenario.clients[0].process = Some("shop".into());
    scenario.clients[1].process = Some("shop".into());
    let mut timeline = begin(scenario.clone());
    play(&mut timeline, "A1.A2.A3.crashA");
    assert!(truth(&timeline, "crashed('A') and count('holding') == 0 and global('A', 'holding')"));
    assert!(truth(&timeline, "redis.call('GET', 'lock') == 'x'"));
    assert!(timeline.world().redis().conn(conn_id(ClientId(0), 0)).is_none());
    play(&mut timeline, "B1.C1");
    assert!(truth(&timeline, "redis.call('LLEN', 'jobs') == 1"), "nobody waited any more");
    let mut timeline = begin(scenario);
    play(&mut timeline, "A1.crash-shop.C1");
    assert!(truth(&timeline, "crashed('A') and crashed('B') and all_over() and not done('A')"));
    assert!(timeline.world().mutexes().is_empty());
    assert_eq!(timeline.world().choices(), []);
}

#[test]
fn a_process_pauses_as_a_whole() {
    let mut scenario = cast(&["redis.call('PING')", "sleep(5)", "redis.call('PING')"]);
    scenario.faults = faults(|f| f.pause = 1);
    scenario.clients[0].process = Some("vm".into());
    scenario.clients[1].process = Some("vm".into());
    let mut timeline = begin(scenario);
    play(&mut timeline, "pause-vm");
    assert_eq!(
        timeline.world().enabled(),
        [Action::Step(ClientId(2)), Action::ResumeProcess(ProcessId(0))]
    );
    play(&mut timeline, "resume-vm.T1.A1.C1");
    assert!(timeline.world().all_over());
}

#[test]
fn a_lost_reply_leaves_the_client_in_doubt() {
    let program = "
        redis.call('WATCH', 'n')
        ok, why = pcall(redis.call, 'INCR', 'n')
        again = redis.pcall('INCR', 'n')";
    let mut timeline = begin(Scenario { faults: faults(|f| f.lose = 1), ..cast(&[program]) });
    play(&mut timeline, "A1.loseA2");
    assert!(truth(&timeline, "global('A', 'ok') == false and number('n') == 1"));
    let lost = "global('A', 'why').err == 'ERR connection to redis lost before the reply'";
    assert!(truth(&timeline, lost));
    assert!(timeline.world().redis().conn(conn_id(ClientId(0), 0)).is_none());
    play(&mut timeline, "A3");
    assert!(truth(&timeline, "global('A', 'again') == 2"), "it connects again");
    assert_eq!(timeline.schedule(), "A1.loseA2.A3");
    let only_b = faults(|f| (f.lose, f.lose_of) = (1, Faults::mask("B")));
    let world = begin(Scenario { faults: only_b, ..cast(&[program; 2]) });
    let may = [0, 1].map(|id| world.world().possible(Action::LoseReply(ClientId(id))).is_ok());
    assert_eq!(may, [false, true]);
}

/// The client cannot tell a lost request from a lost reply, but here nothing was executed.
#[test]
fn a_lost_request_is_never_executed() {
    let program = "
        redis.call('WATCH', 'n')
        ok, why = pcall(redis.call, 'INCR', 'n')
        again = redis.pcall('INCR', 'n')";
    let lost = "global('A', 'why').err == 'ERR connection to redis lost before the reply'";
    for (wire, first, last) in [
        (false, "A1.dropA2", "A3"),
        (true, "sendA1.execA1.replyA1.sendA2.dropA2", "sendA3.execA3.replyA3"),
    ] {
        let faults = faults(|f| f.drop = 2);
        let mut timeline = begin(Scenario { wire, faults, ..cast(&[program]) });
        play(&mut timeline, first);
        assert!(truth(&timeline, "global('A', 'ok') == false and number('n') == nil"), "{wire}");
        assert!(truth(&timeline, lost));
        assert!(timeline.world().redis().conn(conn_id(ClientId(0), 0)).is_none());
        play(&mut timeline, last);
        assert!(truth(&timeline, "global('A', 'again') == 1"), "it connects again");
        assert_eq!(timeline.schedule(), format!("{first}.{last}"));
    }
    let insert =
        "ok, why = pcall(sql, 'INSERT INTO orders VALUES (1)') n = redis.call('INCR', 'n')";
    for wire in [false, true] {
        let sql = vec!["CREATE TABLE orders (id INT PRIMARY KEY)".to_owned()];
        let faults = faults(|f| (f.drop, f.drop_of) = (1, Faults::mask("B")));
        let mut timeline = begin(Scenario { wire, sql, faults, ..cast(&[insert; 2]) });
        let may = [0, 1].map(|id| timeline.world().possible(Action::LoseRequest(ClientId(id))));
        assert_eq!(may, [Err(Impossible::NotNow), Ok(())]);
        play(&mut timeline, "dropB1");
        assert!(truth(&timeline, "#sql('SELECT id FROM orders') == 0"));
        let why = "SQL: Lost connection to MySQL server during query";
        assert!(truth(&timeline, &format!("global('B', 'why') == '{why}'")));
        play(&mut timeline, if wire { "sendB2.execB2" } else { "B2" });
        assert!(truth(&timeline, "number('n') == 1"));
    }
}

/// Sent again after an error, a command is executed twice where its reply was lost, and once where
/// its request was. A lost request ends a transaction as a lost reply does.
#[test]
fn both_searches_lose_requests() {
    let again = "local ok = pcall(redis.call, 'INCR', 'n')
        if not ok then failed_once = true redis.call('INCR', 'n') end";
    let queued = "redis.call('MULTI') pcall(redis.call, 'INCR', 'n')
        if not pcall(redis.call, 'EXEC') then failed_once = true end";
    for wire in [false, true] {
        let found = |program: &str, of: fn(&mut Faults)| {
            let conditions = ["number('n') ~= 2", "not (done('A') and global('A', 'failed_once'))"];
            contract::breaks(&contract::with(&[program], &conditions, |scenario| {
                (scenario.wire, scenario.faults) = (wire, faults(of));
            }))
        };
        let broken = |program: &str, of: fn(&mut Faults)| {
            found(program, of).iter().map(Option::is_some).collect::<Vec<_>>()
        };
        assert_eq!(broken(again, |f| f.lose = 1), [true, true], "{wire}");
        assert_eq!(broken(again, |f| f.drop = 1), [false, true], "{wire}");
        assert_eq!(broken(queued, |f| f.drop = 1), [false, true], "{wire}");
        assert_eq!(broken(queued, |_| ()), [false, false], "{wire}");
    }
}

/// The purest case: an INSERT that is repeated meets its own row.
#[test]
fn a_lost_answer_of_a_table_leaves_the_client_in_doubt() {
    let program = "
        ok, why = pcall(sql, 'INSERT INTO orders VALUES (1)')
        again, twice = pcall(sql, 'INSERT INTO orders VALUES (1)')";
    for wire in [false, true] {
        let sql = vec!["CREATE TABLE orders (id INT PRIMARY KEY)".to_owned()];
        let faults = faults(|f| f.lose = 1);
        let mut timeline = begin(Scenario { wire, sql, faults, ..cast(&[program]) });
        play(&mut timeline, "loseA1");
        assert!(truth(&timeline, "#sql('SELECT id FROM orders') == 1"));
        let why = "SQL: Lost connection to MySQL server during query";
        assert!(truth(
            &timeline,
            &format!("global('A', 'ok') == false and global('A', 'why') == '{why}'")
        ));
        play(&mut timeline, "A2");
        assert!(truth(&timeline, "global('A', 'again') == false and done('A')"));
        assert_eq!(timeline.schedule(), "loseA1.A2");
    }
}

#[test]
fn clocks_jump() {
    let budget = faults(|f| (f.jump, f.jump_ms) = (2, 100));
    let program = "redis.call('SET', 'lock', 'x', 'PX', 80) t = now() redis.call('PING') u = now()";
    let mut timeline = begin(Scenario { faults: budget, ..cast(&[program]) });
    play(&mut timeline, "A1.jump-redis");
    assert!(truth(&timeline, "redis.call('EXISTS', 'lock') == 0"));
    assert_eq!(timeline.frame().seen.changes.len(), 1, "the lease is seen to end");
    play(&mut timeline, "jumpA.A2");
    assert!(truth(&timeline, "global('A', 'u') == global('A', 't') + 100"));
    // Backwards, a lease lasts longer.
    let budget = faults(|f| (f.jump, f.jump_ms) = (1, -100));
    let mut timeline = begin(Scenario { faults: budget, ..cast(&[program]) });
    play(&mut timeline, "A1.jump-redis");
    assert_eq!(timeline.world().next_deadline_ms(), Some(START_MS + 180));
}

#[test]
fn an_instance_that_is_down_does_not_answer() {
    let programs = [
        "local c = connect('r1', 30)
         first = c:pcall('GET', 'k')
         fast = connect('r1', 0):pcall('GET', 'k')
         second = c:call('GET', 'k')",
        "connect('r1'):call('BLPOP', 'jobs', 0)",
        "connect('r1'):call('SET', 'k', 'v', 'PX', 10)",
    ];
    let mut scenario = Scenario { nodes: nodes(&["redis", "r1"]), ..cast(&programs) };
    scenario.faults = faults(|f| f.down = 1);
    let mut timeline = begin(scenario);
    play(&mut timeline, "B1.C1.down-r1");
    assert!(truth(&timeline, "failed('B')"), "its connection broke");
    play(&mut timeline, "A1");
    assert!(matches!(state(&timeline, 0), State::Unanswered { .. }));
    assert_eq!(timeline.world().next_deadline_ms(), Some(START_MS + 30), "keys there wait");
    play(&mut timeline, "T1.A2");
    let refused = "ERR connection refused: r1 does not answer";
    assert!(truth(&timeline, &format!("global('A', 'first').err == '{refused}'")));
    assert!(truth(&timeline, &format!("global('A', 'fast').err == '{refused}'")));
    play(&mut timeline, "up-r1.A3");
    assert!(truth(&timeline, "global('A', 'second') == false"), "the key ran out meanwhile");
}

#[test]
fn a_restarted_instance_is_empty() {
    let program = "
        local sha = redis.call('SCRIPT', 'LOAD', 'return 1')
        redis.call('SET', 'lock', 'x')
        gone = redis.call('GET', 'lock')
        why = redis.pcall('EVALSHA', sha, 0).err";
    let mut scenario = Scenario { nodes: nodes(&["redis", "r1"]), ..cast(&[program]) };
    scenario.nodes[1].replica_of = Some("redis".into());
    scenario.faults = faults(|f| f.restart = 1);
    let mut timeline = begin(scenario);
    play(&mut timeline, "A1.A2.replicate-r1.restart-redis");
    assert!(truth(&timeline, "on('r1'):call('EXISTS', 'lock') == 0"), "the replica follows");
    play(&mut timeline, "A3.A4");
    assert!(truth(&timeline, "global('A', 'gone') == false"));
    assert!(truth(&timeline, "string.find(global('A', 'why'), 'NOSCRIPT')"));
}

fn with_replica(programs: &[&str]) -> Scenario {
    let mut scenario = Scenario { nodes: nodes(&["redis", "r1"]), ..cast(programs) };
    scenario.nodes[1].replica_of = Some("redis".into());
    scenario.faults = faults(|f| (f.failover, f.down) = (1, 1));
    scenario
}

const LOCK: &str = "
    holding = redis.call('SET', 'lock', now(), 'NX', 'PX', 1000) and true
    redis.call('PING')";

#[test]
fn a_failover_loses_what_was_not_replicated() {
    let mut timeline = begin(with_replica(&[LOCK, LOCK]));
    play(&mut timeline, "A1.failover-redis.B1");
    assert!(truth(&timeline, "count('holding') == 2"));
    // The name leads to the new master; the old one comes back as its replica.
    assert_eq!(timeline.world().serving(NodeId(0)), NodeId(1));
    play(&mut timeline, "A2.up-redis");
    let link = timeline.world().link_of(NodeId(0)).expect("a replica now").clone();
    assert!((link.master, link.stale) == (NodeId(1), false));
    let nodes = timeline.world().nodes();
    assert!(nodes[0].instance.effects(&nodes[1].instance).is_empty());

    let mut timeline = begin(with_replica(&[LOCK, LOCK]));
    play(&mut timeline, "A1.replicate-r1.failover-redis.B1");
    assert!(truth(&timeline, "count('holding') == 1"));
    play(&mut timeline, "T1");
    assert!(truth(&timeline, "redis.call('EXISTS', 'lock') == 0"), "with its deadline");
}

#[test]
fn a_replica_gets_one_entry_per_command_and_takes_no_writes() {
    let program = "
        redis.call('SET', 'a', 1)
        redis.call('MULTI')
        redis.call('SET', 'b', 1)
        redis.call('SET', 'c', 1)
        redis.call('EXEC')
        redis.call('EVAL', 'redis.call(\"DEL\", \"a\") redis.call(\"SET\", \"d\", 1)', 0)
        redis.call('GET', 'd')
        redis.call('DEL', 'none')";
    let other = "
        local r1 = connect('r1')
        set = r1:pcall('SET', 'x', 1).err
        wait = r1:pcall('WAIT', 1, 5).err
        eval = r1:pcall('EVAL', 'return redis.call(\"SET\", \"x\", 1)', 0).err
        r1:call('MULTI')
        queued = r1:pcall('SET', 'x', 1).err
        exec = r1:pcall('EXEC').err
        read = r1:call('GET', 'd')";
    let mut timeline = begin(with_replica(&[program, other]));
    play(&mut timeline, "A1.A2.A3.A4.A5.A6.A7.A8");
    let link = timeline.world().link_of(NodeId(1)).expect("a link").clone();
    assert_eq!(link.backlog.len(), 3);
    assert_eq!(link.behind().len(), 4);
    play(&mut timeline, "replicate-r1.replicate-r1");
    assert!(truth(&timeline, "on('r1'):call('EXISTS', 'a', 'b', 'c', 'd') == 3"));
    play(&mut timeline, "replicate-r1.B1.B2.B3.B4.B5.B6.B7");
    for (name, code) in [
        ("set", "READONLY"),
        ("eval", "READONLY"),
        ("wait", "ERR WAIT cannot be used"),
        ("queued", "READONLY"),
        ("exec", "EXECABORT"),
    ] {
        let refused = format!("string.find(global('B', '{name}'), '^{code}')");
        assert!(truth(&timeline, &refused), "{name}");
    }
    assert!(truth(&timeline, "global('B', 'read') == '1' and on('r1'):call('EXISTS', 'x') == 0"));
}

#[test]
fn wait_waits_for_replicas() {
    let program = "
        redis.call('SET', 'a', 1)
        some = redis.call('WAIT', 1, 0)
        redis.call('SET', 'a', 2)
        none = redis.call('WAIT', 1, 40)";
    let mut timeline = begin(with_replica(&[program, "redis.call('SET', 'b', 1)"]));
    play(&mut timeline, "A1.A2.B1");
    assert!(matches!(state(&timeline, 0), State::Waiting(..)));
    play(&mut timeline, "replicate-r1");
    assert!(truth(&timeline, "global('A', 'some') == 1"), "what came later does not count");
    play(&mut timeline, "A3.A4.T1");
    assert!(truth(&timeline, "global('A', 'none') == 0 and done('A')"));
    let mut timeline = begin(with_replica(&[program]));
    play(&mut timeline, "A1.A2.down-redis");
    assert!(truth(&timeline, "failed('A')"));
}

#[test]
fn a_server_that_comes_back_copies_everything() {
    let program = "
        redis.call('SET', 'a', 1)
        some = redis.call('WAIT', 1, 0)";
    for run in ["A1.A2.down-r1.up-r1", "A1.down-redis.up-redis.A2", "A1.down-r1.A2.up-r1"] {
        let mut timeline = begin(with_replica(&[program]));
        play(&mut timeline, run);
        let link = timeline.world().link_of(NodeId(1)).expect("a link").clone();
        assert!(link.backlog.is_empty() && !link.stale, "{run}");
        assert!(truth(&timeline, "on('r1'):call('GET', 'a') == '1'"), "{run}");
        assert!(truth(&timeline, "global('A', 'some') == 1 and done('A')"), "{run}");
    }
}

/// The snapshot is the data of the start: later writes are gone, and so is a key whose time is up.
#[test]
fn an_instance_restarts_with_its_snapshot() {
    let setup = ["SET n 1", "SET lock x PX 30", "XADD s 1-1 f a", "XGROUP CREATE s g 0"];
    let program = "
        redis.call('INCR', 'n') redis.call('SET', 'm', 1)
        redis.call('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', 's', '>')
        redis.call('DEL', 'lock') sleep(50) last = redis.call('GET', 'n')";
    let mut scenario = Scenario { faults: faults(|f| f.rewind = 2), ..cast(&[program]) };
    scenario.nodes = with_setup(&setup);
    let mut timeline = begin(scenario.clone());
    play(&mut timeline, "A1.A2.A3.A4.rewind-redis");
    assert!(truth(&timeline, "number('n') == 1 and number('m') == nil"));
    assert!(truth(&timeline, "redis.call('GET', 'lock') == 'x'"));
    assert!(truth(&timeline, "redis.call('XPENDING', 's', 'g')[1] == 0"));
    assert!(timeline.world().redis().conn(conn_id(ClientId(0), 0)).is_none());
    play(&mut timeline, "T1.T2.rewind-redis.A5");
    assert!(truth(&timeline, "not redis.call('GET', 'lock') and global('A', 'last') == '1'"));
    assert!(timeline.schedule().ends_with("T2.rewind-redis.A5"));
    scenario.nodes.extend(nodes(&["r"]));
    scenario.nodes[1].replica_of = Some("redis".into());
    let linked = begin(scenario);
    let may = [0, 1].map(|at| linked.world().possible(Action::Rewind(NodeId(at))));
    assert_eq!(may, [Err(Impossible::NotNow), Err(Impossible::NotNow)]);
}

#[test]
fn both_searches_restart_with_a_snapshot() {
    let programs = [
        "n = redis.call('INCR', 'n') redis.call('SET', 'm', 1)",
        "if redis.call('GET', 'm') then m = redis.call('GET', 'n') end
        sleep(9) lock = redis.call('GET', 'lock')",
    ];
    let conditions = [
        "not all_done() or number('n') == 2",
        "number('n') ~= nil",
        "not global('B', 'lock')",
        "not global('B', 'm') or global('B', 'm') == '2'",
    ];
    let broken = |of: fn(&mut Faults)| {
        let scenario = contract::with(&programs, &conditions, |scenario| {
            scenario.nodes = with_setup(&["SET n 1", "SET lock x PX 5"]);
            scenario.faults = faults(of);
        });
        contract::breaks(&scenario).iter().map(Option::is_some).collect::<Vec<_>>()
    };
    assert_eq!(broken(|_| ()), [false; 4]);
    assert_eq!(broken(|f| f.rewind = 1), [true, false, false, true]);
    assert_eq!(broken(|f| f.restart = 1), [true, true, false, true]);
}

#[test]
fn a_backlog_is_bounded() {
    let program = "for i = 1, 200 do redis.call('INCR', 'n' .. i % 3) end";
    let mut timeline = begin(with_replica(&[program]));
    play(&mut timeline, &"A.".repeat(200));
    let link = timeline.world().link_of(NodeId(1)).expect("a link").clone();
    assert_eq!(link.backlog.len(), BACKLOG_MAX);
    for _ in 0..BACKLOG_MAX {
        play(&mut timeline, "replicate-r1");
    }
    let nodes = timeline.world().nodes();
    assert!(nodes[1].instance.effects(&nodes[0].instance).is_empty());
}

#[test]
fn on_the_wire_orders_may_cross() {
    let program = "n = redis.call('INCR', 'n') synchronized('m', function() end)";
    let mut scenario = cast(&[program, program]);
    (scenario.wire, scenario.faults.lose) = (true, 1);
    let mut timeline = begin(scenario.clone());
    assert_eq!(timeline.world().possible(A), Err(Impossible::NotNow));
    play(&mut timeline, "sendA1.sendB1.execB1.execA1.replyA1.replyB1.A2.B2");
    assert!(truth(&timeline, "global('A', 'n') == 2 and global('B', 'n') == 1"));
    assert!(timeline.world().all_over());
    assert_eq!(timeline.schedule(), "sendA1.sendB1.execB1.execA1.replyA1.replyB1.A2.B2");
    let mut timeline = begin(scenario);
    play(&mut timeline, "sendA1.execA1.loseA1");
    assert!(truth(&timeline, "failed('A') and number('n') == 1"));
}

#[test]
fn a_killed_client_waits_no_longer() {
    let programs = [
        "redis.call('BLPOP', 'jobs', 0)",
        "redis.call('CLIENT', 'KILL', 'ID', 2) redis.call('RPUSH', 'jobs', 'j')",
    ];
    let mut timeline = begin(cast(&programs));
    play(&mut timeline, "A1.B1");
    assert!(truth(&timeline, "failed('A')"));
    play(&mut timeline, "B2");
    assert!(truth(&timeline, "redis.call('LLEN', 'jobs') == 1"));
}

/// What Redis 7.0.15 does: a watched key that is evicted makes EXEC refuse, consumers that wait for
/// its group get an error, and a subscriber is told.
#[test]
fn an_evicted_key_is_gone_for_everybody() {
    let programs = [
        "redis.call('WATCH', 'k') redis.call('MULTI') redis.call('SET', 'n', 1)
        said = redis.call('EXEC')",
        "_, why = pcall(redis.call, 'XREADGROUP', 'GROUP', 'g', 'c', 'BLOCK', '0',
            'STREAMS', 's', '>')",
        "local c = connect('redis') c:call('PSUBSCRIBE', '__keyevent@0__:*') told = c:receive(50)",
    ];
    let setup = ["CONFIG SET notify-keyspace-events Ee", "SET k 1", "XGROUP CREATE s g 0 MKSTREAM"];
    let mut scenario = Scenario { faults: faults(|f| f.evict = 2), ..cast(&programs) };
    scenario.nodes = with_setup(&setup);
    let mut timeline = begin(scenario);
    let keys = [b"k", b"s"].map(|key| (0, resp::Bytes::from(key.as_slice())));
    assert_eq!(timeline.world().evictable(NodeId(0)), keys);
    play(&mut timeline, "A1.A2.A3.B1.C1.C2.evict1-redis.evict1-redis");
    assert!(truth(&timeline, "global('C', 'told').payload == 'k'"));
    assert!(truth(&timeline, "global('B', 'why').err:find('the stream key no longer exists')"));
    play(&mut timeline, "A4");
    assert!(truth(&timeline, "done('A') and not global('A', 'said') and number('n') == nil"));
    let again = timeline.world().possible(Action::Evict(NodeId(0), 0));
    assert_eq!(again, Err(Impossible::NoBudget));
}

#[test]
fn a_policy_says_which_keys_are_evicted() {
    let setup = ["SET a 1", "SET b 1 PX 50", "SET c 1"];
    let evictable = |policy: &str| {
        let mut scenario = cast(&["sleep(1)"]);
        let policy = (!policy.is_empty()).then(|| format!("CONFIG SET maxmemory-policy {policy}"));
        let lines: Vec<&str> = policy.iter().map(String::as_str).chain(setup).collect();
        scenario.nodes = with_setup(&lines);
        scenario.nodes.extend(nodes(&["r"]));
        scenario.nodes[1].replica_of = Some("redis".into());
        let timeline = begin(scenario);
        let [own, of_replica] = [0, 1].map(|at| timeline.world().evictable(NodeId(at)));
        assert!(of_replica.is_empty(), "its master tells it which keys go");
        own.into_iter().map(|(_, key)| resp::lossy(&key).into_owned()).collect::<String>()
    };
    let found = ["", "allkeys-lfu", "volatile-ttl", "noeviction"].map(evictable);
    assert_eq!(found, ["abc", "abc", "b", ""]);
}

#[test]
fn an_eviction_reaches_the_replica_as_a_write() {
    let mut scenario = cast(&["redis.call('SET', 'k', 1)"]);
    scenario.nodes = nodes(&["redis", "r"]);
    scenario.nodes[1].replica_of = Some("redis".into());
    scenario.faults = faults(|f| f.evict = 1);
    let mut timeline = begin(scenario);
    play(&mut timeline, "A1.replicate-r.evict1-redis");
    let has = |timeline: &Timeline| truth(timeline, "on('r'):call('EXISTS', 'k') == 1");
    assert!(has(&timeline));
    play(&mut timeline, "replicate-r");
    assert!(!has(&timeline));
}
