//! Scenarios whose truth was derived by hand, from Redis's rules and not from what this program
//! says: both searches share the world, and a mistake in what the world can do shows in neither.
//! Each stands with the sentence why it is so.

use super::super::oracle::Oracle;
use super::contract::{breaks, with};
use super::*;

/// The lock of a client that crashed between SETNX and EXPIRE is left forever: no other client has
/// anything to do, so everything is done, and the lock is there.
#[test]
fn all_is_done_when_the_rest_has_crashed() {
    let lock = "redis.call('SETNX', 'lock', 1) redis.call('EXPIRE', 'lock', 10)";
    let asked = |is: &str| format!("not {is} or redis.call('TTL', 'lock') ~= -1");
    let left = [asked("all_done()"), asked("all_over()"), asked("done('A')")];
    let left: Vec<&str> = left.iter().map(String::as_str).collect();
    let crash = |scenario: &mut Scenario| scenario.faults.crash = 1;
    // A1, then the crash.
    assert_eq!(breaks(&with(&[lock], &left, crash)), [Some(2), Some(2), None]);
    assert_eq!(breaks(&with(&[lock], &left, |_| {})), [None, None, None]);
    // With another client about, which has to end first.
    let ping = "redis.call('PING')";
    assert_eq!(breaks(&with(&[lock, ping], &left, crash)), [Some(3), Some(3), None]);
    // One who ended by an error has not done its work.
    let fails = "redis.call('HGET', 'lock', 'f')";
    let ends = ["not all_done()", "not all_over()"];
    let fail = with(&[lock, fails], &ends, |s| s.nodes = with_setup(&["SET lock 1"]));
    assert_eq!(breaks(&fail), [None, Some(3)]);
}

/// "At most one holds it" where no program ever sets `holding` is true of any program, also of this
/// one without NX, with which both are inside at once.
#[test]
fn a_condition_about_a_global_that_nobody_sets_says_nothing() {
    let lock = "redis.call('SET', 'lock', 1) holdng = true redis.call('INCR', 'n') holdng = false";
    let asked = [
        "count('holding') <= 1",
        "count('holdng') <= 1",
        "not all_done() or count('holding') <= 1",
        "not done('A') or global('B', 'late') == nil and sum('sold') < 1",
        // These say something besides.
        "not failed('A') and count('holding') <= 1",
        "(number('n') or 0) <= 2 and count('holding') <= 1",
        // A sets it, B does not.
        "global('B', 'only') == nil",
        "global('A', 'only') == nil or done('A')",
    ];
    let only = format!("{lock} only = 1");
    let scenario = with(&[&only, lock], &asked, |_| {});
    let few = Limits { plain_max: 2, plain_max_with_faults: 2, ..Limits::default() };
    for limits in [Limits::default(), few] {
        let mut check = Check::new(&scenario, limits).expect("it starts");
        check.run();
        let holds: Vec<_> = (0..8).map(|index| check.verdict(index).holds).collect();
        assert_eq!(holds, [true, false, true, true, true, true, true, true].map(Some));
        let empty: Vec<bool> = (0..8).map(|index| check.says_nothing(index)).collect();
        assert_eq!(empty, [true, false, true, true, false, false, true, false]);
        let unset = |index: usize| check.unset(index).iter().map(Unset::words).collect::<Vec<_>>();
        assert_eq!(unset(0), ["holding"]);
        assert_eq!(unset(3), ["sold", "B.late"]);
        assert_eq!(unset(4), ["holding"]);
        assert_eq!(unset(6), ["B.only"]);
        assert_eq!(unset(7), [""; 0]);
    }
}

/// Commands that CLIENT PAUSE held back run like any other when the pause ends: KEYS sees the two
/// keys that are there, FLUSHALL removes them, and the twin without a pause says so, too.
#[test]
fn commands_that_a_pause_held_back_meet_all_that_is_there() {
    let verdicts = |program: &str, asked: &[&str]| {
        ["PING", "CLIENT', 'PAUSE', '10', 'ALL"].map(|first| {
            let program = format!("redis.call('{first}') {program}");
            let scenario = with(&[&program], asked, |scenario| {
                scenario.nodes = with_setup(&["SET n 5", "SET m 6"]);
            });
            breaks(&scenario).iter().map(Option::is_some).collect::<Vec<_>>()
        })
    };
    let both = |breaks: &[bool]| [breaks.to_vec(), breaks.to_vec()];
    let is_two = ["not done('A') or global('A', 'x') ~= 2"];
    assert_eq!(verdicts("x = #redis.call('KEYS', '*')", &is_two), both(&[true]));
    assert_eq!(verdicts("x = redis.call('DBSIZE')", &is_two), both(&[true]));
    let left = ["not done('A') or number('n') == nil", "not done('A')"];
    assert_eq!(verdicts("redis.call('FLUSHALL')", &left), both(&[false, true]));
}

