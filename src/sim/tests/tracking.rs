//! CLIENT TRACKING in the world: an invalidation is a message of the connection that it is
//! redirected to, and comes when the client looks. Each truth was derived by hand, and is asked of
//! both searches.

use super::contract::{breaks, with};
use super::*;

const B: &str = "redis.call('MSET', 'k', 2, 'n', 2)";

fn k_is_1(scenario: &mut Scenario) {
    scenario.nodes = with_setup(&["MSET k 1 n 1"]);
}

/// A keeps what it read of k, and learns from n that B has written; only then does it look for a
/// message. So it uses a value that it could have known to be stale; but with tracking it is told
/// in the end, and without it is not.
#[test]
fn a_cached_value_is_used_until_its_invalidation_is_received() {
    let asked = [
        "not global('A', 'stale')",
        "not (done('A') and global('A', 'stale') and global('A', 'told') ~= 'k')",
        "global('A', 'told') == nil",
    ];
    let reader = |track: &str| {
        format!(
            "local c = connect('redis')
             local id = c:call('CLIENT', 'ID')
             c:call('SUBSCRIBE', '__redis__:invalidate')
             redis.call('CLIENT', 'TRACKING', {track})
             local cached = redis.call('GET', 'k')
             stale = redis.call('GET', 'n') == '2' and cached == '1'
             local m = c:receive(50)
             told = m and m.payload[1]"
        )
    };
    let found = |track: &str| breaks(&with(&[&reader(track), B], &asked, k_is_1));
    // A1 to A4, B1, A5; then A looks.
    let on = found("'ON', 'REDIRECT', id");
    assert_eq!(on, [Some(6), None, Some(7)]);
    // The same, then A looks, and 50 ms pass.
    assert_eq!(found("'OFF'"), [Some(6), Some(8), None]);
    // Its own prefix is not that of k.
    assert_eq!(found("'ON', 'BCAST', 'PREFIX', 'x', 'REDIRECT', id"), [Some(6), Some(8), None]);
    assert_eq!(found("'ON', 'BCAST', 'PREFIX', 'k', 'REDIRECT', id"), [Some(6), None, Some(7)]);
}

/// One thread listens, another reads into the cache of both. On the wire the invalidation may come
/// before the reply that it invalidates: the stale value stays. A reader that marks the key before
/// it reads, and stores nothing if the mark is gone, is right.
#[test]
fn a_reply_that_its_invalidation_overtakes_stays_in_the_cache() {
    let listen = "local c = connect('redis')
                  process.id = c:call('CLIENT', 'ID')
                  c:call('SUBSCRIBE', '__redis__:invalidate')
                  process.ready = true
                  if c:receive(50) then process.cache = nil process.told = true end";
    let read = |store: &str| {
        format!(
            "if process.ready then
                 redis.call('CLIENT', 'TRACKING', 'ON', 'REDIRECT', process.id)
                 process.cache = 'reading'
                 local v = redis.call('GET', 'k')
                 {store}
                 stale = process.told and process.cache == '1'
             end"
        )
    };
    let found = |store: &str, wire: bool| {
        let programs = [listen, &read(store), "redis.call('SET', 'k', 2)"];
        let scenario = with(&programs, &["not global('B', 'stale')"], |scenario| {
            k_is_1(scenario);
            scenario.wire = wire;
            scenario.clients[..2].iter_mut().for_each(|one| one.process = Some("shop".to_owned()));
        });
        breaks(&scenario)[0].is_some()
    };
    let always = "process.cache = v";
    let marked = "if process.cache == 'reading' then process.cache = v end";
    assert!(found(always, true));
    assert!(!found(always, false), "the reply comes with the read");
    assert!(!found(marked, true));
}

/// In RESP3 the message comes on the connection that reads; its payload is a list of keys, or nil
/// for all. A deadline tells too.
#[test]
fn messages_of_tracking_name_their_keys() {
    let a = |last: &str| {
        format!(
            "local c = connect('redis') c:call('HELLO', '3') c:call('CLIENT', 'TRACKING', 'ON')
             c:call('GET', 'k') local m = c:receive(50)
             x = m and m.kind .. (m.payload and m.payload[1] or '-') {last}"
        )
    };
    let asked = ["global('A', 'x') ~= 'invalidatek'", "global('A', 'x') ~= 'invalidate-'"];
    let found = |b: &str, ms: &str| {
        let scenario = with(&[&a(""), b], &asked, |scenario| {
            scenario.nodes = with_setup(&[&format!("SET k 1 {ms}")]);
        });
        breaks(&scenario)
    };
    // Three commands, one of B, and A looks.
    assert_eq!(found("redis.call('SET', 'k', 2)", ""), [Some(5), None]);
    assert_eq!(found("redis.call('FLUSHALL')", ""), [None, Some(5)]);
    // The same, and time passes.
    assert_eq!(found("redis.call('PING')", "PX 20"), [Some(6), None]);
}
