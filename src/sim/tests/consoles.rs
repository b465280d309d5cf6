//! Consoles: lines typed beside the programs.

use super::*;

fn c(number: u8) -> ClientId {
    ClientId::console(number).expect("there is such a console")
}

fn typed(number: u8, line: &str) -> Typed {
    Typed { console: c(number), node: NodeId(0), line: line.into() }
}

fn type_at(timeline: &mut Timeline, number: u8, line: &str) -> String {
    timeline.type_line(&typed(number, line)).unwrap_or_else(|why| panic!("{line}: {why:?}"));
    heard(timeline)
}

/// Returns what consoles received at the last step: `c1: (integer) 1`.
fn heard(timeline: &Timeline) -> String {
    let heard = timeline.frame().seen.heard.iter();
    let heard = heard.map(|(id, value)| format!("{}: {}", id.name(), value.to_cli_short()));
    heard.collect::<Vec<_>>().join("; ")
}

#[test]
fn a_line_is_a_step_that_goes_back_and_forks() {
    let mut timeline = balance();
    assert_eq!(type_at(&mut timeline, 1, "SET balance 5"), "c1: OK");
    play(&mut timeline, "A1.A2");
    assert_eq!(value(&timeline, "balance"), "15");
    assert_eq!(timeline.schedule(), "c1-SET_balance_5.A1.A2");
    timeline.seek(0);
    assert_eq!(type_at(&mut timeline, 1, "SET balance 5"), "c1: OK");
    assert_eq!((timeline.cursor(), timeline.len()), (1, 3), "the same line again moves on");
    timeline.back();
    assert_eq!(type_at(&mut timeline, 1, "SET balance 7"), "c1: OK");
    assert_eq!((timeline.len(), timeline.branches().len()), (1, 1), "another one forks");
    assert_eq!(timeline.branches()[0].schedule(), "c1-SET_balance_5.A1.A2");
}

#[test]
fn what_was_typed_is_written_and_read_back() {
    let lines = [
        "SET k \"a b\\n\" PX 1000",
        "EVAL \"return 1.5 -- ~_x\" 0",
        "set 键 值",
        "SET a%2e & # ?",
        "ECHO 'it\\'s'",
        "PING  x\tz",
    ];
    let mut timeline = balance();
    for line in lines {
        type_at(&mut timeline, 3, line);
    }
    timeline.step(Action::Disconnect(c(3))).expect("it is connected");
    let written = timeline.schedule();
    assert!(written.ends_with(".close-c3"), "{written}");
    let mut again = balance();
    play(&mut again, &written);
    assert_eq!(again.schedule(), written);
    assert_eq!(again.digest(), timeline.digest());
    let back = again.frames().iter().filter_map(|frame| frame.typed.as_ref());
    assert_eq!(back.map(|typed| &*typed.line).collect::<Vec<_>>(), lines);
}

#[test]
fn a_blocked_line_is_served_by_a_program_or_cancelled() {
    let mut timeline = start(&[], &["redis.call('RPUSH', 'jobs', 'j1', 'j2')"]);
    assert_eq!(type_at(&mut timeline, 1, "BLPOP jobs 0"), "");
    assert_eq!(type_at(&mut timeline, 2, "BLPOP jobs 0"), "");
    let again = timeline.type_line(&typed(1, "PING"));
    assert_eq!(again, Err(Impossible::NotReady(c(1))), "it waits for its reply");
    timeline.step(Action::Disconnect(c(1))).expect("it is connected");
    assert_eq!(timeline.step(Action::Disconnect(c(1))), Err(Impossible::NotNow));
    play(&mut timeline, "A1");
    assert_eq!(heard(&timeline), "c2: [\"jobs\", \"j1\"]");
    assert_eq!(type_at(&mut timeline, 1, "LLEN jobs"), "c1: (integer) 1", "it connects again");
}

#[test]
fn time_ends_what_waits() {
    let mut timeline = start(&[], &[]);
    type_at(&mut timeline, 1, "BLPOP jobs 0.05");
    timeline.step(Action::Advance).expect("a deadline");
    assert_eq!(heard(&timeline), "c1: (nil)");
    let mut scenario = Scenario { nodes: nodes(&["redis", "r1"]), ..cast(&[]) };
    scenario.nodes[1].replica_of = Some("redis".into());
    let mut timeline = begin(scenario);
    type_at(&mut timeline, 1, "SET k 1");
    assert_eq!(type_at(&mut timeline, 1, "WAIT 1 100"), "");
    timeline.step(Action::Replicate(NodeId(1))).expect("a write to deliver");
    assert_eq!(heard(&timeline), "c1: (integer) 1");
}

#[test]
fn transactions_watches_and_databases_are_per_console() {
    let mut timeline = balance();
    type_at(&mut timeline, 1, "WATCH balance");
    type_at(&mut timeline, 1, "MULTI");
    assert_eq!(type_at(&mut timeline, 1, "INCR balance"), "c1: QUEUED");
    assert_eq!(type_at(&mut timeline, 2, "INCR balance"), "c2: (integer) 11");
    type_at(&mut timeline, 2, "SELECT 3");
    assert_eq!(type_at(&mut timeline, 1, "EXEC"), "c1: (nil)");
    assert_eq!(type_at(&mut timeline, 2, "GET balance"), "c2: (nil)");
    assert_eq!(timeline.world().console_conn(c(2)).map(|conn| conn.db), Some(3));
}

