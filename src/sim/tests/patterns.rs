//! Well-known patterns of concurrent programs, right and wrong, each with its truth and why. The
//! truths were derived by hand from Redis's rules, before anything was run. Each scenario is small,
//! and both searches, the packed one plain and reduced, have to say the same.

use super::super::oracle::{Never, Oracle};
use super::*;
use Kind::{Always, Eventually, Sometimes};

/// A condition, and whether it is true.
type Expected<'a> = (Kind, &'a str, bool);

/// Checks what each search says. No program may end with an error, and none may get stuck.
fn truths_with(
    programs: &[&str],
    setup: &[&str],
    asked: &[Expected<'_>],
    change: impl FnOnce(&mut Scenario),
) {
    let properties: Vec<(Kind, &str)> = asked.iter().map(|(kind, is, _)| (*kind, *is)).collect();
    let mut scenario = (*super::scenario(setup, programs, &properties)).clone();
    change(&mut scenario);
    let scenario = scenario.asked_for_errors();
    let mut expected: Vec<bool> = asked.iter().map(|(.., truth)| *truth).collect();
    expected.push(true);
    let oracle = Oracle::explore(&scenario, 5_000).expect("it starts");
    let by_worlds = scenario.properties.iter().map(|property| {
        let truths = oracle.truths(property);
        match property.kind {
            Always => oracle.first(&truths, false).is_none(),
            Sometimes => oracle.first(&truths, true).is_some(),
            Eventually => oracle.never(&truths) == Never::Happens,
        }
    });
    assert_eq!(by_worlds.collect::<Vec<_>>(), expected, "whole worlds: {asked:#?} {programs:#?}");
    assert_eq!((oracle.is_complete(), oracle.stuck()), (true, None), "{programs:#?}");
    let few = Limits { plain_max: 2, plain_max_with_faults: 2, ..Limits::default() };
    for limits in [Limits::default(), few] {
        let mut check = Check::new(&scenario, limits).expect("it starts");
        check.run();
        assert_eq!(check.mistake(), None, "{programs:#?}");
        assert_eq!(check.deadlock(), None, "{programs:#?}");
        let said: Vec<_> = (0..expected.len()).map(|at| check.verdict(at).holds).collect();
        let expected: Vec<_> = expected.iter().copied().map(Some).collect();
        assert_eq!(said, expected, "{asked:#?} {programs:#?}");
        assert!(check.counts().states < 2_000, "{} {programs:#?}", check.counts().states);
    }
}

fn truths(programs: &[&str], setup: &[&str], asked: &[Expected<'_>]) {
    truths_with(programs, setup, asked, |_| {});
}

/// A is paused for so long at most, once.
fn pause_a(ms: u32) -> impl FnOnce(&mut Scenario) {
    move |one| {
        let (pause_of, pause_ms) = (Faults::mask("A"), ms);
        one.faults = Faults { pause: 1, pause_of, pause_ms, ..Faults::default() };
    }
}

/// A lease of 50 ms. B tries at 0 and at 60 ms. A that is paused for 40 ms is out at 40; paused for
/// 70 ms it is still inside when B comes.
#[test]
fn a_lease_has_two_holders_when_the_first_is_paused_past_its_end() {
    let a = "if redis.call('SET', 'lock', 'a', 'NX', 'PX', 50) then \
             holding = true redis.call('INCR', 'w') holding = false end";
    let b = "for try = 1, 2 do if redis.call('SET', 'lock', 'b', 'NX', 'PX', 50) then \
             holding = true redis.call('INCR', 'w') holding = false break end sleep(60) end";
    for (ms, one) in [(40, true), (70, false)] {
        truths_with(&[a, b], &[], &[(Always, "count('holding') <= 1", one)], pause_a(ms));
    }
}

/// The same lease. A looks whether the lock is its own, is paused, and deletes what is B's by then.
/// A script that compares and deletes at once cannot.
#[test]
fn who_compares_and_then_deletes_may_delete_what_is_not_its_own() {
    let apart = "if redis.call('GET', 'lock') == 'a' then redis.call('DEL', 'lock') end";
    let script = "redis.call('EVAL', [[if redis.call('GET', KEYS[1]) == ARGV[1] then \
                  return redis.call('DEL', KEYS[1]) end return 0]], 1, 'lock', 'a')";
    let b = "for try = 1, 2 do if redis.call('SET', 'lock', 'b', 'NX', 'PX', 50) then \
             holding = true redis.call('PING') holding = false break end sleep(60) end";
    let kept = "not global('B', 'holding') or redis.call('EXISTS', 'lock') == 1";
    for (release, ms, holds) in [(apart, 40, true), (apart, 70, false), (script, 70, true)] {
        let a = format!("if redis.call('SET', 'lock', 'a', 'NX', 'PX', 50) then {release} end");
        truths_with(&[&a, b], &[], &[(Always, kept, holds)], pause_a(ms));
    }
}

/// A is inside for 60 ms, and its lease is 50. B comes at 0 and at 55 ms. Renewed at 30 ms, the
/// lease lasts until 80.
#[test]
fn a_lease_that_is_renewed_lasts_as_long_as_the_work() {
    let b = "for try = 1, 3 do if redis.call('SET', 'lock', 'b', 'NX', 'PX', 50) then \
             holding = true redis.call('PING') holding = false break end sleep(55) end";
    for (renew, one) in [("'PEXPIRE', 'lock', 50", true), ("'PING'", false)] {
        let a = format!(
            "if redis.call('SET', 'lock', 'a', 'NX', 'PX', 50) then holding = true \
             for i = 1, 2 do sleep(30) redis.call({renew}) end \
             holding = false redis.call('DEL', 'lock') end"
        );
        truths(&[&a, b], &[], &[(Always, "count('holding') <= 1", one)]);
    }
}

/// A takes a lock until 50 ms from now by its own clock. B, whose clock is 100 ms ahead, finds that
/// it has ended.
#[test]
fn a_lease_by_two_clocks_ends_early_by_the_one_that_is_ahead() {
    let a = "redis.call('SET', 'lock', now() + 50) holding = true redis.call('PING') \
             holding = false";
    let b = "local till = redis.call('GET', 'lock') if till and now() >= tonumber(till) then \
             holding = true redis.call('PING') holding = false end";
    for (ahead, one) in [(0, true), (40, true), (100, false)] {
        truths_with(&[a, b], &[], &[(Always, "count('holding') <= 1", one)], |scenario| {
            scenario.clients[1].clock_ms = ahead;
        });
    }
}

/// The lock is free after 50 ms. Three tries, 10 ms apart, are over after 20; the seventh is at 60.
#[test]
fn tries_run_out_before_the_lock_is_free() {
    let tries = |most: u32| {
        format!(
            "for try = 1, {most} do if redis.call('SET', 'lock', 'a', 'NX') then got = true \
             break end sleep(10) end"
        )
    };
    let (never, once) = ("not global('A', 'got')", "global('A', 'got')");
    let lock = ["SET lock x PX 50"];
    truths(&[&tries(3)], &lock, &[(Always, never, true), (Eventually, once, false)]);
    truths(&[&tries(7)], &lock, &[(Always, never, false), (Eventually, once, true)]);
}

/// A waits for B's push and B for A's. A gives up after a second and pushes, and B hears that.
#[test]
fn of_two_who_wait_for_each_other_the_one_with_less_patience_gets_nothing() {
    let wait = |mine: &str, seconds: u32, other: &str| {
        format!(
            "local r = redis.call('BLPOP', '{mine}', {seconds}) got = r and r[2] \
             redis.call('LPUSH', '{other}', 'job')"
        )
    };
    let (a, b) = (wait("p", 1, "q"), wait("q", 2, "p"));
    truths(
        &[&a, &b],
        &[],
        &[
            (Always, "not global('A', 'got')", true),
            (Eventually, "global('B', 'got') == 'job'", true),
            (Always, "not all_done() or redis.call('LLEN', 'p') == 1", true),
        ],
    );
}

/// A takes and frees the lock again and again, and B may try only while A has it. A token in a list
/// goes to who has waited: B waits, and the next push is B's.
#[test]
fn a_lock_that_is_polled_may_starve_and_a_list_does_not() {
    let again = |one: &mut Scenario| one.clients[0].again = true;
    let got = "global('B', 'got')";
    let spin = "if redis.call('SET', 'lock', 'a', 'NX') then redis.call('DEL', 'lock') end";
    let poll = "while not redis.call('SET', 'lock', 'b', 'NX') do end got = true";
    truths_with(&[spin, poll], &[], &[(Eventually, got, false), (Sometimes, got, true)], again);
    let take = "redis.call('BLPOP', 'token', 0) got = true redis.call('RPUSH', 'token', 't')";
    truths_with(&[take, take], &["RPUSH token t"], &[(Eventually, got, true)], again);
}

/// A key that ends between WATCH and EXEC was touched (since Redis 6.0.9). One that had ended
/// before was not there, and still is not.
#[test]
fn a_watched_key_that_runs_out_aborts() {
    let exec = "redis.call('MULTI') redis.call('SET', 'x', 1) redis.call('EXEC')";
    let watch = "redis.call('WATCH', 'k')";
    let (never, once) = ("number('x') == nil", "number('x') == 1");
    let short = ["SET k 1 PX 50"];
    let between = format!("{watch} sleep(60) {exec}");
    truths(&[&between], &short, &[(Always, never, true)]);
    truths(&[&between], &["SET k 1"], &[(Eventually, once, true)]);
    let before = format!("sleep(60) {watch} {exec}");
    truths(&[&before], &short, &[(Eventually, once, true)]);
}

/// WATCH is about changes, not about values: that B puts back what was there does not help.
#[test]
fn a_watched_key_that_is_changed_back_aborts() {
    let a = "redis.call('WATCH', 'k') redis.call('RPUSH', 'start', 1) \
             redis.call('BLPOP', 'go', 0) redis.call('MULTI') redis.call('INCR', 'n') \
             redis.call('EXEC')";
    for (key, kept) in [("k", true), ("other", false)] {
        let b = format!(
            "redis.call('BLPOP', 'start', 0) redis.call('SET', '{key}', 2) \
             redis.call('SET', '{key}', 1) redis.call('RPUSH', 'go', 1)"
        );
        let asked = [(Always, "number('n') == nil", kept), (Eventually, "number('n') == 1", !kept)];
        truths(&[a, &b], &["SET k 1"], &asked);
    }
}

/// A command that fails while EXEC runs undoes nothing. One that is refused when it is queued lets
/// EXEC do nothing.
#[test]
fn a_transaction_with_an_error_inside_is_not_undone() {
    let with = |bad: &str| {
        format!(
            "redis.call('MULTI') redis.call('SET', 'a', 1) {bad} redis.call('SET', 'b', 1) \
             local r = redis.pcall('EXEC') why = r.err"
        )
    };
    let both = "number('a') == 1 and number('b') == 1";
    let none = "number('a') == nil and number('b') == nil";
    let fails = with("redis.call('INCR', 's')");
    truths(&[&fails], &["SET s x"], &[(Eventually, both, true), (Always, none, false)]);
    let refused = with("redis.pcall('INCR')");
    let aborts = "(global('A', 'why') or ''):find('EXECABORT') == 1";
    truths(&[&refused], &["SET s x"], &[(Always, none, true), (Eventually, aborts, true)]);
}

/// A script that ends by an error has done what it did before.
#[test]
fn a_script_that_fails_half_way_leaves_its_first_half() {
    let script = |how: &str| {
        format!(
            "redis.pcall('EVAL', \"redis.call('SET', 'a', 1) redis.{how}('INCR', 's') \
             redis.call('SET', 'b', 1)\", 0)"
        )
    };
    let alike = (Always, "number('a') == number('b')");
    let first = (Eventually, "number('a') == 1", true);
    truths(&[&script("call")], &["SET s x"], &[(alike.0, alike.1, false), first]);
    truths(&[&script("pcall")], &["SET s x"], &[(alike.0, alike.1, true), first]);
}

/// Between A's look and its SET, B renames the key: then there are two. SET XX looks and sets at
/// once.
#[test]
fn a_rename_between_a_look_and_a_set_leaves_two_keys() {
    let apart = "if redis.call('EXISTS', 'cfg') == 1 then redis.call('SET', 'cfg', 'new') end";
    let at_once = "redis.call('SET', 'cfg', 'new', 'XX')";
    let b = "redis.call('RENAME', 'cfg', 'old')";
    let one = "redis.call('EXISTS', 'cfg', 'old') == 1";
    truths(&[apart, b], &["SET cfg x"], &[(Always, one, false)]);
    truths(&[at_once, b], &["SET cfg x"], &[(Always, one, true)]);
}

/// A session of 50 ms is read and written with KEEPTTL. Where it runs out in between, the new key
/// has no end. Held up before both steps: twice 20 ms are less than 50, twice 30 are not.
#[test]
fn a_key_that_runs_out_between_get_and_set_comes_back_for_ever() {
    let touch = |how: &str| {
        format!(
            "local v = redis.call('GET', 's') \
             if v then redis.call('SET', 's', v .. '!', {how} 'KEEPTTL') end"
        )
    };
    let (plain, only_if_there) = (touch(""), touch("'XX',"));
    for (program, slow_ms, ends) in [
        (&plain, 0, true),
        (&plain, 20, true),
        (&plain, 30, false),
        (&plain, 60, false),
        (&only_if_there, 60, true),
    ] {
        let asked = [(Always, "redis.call('PTTL', 's') ~= -1", ends)];
        truths_with(&[program], &["SET s v PX 50"], &asked, |one| one.slow_ms = slow_ms);
    }
}

/// The time to live goes with a RENAME, is dropped by SET and PERSIST, and kept by KEEPTTL, INCR
/// and APPEND.
#[test]
fn what_keeps_a_time_to_live_and_what_drops_it() {
    for (change, key, left) in [
        ("'RENAME', 'a', 'b'", "b", 0),
        ("'SET', 'a', 2", "a", 1),
        ("'PERSIST', 'a'", "a", 1),
        ("'SET', 'a', 2, 'KEEPTTL'", "a", 0),
        ("'INCR', 'a'", "a", 0),
        ("'APPEND', 'a', 2", "a", 0),
        ("'COPY', 'a', 'b'", "b", 0),
        ("'GETSET', 'a', 2", "a", 1),
    ] {
        let program = format!(
            "redis.call('SET', 'a', 1, 'PX', 50) redis.call({change}) sleep(60) \
             x = redis.call('EXISTS', '{key}')"
        );
        let asked = format!("global('A', 'x') == {left}");
        truths(&[&program], &[], &[(Eventually, &asked, true)]);
    }
}

/// Replication keeps the order of writes, but A writes `x` to the old primary, which is lost, and
/// `y` to the new one. A script's writes are replicated together.
#[test]
fn a_failover_between_two_writes_keeps_the_second_only() {
    let apart = "redis.call('SET', 'x', '1') redis.call('SET', 'y', '1')";
    let script = "redis.call('EVAL', \"redis.call('SET', 'x', '1') redis.call('SET', 'y', '1')\", \
                  0)";
    let ordered = "redis.call('GET', 'y') ~= '1' or redis.call('GET', 'x') == '1'";
    for (program, failover, holds) in [(apart, 0, true), (apart, 1, false), (script, 1, true)] {
        truths_with(&[program], &[], &[(Always, ordered, holds)], |one| {
            one.nodes = nodes(&[DEFAULT_NODE, "r"]);
            one.nodes[1].replica_of = Some(DEFAULT_NODE.to_owned());
            one.faults.failover = failover;
        });
    }
}

/// Two instances count for themselves: both first ids are 1. Odd ones here and even ones there are
/// never equal.
#[test]
fn ids_of_two_instances_are_equal_unless_they_share_the_numbers() {
    let differ = "not all_done() or global('A', 'id') ~= global('B', 'id')";
    for (command, first, holds) in [("'INCR', 'id'", "0", false), ("'INCRBY', 'id', 2", "1", true)]
    {
        let a = format!("id = redis.call({command})");
        let b = format!("id = connect('b'):call({command})");
        truths_with(&[&a, &b], &[], &[(Always, differ, holds)], |one| {
            one.nodes = with_setup(&["SET id 0"]);
            one.nodes.extend(with_setup(&[&format!("SET id {first}")]));
            one.nodes[1].name = "b".to_owned();
        });
    }
}

/// A message is for who listens now: PUBLISH says 0 exactly if A had not subscribed, and then A
/// hears nothing. A stream keeps it.
#[test]
fn a_message_that_nobody_listens_to_is_lost_and_an_entry_is_not() {
    let hear = "local c = connect('redis') c:call('SUBSCRIBE', 'ch') local m = c:receive(20) \
                heard = m and m.payload == 'x' or false";
    let tell = "n = redis.call('PUBLISH', 'ch', 'x')";
    truths(
        &[hear, tell],
        &[],
        &[
            (Always, "not all_done() or (global('B', 'n') == 1) == global('A', 'heard')", true),
            (Sometimes, "global('B', 'n') == 0", true),
            (Sometimes, "global('A', 'heard')", true),
        ],
    );
    let read = "local r = redis.call('XREAD', 'BLOCK', 20, 'STREAMS', 's', '0') \
                heard = r and true";
    let add = "redis.call('XADD', 's', '1-1', 'm', 'x')";
    truths(&[read, add], &[], &[(Eventually, "global('A', 'heard')", true)]);
}

/// A reads an entry and works for 100 ms. After 60 ms it is idle long enough (50) for B, who takes
/// it over and acknowledges it first; after 40 ms it is not.
#[test]
fn an_entry_is_acknowledged_once_by_who_took_it_over() {
    let a = "redis.call('XREADGROUP', 'GROUP', 'g', 'a', 'STREAMS', 's', '>') sleep(100) \
             acked = redis.call('XACK', 's', 'g', '1-1')";
    let setup = ["XADD s 1-1 job 1", "XGROUP CREATE s g 0"];
    for (ms, taken_over) in [(60, true), (40, false)] {
        let b = format!(
            "sleep({ms}) local got = redis.call('XAUTOCLAIM', 's', 'g', 'b', 50, '0') \
             if #got[2] > 0 then acked = redis.call('XACK', 's', 'g', '1-1') end"
        );
        let asked = [
            (Always, "sum('acked') <= 1", true),
            (Eventually, "global('B', 'acked') == 1", taken_over),
            (Eventually, "global('A', 'acked') == 1", !taken_over),
        ];
        truths(&[a, &b], &setup, &asked);
    }
}

/// Both workers see the same first job. ZREM says 1 to one of them only.
#[test]
fn a_job_is_taken_once_by_who_removed_it() {
    let take = |is_removed: &str| {
        format!(
            "local job = redis.call('ZRANGE', 'q', 0, 0)[1] \
             if job then local n = redis.call('ZREM', 'q', job) if {is_removed} then got = 1 end \
             end"
        )
    };
    let once = "sum('got') <= 1";
    for (is_removed, holds) in [("true", false), ("n == 1", true)] {
        let worker = take(is_removed);
        truths(&[&worker, &worker], &["ZADD q 1 job"], &[(Always, once, holds)]);
    }
}

/// A token for one: GET and DEL let two have it, GETDEL does not.
#[test]
fn a_token_is_given_once_by_getdel() {
    let apart = "if redis.call('GET', 't') then redis.call('DEL', 't') got = 1 end";
    let at_once = "if redis.call('GETDEL', 't') then got = 1 end";
    for (take, holds) in [(apart, false), (at_once, true)] {
        truths(&[take, take], &["SET t 1"], &[(Always, "sum('got') <= 1", holds)]);
    }
}

/// A job that was popped is lost with its worker. Moved to a second list it is still there.
#[test]
fn a_job_is_lost_with_a_crash_unless_it_was_moved() {
    let pop = "local job = redis.call('RPOP', 'q') redis.call('INCR', 'work')";
    let move_it = "local job = redis.call('LMOVE', 'q', 'p', 'RIGHT', 'LEFT') \
                   redis.call('INCR', 'work') redis.call('LREM', 'p', 1, job)";
    let kept = "not all_over() or redis.call('LLEN', 'q') + redis.call('LLEN', 'p') \
                + (number('work') or 0) >= 1";
    for (program, crash, holds) in [(pop, 0, true), (pop, 1, false), (move_it, 1, true)] {
        truths_with(&[program], &["RPUSH q j"], &[(Always, kept, holds)], |one| {
            one.faults.crash = crash;
        });
    }
}

/// The reply of an INCR is lost, and A sends it again: it counts twice. A SET is the same twice.
#[test]
fn what_is_sent_again_after_a_lost_reply_happens_twice() {
    let twice = |command: &str| {
        format!(
            "local r = redis.pcall({command}) \
             if type(r) == 'table' and r.err then redis.call({command}) end"
        )
    };
    for (command, lose, holds) in
        [("'INCR', 'n'", 0, true), ("'INCR', 'n'", 1, false), ("'SET', 'n', 1", 1, true)]
    {
        let asked = [(Always, "not all_done() or number('n') == 1", holds)];
        truths_with(&[&twice(command)], &[], &asked, |one| one.faults.lose = lose);
    }
}

/// One piece, two buyers. DECR first and give back what was too much: nobody buys what is not
/// there, and at the end the count is 0, but it was -1 in between.
#[test]
fn a_stock_is_below_zero_for_a_moment_and_never_sold_twice() {
    let buy = "if redis.call('DECR', 'stock') >= 0 then sold = 1 \
               else redis.call('INCR', 'stock') end";
    truths(
        &[buy, buy],
        &["SET stock 1"],
        &[
            (Always, "sum('sold') <= 1", true),
            (Always, "number('stock') >= 0", false),
            (Always, "not all_done() or number('stock') == 0", true),
            (Eventually, "sum('sold') == 1", true),
        ],
    );
}

/// Two places for three. All look before one enters; a script looks and enters at once.
#[test]
fn a_semaphore_that_is_counted_first_lets_too_many_in() {
    let inside = "holding = true redis.call('ZREM', 's', me) holding = false";
    let apart = format!(
        "local me = uuid() if redis.call('ZCARD', 's') < 2 then redis.call('ZADD', 's', 0, me) \
         {inside} end"
    );
    let at_once = format!(
        "local me = uuid() if redis.call('EVAL', [[if redis.call('ZCARD', 's') < 2 then \
         return redis.call('ZADD', 's', 0, ARGV[1]) end return 0]], 0, me) == 1 then {inside} end"
    );
    for (enter, holds) in [(&apart, false), (&at_once, true)] {
        let asked = [(Always, "count('holding') <= 2", holds)];
        truths(&[enter, enter, enter], &[], &asked);
    }
}

/// `a` is written before `b`, or both at once; they are read at once, or `a` before `b`.
/// - SET, SET and MGET: the new `a` with the old `b`, never the other way round.
/// - MSET and two GETs: the old `a` with the new `b`, never the other way round.
/// - MSET and MGET: neither.
#[test]
fn two_keys_are_seen_half_written_unless_both_sides_are_atomic() {
    let sets = "redis.call('SET', 'a', 1) redis.call('SET', 'b', 1)";
    let mset = "redis.call('MSET', 'a', 1, 'b', 1)";
    let gets = "local a = redis.call('GET', 'a') local b = redis.call('GET', 'b') x, y = a, b";
    let mget = "local r = redis.call('MGET', 'a', 'b') x, y = r[1], r[2]";
    let seen = |a: u8, b: u8| format!("global('B', 'x') == '{a}' and global('B', 'y') == '{b}'");
    let (first, second) = (seen(1, 0), seen(0, 1));
    for (write, read, new_first, new_second) in
        [(sets, mget, true, false), (mset, gets, false, true), (mset, mget, false, false)]
    {
        let asked = [(Sometimes, &*first, new_first), (Sometimes, &*second, new_second)];
        truths(&[write, read], &["MSET a 0 b 0"], &asked);
    }
}
