//! Verdicts that were wrong once: the components of a state were guessed from a program's words.
//! Each stands beside its twin, the same program with a clock read that it does not need, and
//! beside a search over whole worlds, in which nothing is left out.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use super::contract::with;
use super::*;
use crate::checker::{Components, Options, Search};

pub(super) const BREAKS: Option<bool> = Some(false);
pub(super) const HOLDS: Option<bool> = Some(true);

/// Sleeps longer if B was there first.
const SLEEP: &str = "if redis.call('GET', 'k') then sleep(20) else sleep(1) end ";
/// Writes when it is later than 10 ms from the beginning.
const LATE: &str = " if tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000) \
                    >= 1767225600010 then redis.call('SET', 'n', 1) end";
const OTHER: &str = "redis.call('SET', 'k', 1)";
const NEVER: (Kind, &str) = (Kind::Always, "number('n') <= 0");

/// Is the property true in all states, or in one, of a search over whole worlds?
#[allow(clippy::mutable_key_type)] // A world's cells only cache fingerprints.
pub(super) fn whole(scenario: &Scenario) -> bool {
    let (start, _) = World::start(scenario).expect("starts");
    let mut known: HashSet<World> = HashSet::from([start.clone()]);
    let mut queue = vec![start];
    let property = &scenario.properties[0];
    let wanted = property.kind == Kind::Sometimes;
    while let Some(world) = queue.pop() {
        if property.holds(&mut world.facts()) == Ok(wanted) {
            return wanted;
        }
        for action in world.choices() {
            let mut next = world.clone();
            next.apply_unseen(action).expect("it was listed");
            if known.insert(next.clone()) {
                assert!(known.len() < 20_000, "too many worlds");
                queue.push(next);
            }
        }
    }
    !wanted
}

pub(super) fn verdict(scenario: &Scenario, limits: Limits) -> Option<bool> {
    let mut check = Check::new(scenario, limits).expect("starts");
    check.run();
    assert_eq!(check.mistake(), None);
    check.verdict(0).holds
}

/// The verdict of every search on the program and on its twin.
fn expect(
    setup: &[&str],
    programs: &[&str],
    property: (Kind, &str),
    faults: Faults,
    expected: Option<bool>,
) {
    for twin in [false, true] {
        let programs: Vec<String> = programs
            .iter()
            .map(
                |source| {
                    if twin { format!("local clock = now() {source}") } else { (*source).into() }
                },
            )
            .collect();
        let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
        let mut scenario = (*super::scenario(setup, &programs, &[property])).clone();
        scenario.faults = faults;
        let few = Limits { plain_max: 2, plain_max_with_faults: 2, ..Limits::default() };
        for limits in [Limits::default(), few] {
            assert_eq!(verdict(&scenario, limits), expected, "{twin} {programs:#?}");
        }
        if property.0 != Kind::Eventually {
            assert_eq!(Some(whole(&scenario)), expected, "{programs:#?}");
        }
    }
}

fn breaks(setup: &[&str], program: &str, property: (Kind, &str)) {
    expect(setup, &[program, OTHER], property, Faults::default(), BREAKS);
}

#[test]
fn a_command_may_be_named_in_any_way() {
    for time in [
        "redis.call('TIME')",
        "redis.call('TI' .. 'ME')",
        "redis.call(\"\\084IME\")",
        "redis.call(redis.call('GET', 'verb'))",
        "redis['call']('tIme')",
    ] {
        breaks(&["SET n 0", "SET verb TIME"], &format!("{SLEEP} local t = {time} {LATE}"), NEVER);
    }
    let at = "redis.call('SET', 'd', 1) redis.call('PEXPIRE' .. 'AT', 'd', 1767225600010) \
              if redis.call('EXISTS', 'd') == 0 then redis.call('SET', 'n', 1) end";
    breaks(&["SET n 0"], &format!("{SLEEP} {at}"), NEVER);
}