/// Of three members SPOP may take any, and which one the search does not follow where a pause held
/// it back: none of these can be said to hold.
#[test]
fn what_a_pause_held_back_and_drew_at_random_is_not_decided() {
    let program = "redis.call('CLIENT', 'PAUSE', '10', 'ALL') x = redis.call('SPOP', 's')";
    let asked = ["a", "b", "c"].map(|one| format!("global('A', 'x') ~= '{one}'"));
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    let scenario = with(&[program], &asked, |scenario| {
        scenario.nodes = with_setup(&["SADD s a b c"]);
    });
    let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
    check.run();
    let holds: Vec<_> = (0..3).map(|index| check.verdict(index).holds).collect();
    assert!(!holds.contains(&Some(true)), "{holds:?}");
}

/// While all commands are held back, no client can ask for a key: the condition is asked before and
/// after. A writes `n` behind the pause and sees it broken there.
#[test]
fn a_condition_is_not_asked_while_all_commands_are_held_back() {
    let program = "redis.call('CLIENT', 'PAUSE', '10', 'ALL') redis.call('INCR', 'n')";
    let asked = ["number('n') ~= 1", "number('n') ~= 2", "not done('A')"];
    let found = breaks(&with(&[program], &asked, |_| {}));
    // A1, A2 (held back), and the time that ends the pause.
    assert_eq!(found, [Some(3), None, Some(3)]);
    let scenario = scenario(&[], &[program], &[(Kind::Eventually, "number('n') == 1")]);
    let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
    check.run();
    assert_eq!((check.verdict(0).holds, check.mistake()), (Some(true), None));
}

/// The search learns with few states, and the condition that is asked of the last of them reads the
/// time for the first time: what it knew of the components before is of no use.
#[test]
fn a_search_that_begins_again_with_other_components_forgets_the_old_ones() {
    let programs = [
        "local token = redis.call('INCR', 'token') y = resource('r'):write('w', token)",
        "if connect('redis'):call('INCR', 'n') == 1 then y = true end me = me or uuid() \
         if redis.call('GET', 'lock') == me then redis.call('DEL', 'lock') end \
         while not redis.call('SET', 'lock', 1, 'NX', 'PX', 4) do sleep(1) end x = true",
        "me = me or uuid() redis.call('EVAL', [[if redis.call('GET', KEYS[1]) == ARGV[1] then \
         return redis.call('DEL', KEYS[1]) end return 0]], 1, 'lock', me)",
        "while not redis.call('SET', 'lock', 1, 'NX') do end x = true",
    ];
    let late = "redis.call('PEXPIRETIME', 'lock') <= 1767225600007";
    let scenario = with(&programs, &[late], |_| {});
    for learning in [5, 10, 15] {
        let (plain_max, states_max) = (3, 500);
        let limits = Limits { plain_max, states_max, learning, ..Limits::default() };
        let mut check = Check::new(&scenario, limits).expect("it starts");
        check.run();
        // 4 ms behind the only deadline there is; what is later is farther than these states.
        assert_ne!(check.verdict(0).holds, Some(true), "{learning}");
    }
}

/// Replication is asynchronous: a write that was acknowledged is lost by a failover before the
/// replica has it, whether its writer still runs or not, and whether another client does or not.
/// The same with a restart, which loses everything.
#[test]
fn instances_fail_when_the_last_program_is_over() {
    let lost = ["not done('A') or redis.call('GET', 'x') == '1'"];
    let found = |programs: &[&str], faults: Faults| {
        let scenario = with(programs, &lost, |scenario| {
            scenario.faults = faults;
            scenario.nodes = nodes(&[DEFAULT_NODE, "r"]);
            scenario.nodes[1].replica_of = Some(DEFAULT_NODE.to_owned());
        });
        breaks(&scenario)[0]
    };
    let write = "redis.call('SET', 'x', '1')";
    let failover = Faults { failover: 1, ..Faults::default() };
    let restart = Faults { restart: 1, ..Faults::default() };
    for faults in [failover, restart] {
        assert_eq!(found(&[write], faults), Some(2));
        assert_eq!(found(&[write, "redis.call('PING')"], faults), Some(2));
    }
    // An instance that is down loses nothing, and no client is left to notice.
    assert_eq!(found(&[write], Faults { down: 1, ..Faults::default() }), None);
    assert_eq!(found(&[write], Faults::default()), None);
    // A clock that jumps shortens a lease.
    let lease = "redis.call('SET', 'x', '1', 'PX', 1000)";
    let short = ["redis.call('EXISTS', 'x') == 0 or redis.call('PTTL', 'x') > 900"];
    let after = |ms: i64| {
        let faults = Faults { jump: 1, jump_ms: ms, ..Faults::default() };
        breaks(&with(&[lease], &short, |scenario| scenario.faults = faults))[0]
    };
    assert_eq!((after(50), after(500)), (None, Some(2)));
}

