//! Hostile input, bounded and seeded: nothing panics, whatever the arguments or bytes, and an
//! instance stays a value (equal to its replay, with an equal fingerprint).

use interleave::engine::{Config, Instance, Outcome, Version, commands};
use interleave::resp::{Bytes, Decoder};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const WORDS: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "10",
    "9223372036854775807",
    "-9223372036854775808",
    "1.5",
    "inf",
    "nan",
    "1e400",
    "x",
    "k",
    "l",
    "h",
    "s",
    "z",
    "t",
    "*",
    "$",
    ">",
    "+",
    "-",
    "(1",
    "[a",
    "(",
    "#",
    "NX",
    "XX",
    "GT",
    "LT",
    "CH",
    "INCR",
    "GET",
    "EX",
    "PX",
    "KEEPTTL",
    "COUNT",
    "LIMIT",
    "BYSCORE",
    "BYLEX",
    "REV",
    "WITHSCORES",
    "WITHVALUES",
    "STREAMS",
    "GROUP",
    "BLOCK",
    "MAXLEN",
    "~",
    "MINID",
    "STORE",
    "BY",
    "ALPHA",
    "DESC",
    "MATCH",
    "TYPE",
    "FIELDS",
    "IFEQ",
    "LEFT",
    "RIGHT",
    "MIN",
    "MAX",
    "AND",
    "NOT",
    "u8",
    "i64",
    "SET",
    "INCRBY",
    "OVERFLOW",
    "SAT",
    "FROMLONLAT",
    "BYRADIUS",
    "km",
    "WEIGHTS",
    "AGGREGATE",
    "SUM",
    "return redis.call(unpack(ARGV))",
    "return {1,{2},'a'}",
    "#!lua name=f\nredis.register_function('f', function(k, a) return #k end)",
    "REPLACE",
    "f",
    "ON",
    "OFF",
    "ID",
    "YES",
    "ASYNC",
    "notify-keyspace-events",
    "KEA",
    "maxmemory",
    "\u{0}\r\n",
];

fn word(rng: &mut ChaCha8Rng) -> Bytes {
    WORDS[rng.random_range(0..WORDS.len())].as_bytes().into()
}

/// A command of the table with arguments of any kind; huge amounts of anything are left out.
fn any_command(rng: &mut ChaCha8Rng) -> Vec<Bytes> {
    let rows = commands();
    let row = &rows[rng.random_range(0..rows.len())];
    let mut argv: Vec<Bytes> = row.name.split('|').map(|part| part.as_bytes().into()).collect();
    let least = row.arity.unsigned_abs() as usize;
    let more = if row.arity < 0 { rng.random_range(0..6) } else { 0 };
    while argv.len() < least + more {
        argv.push(word(rng));
    }
    argv
}

/// Negative counts that ask for as many random members would be served, which takes for ever.
fn asks_for_too_much(argv: &[Bytes]) -> bool {
    let name = argv[0].to_ascii_lowercase();
    matches!(&name[..], b"srandmember" | b"hrandfield" | b"zrandmember" | b"setbit" | b"setrange")
        && argv.iter().any(|arg| arg.len() > 15)
}

fn play(version: Version, seed: u64, commands: usize) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let config = Config { version, seed, script_budget: 20_000, ..Config::default() };
    let mut instance = Instance::new(config);
    let mut conns: Vec<_> = (0..4).map(|_| instance.connect()).collect();
    let mut now = 1_700_000_000_000;
    for _ in 0..commands {
        let at = rng.random_range(0..conns.len());
        let argv = any_command(&mut rng);
        if asks_for_too_much(&argv) {
            continue;
        }
        if let Outcome::Reply(reply) = instance.execute(conns[at], &argv, now) {
            assert!(!reply.to_cli().is_empty());
        }
        instance.take_pushes();
        if rng.random_range(0..20) == 0 {
            now += rng.random_range(0..5_000);
            instance.advance(now);
        }
        if instance.busy_script().is_some() {
            instance.continue_script(1000);
        }
        if rng.random_range(0..50) == 0 || instance.is_closed(conns[at]) {
            instance.disconnect(conns[at]);
            conns[at] = instance.connect();
        }
    }
    instance
}

#[test]
fn any_arguments_are_answered_and_replay_alike() {
    for (seed, version) in
        (1..).zip([Version::V7_0, Version::V7_4, Version::V8_4, Version::Valkey8])
    {
        let (one, two) = (play(version, seed, 15_000), play(version, seed, 15_000));
        assert!(one == two);
        assert_eq!(one.fingerprint(), two.fingerprint());
        assert_eq!(one.clone().fingerprint(), one.fingerprint());
    }
}

#[test]
fn any_bytes_are_requests_or_an_error() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let alphabet = b"*$0123456789-\r\n\r\n abcGET\"'\\x\0\xff";
    for _ in 0..20_000 {
        let mut decoder = Decoder::default();
        decoder.max_bulk_len = 1 << 20;
        for _ in 0..rng.random_range(1..4) {
            let len = rng.random_range(0..40);
            let bytes: Vec<u8> =
                (0..len).map(|_| alphabet[rng.random_range(0..alphabet.len())]).collect();
            decoder.feed(&bytes);
            while let Ok(Some(argv)) = decoder.next_request() {
                assert!(!argv.is_empty());
            }
            let _ = interleave::resp::decode_reply(&bytes);
        }
    }
}
