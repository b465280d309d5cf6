use super::*;
use crate::resp::split_inline;

const NOW: u64 = 1_700_000_000_000;

fn argv(line: &str) -> Vec<Bytes> {
    split_inline(line.as_bytes()).unwrap()
}

/// Runs `line`; the reply as redis-cli shows it.
fn run(instance: &mut Instance, conn: ConnId, line: &str) -> String {
    match instance.execute(conn, &argv(line), NOW) {
        Outcome::Reply(value) => value.to_cli(),
        other => format!("{other:?}"),
    }
}

fn with(lines: &[&str]) -> (Instance, ConnId) {
    let mut instance = Instance::default();
    let conn = instance.connect();
    for line in lines {
        run(&mut instance, conn, line);
    }
    (instance, conn)
}

#[test]
fn equal_contents_are_equal_whatever_the_way() {
    let (a, _) = with(&["SET k 11", "ZADD z 2 b 1 a", "SADD s x y", "RPUSH l 1 2", "DEL none"]);
    let lines = ["RPUSH l 2", "LPUSH l 1", "SADD s y x", "ZADD z 9 a", "ZADD z 1 a 2 b"];
    let (mut b, conn) = with(&lines);
    run(&mut b, conn, "SET k 10");
    assert_ne!(a, b);
    assert_ne!(a.fingerprint(), b.fingerprint());
    run(&mut b, conn, "INCR k");
    assert_eq!(a, b);
    assert_eq!(a.fingerprint(), b.fingerprint());
    run(&mut b, conn, "EXPIRE k 10");
    assert_ne!(a, b);
    assert_ne!(a.fingerprint(), b.fingerprint());
}

#[test]
fn a_clone_is_independent_and_diff_finds_what_changed() {
    let (mut instance, conn) = with(&["SET a 1", "SET b 1", "HSET h f v", "SET gone x"]);
    let before = instance.clone();
    for line in ["INCR a", "HSET h g w", "DEL gone", "SET new 1", "SET b 1"] {
        run(&mut instance, conn, line);
    }
    let changes = before.diff(&instance);
    let keys: Vec<String> =
        changes.iter().map(|c| String::from_utf8_lossy(&c.key).into_owned()).collect();
    assert_eq!(keys, ["a", "gone", "h", "new"]);
    assert_eq!(changes[0].before.as_ref().unwrap().value, EntryValue::Str((*b"1").into()));
    assert!(changes[1].after.is_none());
    assert_eq!(before.entries(0, NOW).len(), 4);
    assert!(before.diff(&before.clone()).is_empty());
}

#[test]
fn time_is_an_argument() {
    let (mut instance, _) = with(&["SET k v PX 100", "SET l v PX 50", "BLPOP q 0.2"]);
    assert_eq!(instance.next_deadline(), Some(NOW + 50));
    instance.advance(NOW + 100);
    assert_eq!(instance.db_len(0), 0);
    assert_eq!(instance.next_deadline(), Some(NOW + 200));
    instance.advance(NOW + 200);
    assert_eq!(instance.take_pushes(), [(1, Value::NilArray)]);
    assert_eq!(instance.next_deadline(), None);
}

#[test]
fn a_connection_shows_its_transaction() {
    let (mut instance, a) = with(&["WATCH k", "MULTI", "SET k 1"]);
    let b = instance.connect();
    run(&mut instance, b, "SET k 2");
    let view = instance.conn(a).unwrap();
    assert!(view.in_multi && view.dirty_cas);
    assert_eq!(view.queued, [argv("SET k 1").into()]);
    assert_eq!(view.watching, [(0, Bytes::from(b"k".as_slice()))]);
    assert_eq!(run(&mut instance, a, "EXEC"), "(nil)");
    assert_eq!(instance.conn(a).unwrap().watching, []);
}

#[test]
fn rows_are_well_formed() {
    for command in commands() {
        assert_ne!(command.arity, 0, "{}", command.name);
        assert_eq!(lookup(command.name.as_bytes()).unwrap().name, command.name);
        let writes = command.flags.has(Flags::WRITE);
        assert!(!(writes && command.flags.has(Flags::READONLY)), "{}", command.name);
    }
    assert!(lookup(b"CONFIG").unwrap().is_container);
    assert_eq!(lookup(b"nosuch").map(|c| c.name), None);
}

#[test]
fn footprints_follow_from_the_rows() {
    let check = |line: &str, reads: &str, writes: &str| {
        let footprint = footprint(&argv(line));
        let join = |keys: &[Bytes]| {
            let mut keys: Vec<_> = keys.iter().map(|k| String::from_utf8_lossy(k)).collect();
            keys.sort();
            keys.join(" ")
        };
        assert_eq!(join(&footprint.reads), reads, "{line}");
        assert_eq!(join(&footprint.writes), writes, "{line}");
    };
    check("GET a", "a", "");
    check("SET a 1", "", "a");
    check("MSET a 1 b 2", "", "a b");
    check("MGET a b", "a b", "");
    check("BITFIELD a GET u8 0", "a", "");
    check("BITFIELD a SET u8 0 1", "", "a");
    check("EVAL x 2 a b c", "", "a b");
    check("XREAD COUNT 1 STREAMS a b 0 0", "a b", "");
    check("ZUNIONSTORE d 2 a b", "a b", "d");
    check("SORT a BY w* STORE d", "a", "d");
    check("LMOVE a b LEFT RIGHT", "", "a b");
    check("BLPOP a b 0", "", "a b");
    check("NOSUCH a", "", "");
}

#[test]
fn a_hundred_thousand_keys_are_cloned_by_a_few_pointers() {
    let (mut instance, conn) = with(&[]);
    for n in 0..100_000 {
        run(&mut instance, conn, &format!("SET key:{n} {n}"));
    }
    let clone = instance.clone();
    run(&mut instance, conn, "SET key:5 x");
    assert_eq!(clone.diff(&instance).len(), 1);
    assert_eq!(clone.db_len(0), 100_000);
}
