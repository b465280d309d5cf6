//! Hostile input, bounded and seeded: nothing panics, whatever the arguments or bytes, and an
//! instance stays a value (equal to its replay, with an equal fingerprint).

use interleave::engine::{Config, Instance, Outcome, Version, commands};
use interleave::resp::Bytes;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::hostile::{self, WORDS, asks_for_too_much};

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

/// What the fuzz targets do with bytes of their own choice (fuzz/fuzz_targets), bounded.
#[test]
fn any_bytes_are_requests_or_an_error() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let alphabet = b"*$0123456789-\r\n\r\n abcGET\"'\\x\0\xff";
    for round in 0..20_000 {
        let len = rng.random_range(0..200);
        let mut bytes: Vec<u8> =
            (0..len).map(|_| alphabet[rng.random_range(0..alphabet.len())]).collect();
        if round % 2 == 0 {
            // Requests in order, with a byte changed here and there.
            bytes =
                (0..4).flat_map(|_| super::case::command(&any_command_bytes(&mut rng))).collect();
            for _ in 0..rng.random_range(0..3) {
                let at = rng.random_range(0..bytes.len());
                bytes[at] = alphabet[rng.random_range(0..alphabet.len())];
            }
        }
        hostile::protocol(&bytes);
    }
}

fn any_command_bytes(rng: &mut ChaCha8Rng) -> Vec<Vec<u8>> {
    any_command(rng).iter().map(|arg| arg.to_vec()).collect()
}

#[test]
fn any_choice_of_arguments_is_answered() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..1_000 {
        let bytes: Vec<u8> = (0..rng.random_range(0..600)).map(|_| rng.random()).collect();
        hostile::arguments(&bytes);
    }
}