/// A run may end where nothing has to happen. When the last program is over, time still has to move
/// until each key is gone; an instance that fails then, and stays down, ends the run at once. So
/// does a restart, which loses the keys; after a jump of the clock time has one more step to go.
#[test]
fn a_run_ends_sooner_where_an_instance_fails_after_the_last_program() {
    let setup = ["SET a 1 PX 3", "SET b 1 PX 4", "SET c 1 PX 5"];
    let ends_after = |programs: &[&str], faults: Faults| {
        let asked = [(Kind::Eventually, "count('x') > 0")];
        let mut scenario = (*scenario(&setup, programs, &asked)).clone();
        scenario.faults = faults;
        let oracle = Oracle::explore(&scenario, 1_000).expect("it starts");
        let few = Limits { plain_max: 2, plain_max_with_faults: 2, ..Limits::default() };
        for limits in [Limits::default(), few] {
            let mut check = Check::new(&scenario, limits).expect("it starts");
            check.run();
            let verdict = check.verdict(0);
            assert_eq!((verdict.holds, verdict.cycle.len()), (Some(false), 0));
            let steps = verdict.trace.map(|trace| trace.len() as u32);
            let known = oracle.never(&oracle.truths(&scenario.properties[0]));
            assert_eq!(steps.map(oracle::Never::Ends), Some(known), "{faults:?} {limits:?}");
        }
        let known = oracle.never(&oracle.truths(&scenario.properties[0]));
        match known {
            oracle::Never::Ends(steps) => steps,
            other => panic!("{other:?}"),
        }
    };
    let jump = Faults { jump: 1, jump_ms: 50, ..Faults::default() };
    let faults = [
        (Faults::default(), 3),
        (Faults { down: 1, ..Faults::default() }, 1),
        (Faults { restart: 1, ..Faults::default() }, 1),
        (jump, 1),
    ];
    for (faults, steps) in faults {
        assert_eq!(ends_after(&[], faults), steps, "{faults:?}");
        assert_eq!(ends_after(&["redis.call('PING')"], faults), 1 + steps, "{faults:?}");
    }
}

/// A lease of 6 ms, and a client that may be held up for 12: when it looks, the lease has any time
/// left, also 4 ms, though nothing is due then. A client that asks for a longer one with GT gets it
/// as soon as less than 4 ms are left. And a condition sees the lease shrink when no program is
/// left.
#[test]
fn a_lease_has_any_time_left_when_a_slow_client_looks() {
    let steps = |program: &str, slow_ms: u32, asked: &str| {
        let scenario = with(&[program], &[asked], |scenario| scenario.slow_ms = slow_ms);
        let oracle = Oracle::explore(&scenario, 1_000).expect("it starts");
        let known = oracle.first(&oracle.truths(&scenario.properties[0]), false);
        let few = Limits { plain_max: 2, plain_max_with_faults: 2, ..Limits::default() };
        for limits in [Limits::default(), few] {
            let mut check = Check::new(&scenario, limits).expect("it starts");
            check.run();
            let verdict = check.verdict(0);
            assert_eq!(verdict.holds, Some(known.is_none()), "{program} {limits:?}");
            assert_eq!(verdict.trace.map(|trace| trace.len() as u32), known, "{program}");
        }
        known
    };
    // A1, the delay, A2.
    let look = "redis.call('SET', 'k', 1, 'PX', 6) x = redis.call('PTTL', 'k')";
    assert_eq!(steps(look, 12, "global('A', 'x') ~= 4"), Some(3));
    assert_eq!(steps(look, 0, "global('A', 'x') ~= 4"), None);
    let longer = "redis.call('SET', 'k', 1, 'PX', 6) x = redis.call('PEXPIRE', 'k', 4, 'GT')";
    assert_eq!(steps(longer, 12, "global('A', 'x') ~= 1"), Some(3));
    assert_eq!(steps(longer, 0, "global('A', 'x') ~= 1"), None);
    // A1, the delay.
    let lease = "redis.call('SET', 'k', 1, 'PX', 3)";
    assert_eq!(steps(lease, 12, "redis.call('PTTL', 'k') ~= 2"), Some(2));
    // Prompt time moves from deadline to deadline.
    assert_eq!(steps(lease, 0, "redis.call('PTTL', 'k') ~= 2"), None);
}

/// Clients that come again: what a round leaves is a state of its own, between its last call and
/// the next round. Two sellers of one piece sell it twice, coming again or not.
#[test]
fn what_a_round_leaves_is_seen_before_the_next_one() {
    let sell = "local s = tonumber(redis.call('GET', 'stock')) \
                if s > 0 then redis.call('SET', 'stock', s - 1) sold = 1 end";
    let twice = |again: bool| {
        breaks(&with(&[sell, sell], &["sum('sold') <= 1"], |scenario| {
            scenario.nodes = with_setup(&["SET stock 1"]);
            scenario.clients.iter_mut().for_each(|client| client.again = again);
        }))
    };
    // A reads, B reads, both write.
    assert_eq!((twice(false), twice(true)), (vec![Some(4)], vec![Some(4)]));
}

