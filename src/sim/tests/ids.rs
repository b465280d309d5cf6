//! What is chance about unique ids, and what a program can read of it: which of two is the less,
//! and the text of each. Truths by hand: any order and any text may come.

use super::byhand::holds;
use super::contract::with;
use super::*;

/// An id of `uuid()` may be less than another client's or greater: who is first in a sorted set of
/// equal scores is chance.
#[test]
fn the_least_of_two_unique_ids_may_be_either() {
    let join = "me = uuid() redis.call('ZADD', 'q', 0, me)";
    let first = "not all_done() or redis.call('ZRANGE', 'q', 0, 0)[1] == global('A', 'me')";
    assert_eq!(holds(&with(&[join, join], &[first], |_| {})), Some(false));
    // B is not first where ids are in the order of the letters. What is found stands.
    let other = "not all_done() or redis.call('ZRANGE', 'q', 0, 0)[1] == global('B', 'me')";
    assert_eq!(holds(&with(&[join, join], &[other], |_| {})), Some(false));
    // One of the two is first in any order.
    let one = "not all_done() or redis.call('ZRANGE', 'q', 0, 0)[1] ~= false";
    assert_eq!(holds(&with(&[join, join], &[one], |_| {})), Some(true));
}

/// B waits for a list that nobody fills if its id is less than A's, which it may be: then B wins,
/// and gets stuck. Where B's is greater, neither happens.
#[test]
fn who_has_the_lesser_id_wins_and_gets_stuck() {
    let a = "redis.call('SET', 'a', uuid())";
    let b = "local me = uuid() local other = redis.call('GET', 'a') \
             if other and me < other then win = true redis.call('BLPOP', 'never', 0) end";
    let asked = [
        (Kind::Always, "not global('B', 'win')"),
        (Kind::Sometimes, "global('B', 'win')"),
        (Kind::Eventually, "done('B')"),
        (Kind::Always, "not failed('B')"),
    ];
    let mut check = Check::new(&scenario(&[], &[a, b], &asked), Limits::default()).unwrap();
    check.run();
    let found = [0, 1, 2, 3].map(|at| check.verdict(at).holds);
    assert_eq!(found, [Some(false), Some(true), Some(false), Some(true)]);
    assert!(check.deadlock().is_none() && !check.is_deadlock_decided());
    let other = check.ids().and_then(|ids| ids.other.clone());
    assert_eq!(other, Some(vec![ClientId(1), ClientId(0)]));
}

/// Of two ids of one client the first may be the less or the greater, which `<` shows, and so do
/// `table.sort`, SORT ALPHA and ZRANGEBYLEX.
#[test]
fn of_two_ids_of_one_client_either_may_be_the_less() {
    let programs = [
        "less = uuid() < uuid()",
        "local one, two = uuid(), uuid() local ids = {two, one} table.sort(ids) \
         less = ids[1] == one",
        "local one = uuid() redis.call('RPUSH', 'l', one, uuid()) \
         less = redis.call('SORT', 'l', 'ALPHA')[1] == one",
        "local one = uuid() redis.call('ZADD', 'z', 0, one) \
         redis.call('ZADD', 'z', 0, uuid()) \
         less = #redis.call('ZRANGEBYLEX', 'z', '-', '(' .. one) == 0",
    ];
    for program in programs {
        let asked = ["not all_done() or global('A', 'less')"];
        assert_eq!(holds(&with(&[program], &asked, |_| {})), None, "{program}");
    }
    // Two ids are not equal in any order.
    let program = "differ = uuid() ~= uuid()";
    let asked = ["not all_done() or global('A', 'differ')"];
    assert_eq!(holds(&with(&[program], &asked, |_| {})), Some(true));
}

/// Once both are in the queue, its first member is one of them and stays so: at most one leads,
/// whichever id is the less. And a lock whose owner compares tokens by `==` holds in every order.
#[test]
fn who_is_first_is_chance_and_that_only_one_is_first_is_not() {
    let lead = "me = uuid() redis.call('ZADD', 'q', 0, me) \
                if redis.call('ZCARD', 'q') == 2 and redis.call('ZRANGE', 'q', 0, 0)[1] == me \
                then lead = 1 end";
    let late = format!("redis.call('PING') {lead}");
    let asked = ["sum('lead') <= 1"];
    assert_eq!(holds(&with(&[lead, &late], &asked, |_| {})), Some(true));
    let lock = "local me = uuid() if redis.call('SET', 'lock', me, 'NX') then holding = true \
                redis.call('INCR', 'n') holding = false \
                if redis.call('GET', 'lock') == me then redis.call('DEL', 'lock') end end";
    let late = format!("redis.call('PING') {lock}");
    let scenario = with(&[lock, &late, lock], &["count('holding') <= 1"], |_| {});
    let counted = |id_orders: bool| {
        let limits = Limits { id_orders, ..Limits::default() };
        let mut check = Check::new(&scenario, limits).expect("it starts");
        check.run();
        assert_eq!((check.verdict(0).holds, check.is_deadlock_decided()), (Some(true), true));
        // A and C are alike: B's id is among theirs in three places, of which one is the first.
        assert_eq!(check.ids().is_some_and(|ids| ids.every), id_orders);
        check.counts().states
    };
    assert_eq!(counted(true), counted(false));
}

