//! A client whose wait is over may be held up like one that has got a reply: after a sleep, a
//! timeout, a late reply, a message, and at the beginning. Each bound is the least that holds.

use super::truth::{BREAKS, HOLDS, verdict, whole};
use super::*;

/// How long after the beginning, in ms, or before it where that is not known yet.
fn since_start(name: &str) -> String {
    let (client, global) = name.split_at(1);
    format!("(global('{client}', '{global}') or 0) - {START_MS}")
}

/// The least bound of a difference in ms, where clients are held up to `slow_ms`.
fn expect_at_most(slow_ms: u32, programs: &[&str], difference: &str, most_ms: u32) {
    for (bound_ms, expected) in [(most_ms - 1, BREAKS), (most_ms, HOLDS)] {
        let text = format!("{difference} <= {bound_ms}");
        let mut scenario = (*super::scenario(&[], programs, &[(Kind::Always, &text)])).clone();
        scenario.slow_ms = slow_ms;
        assert_eq!(verdict(&scenario, Limits::default()), expected, "{text}: {programs:#?}");
        assert_eq!(Some(whole(&scenario)), expected, "{text}: {programs:#?}");
    }
}

#[test]
fn what_follows_a_wait_may_be_held_up() {
    let own = "(global('A', 'x') or 0)";
    let sleep = "local t = now() sleep(50) x = now() - t";
    expect_at_most(10, &[sleep], own, 60);
    // The delay of a wake and of the call that follows it are one.
    expect_at_most(10, &["local t = now() sleep(50) redis.call('PING') x = now() - t"], own, 60);
    expect_at_most(10, &["local t = now() sleep(0) x = now() - t"], own, 10);
    // The call, then the end of its wait.
    expect_at_most(10, &["local t = now() redis.call('BLPOP', 'q', 0.05) x = now() - t"], own, 70);
    let timeout = "local c = connect('redis') local t = now() c:receive(50) x = now() - t";
    expect_at_most(10, &[timeout], own, 70);
    expect_at_most(10, &["x = now()"], &since_start("Ax"), 10);
}

#[test]
fn what_another_client_wakes_may_be_held_up() {
    let later = format!("(global('A', 'x') or 0) - (global('B', 'y') or {START_MS} * 2)");
    let reply = ["redis.call('BLPOP', 'q', 0) x = now()", "redis.call('RPUSH', 'q', 1) y = now()"];
    expect_at_most(10, &reply, &later, 10);
    let hear = "local c = connect('redis') c:call('SUBSCRIBE', 'ch') c:receive(50) x = now()";
    let tell = "if redis.call('PUBLISH', 'ch', 1) == 1 then y = now() end";
    expect_at_most(10, &[hear, tell], &later, 10);
}

/// A lease that is exactly as long as the work, and one that is longer by less than the delay.
#[test]
fn a_holder_that_wakes_late_holds_too_long() {
    let holder = |work_ms: u32| {
        format!(
            "if redis.call('SET', 'lock', 'a', 'NX', 'PX', 50) then holding = true \
             sleep({work_ms}) holding = false end"
        )
    };
    let other = "for i = 1, 3 do if redis.call('SET', 'lock', 'b', 'NX', 'PX', 50) then \
                 holding = true redis.call('PING') holding = false break end sleep(25) end";
    for (work_ms, slow_ms, expected) in [(45, 20, BREAKS), (50, 5, BREAKS), (25, 20, HOLDS)] {
        let programs = [&*holder(work_ms), other];
        let property = (Kind::Always, "count('holding') <= 1");
        let mut scenario = (*super::scenario(&[], &programs, &[property])).clone();
        scenario.slow_ms = slow_ms;
        assert_eq!(verdict(&scenario, Limits::default()), expected, "{work_ms} ms of work");
    }
}

/// A pause that ends may have begun while the client slept: it wakes later by the rest of it.
#[test]
fn a_pause_that_ends_makes_a_client_wake_late() {
    let other = "for i = 1, 3 do if redis.call('SET', 'lock', 'b', 'NX', 'PX', 50) then \
                 holding = true redis.call('PING') holding = false break end sleep(25) end";
    for (work_ms, paused, expected) in
        [(45, "A", BREAKS), (45, "AB", BREAKS), (45, "B", HOLDS), (25, "A", HOLDS)]
    {
        let holder = format!(
            "if redis.call('SET', 'lock', 'a', 'NX', 'PX', 50) then holding = true \
             sleep({work_ms}) holding = false end"
        );
        let property = (Kind::Always, "count('holding') <= 1");
        let mut scenario = (*super::scenario(&[], &[&*holder, other], &[property])).clone();
        let (pause_of, pause_ms) = (Faults::mask(paused), 20);
        scenario.faults = Faults { pause: 1, pause_of, pause_ms, ..Faults::default() };
        assert_eq!(verdict(&scenario, Limits::default()), expected, "{work_ms} ms, {paused}");
        assert_eq!(Some(whole(&scenario)), expected, "{work_ms} ms, {paused}");
    }
    let late = "local t = now() sleep(50) late = now() - t > 55";
    for (pause_ms, expected) in [(10, BREAKS), (5, HOLDS)] {
        let property = (Kind::Always, "not global('A', 'late')");
        let mut scenario = (*super::scenario(&[], &[late], &[property])).clone();
        scenario.faults = Faults { pause: 1, pause_ms, ..Faults::default() };
        assert_eq!(verdict(&scenario, Limits::default()), expected, "{pause_ms} ms");
    }
}

/// How long the clients of a crowd take is drawn: what makes those of a scenario late is not met
/// there.
#[test]
fn clients_of_a_crowd_go_on_when_they_wake() {
    let mut scenario = cast(&["sleep(0) redis.call('PING')"]);
    scenario.slow_ms = 10;
    scenario.faults = Faults { pause: 1, pause_ms: 20, ..Faults::default() };
    let program = scenario.clients[0].program.clone();
    let mut world = World::empty(&scenario).expect("it starts");
    let id = world.add_place(ProcessId(0), &program, 0).expect("there is room");
    world.begin(id, &program);
    world.wake(id);
    let next = world.client(id).and_then(Client::ready).map(|call| &call.kind);
    assert!(matches!(next, Some(CallKind::Redis { .. })), "{next:?}");
}

/// To be late can happen, and does not have to.
#[test]
fn lateness_is_noticed() {
    let programs = ["local t = now() sleep(50) late = now() - t > 55"];
    let properties = [
        (Kind::Sometimes, "global('A', 'late') == true"),
        (Kind::Sometimes, "global('A', 'late') == false"),
    ];
    for property in properties {
        let mut scenario = (*super::scenario(&[], &programs, &[property])).clone();
        scenario.slow_ms = 10;
        assert_eq!(verdict(&scenario, Limits::default()), HOLDS, "{property:?}");
    }
}
