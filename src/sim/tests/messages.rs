//! Messages under way in wire mode: each truth was derived by hand from TCP (what one connection
//! carries stays in order, two connections keep none), and is asked of both searches.

use super::contract::{breaks, with};
use super::*;
use crate::sim::oracle::{Never, Oracle};

const LISTEN: &str = "local c = connect('redis') c:call('SUBSCRIBE', 'ch') ";
const TELL: &str =
    "if redis.call('PUBLISH', 'ch', 'hi') == 1 then redis.call('SET', 'sent', 1) end";

fn found(programs: &[&str], asked: &[&str], wire: bool) -> Vec<Option<usize>> {
    breaks(&with(programs, asked, |scenario| scenario.wire = wire))
}

fn holds(programs: &[&str], asked: &str) -> bool {
    found(programs, &[asked], true)[0].is_none()
}

/// A learns from a reply that the message was published, and looks for it.
#[test]
fn a_reply_may_overtake_a_message_of_another_connection() {
    let a = format!(
        "{LISTEN} if redis.call('GET', 'sent') then x = c:receive(0) and 'came' or 'nothing' end"
    );
    let asked = ["global('A', 'x') ~= 'came'", "global('A', 'x') ~= 'nothing'"];
    // Each call of A takes three steps, the two of B that matter two and one; A looks.
    let on_the_wire = found(&[&a, TELL], &asked, true);
    assert_eq!(on_the_wire, [Some(3 + 3 + 2 + 3 + 1 + 1), Some(3 + 3 + 2 + 3 + 1)]);
    // SUBSCRIBE, PUBLISH, SET, GET, and A looks.
    assert_eq!(found(&[&a, TELL], &asked, false), [Some(5), None]);
}

#[test]
fn no_reply_overtakes_a_message_of_its_own_connection() {
    let look = "x = c:receive(0) and 'came' or 'nothing'";
    let same = format!("{LISTEN} c:call('UNSUBSCRIBE') {look} y = redis.call('GET', 'sent')");
    // Published before UNSUBSCRIBE is executed: the message comes before its reply.
    let told = "redis.call('PUBLISH', 'ch', 'hi')";
    let said = format!("n = {told}");
    assert!(holds(
        &[&same, &said],
        "not (global('B', 'n') == 1 and done('A')) or \
                                   global('A', 'x') == 'came'"
    ));
    // On another connection it need not.
    let other = format!("{LISTEN} redis.call('PING') {look}");
    assert!(!holds(
        &[&other, &said],
        "not (global('B', 'n') == 1 and done('A')) or \
                                      global('A', 'x') == 'came'"
    ));
}

/// No message overtakes the reply to the command that subscribed, or another message.
#[test]
fn messages_of_one_connection_stay_in_order() {
    let a =
        format!("{LISTEN} for i = 1, 2 do local m = c:receive(50) x = (x or '') .. m.payload end");
    let b = "if redis.call('PUBLISH', 'ch', 'p') == 1 then redis.call('PUBLISH', 'ch', 'q') end";
    let asked = ["global('A', 'x') ~= 'q'", "global('A', 'x') ~= 'pq'"];
    let answers = found(&[&a, b], &asked, true);
    assert!(answers[0].is_none() && answers[1].is_some(), "{answers:?}");
}

/// Of two connections either message may come first.
#[test]
fn messages_of_two_connections_come_in_either_order() {
    let a = "local c, d = connect('redis'), connect('redis')
             c:call('SUBSCRIBE', 'ch') d:call('SUBSCRIBE', 'ch')
             local one, two = c:receive(0), d:receive(0)
             x = (one and 'c' or '') .. (two and 'd' or '')";
    let b = "n = redis.call('PUBLISH', 'ch', 'hi')";
    let asked = ["global('A', 'x') ~= 'c'", "global('A', 'x') ~= 'd'", "global('A', 'x') ~= 'cd'"];
    assert!(found(&[a, b], &asked, true).iter().all(Option::is_some));
}

/// Time does not pass while a message is under way, as with a reply; and it arrives in the end.
#[test]
fn a_message_under_way_holds_time_up_and_arrives() {
    let a = format!("{LISTEN} x = c:receive(5) and 'came' or 'nothing'");
    // A waits for a message when B publishes.
    let b = "sleep(1) n = redis.call('PUBLISH', 'ch', 'hi')";
    assert!(holds(
        &[&a, b],
        "not (global('B', 'n') == 1 and done('A')) or global('A', 'x') == 'came'"
    ));
    let polls = format!("{LISTEN} repeat local m = c:receive(0) until m");
    let b = "n = redis.call('PUBLISH', 'ch', 'hi')";
    let mut scenario = with(&[&polls, b], &[], |scenario| scenario.wire = true);
    let arrives = "done('A') or global('B', 'n') == 0";
    let arrives = Property::new(Kind::Eventually, arrives, "arrives").expect("it compiles");
    let oracle = Oracle::explore(&scenario, 10_000).expect("it starts");
    assert_eq!(oracle.never(&oracle.truths(&arrives)), Never::Happens);
    scenario.properties = vec![arrives];
    let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
    check.run();
    assert_eq!(check.verdict(0).holds, Some(true));
}

/// What the instance sent before it failed comes before the error.
#[test]
fn a_message_comes_before_the_end_of_its_connection() {
    let a =
        format!("{LISTEN} local ok, m = pcall(c.receive, c, 50) x = ok and m and 'came' or 'no'");
    let b = "n = redis.call('PUBLISH', 'ch', 'hi')";
    let asked = "not (global('B', 'n') == 1 and done('A')) or global('A', 'x') == 'came'";
    let scenario = |restart: u8| {
        with(&[&a, b], &[asked], |scenario| {
            scenario.wire = true;
            scenario.faults.restart = restart;
        })
    };
    assert_eq!(breaks(&scenario(0)), [None]);
    assert_eq!(breaks(&scenario(1)), [None]);
}