/// What is odd or even, the least or the longest in the text of an id may be otherwise: a shard, a
/// slot, a jitter. Where it is otherwise in a text that is tried, the condition breaks; where only
/// the states are, nothing is decided.
#[test]
fn what_is_read_of_the_text_of_an_id_is_chance() {
    let parity = "local id = uuid() x = id:byte(-1) % 2";
    for other in ["global('A', 'x') ~= 0", "global('A', 'x') ~= 1"] {
        assert_eq!(holds(&with(&[parity], &[other], |_| {})), Some(false), "{other}");
    }
    let one = "not all_done() or global('A', 'x') == global('B', 'x')";
    let two = "not all_done() or global('A', 'x') ~= global('B', 'x')";
    for shards in [one, two] {
        assert_eq!(holds(&with(&[parity, parity], &[shards], |_| {})), Some(false), "{shards}");
    }
    let jitter = "redis.call('SET', 'k', 1, 'PX', 30) local id = uuid() \
                  sleep(tonumber(id:match('%d+')) % 50) there = redis.call('GET', 'k')";
    let never_gone = "not all_done() or global('A', 'there')";
    assert_eq!(holds(&with(&[jitter], &[never_gone], |_| {})), Some(false));
    // No text that was tried gives the other answer, and not all were tried.
    let looks = "if uuid():byte(-1) % 2 == 0 then redis.call('PING') end";
    assert_eq!(holds(&with(&[looks], &["not failed('A')"], |_| {})), None);
    // An id in the condition is read as well.
    let named = "me = uuid()";
    assert_eq!(holds(&with(&[named], &["global('A', 'me') ~= 'a-1'"], |_| {})), Some(false));
    let asked = ["not all_done() or global('A', 'me') < 'a2'"];
    assert_eq!(holds(&with(&[named], &asked, |_| {})), Some(false));
}

/// Programs take the letter that an id begins with as a name, or as a seed: that is taken for
/// granted, and said.
#[test]
fn the_letter_of_an_id_is_taken_for_granted_and_said() {
    let asked = |program: &str, asked: &str| {
        let scenario = with(&[program], &[asked], |_| {});
        let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
        check.run();
        let ids = check.ids().map(|ids| (ids.reads_letter, ids.reads_text));
        (check.verdict(0).holds, ids)
    };
    let said = (Some(true), Some((true, false)));
    assert_eq!(asked("x = uuid():byte() % 2", "global('A', 'x') ~= 0"), said);
    assert_eq!(asked("if uuid():byte() == 97 then redis.call('PING') end", "true"), said);
    assert_eq!(asked("me = uuid()", "(global('A', 'me') or '') < 'b'"), said);
    assert_eq!(asked("x = #uuid()", "true"), (Some(true), Some((false, false))));
}

/// Ids that are only compared, kept, sent and counted are read by nobody, and the answer says
/// nothing of texts; where there are too many states to try other texts, it does.
#[test]
fn ids_that_are_only_compared_have_no_text() {
    let lock = "local me = uuid() if redis.call('SET', 'lock', me, 'NX', 'PX', 50) then \
                holding = true redis.call('INCR', 'n') holding = false \
                if redis.call('GET', 'lock') == me then redis.call('DEL', 'lock') end end \
                redis.call('HSET', 'seen', me, 1)";
    let scenario = with(&[lock, lock], &["count('holding') <= 1"], |_| {});
    for (plain_max, texts) in [(1_000_000, true), (2, false)] {
        let limits = Limits { plain_max, ..Limits::default() };
        let mut check = Check::new(&scenario, limits).expect("it starts");
        check.run();
        assert_eq!((check.verdict(0).holds, check.is_deadlock_decided()), (Some(true), true));
        let ids = check.ids().expect("they were asked");
        assert_eq!((ids.texts, ids.reads_text, ids.is_open()), (texts, false, false));
    }
    let limits = Limits { id_orders: false, ..Limits::default() };
    let mut check = Check::new(&scenario, limits).expect("it starts");
    check.run();
    assert!(check.ids().is_none_or(|ids| !ids.texts));
}
