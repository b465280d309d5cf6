use std::rc::Rc;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::hash::fingerprint;
use crate::lua;
use crate::resp;

mod bounds;
mod byhand;
mod connections;
mod consoles;
mod contract;
mod faults;
mod finer;
mod hosts;
mod ids;
mod map;
mod messages;
mod patterns;
mod replicas;
mod rows;
mod shared;
mod starts;
mod tracking;
mod truth;
mod variables;
mod wakes;
mod walks;

/// A client per program, nothing else.
fn cast(programs: &[&str]) -> Scenario {
    let compile = |(n, source): (usize, &&str)| {
        ClientDef::new(lua::compile(source.as_bytes(), &format!("{n}.lua")).expect("a program"))
    };
    Scenario { clients: programs.iter().enumerate().map(compile).collect(), ..Scenario::default() }
}

fn nodes(names: &[&str]) -> Vec<NodeDef> {
    let node = |name: &&str| NodeDef { name: (*name).to_owned(), ..NodeDef::default() };
    names.iter().map(node).collect()
}

/// The default instance, with these commands executed.
fn with_setup(setup: &[&str]) -> Vec<NodeDef> {
    let argv = |line: &&str| resp::split_inline(line.as_bytes()).expect("a command");
    let setup = setup.iter().map(argv).collect();
    vec![NodeDef { name: DEFAULT_NODE.into(), setup, ..NodeDef::default() }]
}

fn begin(scenario: Scenario) -> Timeline {
    Timeline::start(Rc::new(scenario)).expect("a scenario that starts")
}

/// Is the condition true in the frame shown?
fn truth(timeline: &Timeline, condition: &str) -> bool {
    let property = Property::new(Kind::Always, condition, "check").expect("compiles");
    property.holds(&mut timeline.world().facts()).expect("a condition")
}

const READ_THEN_WRITE: &str = "
local n = redis.call('GET', 'balance')
n = n + 10
redis.call('SET', 'balance', n)
";

fn scenario(setup: &[&str], programs: &[&str], properties: &[(Kind, &str)]) -> Rc<Scenario> {
    let argv = |line: &&str| resp::split_inline(line.as_bytes()).expect("a command");
    let chunk = |(n, source): (usize, &&str)| {
        lua::compile(source.as_bytes(), &format!("{n}.lua")).expect("a program")
    };
    let property =
        |(kind, check): &(Kind, &str)| Property::new(*kind, check, "check").expect("a condition");
    let programs = programs.iter().enumerate().map(chunk).collect();
    Rc::new(Scenario {
        properties: properties.iter().map(property).collect(),
        ..Scenario::simple(setup.iter().map(argv).collect(), programs)
    })
}

fn start(setup: &[&str], programs: &[&str]) -> Timeline {
    Timeline::start(scenario(setup, programs, &[])).expect("a scenario that starts")
}

fn balance() -> Timeline {
    let total = (Kind::Always, "not all_done() or number('balance') == 30");
    let finish = (Kind::Sometimes, "all_done()");
    let programs = [READ_THEN_WRITE, READ_THEN_WRITE];
    Timeline::start(scenario(&["SET balance 10"], &programs, &[total, finish])).expect("starts")
}

fn play(timeline: &mut Timeline, text: &str) {
    schedule::play(timeline, text).expect("a schedule that can be played");
}

/// The string at `key`, as the end of the run has it.
fn value(timeline: &Timeline, key: &str) -> String {
    let world = timeline.world();
    let entries = world.redis().entries(0, world.now_ms());
    let entry = entries.into_iter().find(|entry| *entry.key == *key.as_bytes());
    match entry.map(|entry| entry.value) {
        Some(crate::engine::EntryValue::Str(value)) => String::from_utf8_lossy(&value).into(),
        other => format!("{other:?}"),
    }
}

const A: Action = Action::Step(ClientId(0));
const B: Action = Action::Step(ClientId(1));

#[test]
fn one_order_loses_an_update_and_another_does_not() {
    let mut timeline = balance();
    play(&mut timeline, "A1.B1.A2.B2");
    assert_eq!(value(&timeline, "balance"), "20");
    assert_eq!(timeline.decided(0), Some(4), "the always is broken by the last step");
    assert_eq!(timeline.decided(1), Some(4));

    timeline.seek(1);
    assert_eq!(timeline.decided(0), None, "what comes later has not happened yet");
    play(&mut timeline, "A2.B1.B2");
    assert_eq!(timeline.schedule(), "A1.A2.B1.B2");
    assert_eq!(value(&timeline, "balance"), "30");
    assert_eq!(timeline.decided(0), None);
}

