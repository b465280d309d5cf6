//! Delays between the multiples of a tick: strict comparisons that follow each other, and numbers
//! that nothing has shown to be times. The truth of each was derived by hand.

use super::super::oracle::Oracle;
use super::contract::with;
use super::*;

/// Returns the verdict on the first property, and the tick that it names.
fn told(scenario: &Scenario, limits: Limits) -> (Option<bool>, u32) {
    let mut check = Check::new(scenario, limits).expect("it starts");
    check.run();
    let verdict = check.verdict(0);
    assert_eq!(check.is_decided(0), verdict.holds.is_some());
    if let (Some(false), Some(run)) = (verdict.holds, &verdict.trace) {
        let (mut world, _) = World::start(scenario).expect("it starts");
        for action in run {
            world.apply(*action).expect("its run is possible");
        }
        assert_eq!(scenario.properties[0].holds(&mut world.facts()), Ok(false), "{run:?}");
    }
    (verdict.holds, check.tick_ms())
}

fn slow(program: &str, asked: &str, slow_ms: u32) -> Scenario {
    with(&[program], &[asked], |scenario| scenario.slow_ms = slow_ms)
}

/// A lease of 10 ms is renewed three times, each time before it ends: after at most 9 ms each, 27
/// ms together. Multiples of 5 ms show 15 ms at most.
#[test]
fn several_strict_comparisons_are_met_by_smaller_ticks() {
    let renews = |ms: u32| {
        let renew = "if redis.call('PEXPIRE', 'lease', 10) == 0 then return end ";
        let take = "redis.call('SET', 'lease', 1, 'PX', 10) local start = now() ";
        let late = format!("late = now() - start >= {ms}");
        let program = [take, renew, renew, renew, &late].concat();
        slow(&program, "global('A', 'late') ~= true", 10)
    };
    let coarse = Limits { finer: false, ..Limits::default() };
    assert_eq!(told(&renews(20), coarse), (Some(true), 5));
    assert_eq!(told(&renews(20), Limits::default()).0, Some(false));
    assert_eq!(told(&renews(25), Limits::default()).0, Some(false));
    assert_eq!(told(&renews(30), Limits::default()), (Some(true), 1));
}

/// A number of keys or a count is no time: what depends on none is decided in the timers' own
/// units, and the numbers are asked about afterwards. (The key is there, runs out, and is made anew
/// without a time to live.)
#[test]
fn a_number_that_is_no_time_leaves_nothing_undecided() {
    let limit = |change: &str| {
        let program = format!(
            "local exists = redis.call('EXISTS', 'rl') {change} \
             if exists == 0 then redis.call('PEXPIRE', 'rl', 1000) end"
        );
        let asked = ["not all_done() or redis.call('PTTL', 'rl') ~= -1", "number('rl') ~= 3"];
        let two = with(&[&program, &program], &asked, |scenario| scenario.slow_ms = 1000);
        let limits = Limits { states_max: 2_000, ..Limits::default() };
        let mut check = Check::new(&two, limits).expect("it starts");
        check.run();
        let verdicts = [check.verdict(0).holds, check.verdict(1).holds];
        (verdicts, check.is_deadlock_decided(), check.tick_ms())
    };
    let plain = limit("redis.call('INCRBY', 'rl', 1)");
    assert_eq!(plain, ([Some(false), Some(true)], true, 125));
    let script = "redis.call('EVAL', [[return redis.call('INCRBY', KEYS[1], 1)]], 2, 'rl', 'm')";
    assert_eq!(limit(script), plain);
}

/// Programs can compare times with numbers that they compute, or read from a value: nothing shows
/// that these are times. A delay of 7 ms is allowed where clients may be held up for 10 ms, one of
/// 11 ms is not.
#[test]
fn numbers_that_are_computed_or_read_are_met_by_smaller_ticks() {
    let waits = |number: &str| {
        let program = format!(
            "local ms = {number} local start = now() redis.call('PING') \
             exact = now() - start == ms"
        );
        let mut scenario = slow(&program, "global('A', 'exact') ~= true", 10);
        scenario.nodes = with_setup(&["SET ms 7", "SET more 11"]);
        told(&scenario, Limits::default())
    };
    for number in ["tonumber('7')", "2 ^ 3 - 1", "tonumber(redis.call('GET', 'ms'))"] {
        assert_eq!(waits(number).0, Some(false), "{number}");
    }
    for number in ["tonumber('11')", "tonumber(redis.call('GET', 'more'))"] {
        assert_eq!(waits(number), (Some(true), 1), "{number}");
    }
}

/// The oracle, told to move time in steps of 1 ms, says what the last of the smaller ticks does.
#[test]
fn the_oracle_agrees_on_whole_ms() {
    let lock = "if redis.call('SET', 'lock', 1, 'NX', 'PX', 12) then holding = true \
                redis.call('PING') holding = false end";
    for (slow_ms, holds) in [(8, true), (12, false), (13, false)] {
        let change = |scenario: &mut Scenario| scenario.slow_ms = slow_ms;
        let scenario = with(&[lock, lock], &["count('holding') <= 1"], change);
        let oracle = Oracle::explore_by(&scenario, 50_000, 1).expect("it starts");
        let truths = oracle.truths(&scenario.properties[0]);
        assert!(oracle.is_complete());
        assert_eq!(oracle.first(&truths, false).is_none(), holds, "{slow_ms}");
        assert_eq!(told(&scenario, Limits::default()).0, Some(holds), "{slow_ms}");
    }
}

/// Where smaller ticks are too many states, the verdict is that of the tick which was searched to
/// the end, and a search that is ended early names the one of its last whole search.
#[test]
fn a_verdict_names_the_tick_that_was_searched_to_the_end() {
    let lock = "if redis.call('SET', 'lock', 1, 'NX', 'PX', 3000) then holding = true \
                redis.call('PING') holding = false redis.call('PING') end";
    let change = |scenario: &mut Scenario| scenario.slow_ms = 1000;
    let scenario = with(&[lock, lock, lock], &["count('holding') <= 1"], change);
    let (holds, tick_ms) = told(&scenario, Limits::default());
    assert_eq!(holds, Some(true));
    assert!((2..=500).contains(&tick_ms), "{tick_ms}");
    let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
    while !check.is_complete() {
        assert!(!check.advance(1 << 10) && !check.is_decided(0));
    }
    while check.ids().is_none() {
        assert!(!check.advance(1 << 10) && !check.is_decided(0));
    }
    check.give_up();
    assert_eq!((check.verdict(0).holds, check.bound()), (Some(true), None));
}