#[test]
fn scripts_and_functions_of_the_setup_read_the_clock() {
    let load = "FUNCTION LOAD \"#!lua name=lib\\nredis.register_function('clock', \
                function() return redis.call('TIME') end)\"";
    let call = format!("{SLEEP} local t = redis.call('FCALL', 'clock', 0) {LATE}");
    breaks(&["SET n 0", load], &call, NEVER);
    let script = r#"SCRIPT LOAD "return redis.call('TIME')""#;
    let digest = "redis.call('SCRIPT', 'LOAD', \"return redis.call('TIME')\")";
    let call = format!("{SLEEP} local t = redis.call('EVALSHA', {digest}, 0) {LATE}");
    breaks(&["SET n 0", script], &call, NEVER);
}

#[test]
fn a_property_reads_the_clock() {
    let lease = format!("{SLEEP} redis.call('SET', 'd', 1, 'PX', 100)");
    let early = "redis.call('PEXPIRETIME', 'd') < 1767225600110";
    breaks(&[], &lease, (Kind::Always, early));
    let setup = ["XADD s 1-1 job 1", "XGROUP CREATE s g 0"];
    let read = "redis.call('XREADGROUP', 'GROUP', 'g', 'a', 'STREAMS', 's', '>') sleep(20)";
    let idle = "(redis.call('XPENDING', 's', 'g', '-', '+', 10)[1] or {0, 0, 0})[3] < 10";
    breaks(&setup, read, (Kind::Always, idle));
}

#[test]
fn idle_times_of_streams_grow() {
    let setup = ["XADD s 1-1 job 1", "XGROUP CREATE s g 0"];
    let read = "local me = uuid() \
        local got = redis.call('XREADGROUP', 'GROUP', 'g', me, 'STREAMS', 's', '>') ";
    let work = " if got and #got > 0 then redis.call('INCR', 'done') \
                redis.call('XACK', 's', 'g', '1-1') end";
    let claim = "if not got then sleep(30) got = redis.call('XCLAIM', 's', 'g', me, 10, '1-1') end";
    let once = (Kind::Always, "(number('done') or 0) <= 1");
    let pause = Faults { pause: 1, ..Faults::default() };
    let worker = format!("{read} {claim} {work}");
    expect(&setup, &[&worker, &worker], once, pause, BREAKS);
    let patient = worker.replace("30", "3");
    expect(&setup, &[&patient, &patient], once, Faults::default(), HOLDS);
    let again = "if not got then for try = 1, 2 do sleep(15) \
                 got = redis.call('XAUTOCLAIM', 's', 'g', me, 10, '0')[2] \
                 if #got > 0 then break end end end";
    let worker = format!("{read} {again} {work}");
    let crash = Faults { crash: 1, ..Faults::default() };
    let processed = (Kind::Eventually, "number('done') == 1");
    // A worker that crashes between INCR and XACK has worked, one that crashes before has not.
    expect(&setup, &[&worker, &worker], processed, crash, HOLDS);
}

#[test]
fn a_global_may_be_named_in_any_way() {
    let sold = (Kind::Always, "sum('so' .. 'ld') < 2");
    let sell = "sold = 0 redis.call('GET', 'k') sold = 1";
    expect(&[], &[sell, sell], sold, Faults::default(), BREAKS);
    let crashed = (Kind::Always, "not _G['cra' .. 'shed']('A')");
    let crash = Faults { crash: 1, ..Faults::default() };
    expect(&[], &[sell, sell], crashed, crash, BREAKS);
}

#[test]
fn equal_clients_are_told_apart_in_any_way() {
    let first = "local me = uuid() local a = string[('yb'):reverse() .. 'te'](me) \
                 redis.call('GET', 'k') if a == 97 then redis.call('SET', 'n', 1) end";
    expect(&["SET n 0"], &[first, first], NEVER, Faults::default(), BREAKS);
    let order = "local me = uuid() local other = redis.call('GETSET', 'k', me) \
                 local t = { other or me, me } table.sort(t) \
                 if t[1] ~= me then redis.call('SET', 'n', 1) end";
    expect(&["SET n 0"], &[order, order], NEVER, Faults::default(), BREAKS);
    let named = "local me = uuid() redis.call('SET', 'k', me) \
                 if redis.call('GET', 'k') == 'b' .. '-1' then redis.call('SET', 'n', 1) end";
    expect(&["SET n 0"], &[named, named], NEVER, Faults::default(), BREAKS);
}