#[test]
fn what_was_left_is_kept_and_can_be_taken_up_again() {
    let mut timeline = balance();
    play(&mut timeline, "A1.B1.A2.B2");
    timeline.seek(2);
    timeline.step(B).expect("B can step");
    assert_eq!(timeline.branches().len(), 1);
    timeline.seek(0);
    timeline.step(B).expect("B can step");
    // Branches of different stems; each keeps its own whole run.
    let kept: Vec<String> = timeline.branches().iter().map(Branch::schedule).collect();
    assert_eq!(kept, ["A1.B1.A2.B2", "A1.B1.B2"]);
    timeline.take_branch(0);
    assert_eq!((timeline.schedule().as_str(), timeline.cursor()), ("A1.B1.A2.B2", 0));
    let kept: Vec<String> = timeline.branches().iter().map(Branch::schedule).collect();
    assert_eq!(kept, ["B1", "A1.B1.B2"]);
    timeline.take_branch(1);
    assert_eq!((timeline.schedule().as_str(), timeline.cursor()), ("A1.B1.B2", 2));
    timeline.take_branch(99);
}

#[test]
fn the_same_step_again_moves_on_without_forking() {
    let mut timeline = balance();
    play(&mut timeline, "A1.B1.A2.B2");
    timeline.seek(1);
    timeline.step(B).expect("B can step");
    assert_eq!((timeline.cursor(), timeline.len()), (2, 4));
    assert!(timeline.branches().is_empty());
    timeline.reset();
    assert_eq!((timeline.cursor(), timeline.len(), timeline.branches().len()), (0, 0, 1));
}

#[test]
fn every_enabled_action_can_be_applied_and_replays_to_the_same_worlds() {
    let programs = [
        READ_THEN_WRITE,
        "redis.call('SET', 'lease', 'x', 'PX', 50) sleep(20) redis.call('GET', 'lease')",
        "for i = 1, 3 do redis.call('INCR', 'n') end redis.pcall('INCR', 'balance', 'x')",
    ];
    let scenario = scenario(&["SET balance 10"], &programs, &[]);
    for seed in 0..50 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut timeline = Timeline::start(scenario.clone()).expect("starts");
        loop {
            let enabled = timeline.world().enabled();
            if enabled.is_empty() || timeline.len() == 60 {
                break;
            }
            let action = enabled[random.random_range(0..enabled.len())];
            for other in &enabled {
                let mut world = timeline.world().clone();
                world.apply(*other).expect("enabled lists only what can be applied");
            }
            timeline.step(action).expect("an enabled action");
        }
        let mut again = Timeline::start(scenario.clone()).expect("starts");
        play(&mut again, &timeline.schedule());
        let worlds = |t: &Timeline| t.frames().iter().map(|f| f.world.clone()).collect::<Vec<_>>();
        assert!(worlds(&timeline) == worlds(&again), "seed {seed}");
        assert_eq!(timeline.digest(), again.digest());
    }
}

#[test]
fn orders_that_do_not_matter_lead_to_equal_worlds() {
    let program = "redis.call('INCR', 'n')";
    let mut one = start(&[], &[program, program]);
    let mut other = one.clone();
    play(&mut one, "A1.B1");
    play(&mut other, "B1.A1");
    assert!(one.world() == other.world());
    assert_eq!(fingerprint(one.world()), fingerprint(other.world()));
    assert_ne!(one.digest(), other.digest(), "the runs are not the same");
}

#[test]
fn a_bad_schedule_stops_where_it_goes_wrong() {
    let error = |text: &str| {
        let mut timeline = balance();
        let error = schedule::play(&mut timeline, text).expect_err("must be refused");
        (timeline.schedule(), error)
    };
    let why = Impossible::NotReady(ClientId(0));
    let token = "A3".to_owned();
    assert_eq!(
        error("A1.A2.A3.B1"),
        ("A1.A2".into(), ScheduleError::Impossible { step: 3, token, why })
    );
    assert!(matches!(error("A1.b1"), (_, ScheduleError::Unknown { step: 2, .. })));
    assert!(matches!(error("A01"), (_, ScheduleError::Unknown { step: 1, .. })));
    assert!(matches!(error("A99999999999"), (_, ScheduleError::Unknown { step: 1, .. })));
    assert!(matches!(error("A1.B2"), (_, ScheduleError::Ordinal { step: 2, .. })));
    assert!(matches!(
        error("T1"),
        (_, ScheduleError::Impossible { why: Impossible::NoDeadline, .. })
    ));
    let nobody = ScheduleError::Impossible {
        step: 1,
        token: "F1".into(),
        why: Impossible::NoSuchClient(ClientId(5)),
    };
    assert_eq!(error("F1"), (String::new(), nobody));
    assert!(matches!(error("Q1"), (_, ScheduleError::Unknown { step: 1, .. })));
}

#[test]
fn a_schedule_can_be_written_without_numbers_and_a_long_one_ends() {
    let mut timeline = balance();
    play(&mut timeline, "A.B.A.B");
    assert_eq!(timeline.schedule(), "A1.B1.A2.B2");
    let mut endless = start(&[], &["while true do redis.call('INCR', 'n') end"]);
    let text = "A.".repeat(MAX_STEPS + 10);
    assert_eq!(schedule::play(&mut endless, &text), Err(ScheduleError::TooLong));
    assert_eq!(endless.len(), MAX_STEPS);
    endless.step(A).expect("a full run takes no step, quietly");
    assert_eq!(endless.len(), MAX_STEPS);
}

