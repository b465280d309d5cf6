//! Bounds of an instance: each refuses a command, and the refusal leaves nothing behind.

use super::*;

const MIB: u64 = 1 << 20;
const REFUSED: &str = "(error) OOM command not allowed: a world of this page may hold 1 MiB";

fn bounded(lines: &[&str]) -> (Instance, ConnId) {
    let mut instance = Instance::new(Config { bytes_max: MIB, ..Config::default() });
    let conn = instance.connect();
    for line in lines {
        let reply = run(&mut instance, conn, line);
        assert!(!reply.starts_with("(error)"), "{line:.40}: {reply}");
    }
    (instance, conn)
}

/// Each of `lines` is refused and leaves the instance as it was.
fn refused(setup: &[&str], lines: &[&str]) {
    refused_as(REFUSED, setup, lines);
}

fn refused_as(text: &str, setup: &[&str], lines: &[&str]) {
    let (mut instance, conn) = bounded(setup);
    for line in lines {
        let before = instance.clone();
        assert_eq!(run(&mut instance, conn, line), text, "{line:.40}");
        assert!(before.diff(&instance).is_empty(), "{line}");
        assert_eq!((before == instance, before.dirty()), (true, instance.dirty()), "{line}");
    }
}

#[test]
fn an_offset_does_not_allocate() {
    let lines = [
        "SETBIT big 4294967295 1",
        "SETRANGE big 100000000 x",
        "SETRANGE k 100000000 x",
        "SETRANGE k 536870911 x",
        "BITFIELD big SET u8 4294967280 1",
        "BITFIELD k INCRBY u8 4294967280 1",
        "BITFIELD big GET u8 0 SET u8 #16000000 1",
        "SETBIT k 8388608 1",
    ];
    refused(&["SET k v"], &lines);
    let (mut instance, conn) = bounded(&[]);
    assert_eq!(run(&mut instance, conn, "SETBIT k 8000000 1"), "(integer) 0");
    assert_eq!(run(&mut instance, conn, "BITFIELD k GET u8 4294967280"), "1) (integer) 0");
    assert_eq!(run(&mut instance, conn, "GETBIT k 8000000"), "(integer) 1");
}

#[test]
fn what_is_copied_and_combined_is_counted() {
    let setup = ["SETRANGE half 600000 x", "RPUSH list half half half half", "SET k half"];
    let lines = [
        "COPY half other",
        "COPY half other DB 3",
        "BITOP NOT other half",
        "BITOP OR other half half half",
        "MGET half half half",
        "SORT list BY nosort GET *",
        "SORT list BY nosort GET * STORE to",
    ];
    refused(&setup, &lines);
    let (mut instance, conn) = bounded(&setup);
    // Replacing and deleting values frees memory.
    assert_eq!(run(&mut instance, conn, "BITOP NOT half k"), "(integer) 4");
    assert_eq!(run(&mut instance, conn, "SETRANGE other 600000 x"), "(integer) 600001");
    run(&mut instance, conn, "FLUSHALL");
    assert_eq!(run(&mut instance, conn, "SETRANGE k 900000 x"), "(integer) 900001");
}

#[test]
fn results_of_sets_are_counted() {
    let members: String = (0..2000).map(|n| format!(" {n:0100}")).collect();
    let scored: String = (0..2000).map(|n| format!(" {n} {n:0100}")).collect();
    let (set, zset) = (format!("SADD s{members}"), format!("ZADD z{scored}"));
    let lines = [
        "SORT s ALPHA STORE to",
        "SUNIONSTORE to s",
        "ZUNIONSTORE to 1 s",
        "ZRANGESTORE to z 0 -1",
    ];
    refused(&[&set, &zset, "SETRANGE more 300000 x"], &lines);
    let (mut instance, conn) = bounded(&[&set, "SDIFFSTORE few s nothing"]);
    assert_eq!(run(&mut instance, conn, "SCARD few"), "(integer) 2000");
    let more = (0..10_000).map(|n| format!(" {n}")).collect::<String>();
    let (mut instance, conn) = bounded(&[]);
    assert_eq!(run(&mut instance, conn, &format!("MSET{more}")), REFUSED);
    assert_eq!(run(&mut instance, conn, "DBSIZE"), "(integer) 0");
}

