//! What an instance costs as a value, and what commands cost without a socket.
//!
//! `cargo bench --bench engine`

use std::hint::black_box;

use divan::Bencher;
use interleave::engine::{ConnId, Instance};
use interleave::resp::{Bytes, split_inline};

const NOW: u64 = 1_700_000_000_000;

fn main() {
    divan::main();
}

fn argv(line: &str) -> Vec<Bytes> {
    split_inline(line.as_bytes()).unwrap_or_default()
}

fn with_keys(keys: usize) -> (Instance, ConnId) {
    let mut instance = Instance::default();
    let conn = instance.connect();
    for n in 0..keys {
        instance.execute(conn, &argv(&format!("SET key:{n} value:{n}")), NOW);
    }
    (instance, conn)
}

#[divan::bench(args = [10, 1_000, 100_000])]
fn clone(bencher: Bencher<'_, '_>, keys: usize) {
    let (instance, _) = with_keys(keys);
    bencher.bench_local(|| black_box(instance.clone()));
}

/// The first write after a clone copies what it must.
#[divan::bench(args = [10, 1_000, 100_000])]
fn clone_and_write(bencher: Bencher<'_, '_>, keys: usize) {
    let (instance, conn) = with_keys(keys);
    let set = argv("SET key:5 changed");
    bencher.bench_local(|| {
        let mut clone = instance.clone();
        clone.execute(conn, &set, NOW);
        clone
    });
}

/// With one key changed since the last time.
#[divan::bench(args = [10, 1_000, 100_000])]
fn write_and_fingerprint(bencher: Bencher<'_, '_>, keys: usize) {
    let (mut instance, conn) = with_keys(keys);
    let incr = argv("INCR counter");
    bencher.bench_local(|| {
        instance.execute(conn, &incr, NOW);
        instance.fingerprint()
    });
}

#[divan::bench(args = [10, 1_000, 100_000])]
fn diff_of_one_key(bencher: Bencher<'_, '_>, keys: usize) {
    let (before, conn) = with_keys(keys);
    let mut after = before.clone();
    after.execute(conn, &argv("SET key:5 changed"), NOW);
    bencher.bench_local(|| before.diff(&after));
}

const COMMANDS: [&str; 6] =
    ["SET key:5 x", "GET key:5", "INCR n", "HSET h f v", "ZADD z 1 m", "LPUSH l x"];

#[divan::bench(args = COMMANDS)]
fn command(bencher: Bencher<'_, '_>, line: &str) {
    let (mut instance, conn) = with_keys(1_000);
    let command = argv(line);
    bencher.bench_local(|| instance.execute(conn, &command, NOW));
}

#[divan::bench(args = [1_000, 1_000_000])]
fn list_at_both_ends(bencher: Bencher<'_, '_>, items: usize) {
    let (mut instance, conn) = with_keys(0);
    for _ in 0..items {
        instance.execute(conn, &argv("RPUSH l item"), NOW);
    }
    let commands = ["LPUSH l x", "RPUSH l x", "LPOP l", "RPOP l"].map(argv);
    bencher.bench_local(|| {
        for command in &commands {
            black_box(instance.execute(conn, command, NOW));
        }
    });
}

#[divan::bench]
fn evalsha_lock_release(bencher: Bencher<'_, '_>) {
    let (mut instance, conn) = with_keys(100);
    let code = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else \
                return 0 end";
    let load: Vec<Bytes> = ["SCRIPT", "LOAD", code].map(|word| word.as_bytes().into()).to_vec();
    let sha = match instance.execute(conn, &load, NOW) {
        interleave::engine::Outcome::Reply(interleave::resp::Value::Bulk(sha)) => sha,
        _ => return,
    };
    let mut release = argv("EVALSHA sha 1 lock token");
    release[1] = sha;
    bencher.bench_local(|| instance.execute(conn, &release, NOW));
}
