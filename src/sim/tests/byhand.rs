//! Scenarios whose truth was derived by hand, from Redis's rules and not from what this program
//! says: both searches share the world, and a mistake in what the world can do shows in neither.
//! Each stands with the sentence why it is so.

use super::contract::{breaks, with};
use super::*;

/// The lock of a client that crashed between SETNX and EXPIRE is left for ever: nobody else has
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
    // With somebody else about, who has to end first.
    let ping = "redis.call('PING')";
    assert_eq!(breaks(&with(&[lock, ping], &left, crash)), [Some(3), Some(3), None]);
    // One who ended by an error has not done its work.
    let fails = "redis.call('HGET', 'lock', 'f')";
    let ends = ["not all_done()", "not all_over()"];
    let fail = with(&[lock, fails], &ends, |s| s.nodes = with_setup(&["SET lock 1"]));
    assert_eq!(breaks(&fail), [None, Some(3)]);
}