#[test]
fn messages_and_monitor_are_heard() {
    let mut timeline = balance();
    let acks = "c1: [\"subscribe\", \"a\", (integer) 1]; c1: [\"subscribe\", \"b\", (integer) 2]";
    assert_eq!(type_at(&mut timeline, 1, "SUBSCRIBE a b"), acks);
    type_at(&mut timeline, 2, "MONITOR");
    assert_eq!(
        type_at(&mut timeline, 3, "PUBLISH a hello"),
        "c3: (integer) 1; c2: 1767225600.000000 [0 127.0.0.1:50260] \"PUBLISH\" \"a\" \"hello\"; \
         c1: [\"message\", \"a\", \"hello\"]"
    );
}

#[test]
fn another_instance_is_another_connection() {
    let mut timeline = begin(Scenario { nodes: nodes(&["redis", "r1"]), ..cast(&[]) });
    type_at(&mut timeline, 1, "MULTI");
    let there = Typed { node: NodeId(1), ..typed(1, "SET k 1") };
    timeline.type_line(&there).expect("a step");
    assert_eq!(heard(&timeline), "c1: OK");
    assert_eq!(timeline.schedule(), "c1-MULTI.c1@r1-SET_k_1");
    assert_eq!(type_at(&mut timeline, 1, "EXEC"), "c1: (error) ERR EXEC without MULTI");
}

#[test]
fn an_instance_with_a_hyphen_is_found_again() {
    let names = ["redis", "redis-b", "redis-b-1"];
    let timeline = begin(Scenario { nodes: nodes(&names), ..cast(&[]) });
    let setting = timeline.world().setting();
    for at in 0..names.len() {
        let there = Typed { node: NodeId(at as u8), ..typed(1, "GET a-b") };
        assert_eq!(Typed::parse(&there.write(setting), setting), Some(there));
    }
}

#[test]
fn hostile_lines_are_refused() {
    let mut timeline = balance();
    for token in
        ["c0-PING", "c9-PING", "c1-", "c1", "c1-\"x", "c1@r9-PING", "c1-~zz", "c1-~ff", "c1-~+5"]
    {
        assert!(schedule::play(&mut timeline, token).is_err(), "{token}");
    }
    for token in ["close-c1", "c1-_", "pausec1", "close-c", "close-A"] {
        assert!(schedule::play(&mut timeline, token).is_err(), "{token}");
    }
    assert!(schedule::play(&mut timeline, &format!("c1-{}", "x".repeat(LINE_MAX + 1))).is_err());
    assert!(timeline.is_empty());
}

#[test]
fn no_world_lists_what_consoles_may_do_and_no_search_begins_with_them() {
    let mut timeline = balance();
    type_at(&mut timeline, 1, "BLPOP jobs 0");
    type_at(&mut timeline, 2, "SET balance 3");
    let is_typed = |action: &Action| action.client().is_some_and(ClientId::is_console);
    assert!(!timeline.world().enabled().iter().any(is_typed));
    let check = |world: &World| {
        let limits = Limits::default();
        let mut check = Check::starting_at(timeline.scenario(), world, limits).expect("starts");
        check.run();
        check.counts().states
    };
    let without = timeline.world().without_consoles();
    assert_eq!(check(timeline.world()), check(&without));
}

#[test]
fn random_lines_replay_to_the_same_worlds() {
    const LINES: &[&str] = &[
        "INCR n",
        "MULTI",
        "EXEC",
        "WATCH n",
        "DISCARD",
        "BLPOP jobs 0.02",
        "RPUSH jobs j",
        "SUBSCRIBE ch",
        "PUBLISH ch hi",
        "HELLO 3",
        "SELECT 1",
        "CLIENT REPLY OFF",
        "QUIT",
        "CLIENT KILL TYPE normal",
        "MONITOR",
        "RESET",
        "WAIT 1 10",
        "BLMOVE a b LEFT LEFT 0",
        "EVAL \"return redis.call('INCR', 'n')\" 0",
        "GET",
        "nonsense",
        "FLUSHALL",
        "XREAD BLOCK 5 STREAMS s $",
        "CLIENT PAUSE 30",
        "XADD s * a 1",
    ];
    for seed in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut draw = |bound: usize| random.random_range(0..bound as u32) as usize;
        let mut scenario = Scenario {
            nodes: nodes(&["redis", "r1"]),
            wire: seed % 2 == 0,
            ..cast(&["while true do redis.pcall('BLPOP', 'jobs', 0.01) end", READ_THEN_WRITE])
        };
        scenario.nodes[1].replica_of = Some("redis".into());
        scenario.faults =
            Faults { down: 1, restart: 1, failover: 1, pause: 1, ..Faults::default() };
        let scenario = Rc::new(scenario);
        let mut timeline = Timeline::start(scenario.clone()).expect("starts");
        for _ in 0..60 {
            let console = draw(3) as u8 + 1;
            let enabled = timeline.world().enabled();
            match draw(4) {
                0 if !enabled.is_empty() => {
                    let action = enabled[draw(enabled.len())];
                    timeline.step(action).expect("what is enabled can happen");
                }
                1 => drop(timeline.step(Action::Disconnect(c(console)))),
                _ => {
                    let node = NodeId(draw(2) as u8);
                    let line = LINES[draw(LINES.len())];
                    drop(timeline.type_line(&Typed { node, ..typed(console, line) }));
                }
            }
        }
        let mut again = Timeline::start(scenario).expect("starts");
        play(&mut again, &timeline.schedule());
        assert_eq!(again.digest(), timeline.digest(), "seed {seed}: {}", timeline.schedule());
    }
}
