//! Bounds of a world and of a run.

use super::*;

const REFUSED: &str = "(error) OOM command not allowed: a world of this page may hold 16 MiB";

#[test]
fn a_setup_that_is_too_large_is_a_mistake_in_words() {
    let begin = |setup: &[&str]| {
        let scenario = Scenario { nodes: with_setup(setup), ..cast(&[]) };
        Timeline::start(Rc::new(scenario)).map(|_| ()).map_err(|why| why.to_string())
    };
    let lines = ["k1", "k2", "k3", "k4"].map(|key| format!("SETRANGE {key} 536870911 x"));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(begin(&lines), Err(format!("setup command 1: {REFUSED}")));
    let lines = ["k1", "k2"].map(|key| format!("SETRANGE {key} 9000000 x"));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(begin(&lines), Err(format!("setup command 2: {REFUSED}")));
}

#[test]
fn a_line_in_a_link_is_refused_in_words() {
    let lines =
        ["SETBIT_big_4294967295_1", "SETRANGE_big_100000000_x", "BITFIELD_big_SET_u8_4294967280_1"];
    for line in lines {
        let mut timeline = start(&["SET balance 10"], &["redis.call('GET', 'balance')"]);
        let before = timeline.world().redis().clone();
        schedule::play(&mut timeline, &format!("c1-{line}")).expect("a step");
        let heard = &timeline.frame().seen.heard;
        assert_eq!(heard[0].1.to_cli(), REFUSED, "{line}");
        assert!(before.diff(timeline.world().redis()).is_empty(), "{line}");
    }
}

#[test]
fn a_run_keeps_so_many_bytes_and_no_more() {
    let program = "while true do redis.call('SETBIT', 'big', 0, 1) \
                   redis.call('SETBIT', 'big', 0, 0) end";
    let mut timeline = start(&["SETRANGE big 12000000 x"], &[program]);
    let mut steps = 0;
    while !timeline.is_full() {
        timeline.step(Action::Step(ClientId(0))).expect("a step");
        steps += 1;
        assert!(steps < 20);
    }
    assert!(steps > 3 && timeline.holds_too_much());
    timeline.step(Action::Step(ClientId(0))).expect("nothing happens");
    assert_eq!(timeline.len(), steps);
    assert_eq!(schedule::play(&mut timeline, "A"), Err(ScheduleError::TooLarge));
    // Back where there is room, another way may be gone.
    timeline.seek(1);
    assert!(!timeline.is_full());
}

#[test]
fn a_run_counts_what_programs_make() {
    let program = "local keep for i = 1, 500 do keep = string.rep(tostring(i % 10), 4000000) \
                   redis.call('GET', 'x') end";
    let mut timeline = start(&[], &[program]);
    for _ in 0..8 {
        timeline.step(Action::Step(ClientId(0))).expect("a step");
    }
    let held = timeline.frame().held;
    assert!((32_000_000..80_000_000).contains(&held), "{held}");
}
