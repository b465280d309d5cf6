//! Clients may begin late: each at any moment up to `starts_within_ms` after the run. Each bound is
//! the least that holds, by hand.

use super::truth::{BREAKS, HOLDS, verdict, whole};
use super::*;

/// What both searches say, where clients begin late and `more` is allowed besides.
fn expect(
    programs: &[&str],
    asked: (Kind, &str),
    within_ms: u32,
    more: impl Fn(&mut Scenario),
    expected: Option<bool>,
) {
    let mut scenario = (*super::scenario(&[], programs, &[asked])).clone();
    scenario.starts_within_ms = within_ms;
    more(&mut scenario);
    let said = format!("within {within_ms} ms, {asked:?}: {programs:#?}");
    assert_eq!(verdict(&scenario, Limits::default()), expected, "{said}");
    if asked.0 != Kind::Eventually {
        assert_eq!(Some(whole(&scenario)), expected, "{said}");
    }
}

/// The least bound of the time at which A is at `x`, in ms since the beginning.
fn expect_at_most(program: &str, within_ms: u32, more: impl Fn(&mut Scenario), most_ms: u32) {
    for (bound_ms, expected) in [(most_ms - 1, BREAKS), (most_ms, HOLDS)] {
        let text = format!("(global('A', 'x') or 0) - {START_MS} <= {bound_ms}");
        expect(&[program], (Kind::Always, &text), within_ms, &more, expected);
    }
}

const HOLDER: &str = "if redis.call('SET', 'lock', 'a', 'NX', 'PX', 50) then holding = true \
                      sleep(100) holding = false end";
const ONE_TRY: &str = "if redis.call('SET', 'lock', 'b', 'NX', 'PX', 50) then holding = true \
                       redis.call('PING') holding = false end";
const ALONE: (Kind, &str) = (Kind::Always, "count('holding') <= 1");

/// The lease of 50 ms ends while A works for 100. B has one try: it must come 50 ms after A.
#[test]
fn a_client_that_begins_after_the_lease_has_ended() {
    for (within_ms, expected) in [(0, HOLDS), (49, HOLDS), (50, BREAKS)] {
        expect(&[HOLDER, ONE_TRY], ALONE, within_ms, |_| {}, expected);
    }
}

/// Who has begun is as prompt as ever, also while another has not.
#[test]
fn only_who_has_not_begun_is_waited_for() {
    let keeps = "redis.call('SET', 'k', 1, 'PX', 5) redis.call('PING') \
                 lost = not redis.call('GET', 'k')";
    let asked = (Kind::Always, "not global('A', 'lost')");
    expect(&[keeps, "redis.call('PING')"], asked, 10, |_| {}, HOLDS);
    expect(&[keeps, "redis.call('PING')"], asked, 0, |one| one.slow_ms = 10, BREAKS);
}

/// A begins at 10 ms at the latest; it may be held up then, or may have been paused.
#[test]
fn the_latest_beginning_comes_before_other_delays() {
    let after_call = "redis.call('PING') x = now()";
    let slow = |one: &mut Scenario| one.slow_ms = 5;
    let paused = |one: &mut Scenario| {
        one.faults = Faults { pause: 1, pause_ms: 20, ..Faults::default() };
    };
    expect_at_most("x = now()", 10, |_| {}, 10);
    expect_at_most("sleep(10) x = now()", 10, |_| {}, 20);
    expect_at_most("x = now()", 10, slow, 15);
    expect_at_most(after_call, 10, slow, 15);
    expect_at_most("x = now()", 10, paused, 30);
    let both = format!(
        "(global('A', 'y') or 0) == {START_MS} + 15 and global('A', 'x') == {START_MS} + 10"
    );
    expect(&["x = now() redis.call('PING') y = now()"], (Kind::Sometimes, &both), 10, slow, HOLDS);
}

/// B speaks 10 ms after its beginning, and A hears it unless it begins as late as that.
#[test]
fn what_happens_in_the_end_depends_on_the_beginning() {
    let hear = "local c = connect('redis') c:call('SUBSCRIBE', 'ch') local r = c:receive(50) \
                m = r and r.payload";
    let tell = "sleep(10) redis.call('PUBLISH', 'ch', 'x')";
    let heard = (Kind::Eventually, "global('A', 'm') == 'x'");
    expect(&[hear, tell], heard, 9, |_| {}, HOLDS);
    expect(&[hear, tell], heard, 10, |_| {}, BREAKS);
}

/// Who begins late, and by how much, is said; and the run can be played where all begin at once,
/// since a learner may always let time move.
#[test]
fn the_next_harder_question_is_about_beginnings_too() {
    let scenario = super::scenario(&[], &[HOLDER, ONE_TRY], &[ALONE]);
    let mut asked = AskSlower::new(&scenario, &[true]).expect("something holds");
    while !asked.advance(1000) {}
    let answer = asked.answer().expect("there are timers");
    let late = answer.late.as_ref().expect("two clients");
    assert_eq!((late.within_ms, &*late.begins), (100, &[(ClientId(1), 50)][..]));
    let runs = answer.runs(&scenario);
    assert_eq!(runs.len(), 2, "{answer:?}");
    for run in &runs {
        let run = super::super::as_prompt(&scenario, run).expect("it can be played");
        let (mut world, _) = World::start(&scenario).expect("it starts");
        run.iter().for_each(|action| drop(world.apply(*action).expect("possible")));
        assert_eq!(scenario.properties[0].holds(&mut world.facts()), Ok(false));
    }
}