#[test]
fn every_outcome_of_chance_is_followed() {
    let setup = ["SADD s a b c", "SET key 1", "HSET h f 1 g 2", "ZADD z 1 m 2 n"];
    for (draw, outcomes) in [
        ("redis.call('SRANDMEMBER', 's')", vec!["a", "b", "c"]),
        ("redis.call('SPOP', 's')", vec!["a", "b", "c"]),
        ("redis.call('SPOP', 's', 2)[2]", vec!["a", "b", "c"]),
        ("redis.call('RANDOMKEY')", vec!["s", "key", "h", "z"]),
        ("redis.call('HRANDFIELD', 'h')", vec!["f", "g"]),
        ("redis.call('ZRANDMEMBER', 'z')", vec!["m", "n"]),
        ("redis.call('EVAL', \"return redis.call('SPOP', 's')\", 0)", vec!["a", "b", "c"]),
    ] {
        for outcome in outcomes {
            let is_it = format!("global('A', 'x') == '{outcome}'");
            let program = format!("x = {draw} redis.call('GET', 'k')");
            expect(&setup, &[&program], (Kind::Sometimes, &is_it), Faults::default(), HOLDS);
        }
    }
    let all: Vec<String> = (0..20).map(|n| n.to_string()).collect();
    let many = format!("SADD s {}", all.join(" "));
    let is_open = |program: &str| {
        let scenario = super::scenario(&[&many], &[program], &[(Kind::Always, "not failed('A')")]);
        verdict(&scenario, Limits::default()).is_none()
    };
    assert!(
        is_open("x = redis.call('SRANDMEMBER', 's') redis.call('GET', x)"),
        "more outcomes than are followed"
    );
    assert!(is_open("redis.call('GET', 'k') if math.random() < 2 then redis.call('GET', 'k') end"));
    assert!(is_open("redis.call('EVAL', 'return math.random(3)', 0)"));
    assert!(is_open("redis.call('INFO')"), "counters");
    assert!(!is_open("math.randomseed(7) redis.call('GET', tostring(math.random(3)))"));
}

#[test]
fn an_outcome_is_chosen_by_hand_and_stands_in_the_schedule() {
    let programs = ["redis.call('GET', 'k') x = redis.call('SRANDMEMBER', 's')"];
    for (schedule, expected) in [("A1.draw1-A2", "a"), ("A.draw3-A", "c")] {
        let mut timeline = start(&["SADD s a b c"], &programs);
        play(&mut timeline, schedule);
        assert!(truth(&timeline, &format!("global('A', 'x') == '{expected}'")), "{schedule}");
        let written = timeline.schedule();
        let mut again = start(&["SADD s a b c"], &programs);
        play(&mut again, &written);
        assert_eq!((again.digest(), again.schedule()), (timeline.digest(), written));
    }
    let mut timeline = start(&["SADD s a b c"], &programs);
    play(&mut timeline, "A1.A2");
    assert_eq!(timeline.schedule(), "A1.A2", "a step draws by the seed, as it always did");
    let mut timeline = start(&["SADD s a b c"], &programs);
    for hostile in ["draw0-A1", "draw4-A2", "draw9999-A1", "draw1-T1", "draw-A1", "draw1-B1"] {
        assert!(schedule::play(&mut timeline, hostile).is_err(), "{hostile}");
    }
}

/// Returns a hash of the next so many steps from here: the actors, and what is true then.
fn future(scenario: &Scenario, world: &World, steps: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    for property in &scenario.properties {
        property.holds(&mut world.facts()).hash(&mut hasher);
    }
    if steps > 0 {
        for action in world.choices() {
            let mut next = world.clone();
            next.apply_unseen(action).expect("it was listed");
            (action, future(scenario, &next, steps - 1)).hash(&mut hasher);
        }
    }
    hasher.finish()
}

