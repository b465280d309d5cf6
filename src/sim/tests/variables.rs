//! The table `process`: the variables that the clients of a process share. Each truth was derived
//! by hand, and is asked of both searches.

use super::super::oracle::Oracle;
use super::contract::{breaks, with};
use super::*;

fn in_shop(scenario: &mut Scenario) {
    scenario.clients.iter_mut().for_each(|client| client.process = Some("shop".to_owned()));
}

/// Between the look and the mark comes a command, so both threads may have looked before one marks.
/// A mutex around both, or nothing in between, leaves room for one. Two processes never share.
#[test]
fn a_look_and_a_mark_are_one_step_only_without_a_call_between() {
    let asked = ["(number('n') or 0) <= 1"];
    let apart = "if not process.taken then redis.call('PING') process.taken = true \
                 redis.call('INCR', 'n') end";
    // Both look, both ping, both count.
    assert_eq!(breaks(&with(&[apart, apart], &asked, in_shop)), [Some(6)]);
    let guarded = format!("synchronized('m', function() {apart} end)");
    assert_eq!(breaks(&with(&[&guarded, &guarded], &asked, in_shop)), [None]);
    let together = "if not process.taken then process.taken = true redis.call('INCR', 'n') end";
    assert_eq!(breaks(&with(&[together, together], &asked, in_shop)), [None]);
    // Each looks into a table of its own, then counts.
    assert_eq!(breaks(&with(&[together, together], &asked, |_| {})), [Some(4)]);
}

/// What a program reads before its first command depends on who begins first: either may.
#[test]
fn the_order_in_which_programs_begin_is_a_choice() {
    let programs = ["process.flag = 1 redis.call('PING')", "seen = process.flag or 0"];
    let asked = ["global('B', 'seen') ~= 0", "global('B', 'seen') ~= 1", "not done('B')"];
    assert_eq!(breaks(&with(&programs, &asked, in_shop)), [Some(1), Some(2), Some(1)]);
    // One that touches it later begins at once.
    let later = ["x = 1 redis.call('PING') process.flag = x"];
    assert_eq!(breaks(&with(&later, &["count('x') == 0"], in_shop)), [Some(0)]);
}

/// One moment wakes both sleepers, and one RPUSH serves both who wait: who goes on first is open.
#[test]
fn threads_that_wake_at_the_same_moment_go_on_in_any_order() {
    let mark = "seen = process.v or 0 process.v = 1 redis.call('PING')";
    let asked = ["global('A', 'seen') ~= 1", "global('B', 'seen') ~= 1"];
    let sleeper = format!("sleep(10) {mark}");
    // The moment, then one, then the other.
    assert_eq!(breaks(&with(&[&sleeper, &sleeper], &asked, in_shop)), [Some(3), Some(3)]);
    let waiter = format!("redis.call('BLPOP', 'q', 0) {mark}");
    let push = "sleep(5) redis.call('RPUSH', 'q', 1, 2)";
    // Both wait, then time passes, then one RPUSH, then one, then the other.
    assert_eq!(breaks(&with(&[&waiter, &waiter, push], &asked, in_shop)), [Some(6), Some(6)]);
    // One connection error for all that wait when the instance fails.
    let waiter = format!("pcall(redis.call, 'BLPOP', 'q', 0) {mark}");
    let failing = with(&[&waiter, &waiter], &asked, |scenario| {
        in_shop(scenario);
        scenario.faults.down = 1;
    });
    assert_eq!(breaks(&failing), [Some(5), Some(5)]);
}

#[test]
fn two_processes_share_nothing() {
    let program = "redis.call('PING') seen = process.v process.v = 1 redis.call('PING')";
    let asked = ["count('seen') == 0"];
    assert_eq!(breaks(&with(&[program, program], &asked, in_shop)), [Some(2)]);
    let apart = with(&[program, program, program], &asked, |scenario| {
        scenario.clients[0].process = Some("p".to_owned());
        scenario.clients[1].process = Some("q".to_owned());
    });
    assert_eq!(breaks(&apart), [None]);
}

/// A thread that crashes leaves the variables to the others; with the last one, or with the whole
/// process, they are gone. Which of two dead threads wrote last makes
/// no other state.
#[test]
fn variables_live_as_long_as_their_process() {
    let programs = ["process.v = 'a' redis.call('PING')", "process.v = 'b' redis.call('PING')"];
    let scenario = with(&programs, &["not all_over()"], |scenario| {
        in_shop(scenario);
        scenario.faults.crash = 2;
    });
    let mut timeline = begin(scenario.clone());
    let left = |timeline: &Timeline| timeline.world().variables().iter().count();
    play(&mut timeline, "A1.crashA");
    assert_eq!(left(&timeline), 1, "B may read it");
    let mut other = timeline.clone();
    play(&mut timeline, "crashB");
    assert_eq!(left(&timeline), 0);
    play(&mut other, "B1.crash-shop");
    assert_eq!(left(&other), 0);
    let oracle = Oracle::explore(&scenario, 1_000).expect("it starts");
    let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
    check.run();
    assert!(oracle.is_complete());
    assert_eq!(oracle.worlds().len(), check.counts().states as usize);
    // What A left when it crashed, B reads.
    let programs = ["process.v = 'a' redis.call('PING')", "redis.call('PING') seen = process.v"];
    let scenario = with(&programs, &["not crashed('A') or count('seen') == 0"], |scenario| {
        in_shop(scenario);
        scenario.faults.crash = 1;
    });
    assert_eq!(breaks(&scenario), [Some(3)]);
}