#[test]
fn appending_ends_at_the_bound_in_a_loop_and_in_a_script() {
    let (mut instance, conn) = bounded(&[]);
    let append = format!("APPEND log {}", "x".repeat(100_000));
    let replies: Vec<String> = (0..12).map(|_| run(&mut instance, conn, &append)).collect();
    assert_eq!(replies[9], "(integer) 1000000");
    assert_eq!((&*replies[10], &*replies[11]), (REFUSED, REFUSED));
    run(&mut instance, conn, "DEL log");
    assert_eq!(run(&mut instance, conn, &append), "(integer) 100000", "what is gone is room again");
    let script = "for i = 1, 100000 do redis.call('RPUSH', KEYS[1], string.rep('x', 1000)) end";
    let reply = run(&mut instance, conn, &format!("EVAL \"{script}\" 1 l"));
    assert!(reply.starts_with(REFUSED), "{reply}");
    assert!(instance.used_memory() < 2 * MIB);
}

#[test]
fn many_small_values_stay_within_the_bound() {
    let config = Config { bytes_max: MIB, script_budget: 50_000_000, ..Config::default() };
    let mut instance = Instance::new(config);
    let conn = instance.connect();
    let script = "for i = 1, 20000 do redis.call('SET', i, i) end";
    let reply = run(&mut instance, conn, &format!("EVAL \"{script}\" 0"));
    assert!(reply.starts_with(REFUSED), "{reply}");
    let used = instance.used_memory() - 800 * 1024;
    assert!((MIB - 1024..=MIB).contains(&used), "{used}");
    // Refused again and again, it costs fuel: counting all keys is no way to stop the page.
    let before = instance.work();
    let script = "for i = 1, 1000 do redis.pcall('SET', 'k' .. i, i) end";
    instance.execute(conn, &argv(&format!("EVAL \"{script}\" 0")), NOW);
    assert!(instance.work() - before > 1_000_000, "{}", instance.work() - before);
}

#[test]
fn lcs_has_a_bound_on_its_table() {
    let setup = ["SETRANGE a 1398 x", "SETRANGE b 1398 x", "SETRANGE c 1500 x"];
    let (mut instance, conn) = bounded(&setup);
    assert_eq!(run(&mut instance, conn, "LCS a b LEN"), "(integer) 1399");
    let reply = run(&mut instance, conn, "LCS a c");
    assert_eq!(
        reply,
        "(error) OOM command not allowed: LCS on this page may compare 2 million pairs of bytes"
    );
}

/// A few thousand elements, and keys in which a long pattern is almost found.
fn crowded() -> Vec<String> {
    let members: String = (0..2000).map(|n| format!(" m{n}")).collect();
    let scored: String = (0..2000).map(|n| format!(" {n} m{n}")).collect();
    let mut setup = vec![
        format!("SADD s{members}"),
        format!("ZADD z{scored}"),
        format!("RPUSH l{members}"),
        format!("HSET h{members}"),
        format!("SADD long {}", "x".repeat(100_000)),
    ];
    setup.extend((0..100).map(|n| format!("SET {}{n} v", "a".repeat(1000))));
    setup
}

