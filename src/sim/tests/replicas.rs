//! What a master sends its replicas, where the truth is derived by hand (see `byhand`).

use super::contract::{breaks, with};
use super::*;

/// A write that CLIENT PAUSE has held back is run when the pause ends, and reaches a replica that
/// has caught up as any other: A may find it there, or come before it.
#[test]
fn a_write_that_was_held_back_reaches_the_replica() {
    let a = "redis.call('SET', 'y', 1) redis.call('WAIT', 1, 0) \
             redis.call('CLIENT', 'PAUSE', '50', 'WRITE') redis.call('SET', 'x', 1) \
             x = connect('r'):call('GET', 'x')";
    let found = "done('A') and global('A', 'x') == '1'";
    let early = "done('A') and global('A', 'x') ~= '1'";
    let asked = [(Kind::Sometimes, found), (Kind::Sometimes, early)];
    let mut scenario = scenario(&[], &[a], &asked);
    let replicated = Rc::make_mut(&mut scenario);
    replicated.nodes = nodes(&[DEFAULT_NODE, "r"]);
    replicated.nodes[1].replica_of = Some(DEFAULT_NODE.to_owned());
    let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
    check.run();
    assert_eq!([0, 1].map(|at| check.verdict(at).holds), [Some(true); 2]);
}

/// Redis sends XCLAIM to a replica, and nothing for a consumer that looks at its pending entries
/// and has none. So a consumer that is there changes nothing by another look, at whatever time and
/// by whatever clock: the replica has everything, and WAIT says 1. Where it claims what it has, the
/// replica may lack that when 5 ms are over.
#[test]
fn a_replica_is_not_sent_when_a_consumer_was_seen() {
    let read =
        |id: &str| format!("redis.call('XREADGROUP', 'GROUP', 'g', 'a', 'STREAMS', 's', {id})");
    let claim = "redis.call('XCLAIM', 's', 'g', 'a', 0, '1-1', 'JUSTID')";
    let found = |first: &str, later: &str, ms: u32, clock_ms: i64| {
        let program = format!(
            "{first} redis.call('WAIT', 1, 0) sleep({ms}) {later} n = redis.call('WAIT', 1, 5)"
        );
        let scenario = with(&[&program], &["not done('A') or global('A', 'n') == 1"], |scenario| {
            scenario.nodes = nodes(&[DEFAULT_NODE, "r"]);
            let setup = with_setup(&["XADD s 1-1 f v", "XGROUP CREATE s g 0"]);
            scenario.nodes[0].setup.clone_from(&setup[0].setup);
            scenario.nodes[0].clock_ms = clock_ms;
            scenario.nodes[1].replica_of = Some(DEFAULT_NODE.to_owned());
        });
        breaks(&scenario)[0]
    };
    for (ms, clock_ms) in [(0, 0), (10, 0), (0, 2), (10, -2)] {
        assert_eq!(found(&read("'0'"), &read("'0'"), ms, clock_ms), None, "{ms} {clock_ms}");
    }
    for clock_ms in [0, 2] {
        // Read, WAIT, the replica, the end of the sleep, claim, WAIT, and 5 ms: 7 steps.
        assert_eq!(found(&read("'>'"), claim, 10, clock_ms), Some(7));
    }
}