/// Each round has ids of its own, so a request that is marked as done by its id is done once in
/// each round: two rounds, two payments.
#[test]
fn ids_of_another_round_are_new() {
    let pay = "local id = uuid() if redis.call('SETNX', 'done:' .. id, 1) == 1 then \
               redis.call('INCRBY', 'balance', 10) end";
    let scenario =
        scenario(&["SET balance 0"], &[pay], &[(Kind::Always, "number('balance') <= 10")]);
    let mut scenario = (*scenario).clone();
    scenario.clients[0].again = true;
    let oracle = Oracle::explore(&scenario, 50).expect("it starts");
    // Two calls, the next round, two calls.
    assert_eq!(oracle.first(&oracle.truths(&scenario.properties[0]), false), Some(5));
    let mut check = Check::new(&scenario, Limits { states_max: 100, ..Limits::default() }).unwrap();
    check.run();
    assert_eq!(check.verdict(0).trace.map(|trace| trace.len()), Some(5));
}

/// A round's connections are closed with it: a client may connect in each round, and what it
/// watched and was subscribed to is forgotten.
#[test]
fn connections_are_closed_with_their_round() {
    let connect = "local c = connect('redis') c:call('SUBSCRIBE', 'ch')";
    let publish = "heard = redis.call('PUBLISH', 'ch', 'x')";
    let asked = ["not failed('A')", "global('B', 'heard') ~= 1", "global('B', 'heard') ~= 2"];
    let scenario = with(&[connect, publish], &asked, |scenario| {
        scenario.clients.iter_mut().for_each(|client| client.again = true);
    });
    assert_eq!(breaks(&scenario), [None, Some(2), None]);
}

/// A polls without a pause between two tries for a key that runs out after 50 ms: the run on which
/// it polls forever takes no time at all. With a pause of 20 ms it is over after three.
#[test]
fn a_run_that_goes_on_for_ever_in_no_time_is_told() {
    let poll = |between: &str| {
        let program = format!("while redis.call('EXISTS', 'lock') == 1 do {between} end");
        let lock = ["SET lock 1 PX 50"];
        let scenario = scenario(&lock, &[&program], &[(Kind::Eventually, "done('A')")]);
        let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
        check.run();
        let verdict = check.verdict(0);
        let trace = verdict.trace.unwrap_or_default();
        (verdict.holds, is_zeno(&scenario, &trace, &verdict.cycle))
    };
    assert_eq!(poll(""), (Some(false), true));
    assert_eq!(poll("sleep(20)"), (Some(true), false));
    // Nothing is due: to repeat forever is all that is left.
    let stuck = scenario(&["SET lock 1"], &["while redis.call('EXISTS', 'lock') == 1 do end"], &[]);
    assert!(!is_zeno(&stuck, &[], &[Action::Step(ClientId(0))]));
}

/// A blocking command of 58 days, and a lease of 100 ms behind it. Time moves when A waits and B is
/// over: A1, B1, the timeout, A's SET, the lease's end, the end of A's sleep, A's EXISTS.
#[test]
fn deadlines_that_are_weeks_away_come_in_their_order() {
    let far = "redis.call('BLPOP', 'q', 5000000) local t = now() \
               redis.call('SET', 'j', 1, 'PX', 100) y = true sleep(200) \
               x = redis.call('EXISTS', 'j') redis.call('PING')";
    let asked = [
        "global('A', 'x') ~= 0",
        "not (global('A', 'y') and redis.call('EXISTS', 'j') == 0)",
        "not (global('A', 'x') and redis.call('EXISTS', 'j') == 1)",
    ];
    let scenario = with(&[far, "redis.call('PING')"], &asked, |scenario| {
        scenario.faults.pause = 1;
    });
    assert_eq!(breaks(&scenario), [Some(7), Some(5), None]);
}

/// 2^53 and 2^53 + 1 are two numbers in Redis and one in Lua: that they are equal is never said.
#[test]
fn numbers_that_lua_does_not_have_are_not_compared() {
    let check = |a: &str, condition: &str| {
        let setup = [&format!("SET a {a}"), "SET b 9007199254740992"];
        let scenario = scenario(&setup, &["redis.call('PING')"], &[(Kind::Always, condition)]);
        let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
        check.run();
        (check.verdict(0).holds, check.mistake().map(str::to_owned))
    };
    let same = "number('a') == number('b')";
    let (holds, mistake) = check("9007199254740993", same);
    assert_ne!(holds, Some(true));
    assert!(mistake.is_some_and(|why| why.contains("9007199254740993")));
    assert_eq!(check("9007199254740992", same), (Some(true), None));
    assert_eq!(check("9007199254740994", same), (Some(false), None));
    assert_eq!(check("-9223372036854775808", "number('a') < 0"), (Some(true), None));
    assert_eq!(check("3.25", "number('a') == 3.25"), (Some(true), None));
    let strings = "redis.call('GET', 'a') == redis.call('GET', 'b')";
    assert_eq!(check("9007199254740993", strings), (Some(false), None));
}