/// The third round reads what the second one wrote: each is a use, a PING, and a new beginning.
#[test]
fn a_program_that_comes_again_finds_its_variables() {
    let program = "process.n = math.min((process.n or 0) + 1, 3) n = process.n redis.call('PING')";
    let asked = ["global('A', 'n') ~= 3", "count('n') < 2"];
    let rounds = |name: Option<&str>| {
        with(&[program, "redis.call('PING')"], &asked, |scenario| {
            scenario.clients[0].again = true;
            scenario.clients[0].process = name.map(str::to_owned);
        })
    };
    assert_eq!(breaks(&rounds(None)), [Some(7), None]);
    assert_eq!(breaks(&rounds(Some("shop"))), [Some(7), None]);
}

/// Three alike threads, each with a name of its own that it leaves in the process: exchanging them
/// changes neither verdicts nor lengths.
#[test]
fn alike_threads_may_be_exchanged() {
    let program = "local me = uuid() redis.call('PING') process.owner = me redis.call('PING') \
                   if process.owner == me then mine = 1 end redis.call('PING')";
    let asked = ["count('mine') < 2", "not all_done() or count('mine') > 0"];
    for process in [Some("shop".to_owned()), None] {
        let scenario = with(&[program; 3], &asked, |scenario| {
            scenario.clients.iter_mut().for_each(|client| client.process.clone_from(&process));
        });
        // One writes and looks, then the next.
        assert_eq!(breaks(&scenario), [Some(4), None]);
    }
}

/// Nil, booleans, numbers and strings come back as they were; a number and its text are two names.
#[test]
fn plain_values_come_back_as_they_were() {
    let program = "
        redis.call('PING')
        process.yes, process.no, process[1], process['1'] = true, false, 0.5, 2
        process.text = 'a\\0'
        nan, process.nan = 0 / 0, 0 / 0
        all = process.yes == true and process.no == false and process[1] == 0.5
            and process['1'] == 2 and process.text == 'a\\0' and process.nan ~= process.nan
            and process.none == nil and process[-0] == process[0] and type(process) == 'userdata'
        process.yes = nil
        all = all and process.yes == nil
        local kept = process
        kept.text = 'b'
        all = all and process.text == 'b' and kept == process";
    let scenario = with(&[program], &["not done('A') or global('A', 'all')"], in_shop);
    assert_eq!(breaks(&scenario.asked_for_errors()), [None, None]);
    // A program may take the name for something of its own.
    for own in ["local process = {}", "process = {}", "process = nil process = {n = 0}"] {
        let program = format!("redis.call('PING') {own} process.n = {{}} x = #process.n");
        let scenario = with(&[&program, &program], &["not all_over() or sum('x') == 0"], in_shop);
        assert_eq!(breaks(&scenario.asked_for_errors()), [None, None], "{own}");
    }
}

#[test]
fn what_it_cannot_hold_is_an_error_that_says_so() {
    let long = format!("process.v = string.rep('x', {VARIABLES_BYTES_MAX})");
    let many = format!("for i = 1, {VARIABLES_MAX} + 1 do process[i] = i end");
    let wrong = [
        ("process.v = {}", "a value is nil, a boolean, a number or a string"),
        ("process.v = print or function() end", "a value is nil, a boolean"),
        ("process.v = coroutine.create(function() end)", "a value is nil, a boolean"),
        ("process[true] = 1", "a name is a string or a number"),
        ("x = process[0 / 0]", "a name is a string or a number"),
        ("x = process[nil]", "a name is a string or a number"),
        ("for k in pairs(process) do end", "table expected, got userdata"),
        ("x = next(process)", "table expected, got userdata"),
        ("rawset(process, 'v', 1)", "table expected, got userdata"),
        ("setmetatable(process, {})", "table expected, got userdata"),
        ("x = #process", "attempt to get length of global 'process' (a userdata value)"),
        ("process()", "attempt to call global 'process' (a userdata value)"),
        (&*long, "take at most 65536 bytes"),
        (&*many, "has at most 256 names"),
    ];
    for (program, message) in wrong {
        for first in ["", "redis.call('PING') "] {
            let mut timeline = begin(cast(&[&format!("{first}{program}")]));
            while let Some(action) = timeline.world().choices().first().copied() {
                timeline.step(action).expect("it can");
            }
            match timeline.world().clients()[0].state() {
                State::Failed(why) => assert!(why.contains(message), "{program}: {why}"),
                other => panic!("{program}: {other:?}"),
            }
        }
    }
    // What is there may be replaced, and what is removed makes room.
    let fits = format!(
        "{} process[1] = 'one' process[2] = nil process.last = 1 x = process.last",
        many.replace(" + 1", "")
    );
    let scenario = with(&[&fits], &["not all_over() or count('x') == 1"], in_shop);
    assert_eq!(breaks(&scenario.asked_for_errors()), [None, None]);
}
