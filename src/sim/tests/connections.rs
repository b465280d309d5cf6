//! What a program sees of connections (CLIENT, INFO, MONITOR): when they were opened and last used,
//! and by which command. The truth of each scenario was derived by hand, as in `byhand`.

use super::contract::{breaks, with};
use super::*;

/// `x` is true once A has met this text in the reply to these words.
fn meets(words: &str, text: &str) -> String {
    format!("x = string.find(redis.call({words}), '{text}', 1, true) and true")
}

const LIST: &str = "'CLIENT', 'LIST'";
const NEVER: &str = "not global('A', 'x')";

/// No time passes, so no connection is older than 0 s, whether a setup ran before or not; nor is
/// the one that B opens.
#[test]
fn a_connection_that_was_opened_just_now_has_no_age() {
    let b = "local c = connect('redis') c:call('PSUBSCRIBE', 'c*') redis.call('INCR', 'a')";
    for setup in [&["SET k 1"][..], &[]] {
        let found = |text: &str| {
            let prepare = |scenario: &mut Scenario| scenario.nodes = with_setup(setup);
            breaks(&with(&[&meets(LIST, text), b], &[NEVER], prepare))
        };
        assert_eq!(found("age=1"), [None]);
        assert_eq!(found("idle=1"), [None]);
        assert_eq!(found("age=0 idle=0 flags=P"), [Some(2)], "B1.A1");
    }
}

/// A lists connections 3 s after its first command, and B was idle since its only one; a connection
/// that is opened then is 0 s old.
#[test]
fn ages_are_counted_from_the_opening() {
    let found = |text: &str, b: &str| {
        let a = format!("redis.call('PING') sleep(3000) {}", meets(LIST, text));
        breaks(&with(&[&a, b], &[NEVER], |_| {}))
    };
    let ping = "redis.call('PING')";
    // A1, B1, the time, A2.
    assert_eq!(found("age=3 idle=0", ping), [Some(4)]);
    assert_eq!(found("age=3 idle=3", ping), [Some(4)]);
    assert_eq!(found("age=0", ping), [None]);
    let late = "redis.call('PING') sleep(3000) connect('redis'):call('PING')";
    assert_eq!(found("age=0 idle=0", late), [Some(5)], "A1.B1.T.B2.A2");
}

/// Both wake at the same time, so A may list connections before B's first command or after it.
#[test]
fn how_long_a_connection_is_idle_depends_on_the_order() {
    let found = |text: &str| {
        let a = format!("sleep(1000) {}", meets("'CLIENT', 'LIST', 'ID', 3", text));
        breaks(&with(&[&a, "sleep(1000) redis.call('PING')"], &[NEVER], |_| {}))
    };
    assert_eq!(found("idle=1 "), [Some(2)], "T.A1");
    assert_eq!(found("idle=0 "), [Some(3)], "T.B1.A1");
}

/// B's second command is ECHO if A came before its first one, else PING. A, which writes and then
/// lists connections, may find either as the last one.
#[test]
fn the_last_command_is_seen_in_states_that_differ_in_nothing_else() {
    let b = "if redis.call('GET', 'k') then redis.call('ECHO', 'e') else redis.call('PING') end \
             redis.call('INCR', 'n')";
    let found = |text: &str| {
        let a = format!("redis.call('SET', 'k', 1) {}", meets(LIST, text));
        breaks(&with(&[&a, b], &[NEVER], |_| {}))
    };
    assert_eq!(found("cmd=echo"), [Some(4)], "A1.B1.B2.A2");
    assert_eq!(found("cmd=ping"), [Some(4)], "B1.B2.A1.A2");
    assert_eq!(found("cmd=client|info"), [None]);
}

/// A name shows in the list once B has given it, and a client sees its own number and name only.
#[test]
fn names_and_numbers_of_connections() {
    let named = "redis.call('CLIENT', 'SETNAME', 'b')";
    assert_eq!(breaks(&with(&[&meets(LIST, "name=b "), named], &[NEVER], |_| {})), [Some(2)]);
    let own = format!("redis.call('CLIENT', 'SETNAME', 'a') {}", meets("'CLIENT', 'INFO'", "b "));
    let own = own.replace("'b '", "'name=b '");
    assert_eq!(breaks(&with(&[&own, named], &[NEVER], |_| {})), [None]);
    let name = "redis.call('CLIENT', 'SETNAME', 'a') x = redis.call('CLIENT', 'GETNAME') ~= 'a'";
    assert_eq!(breaks(&with(&[name, named], &[NEVER], |_| {})), [None]);
    let number = "x = redis.call('CLIENT', 'ID') ~= 2";
    assert_eq!(breaks(&with(&[number, named], &[NEVER], |_| {})), [None]);
    let info = "x = string.find(redis.call('CLIENT', 'INFO'), 'cmd=client|info', 1, true) == nil";
    assert_eq!(breaks(&with(&[info, named], &[NEVER], |_| {})), [None]);
}

/// A client that lists connections after MONITOR finds one in that mode.
#[test]
fn a_connection_in_monitor_mode_is_listed_as_one() {
    let monitor = "redis.call('MONITOR')";
    assert_eq!(breaks(&with(&[&meets(LIST, "flags=O"), monitor], &[NEVER], |_| {})), [Some(2)]);
    assert_eq!(breaks(&with(&[&meets(LIST, "flags=N"), monitor], &[NEVER], |_| {})), [Some(1)]);
}

/// Counters are part of no state. What a run shows stands: two clients are connected. What no run
/// shows is not said, nor its opposite: three, or that INFO was the first command (the setup had
/// two).
#[test]
fn what_info_counts_is_said_only_where_a_run_shows_it() {
    let verdict = |words: &str, text: &str| {
        let prepare =
            |scenario: &mut Scenario| scenario.nodes = with_setup(&["SET k 1", "SET m 1"]);
        let scenario = with(&[&meets(words, text), "redis.call('PING')"], &[NEVER], prepare);
        let limits = [Limits::default(), Limits { plain_max: 2, ..Limits::default() }];
        let holds = limits.map(|limits| {
            let mut check = Check::new(&scenario, limits).expect("it starts");
            check.run();
            let verdict = check.verdict(0);
            if let Some(run) = &verdict.trace {
                let (mut world, _) = World::start(&scenario).expect("it starts");
                run.iter().for_each(|action| drop(world.apply(*action).expect("possible")));
                assert_eq!(scenario.properties[0].holds(&mut world.facts()), Ok(false));
            }
            verdict.holds
        });
        assert_eq!(holds[0], holds[1]);
        holds[0]
    };
    assert_eq!(verdict("'INFO', 'clients'", "connected_clients:2"), Some(false));
    assert_eq!(verdict("'INFO', 'clients'", "connected_clients:3"), None);
    assert_eq!(verdict("'INFO', 'stats'", "total_commands_processed:1"), None);
}