/// Each waits for what only the other could push, and neither does: two steps, and nobody goes on.
#[test]
fn two_who_wait_forever_are_stuck_after_two_steps() {
    let both = ["redis.call('BLPOP', 'q', 0)", "redis.call('BLPOP', 'p', 0)"];
    let mut check = Check::new(&scenario(&[], &both, &[]), Limits::default()).expect("it starts");
    check.run();
    assert_eq!(check.deadlock().map(|trace| trace.len()), Some(2));
}

/// A lease of 50 ms, and clients that may be held up for 20 ms before each step. B tries at 0, 15,
/// 30, 45 and 60 ms. A writes at 15, 30 and 45 ms; at 60 ms B has the lock, and A is still inside.
#[test]
fn small_delays_add_up_to_more_than_a_lease() {
    let take = "redis.call('SET', 'lock', uuid(), 'NX', 'PX', 50)";
    let a = format!(
        "if {take} then holding = true redis.call('INCR', 'w1') redis.call('INCR', 'w2') \
         redis.call('INCR', 'w3') holding = false end"
    );
    let b = format!(
        "for try = 1, 5 do if {take} then holding = true redis.call('INCR', 'w4') \
         holding = false break end sleep(15) end"
    );
    let slow = |ms: u32| {
        let scenario = with(&[&a, &b], &["count('holding') <= 1"], |one| one.slow_ms = ms);
        breaks(&scenario)[0].is_some()
    };
    assert_eq!((slow(0), slow(20)), (false, true));
}

/// Who is held up for as long as its lease lasts is inside together with the next one; with 1 ms
/// less it is out before.
#[test]
fn a_lease_ends_when_its_holder_is_as_slow() {
    let one = "sleep(10) if redis.call('SET', 'lock', uuid(), 'NX', 'PX', 50) then holding = true \
               redis.call('INCR', 'jobs') holding = false end";
    let slow = |ms: u32| {
        let scenario = with(&[one, one], &["count('holding') <= 1"], |one| one.slow_ms = ms);
        breaks(&scenario)[0].is_some()
    };
    assert_eq!((slow(0), slow(40), slow(50)), (false, false, true));
}

/// A subscribes and waits for 50 ms, B publishes after 10 ms. A hears it, unless it may be held up
/// for 10 ms before it has subscribed.
#[test]
fn who_subscribes_too_late_hears_nothing() {
    let hear = "local c = connect('redis') c:call('SUBSCRIBE', 'ch') local r = c:receive(50) \
                m = r and r.payload redis.call('PING')";
    let tell = "sleep(10) redis.call('PUBLISH', 'ch', 'x')";
    let heard = |ms: u32| {
        let asked = [(Kind::Eventually, "global('A', 'm') == 'x'")];
        let mut scenario = (*scenario(&[], &[hear, tell], &asked)).clone();
        scenario.slow_ms = ms;
        let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
        check.run();
        check.verdict(0).holds
    };
    assert_eq!((heard(0), heard(9), heard(10)), (Some(true), Some(true), Some(false)));
}

/// Clients may be held up for any time up to a bound, not only until the next deadline. Each of
/// these breaks: a step between two deadlines shows it.
#[test]
fn delays_that_end_between_two_deadlines_are_met() {
    // A stores now + 100, and may be held up for 200 ms before it looks again.
    let late = "redis.call('SET', 'until', now() + 100) \
                local till = tonumber(redis.call('GET', 'until')) late = now() >= till";
    let slow = |program: &str, asked: &str, ms: u32| {
        breaks(&with(&[program], &[asked], |one| one.slow_ms = ms))[0].is_some()
    };
    assert!(slow(late, "not global('A', 'late')", 200));
    // Two leases of 50 ms, of which the second began up to 20 ms later.
    let two = "redis.call('SET', 'data', 1, 'PX', 50) redis.call('SET', 'lock', 1, 'PX', 50) \
               x = 1 sleep(200)";
    let both = "not global('A', 'x') or redis.call('EXISTS', 'lock') == 0 \
                or redis.call('EXISTS', 'data') == 1";
    assert!(slow(two, both, 20));
    // A pause of at most 200 ms may be one of 100 ms.
    let window = "local t = now() redis.call('GET', 'lock') n = now() - t";
    let between = "not (global('A', 'n') and global('A', 'n') >= 100 and global('A', 'n') < 150)";
    let paused = with(&[window], &[between], |one| {
        (one.faults.pause, one.faults.pause_ms) = (1, 200);
    });
    assert!(breaks(&paused)[0].is_some());
}