#[test]
fn errors_end_a_program_or_are_caught() {
    let programs = [
        "redis.call('INCR', 'name')",
        "local reply = redis.pcall('INCR', 'name') caught = reply.err",
        "local x = nil\nreturn x.y",
        "while true do end",
        "redis.call()",
    ];
    let mut timeline = start(&["SET name ada"], &programs);
    play(&mut timeline, "A1.B1");
    let failed = |id: u8| match timeline.world().client(ClientId(id.into())).map(|c| c.state()) {
        Some(State::Failed(message)) => message.to_string(),
        other => format!("{other:?}"),
    };
    assert!(failed(0).contains("value is not an integer"), "{}", failed(0));
    assert!(failed(2).contains("attempt to index local 'x' (a nil value)"), "{}", failed(2));
    assert!(failed(3).contains("an endless loop"), "{}", failed(3));
    assert!(failed(4).contains("at least one argument"), "{}", failed(4));
    let b = timeline.world().client(ClientId(1)).expect("client B");
    assert_eq!(b.state(), &State::Done);
    assert!(b.global("caught").short().contains("not an integer"));
    assert!(timeline.world().all_over());
}

#[test]
fn time_moves_to_the_next_deadline() {
    let programs = [
        "redis.call('SET', 'lease', 'x', 'PX', 50) sleep(80) left = redis.call('GET', 'lease')",
        "t0 = now() sleep(10) t1 = now()",
    ];
    let mut timeline = start(&[], &programs);
    // B sleeps from the start on: 10 ms, then the lease at 50 ms, then A's sleep at 80 ms.
    play(&mut timeline, "A1.T1.T2.T3.A2");
    let elapsed: Vec<u64> =
        timeline.frames().iter().map(|frame| frame.world.now_ms() - START_MS).collect();
    assert_eq!(elapsed, [0, 0, 10, 50, 80, 80]);
    let expired = &timeline.frames()[3].seen.changes;
    assert!(expired.len() == 1 && expired[0].after.is_none(), "the lease has gone by itself");
    assert_eq!(timeline.world().client(ClientId(0)).expect("A").global("left").short(), "false");
    let b = timeline.world().client(ClientId(1)).expect("B");
    assert_eq!(
        (b.global("t0").short(), b.global("t1").short()),
        (START_MS.to_string(), (START_MS + 10).to_string(),)
    );
    assert_eq!(timeline.world().enabled(), []);
}

#[test]
fn a_blocked_client_is_served_by_another() {
    let programs = ["job = redis.call('BLPOP', 'jobs', 0)[2]", "redis.call('RPUSH', 'jobs', 'j1')"];
    let mut timeline = start(&[], &programs);
    play(&mut timeline, "A1");
    assert!(matches!(timeline.world().clients()[0].state(), State::Blocked(_)));
    assert_eq!(timeline.world().enabled(), [B]);
    play(&mut timeline, "B1");
    assert_eq!(timeline.world().client(ClientId(0)).expect("A").global("job").short(), "\"j1\"");
    assert!(timeline.world().all_over());
}

#[test]
fn properties_read_the_world_and_cannot_change_it() {
    let timeline = start(&["SET n 4", "HSET h f 1"], &["sold = 2", "sold = 3 holding = true"]);
    let check = |text: &str| {
        let property = Property::new(Kind::Always, text, "check").expect("compiles");
        property.holds(&mut timeline.world().facts())
    };
    assert_eq!(check("number('n') == 4 and number('none') == nil"), Ok(true));
    assert_eq!(check("redis.call('HGET', 'h', 'f') == '1'"), Ok(true));
    assert_eq!(check("sum('sold') == 5 and count('holding') == 1"), Ok(true));
    assert_eq!(check("global('B', 'sold') == 3 and done('A') and all_done()"), Ok(true));
    let refused = check("redis.call('SET', 'n', 5)").expect_err("a write");
    assert!(refused.contains("SET is not a reading command"), "{refused}");
    let refused = check("redis.call('CONFIG', 'SET', 'hz', 5)").expect_err("a write");
    assert!(refused.contains("CONFIG SET is not a reading command"), "{refused}");
    let nobody = check("done('X')").expect_err("no such client");
    assert!(nobody.contains("there is no client \"X\""), "{nobody}");
    assert!(check("(function() while true do end end)()").expect_err("a loop").contains("endless"));
    assert!(Property::new(Kind::Always, "1 +", "check").is_err());
    assert_eq!(check("number('n') == 4"), Ok(true));
}

#[test]
fn a_setup_that_redis_refuses_is_reported() {
    let refused = World::start(&scenario(&["SET n 1", "INCR n x"], &["return"], &[]));
    let why = refused.expect_err("INCR takes one argument").to_string();
    assert!(why.contains("setup command 2: "), "{why}");
    assert!(why.contains("wrong number of arguments"), "{why}");
}
