//! What a command says it touched, against what it did: over all recorded cases, and over random
//! pairs of commands that are run in both orders.

use interleave::engine::{Access, Config, ConnId, Instance, Outcome, Version, may_draw};
use interleave::resp::{Bytes, split_inline};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::audit::audited;
use super::{ours::Ours, random};

#[test]
fn what_the_cases_touch_is_logged_and_declared() {
    for version in super::RECORDED {
        super::run_all(&mut Ours::audited(version), version);
    }
}

/// What the templates of `random.txt` lack for this: other connections, chance, time, scripts.
const MORE: &str = "\
MULTI
EXEC
EXEC
WATCH $k
WATCH $k $k
UNWATCH
DISCARD
BLPOP $l $l 0
BLPOP $l 1
BLMOVE $l $l LEFT RIGHT 0
BZPOPMIN $z 0
XREAD BLOCK 0 STREAMS $x $
XREADGROUP GROUP $g $c BLOCK 0 STREAMS $x >
LPUSH $l $v
LPUSH $l $v
ZADD $z 1 $m
XADD $x * $m $v
XGROUP DESTROY $x $g
SUBSCRIBE $m
PSUBSCRIBE m*
UNSUBSCRIBE
PUBLISH $m $v
PUBLISH $m $v
PUBSUB NUMSUB $m
CONFIG SET notify-keyspace-events KEA
CONFIG SET notify-keyspace-events \"\"
CONFIG SET hash-max-listpack-entries 2
CLIENT LIST
CLIENT SETNAME $m
CLIENT GETNAME
INFO
SPOP $t
SRANDMEMBER $t
RANDOMKEY
SCAN 0
KEYS *
DBSIZE
EXPIRE $k 10
PEXPIRE $k 1
TTL $k
TIME
SET $s $v PX 5
SELECT 1
SELECT 0
SELECT 0
MOVE $k 1
COPY $k $k DB 1
SWAPDB 0 1
FLUSHDB
RESET
HELLO 3
CLIENT UNBLOCK 2
CLIENT REPLY SKIP
CLIENT TRACKING ON
CLIENT TRACKING ON NOLOOP
CLIENT TRACKING ON OPTIN REDIRECT 2
CLIENT TRACKING ON REDIRECT 3
CLIENT TRACKING ON BCAST
CLIENT TRACKING ON BCAST PREFIX s PREFIX l NOLOOP REDIRECT 1
CLIENT TRACKING OFF
CLIENT CACHING YES
CLIENT TRACKINGINFO
CLIENT GETREDIR
HELLO 2
EVAL \"return redis.call('GET',KEYS[1])\" 1 $s
EVAL \"return redis.call('INCR',ARGV[1])\" 0 $s
EVAL \"return math.random(100)\" 0
EVAL \"redis.call('SELECT',1) return redis.call('SET',KEYS[1],1)\" 1 $s
SCRIPT FLUSH
SCRIPT EXISTS 4e6d8fc8bb01276962cce5371fa795a7763657ae
EVALSHA 4e6d8fc8bb01276962cce5371fa795a7763657ae 0
FUNCTION LOAD REPLACE \"#!lua name=f\\nlocal n=0 redis.register_function('f',function(k) n=n+1 \
return redis.call('GET',k[1]) end)\"
FCALL f 1 $s
FUNCTION FLUSH
FUNCTION LIST";

/// Runs the commands in this order; what each connection is sent, in its order (that between
/// connections is nobody's to see).
fn run(
    instance: &mut Instance,
    steps: [(ConnId, &[Bytes]); 2],
    now: u64,
) -> Vec<(ConnId, Outcome)> {
    let mut sent = Vec::new();
    for (conn, argv) in steps {
        if !instance.is_blocked(conn) {
            sent.push((conn, instance.execute(conn, argv, now)));
        }
        let pushes = instance.take_pushes().into_iter();
        sent.extend(pushes.map(|(to, push)| (to, Outcome::Reply(push))));
    }
    sent.sort_by_key(|(conn, _)| *conn);
    sent
}

#[test]
fn what_commutes_by_the_log_commutes() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let plain = random::templates();
    let more: Vec<&str> = MORE.lines().collect();
    let any = |rng: &mut ChaCha8Rng| -> Vec<Bytes> {
        let list = if rng.random_range(0..2) == 0 { &plain } else { &more };
        let template = list[rng.random_range(0..list.len())].trim_start_matches('~');
        split_inline(random::fill(template, rng).as_bytes()).expect("a template")
    };
    let (mut pairs, mut commuting) = (0, 0);
    for round in 0..500 {
        let config = Config { version: Version::V7_4, seed: round, ..Config::default() };
        let mut instance = Instance::new(config);
        let mut conns: Vec<ConnId> = (0..4).map(|_| instance.connect()).collect();
        let mut now = 1_700_000_000_000;
        for _ in 0..250 {
            now += [0, 0, 0, 1, 300][rng.random_range(0..5)];
            instance.advance(now);
            let at = rng.random_range(0..4);
            if instance.is_blocked(conns[at]) && rng.random_range(0..4) == 0 {
                instance.disconnect(conns[at]);
                conns[at] = instance.connect();
            }
            let (a, b) = (conns[at], conns[rng.random_range(0..4)]);
            let (first, second) = (any(&mut rng), any(&mut rng));
            if instance.is_blocked(a) || instance.is_blocked(b) {
                continue;
            }
            if a == b {
                audited(&mut instance, a, &first, now);
                continue;
            }
            instance.take_pushes();
            instance.take_closed();
            let log = |conn, argv: &[Bytes]| {
                let (mut scratch, mut access) = (instance.clone(), Access::default());
                scratch.execute_logged(conn, argv, now, &mut access);
                assert!(!access.random || may_draw(argv), "{argv:?} draws");
                access
            };
            let (of_first, of_second) = (log(a, &first), log(b, &second));
            let (mut one, mut two) = (instance.clone(), instance.clone());
            let (step, other) = ((a, &first[..]), (b, &second[..]));
            let in_order = run(&mut one, [step, other], now);
            let swapped = run(&mut two, [other, step], now);
            pairs += 1;
            if of_first.commutes_with(&of_second) {
                commuting += 1;
                let what = format!("{first:?} {of_first:?}\n{second:?} {of_second:?}");
                assert_eq!(in_order, swapped, "{what}");
                assert!(one == two, "{what}\n{:?}", one.diff(&two));
            }
            instance = one;
        }
    }
    assert!(commuting * 3 > pairs, "only {commuting} of {pairs} pairs commute");
}