/// Four clients, each with a key of its own: 6^4 states, and one order of their steps is enough.
#[test]
fn steps_that_commute_are_searched_in_one_order() {
    let programs: Vec<String> =
        (0..4).map(|at| format!("for i = 1, 5 do redis.call('INCR', 'k{at}') end")).collect();
    let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    let scenario = with(&programs, &["not failed('A')"], |_| {});
    let few = Limits { plain_max: 10, learning: 1000, symmetry: false, ..Limits::default() };
    let states = |limits: Limits| {
        let mut check = Check::new(&scenario, limits).expect("it starts");
        check.run();
        assert_eq!((check.verdict(0).holds, check.deadlock()), (Some(true), None));
        check.counts().states
    };
    assert_eq!(states(Limits { partial_order: false, ..few }), 1296);
    assert!(states(few) < 100, "{}", states(few));
}

/// Returns what is found of clients that are slower, once all else is known.
fn slower(scenario: &Scenario) -> Slower {
    let mut check = Check::new(scenario, Limits::default()).expect("it starts");
    check.run();
    let properties = 0..scenario.properties.len();
    let holds: Vec<bool> = properties.map(|at| check.verdict(at).holds == Some(true)).collect();
    let mut asked = AskSlower::new(scenario, &holds).expect("something holds");
    while !asked.advance(1000) {}
    asked.answer().cloned().expect("there are timers")
}

/// What the packed search says.
pub(super) fn holds(scenario: &Scenario) -> Option<bool> {
    let mut check = Check::new(scenario, Limits::default()).expect("it starts");
    check.run();
    assert_eq!(check.mistake(), None);
    check.verdict(0).holds
}

/// A number 100 ms ahead, and clients that may be held up for 200: it is late in some run, whether
/// another client has a timer of 100 ms or not.
#[test]
fn a_number_runs_out_whoever_else_has_a_timer() {
    let late = "redis.call('SET', 'until', now() + 100) \
                local till = tonumber(redis.call('GET', 'until')) late = now() >= till";
    let asked = ["not global('A', 'late')"];
    let timer = with(&[late, "sleep(100)"], &asked, |one| one.slow_ms = 200);
    assert!(breaks(&timer)[0].is_some());
}

/// The lease of 50 ms again, and B tries five times without a pause. Held up for 20 ms before each
/// step, B's fourth try is at 60 ms, when A is about to do its last.
#[test]
fn small_delays_add_up_without_a_timer_of_another_client() {
    let take = "redis.call('SET', 'lock', uuid(), 'NX', 'PX', 50)";
    let a = format!(
        "if {take} then holding = true redis.call('INCR', 'w1') redis.call('INCR', 'w2') \
         redis.call('INCR', 'w3') holding = false end"
    );
    let b = format!(
        "for try = 1, 5 do if {take} then holding = true redis.call('INCR', 'w4') \
         holding = false break end end"
    );
    let slow = |ms: u32| holds(&with(&[&a, &b], &["count('holding') <= 1"], |s| s.slow_ms = ms));
    assert_eq!((slow(0), slow(20)), (Some(true), Some(false)));
}

/// A takes a lease of 50 ms and crashes; B tries without a pause. Where it may be held up for 20
/// ms, time passes whatever B does, and in the end B gets the lock. With prompt clients the run on
/// which B tries forever is one in which no time passes.
#[test]
fn who_polls_without_a_pause_waits_for_ever_only_in_no_time() {
    let a = "redis.call('SET', 'lock', 'A', 'NX', 'PX', 50) redis.call('PING') \
             redis.call('DEL', 'lock')";
    let b = "while not redis.call('SET', 'lock', 'B', 'NX', 'PX', 50) do end got = true \
             redis.call('PING')";
    let asked =
        [(Kind::Sometimes, "crashed('A') and global('B', 'got')"), (Kind::Eventually, "done('B')")];
    for (slow_ms, ends) in [(20, true), (0, false)] {
        let mut scenario = (*scenario(&[], &[a, b], &asked)).clone();
        scenario.slow_ms = slow_ms;
        scenario.faults = Faults { crash: 1, crash_of: Faults::mask("A"), ..Faults::default() };
        let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
        check.run();
        assert_eq!([0, 1].map(|at| check.verdict(at).holds), [true, ends].map(Some));
        let verdict = check.verdict(1);
        let is_in_no_time = is_zeno(&scenario, &verdict.trace.unwrap_or_default(), &verdict.cycle);
        assert_eq!(is_in_no_time, !ends);
    }
}