#[test]
fn a_command_cannot_look_at_elements_without_end() {
    let setup = crowded();
    let setup: Vec<&str> = setup.iter().map(String::as_str).collect();
    let many = |key: &str| format!(" {key}").repeat(1001);
    let lines = [
        format!("SUNION{}", many("s")),
        format!("SINTER{}", many("s")),
        format!("SDIFF s{}", many("none")),
        format!("SINTER{}", format!(" {}", "long").repeat(1500)),
        format!("SINTERSTORE to{}", many("s")),
        format!("SUNIONSTORE to{}", many("s")),
        format!("SINTERCARD 1001{}", many("s")),
        format!("ZUNION 1001{}", many("z")),
        format!("ZINTER 1001{}", many("z")),
        format!("ZDIFF 1002 z{}", many("none")),
        format!("ZUNIONSTORE to 1001{}", many("s")),
        format!("ZINTERCARD 1001{}", many("z")),
        format!("SORT s BY {}* ALPHA", "x".repeat(100_000)),
        format!("KEYS *{}b", "a".repeat(500)),
        format!("SCAN 0 COUNT 200 MATCH *{}b", "a".repeat(500)),
        format!("KEYS *[{}]c", "b".repeat(100_000)),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let text = "(error) OOM command not allowed: a command on this page may look at 2 million \
                elements";
    refused_as(text, &setup, &lines);
}

#[test]
fn a_script_pays_for_what_its_commands_look_at() {
    let setup = crowded();
    let setup: Vec<&str> = setup.iter().map(String::as_str).collect();
    let (mut instance, conn) = bounded(&setup);
    let mut cost = |command: &str| {
        let before = instance.work();
        let script = format!("for i = 1, 100 do redis.pcall({command}) end");
        instance.execute(conn, &argv(&format!("EVAL \"{script}\" 0")), NOW);
        instance.work() - before
    };
    let plain = cost("'GET', 'none'");
    for command in [
        "'LPOS', 'l', 'none'",
        "'LREM', 'l', 0, 'none'",
        "'LINSERT', 'l', 'BEFORE', 'none', 'x'",
        "'SORT', 'l', 'ALPHA', 'LIMIT', 0, 1",
        "'SINTERCARD', 2, 's', 's'",
        "'SDIFF', 's', 's'",
        "'ZINTERCARD', 2, 'z', 'z'",
        "'SSCAN', 's', 0, 'MATCH', 'none', 'COUNT', 5000",
        "'ZSCAN', 'z', 0, 'MATCH', 'none', 'COUNT', 5000",
        "'MEMORY', 'USAGE', 'l'",
        "'INFO', 'memory'",
        "'KEYS', ('a*'):rep(5) .. 'b'",
        "'EXISTS', ('x'):rep(100000)",
    ] {
        let more = cost(command).saturating_sub(plain);
        assert!(more > 100_000, "{command}: {more}");
    }
    assert!(cost("'SISMEMBER', 's', 'm1'") < plain + 2_000);
    assert!(cost("'LINDEX', 'l', 1000") < plain + 2_000);
}

#[test]
fn replies_larger_than_the_bound_are_not_made() {
    let setup = ["SADD s a b", "ZADD z 1 a", "HSET h f v", "SETRANGE half 500000 x"];
    let lines = [
        "SRANDMEMBER s -4000000000",
        "ZRANDMEMBER z -9000000",
        "HRANDFIELD h -9223372036854775807",
    ];
    refused(&setup, &lines);
    let (mut instance, conn) = bounded(&setup);
    for line in ["MULTI", "GET half", "GET half", "GET half", "GET half"] {
        run(&mut instance, conn, line);
    }
    let Outcome::Reply(Value::Array(replies)) = instance.execute(conn, &argv("EXEC"), NOW) else {
        panic!("no replies");
    };
    let errors: Vec<bool> = replies.iter().map(Value::is_error).collect();
    assert_eq!(errors, [false, false, false, true]);
}

#[test]
fn messages_count_until_they_are_taken() {
    let (mut instance, conn) = bounded(&[]);
    let other = instance.connect();
    run(&mut instance, other, "SUBSCRIBE c");
    instance.take_pushes();
    let script = "for i = 1, 100 do redis.call('PUBLISH', 'c', string.rep('x', 100000)) end";
    let reply = run(&mut instance, conn, &format!("EVAL \"{script}\" 0"));
    assert!(reply.starts_with(REFUSED), "{reply}");
    assert!(instance.take_pushes().len() <= 10);
    assert_eq!(run(&mut instance, conn, "SET k v"), "OK");
}

/// Each of `scripts` ends with an error that says there is too much of something.
fn are_too_large(scripts: &[&str]) {
    let config = Config { bytes_max: MIB, script_budget: 1_000_000_000, ..Config::default() };
    let mut instance = Instance::new(config);
    let conn = instance.connect();
    for script in scripts {
        let reply = run(&mut instance, conn, &format!("EVAL \"{script}\" 0"));
        let words = ["not enough memory", "string length overflow", "resulting string too large"];
        let refused = words.iter().any(|words| reply.contains(words));
        assert!(reply.starts_with("(error) ERR ") && refused, "{script}: {reply}");
    }
}

#[test]
fn a_script_cannot_make_a_long_string() {
    are_too_large(&[
        "local s = 'x' for i = 1, 60 do s = s .. s end return #s",
        "local s = 'x' for i = 1, 60 do s = string.rep(s, 2) end return #s",
        "local s = 'x' for i = 1, 60 do s = table.concat({s, s}) end return #s",
        "local s = 'x' for i = 1, 60 do s = string.gsub('ab', '.', s) end return #s",
        "local s = 'x' for i = 1, 60 do s = string.format('%s%s', s, s) end return #s",
        "return #string.rep('x', 1e9)",
    ]);
}

#[test]
fn nor_do_the_libraries_of_redis_make_one() {
    are_too_large(&[
        "local s = 'x' for i = 1, 60 do s = cjson.encode({s, s}) end return #s",
        "local s = 'x' for i = 1, 60 do s = cmsgpack.pack(s, s) end return #s",
        "local s = 'x' for i = 1, 60 do s = struct.pack('s', s) .. s end return #s",
    ]);
}

/// A reply may be a copy of its own: a script that keeps many of them keeps bytes.
#[test]
fn a_script_cannot_keep_replies_without_end() {
    let (mut instance, conn) = bounded(&["SETRANGE k 900000 x"]);
    let script = "local t = {} for i = 1, 200 do t[i] = redis.call('GET', 'k') end return #t";
    let reply = run(&mut instance, conn, &format!("EVAL \"{script}\" 0"));
    assert!(reply.contains("not enough memory"), "{reply}");
}

/// As `resp` is set: the sizes are Redis's, looked at by the check alone.
#[test]
fn without_a_bound_the_sizes_are_those_of_redis() {
    let mut instance = Instance::default();
    assert!(instance.take_room(512 << 20).is_ok());
    assert!(instance.take_room(u64::MAX).is_ok());
    assert!(instance.check_reply(u64::MAX).is_ok());
    assert!(instance.check_cells(134_000_000).is_ok());
    let conn = instance.connect();
    let too_long = "(error) ERR string exceeds maximum allowed size (proto-max-bulk-len)";
    assert_eq!(run(&mut instance, conn, "SETRANGE k 536870912 x"), too_long);
    let offset = "(error) ERR bit offset is not an integer or out of range";
    assert_eq!(run(&mut instance, conn, "SETBIT k 4294967296 1"), offset);
    assert_eq!(run(&mut instance, conn, "SETRANGE k 20000000 x"), "(integer) 20000001");
}

fn names_told(instance: &mut Instance) -> Vec<String> {
    let words = |push: Value| match push {
        Value::Push(parts) => parts.iter().map(|part| part.to_cli()).collect::<Vec<_>>().join(" "),
        other => other.to_cli(),
    };
    instance.take_pushes().into_iter().map(|(_, push)| words(push)).collect()
}

/// A reader of many keys, or of long ones, is told early that the first have changed; it and the
/// memory that its names take are bounded, and prefixes count too.
#[test]
fn the_table_of_tracked_keys_is_bounded() {
    use crate::tracking::{TRACKED_BYTES_MAX, TRACKED_MAX};
    let (mut instance, conn) = bounded(&["HELLO 3", "CLIENT TRACKING ON"]);
    let told = |instance: &mut Instance| instance.take_pushes().len();
    for number in 0..TRACKED_MAX {
        run(&mut instance, conn, &format!("GET k{number:05}"));
    }
    assert_eq!(told(&mut instance), 0);
    run(&mut instance, conn, "MGET k90000 k90001 k00004");
    let first = names_told(&mut instance);
    assert_eq!(first, ["\"invalidate\" 1) \"k00000\"", "\"invalidate\" 1) \"k00001\""]);
    for number in 0..100 {
        run(&mut instance, conn, &format!("GET long{number}{}", "x".repeat(10_000)));
    }
    let told = told(&mut instance);
    assert!(told > TRACKED_MAX, "{told}");
    let kept = instance.tracking.bytes();
    assert!(kept < TRACKED_BYTES_MAX as u64 * 2, "{kept}");
    // Without a bound CONFIG has the last word.
    let (mut free, conn) = with(&["HELLO 3", "CLIENT TRACKING ON"]);
    run(&mut free, conn, "CONFIG SET tracking-table-max-keys 2");
    run(&mut free, conn, "MGET a b c d");
    assert_eq!(names_told(&mut free), ["\"invalidate\" 1) \"a\"", "\"invalidate\" 1) \"b\""]);
    // A prefix is an argument that is stored.
    let (mut small, conn) = bounded(&[]);
    let long = format!("CLIENT TRACKING ON BCAST PREFIX {}", "x".repeat(2 << 20));
    assert_eq!(run(&mut small, conn, &long), REFUSED);
}