#[test]
fn worlds_that_are_one_state_have_the_same_future() {
    let lock = "local me = uuid() while not redis.call('SET', 'l', me, 'NX', 'PX', 7) do \
                sleep(4) end holding = true sleep(2) if redis.call('GET', 'l') == me then \
                redis.call('DEL', 'l') end holding = false";
    let idle = "redis.call('XREADGROUP', 'GROUP', 'g', 'a', 'STREAMS', 's', '>') sleep(3) \
                x = #redis.call('XCLAIM', 's', 'g', 'b', 5, '1-1')";
    let setup = ["XADD s 1-1 job 1", "XGROUP CREATE s g 0", "SADD t a b"];
    let draw = "local x = redis.call('SPOP', 't') sleep(1) y = redis.call('SPOP', 't') == 'a'";
    let mut compared = 0;
    for programs in [[lock, lock], [idle, lock], [draw, idle]] {
        let properties = [(Kind::Always, "count('holding') < 2"), (Kind::Always, "sum('x') < 1")];
        let mut scenario = (*super::scenario(&setup, &programs, &properties)).clone();
        scenario.faults = Faults { pause: 1, ..Faults::default() };
        let model = WorldComponents::new(&scenario).expect("starts").with_named_ticks();
        let mut search = Search::new(model, Options { states_max: 5_000, ..Options::default() });
        search.run();
        let model = search.model_mut();
        assert!(!model.is_outdated());
        let mut first: HashMap<Vec<u32>, World> = HashMap::new();
        let (mut queue, mut at) = (vec![World::start(&scenario).expect("starts").0], 0);
        while at < queue.len() && at < 400 {
            let world = queue[at].clone();
            at += 1;
            let mut row = model.row_of(&world);
            while row.last() == Some(&0) {
                row.pop();
            }
            match first.get(&row) {
                Some(known) if *known == world => continue,
                Some(known) => {
                    compared += 1;
                    let [one, other] = [known, &world].map(|world| future(&scenario, world, 4));
                    assert_eq!(one, other, "{known:?} and {world:?} are one state");
                }
                None => drop(first.insert(row, world.clone())),
            }
            for action in world.choices() {
                let mut next = world.clone();
                next.apply_unseen(action).expect("it was listed");
                queue.push(next);
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// That a line which is there never runs is a claim about the program: another one breaks it.
#[test]
fn that_a_line_never_runs_which_sets_a_global_is_said_to_hold() {
    let program = "if redis.call('INCR', 'n') > 2 then thrice = true end";
    let asked = ["count('thrice') == 0", "count('thirce') == 0", "global('A', 'thrice') == nil"];
    let says_nothing = |programs: &[&str]| {
        let mut check = Check::new(&with(programs, &asked, |_| {}), Limits::default()).expect("ok");
        check.run();
        [0, 1, 2].map(|index| (check.verdict(index).holds, check.says_nothing(index)))
    };
    let (holds, empty) = ((Some(true), false), (Some(true), true));
    assert_eq!(says_nothing(&[program, program]), [holds, empty, holds]);
    assert_eq!(says_nothing(&["redis.call('PING')", program]), [holds, empty, empty]);
    // A program that reaches globals without naming them may set any.
    let any = "redis.call('PING') if false then _G['th' .. 'irce'] = 1 end";
    assert_eq!(says_nothing(&[any, program]), [holds, holds, holds]);
    let breaks = (Some(false), false);
    let [first, typo, _] = says_nothing(&[program; 3]);
    assert_eq!((first, typo), (breaks, empty));
}

/// Client libraries write a number by the fewest digits that read back the same.
#[test]
fn a_client_sends_the_number_that_its_program_says() {
    let program = "redis.call('RPUSH', 'l', 0.05, 0.1 + 0.2, 3, -2.5, 1e16, 12345678901234567)";
    let is = "not all_done() or table.concat(redis.call('LRANGE', 'l', 0, -1), ' ') == \
              '0.05 0.30000000000000004 3 -2.5 10000000000000000 12345678901234568'";
    let mut check = Check::new(&with(&[program], &[is], |_| {}), Limits::default()).expect("ok");
    check.run();
    assert_eq!((check.verdict(0).holds, check.mistake()), (Some(true), None));
}