/// A key may run out early once, while A goes on; it need not. So A can set it again and again and
/// never crash, and can ask for it again and again and never end.
#[test]
fn no_timer_has_to_run_out_early() {
    let sets = ("redis.call('SET', 'k', 1, 'PX', 4)", "crashed('A')");
    let asks = ("repeat until redis.call('EXISTS', 'k') == 0", "done('A')");
    for (program, asked) in [sets, asks] {
        let asked = [(Kind::Eventually, asked)];
        let mut scenario = (*scenario(&["SET k 1 PX 5"], &[program], &asked)).clone();
        scenario.clients[0].again = program == sets.0;
        scenario.time = TimeMode::Any;
        scenario.faults = Faults { early: 1, lose: 1, ..Faults::default() };
        let few = Limits { plain_max: 2, plain_max_with_faults: 2, ..Limits::default() };
        for limits in [Limits::default(), few] {
            let mut check = Check::new(&scenario, limits).expect("it starts");
            check.run();
            assert_eq!(check.verdict(0).holds, Some(false), "{program}");
        }
    }
}

/// A lock with a lease of 50 ms and one command inside. It holds unless a holder may be held up for
/// 50 ms, and the next harder question says so, the shortest delay first.
#[test]
fn a_lease_that_is_too_short_is_found_by_the_next_harder_question() {
    let lock = "local token = uuid() \
                while not redis.call('SET', 'lock', token, 'NX', 'PX', 50) do sleep(20) end \
                holding = true redis.call('INCR', 'jobs') holding = false \
                if redis.call('GET', 'lock') == token then redis.call('DEL', 'lock') end";
    let one = ["count('holding') <= 1"];
    let prompt = with(&[lock, lock], &one, |_| {});
    assert_eq!(holds(&prompt), Some(true));
    let found = slower(&prompt);
    assert_eq!((found.slow_ms, found.breaks.map(|(at, _)| at)), (50, Some(0)));
    assert_eq!(holds(&with(&[lock, lock], &one, |one| one.slow_ms = 40)), Some(true));
    assert_eq!(holds(&with(&[lock, lock], &one, |one| one.slow_ms = 50)), Some(false));
}

/// The lease is taken after a sleep of 1 ms, or after that and 30 commands more. Where the question
/// meets the lease it breaks it; where it does not, it claims no more than it tried.
#[test]
fn the_next_harder_question_claims_what_it_tried() {
    let program = |warm: &str| {
        format!(
            "sleep(1) {warm} if redis.call('SET', 'lock', uuid(), 'NX', 'PX', 50) then \
             holding = true redis.call('INCR', 'jobs') holding = false end"
        )
    };
    let asked = |warm: &str| {
        let program = program(warm);
        slower(&with(&[&program, &program], &["count('holding') <= 1"], |_| {}))
    };
    let near = asked("");
    assert_eq!((near.slow_ms, near.breaks.is_some()), (50, true));
    let far = asked("for i = 1, 30 do redis.call('INCR', 'warm' .. i % 3) end");
    assert!(far.breaks.is_some() || far.slow_ms < 50, "{far:?}");
}

/// A lock that is the time at which it ends, 100 ms from now. Who has it must be held up for more
/// than 33 ms three times, or longer less often: 20 ms are too few, 60 are not. The question knows
/// only the timer of 5 ms, and says so, or that there were too many states.
#[test]
fn a_lock_that_is_a_number_breaks_where_clients_are_as_slow() {
    let lock = "sleep(5) \
        local function take() \
            local till = now() + 100 \
            if redis.call('SETNX', 'lock', till) == 1 then return till end \
            local old = redis.call('GET', 'lock') \
            if old and tonumber(old) < now() then \
                local was = redis.call('GETSET', 'lock', till) \
                if was == old then return till end \
            end \
        end \
        if take() then \
            holding = true redis.call('INCR', 'work') holding = false redis.call('DEL', 'lock') \
        end";
    let slow = |ms: u32| with(&[lock, lock], &["count('holding') <= 1"], |s| s.slow_ms = ms);
    assert_eq!([0, 20, 60].map(|ms| holds(&slow(ms))), [true, true, false].map(Some));
    let found = slower(&slow(0));
    assert!(found.breaks.is_some() || found.is_open || found.slow_ms == 5, "{found:?}");
}

/// What happens in the end is asked of slower clients, too: A hears B's message unless it is held
/// up for 10 ms before it has subscribed.
#[test]
fn the_next_harder_question_is_about_what_happens_in_the_end() {
    let hear = "local c = connect('redis') c:call('SUBSCRIBE', 'ch') local r = c:receive(50) \
                m = r and r.payload redis.call('PING')";
    let tell = "sleep(10) redis.call('PUBLISH', 'ch', 'x')";
    let asked = [(Kind::Eventually, "global('A', 'm') == 'x'")];
    let found = slower(&scenario(&[], &[hear, tell], &asked));
    assert_eq!((found.slow_ms, found.breaks.is_some()), (10, true));
}

/// 18 members are more than are followed. That at most two of two clients hold a lock is true, but
/// the search may not say so.
#[test]
fn what_more_members_decide_than_are_followed_is_not_decided() {
    let members: Vec<String> = (1..=18).map(|n| format!("s{n}")).collect();
    let setup = format!("SADD shards {}", members.join(" "));
    let lock = "local shard = redis.call('SRANDMEMBER', 'shards') \
                if redis.call('SET', 'lock:' .. shard, 1, 'NX', 'PX', 50) then holding = true \
                redis.call('INCR', 'jobs') holding = false \
                redis.call('DEL', 'lock:' .. shard) end";
    let asked = [(Kind::Always, "count('holding') <= 2"), (Kind::Always, "count('holding') <= 0")];
    let mut check =
        Check::new(&scenario(&[&setup], &[lock, lock], &asked), Limits::default()).unwrap();
    check.run();
    // What is found stands.
    assert_eq!([0, 1].map(|at| check.verdict(at).holds), [None, Some(false)]);
}

/// An entry that was read and not acknowledged for 50 ms is taken over, by a worker that waits for
/// 60. A worker that is paused behind its read works on all the same: twice. Not without a pause.
#[test]
fn an_entry_that_is_taken_over_is_worked_on_twice() {
    let worker = "local me = uuid() local got = redis.call('XREADGROUP', 'GROUP', 'g', me, \
        'COUNT', 1, 'STREAMS', 'jobs', '>') \
        if not got then sleep(60) \
            local claimed = redis.call('XAUTOCLAIM', 'jobs', 'g', me, 50, '0') \
            if #claimed[2] > 0 then got = claimed[2] end \
        end \
        if got then redis.call('INCR', 'work') processed = 1 \
            redis.call('XACK', 'jobs', 'g', '1-1') end";
    let asked =
        [(Kind::Always, "sum('processed') <= 1"), (Kind::Eventually, "sum('processed') >= 1")];
    let setup = ["XADD jobs 1-1 job a", "XGROUP CREATE jobs g 0"];
    for (pause, once) in [(0, true), (1, false)] {
        let mut scenario = (*scenario(&setup, &[worker, worker], &asked)).clone();
        scenario.faults.pause = pause;
        let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
        check.run();
        assert_eq!([0, 1].map(|at| check.verdict(at).holds), [once, true].map(Some));
    }
}

/// A pauses writes for 100 ms and sets a key that lasts as long. B, which is held up for at most 50
/// ms before each step, pauses them for 20 ms more if that key is there: so it comes before 100 ms,
/// and only after 80 it changes anything. 85 is such a time, a multiple of 25 is not. C's write,
/// sent before 51 ms, is not there then when the key has run out.
#[test]
fn a_pause_that_ends_sooner_than_the_one_under_way_is_a_time_too() {
    let a = "redis.call('MULTI') redis.call('SET', 'k', 1, 'PX', 100) \
             redis.call('CLIENT', 'PAUSE', '100', 'WRITE') redis.call('EXEC') a = 1";
    let b = "redis.call('WATCH', 'k') if redis.call('GET', 'k') then redis.call('MULTI') \
             redis.call('CLIENT', 'PAUSE', '20', 'WRITE') redis.call('EXEC') end";
    let c = "redis.call('SET', 'w', 1)";
    let asked = ["not global('A', 'a') or redis.call('EXISTS', 'k') == 1 \
                  or redis.call('EXISTS', 'w') == 1"];
    let slow = |programs: &[&str]| holds(&with(programs, &asked, |one| one.slow_ms = 50));
    assert_eq!((slow(&[a, c]), slow(&[a, b, c])), (Some(true), Some(false)));
}

/// Threads of one process share its variables. Nothing comes between the look and the mark, so one
/// of two counts.
#[test]
fn threads_of_one_process_share_its_variables() {
    let once = "if not process.taken then process.taken = true redis.call('INCR', 'n') end";
    let asked = ["not all_over() or number('n') == 1"];
    let scenario = with(&[once, once], &asked, |scenario| {
        scenario.clients.iter_mut().for_each(|client| client.process = Some("shop".to_owned()));
    });
    assert_eq!(breaks(&scenario.asked_for_errors()), [None, None]);
}

/// A is given the only entry in its first step and acknowledges it in the second: what is pending
/// and how an integer is kept are told by subcommands that read.
#[test]
fn conditions_ask_by_subcommands_that_read() {
    let program = "redis.call('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', 's', '>') \
                   redis.call('XACK', 's', 'g', '1-1') redis.call('SET', 'n', 'many')";
    let asked = [
        "redis.call('XINFO', 'GROUPS', 's')[1][6] == 0",
        "redis.call('XINFO', 'GROUPS', 's')[1][12] == 1",
        "redis.call('XINFO', 'STREAM', 's')[2] == 1",
        "redis.call('OBJECT', 'ENCODING', 'n') == 'int'",
    ];
    let setup = ["XADD s 1-1 f v", "XGROUP CREATE s g 0", "SET n 1"];
    let scenario = with(&[program], &asked, |one| one.nodes = with_setup(&setup));
    assert_eq!(breaks(&scenario), [Some(1), Some(1), None, Some(3)]);
}
