use super::*;
use ground::resp::split_inline;

mod bounds;

const NOW: u64 = 1_700_000_000_000;
const V: &str = "f7042be43fb80714";

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
    let fingerprints = |key: &[u8]| [&before, &instance].map(|it| it.key_fingerprint(0, key));
    let [then, now] = fingerprints(b"a");
    assert!(then.is_some() && now.is_some() && then != now);
    assert_eq!(fingerprints(b"b")[0], fingerprints(b"b")[1]);
    assert_eq!(fingerprints(b"gone")[1], None);
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
fn a_log_tells_keys_that_are_named_nowhere() {
    let (mut instance, conn) = with(&["SET s 1", "SET n 1", "RPUSH l x", "WATCH w", "MULTI"]);
    let log = |instance: &mut Instance, argv: &[Bytes]| {
        let mut access = Access::default();
        instance.execute_logged(conn, argv, NOW, &mut access);
        access
    };
    let keys = |access: &Access| -> Vec<(String, Use)> {
        let name = |key: &KeyAccess| String::from_utf8_lossy(&key.key).into_owned();
        access.keys.iter().map(|key| (name(key), key.how)).collect()
    };
    assert_eq!(keys(&log(&mut instance, &argv("SETNX n 2"))), []);
    let exec = log(&mut instance, &argv("EXEC"));
    assert_eq!(keys(&exec), [("n".into(), Use::Read), ("w".into(), Use::Read)]);
    let code = "redis.call('INCR', ARGV[1]..'1') return redis.call('TTL', KEYS[1])";
    let eval: Vec<Bytes> =
        ["EVAL", code, "2", "s", "unused", "x"].map(|a| a.as_bytes().into()).to_vec();
    let access = log(&mut instance, &eval);
    assert_eq!(keys(&access), [("s".into(), Use::Read), ("x1".into(), Use::Write)]);
    assert!(!access.clock && access.scripts == Some(Use::Write) && !access.random);
    let access = log(&mut instance, &argv("BLPOP q 0"));
    assert_eq!((keys(&access), access.clock), (vec![("q".into(), Use::Write)], false));
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

/// Every marked difference is in the list, and the list names no file without one.
#[test]
fn differences_are_listed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")); // This crate's.
    let list = std::fs::read_to_string(folder.join(concat!("DIFFER", "ENCES.md"))).unwrap();
    let listed: std::collections::BTreeSet<String> = list
        .lines()
        .filter_map(|l| Some(l.strip_prefix("- `")?.split_once('`')?.0.into()))
        .collect();
    let mut marked = std::collections::BTreeSet::new();
    for part in ["", "commands", "value"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            let is_source =
                path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs");
            // The contract in mod.rs explains the mark, in code quotes.
            if is_source
                && std::fs::read_to_string(&path)
                    .unwrap()
                    .replace(concat!("`DIFFER", "ENCE:`"), "")
                    .contains(concat!("DIFFER", "ENCE:"))
            {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
                marked.insert(name);
            }
        }
    }
    assert_eq!(listed, marked);
}

#[test]
fn a_script_that_does_not_end_keeps_the_instance_busy() {
    let mut instance = Instance::new(Config { script_budget: 10_000, ..Config::default() });
    let (a, b) = (instance.connect(), instance.connect());
    let endless: Vec<Bytes> =
        ["EVAL", "while true do end", "0"].map(|arg| arg.as_bytes().into()).to_vec();
    assert_eq!(instance.execute(a, &endless, NOW), Outcome::Blocked);
    assert_eq!(instance.busy_script().map(|script| script.conn), Some(a));
    let busy = "(error) BUSY Redis is busy running a script. You can only call SCRIPT KILL or \
                SHUTDOWN NOSAVE.";
    assert_eq!(run(&mut instance, b, "GET k"), busy);
    // A busy instance is a value like any other.
    let copy = instance.clone();
    assert!(instance.continue_script(1_000));
    assert!(copy.busy_script().is_some());
    assert_eq!(run(&mut instance, b, "SCRIPT KILL"), "OK");
    let pushes = instance.take_pushes();
    assert!(matches!(&pushes[..], [(id, Value::Error(_))] if *id == a), "{pushes:?}");
    assert_eq!(run(&mut instance, b, "GET k"), "(nil)");
    assert_eq!(run(&mut instance, a, "SET k v"), "OK");
}

#[test]
fn hash_fields_expire_by_the_clock() {
    let mut instance = Instance::new(Config { version: Version::V7_4, ..Config::default() });
    let conn = instance.connect();
    run(&mut instance, conn, "HSET h a 1 b 2");
    assert_eq!(
        run(&mut instance, conn, "HPEXPIRE h 100 FIELDS 2 a x"),
        "1) (integer) 1\n2) (integer) -2"
    );
    assert_eq!(instance.next_deadline(), Some(NOW + 100));
    let later = |instance: &mut Instance, line: &str| match instance.execute(
        conn,
        &argv(line),
        NOW + 100,
    ) {
        Outcome::Reply(value) => value.to_cli(),
        other => format!("{other:?}"),
    };
    assert_eq!(later(&mut instance, "HKEYS h"), "1) \"b\"");
    assert_eq!(later(&mut instance, "HTTL h FIELDS 1 b"), "1) (integer) -1");
    assert_eq!(instance.next_deadline(), None);
}

#[test]
fn a_version_knows_what_it_has() {
    let answer = |version: Version, line: &str| {
        let mut instance = Instance::new(Config { version, ..Config::default() });
        let conn = instance.connect();
        run(&mut instance, conn, "SET k v");
        run(&mut instance, conn, line)
    };
    assert!(answer(Version::V7_0, "DELEX k IFEQ v").starts_with("(error) ERR unknown command"));
    assert_eq!(answer(Version::V8_4, "DELEX k IFEQ v"), "(integer) 1");
    assert_eq!(answer(Version::V8_4, "DELEX k IFEQ w"), "(integer) 0");
    assert_eq!(answer(Version::V7_0, "SET k w IFEQ v"), "(error) ERR syntax error");
    assert_eq!(answer(Version::V8_4, "SET k w IFEQ v"), "OK");
    assert_eq!(answer(Version::Valkey8, "SET k w IFEQ x"), "(nil)");
    assert_eq!(answer(Version::Valkey8, "SET k w IFNE x"), "(error) ERR syntax error");
    assert_eq!(answer(Version::V8_4, "SET k w IFNE x"), "OK");
    // The digest of "v", as Python's xxhash gives it.
    assert_eq!(answer(Version::V8_4, "DIGEST k"), format!("\"{V}\""));
    assert_eq!(answer(Version::V8_4, "DIGEST none"), "(nil)");
    assert_eq!(answer(Version::V8_4, &format!("SET k w IFDEQ {V}")), "OK");
    assert_eq!(answer(Version::V8_4, &format!("SET none w IFDEQ {V}")), "(nil)");
    assert_eq!(answer(Version::V8_4, &format!("SET k w IFDNE {V}")), "(nil)");
    assert_eq!(answer(Version::V8_4, &format!("DELEX k IFDEQ {V}")), "(integer) 1");
    assert_eq!(answer(Version::V8_4, &format!("DELEX k IFDNE {V}")), "(integer) 0");
    assert!(answer(Version::V8_4, "DELEX k IFDEQ 12").starts_with("(error) ERR must be exactly"));
    assert_eq!(answer(Version::Valkey9, "DELIFEQ k v"), "(integer) 1");
    assert_eq!(answer(Version::Valkey9, "DELIFEQ k w"), "(integer) 0");
    let add = "XADD s KEEPREF 1-0 f v";
    assert!(answer(Version::V8_0, add).starts_with("(error) ERR Invalid stream ID"));
    assert_eq!(answer(Version::V8_2, add), "\"1-0\"");
    assert_eq!(answer(Version::V8_0, "XTRIM s MAXLEN 1 ACKED"), "(error) ERR syntax error");
    for version in [Version::V8_4, Version::Valkey8] {
        assert!(answer(version, "DELIFEQ k v").starts_with("(error) ERR unknown command"));
    }
    for line in ["DIGEST k", "HGETEX h FIELDS 1 f", "HSETEX h FIELDS 1 f v", "MSETEX 1 k v"] {
        assert!(answer(Version::V7_4, line).starts_with("(error) ERR unknown command"), "{line}");
    }
}

#[test]
fn a_reader_claims_what_is_pending_for_long() {
    let mut instance = Instance::new(Config { version: Version::V8_4, ..Config::default() });
    let conn = instance.connect();
    let mut at = |ms: u64, line: &str| match instance.execute(conn, &argv(line), NOW + ms) {
        Outcome::Reply(value) => value.to_cli().replace(['\n', ' '], ""),
        other => format!("{other:?}"),
    };
    for id in 1..=4 {
        at(0, &format!("XADD s {id}-0 f v"));
    }
    at(0, "XGROUP CREATE s g 0");
    at(0, "XREADGROUP GROUP g a COUNT 2 STREAMS s >");
    at(5, "XCLAIM s g a 0 1-0 JUSTID");
    let entry = |id: u64, idle: u64, times: u64| {
        format!("\"{id}-0\"2)1)\"f\"2)\"v\"3)(integer){idle}4)(integer){times}")
    };
    let read = |ms: u64| format!("XREADGROUP GROUP g b COUNT 3 CLAIM {ms} STREAMS s >");
    // The longest pending first, then new ones.
    let want = [entry(2, 20, 1), entry(1, 15, 1), entry(3, 0, 0)];
    let [first, second, third] = want.map(|entry| format!("1){entry}"));
    assert_eq!(at(20, &read(15)), format!("1)1)\"s\"2)1){first}2){second}3){third}"));
    assert!(
        at(20, "XPENDING s g - + 9 b").starts_with("1)1)\"1-0\"2)\"b\"3)(integer)04)(integer)2")
    );
    assert_eq!(
        at(20, "XREADGROUP GROUP g b CLAIM 9 NOACK STREAMS s >"),
        format!("1)1)\"s\"2)1)1){}", entry(4, 0, 0))
    );
    assert_eq!(at(28, &read(9)), "(nil)");
    assert_eq!(at(29, "XTRIM s MINID 2"), "(integer)1");
    let again = format!("1)1)\"s\"2)1)1){}2)1){}", entry(2, 9, 2), entry(3, 9, 1));
    assert_eq!(at(29, "XREADGROUP CLAIM 9 GROUP g c NOACK STREAMS s >"), again);
    assert!(!at(99, "XREADGROUP GROUP g c CLAIM 1 STREAMS s 0").contains("(integer)"));
    for (option, why) in [
        ("CLAIM +1", "ERRmin-idle-timeisnotaninteger"),
        ("CLAIM -1", "ERRmin-idle-timemustbeapositiveinteger"),
        ("BLOCK 0 CLAIM 1", "ERRCLAIMwithBLOCKisnotsimulated:leaveoutBLOCK,andreadagain"),
    ] {
        let line = format!("XREADGROUP GROUP g c {option} STREAMS s >");
        assert_eq!(at(99, &line), format!("(error){why}"));
    }
    let only = "TheCLAIMoptionisonlysupportedbyXREADGROUP.YoucalledXREADinstead.";
    assert_eq!(at(99, "XREAD CLAIM 1 STREAMS s 0"), format!("(error)ERR{only}"));
}

#[test]
fn a_version_is_read_as_people_write_it() {
    for (text, version) in [
        ("7.2", Version::V7_2),
        ("7.2.4", Version::V7_2),
        ("redis 7.2", Version::V7_2),
        ("Redis-7.0.15", Version::V7_0),
        ("v8.0", Version::V8_0),
        ("valkey", Version::Valkey9),
        ("valkey 8", Version::Valkey8),
        ("valkey-8.1.3", Version::Valkey8),
    ] {
        assert_eq!(Version::parse(text), Some(version), "{text}");
    }
    for version in Version::ALL {
        assert_eq!(Version::parse(version.word()), Some(version));
        assert_eq!(Version::parse(&version.label()), Some(version));
    }
    // 7 may be one of three.
    for text in ["7", "8", "7.1", "7.0.x", "7.", "", "redis", "valkey 7.2", "7.2.4.1", "300.1"] {
        let known = "7.0, 7.2, 7.4, 8.0, 8.2, 8.4, valkey8, valkey9 are known";
        assert_eq!(Version::of_word(text), Err(known.to_owned()), "{text}");
    }
}

#[test]
fn valkey_says_what_it_is() {
    let config = Config { version: Version::Valkey9, ..Config::default() };
    let mut instance = Instance::new(config);
    let conn = instance.connect();
    let mut is = |line: &str, reply: &str| assert_eq!(run(&mut instance, conn, line), reply);
    is("LOLWUT", "\"Valkey ver. 9.0.0\\n\"");
    is("EVAL return{server.VALKEY_VERSION,redis.REDIS_VERSION} 0", "1) \"9.0.0\"\n2) \"7.2.4\"");
    is("CONFIG GET lazyfree-lazy-expire", "1) \"lazyfree-lazy-expire\"\n2) \"yes\"");
    is("XADD s 1-1 a b", "\"1-1\"");
    is("XADD s 1-2 a b", "\"1-2\"");
    is("XDEL s 1-2", "(integer) 1");
    is("XREAD STREAMS s +", "(nil)");
}

#[test]
fn a_field_named_as_an_option_is_no_option() {
    let lacks = |line: &str| {
        Lacking::of(&argv(line), Version::V7_0).map(|lacking| lacking.values().join(", "))
    };
    let acked = |name: &str| Some(format!("{name} ACKED, Redis 8.2, 8.2"));
    assert_eq!(lacks("XADD s MAXLEN ~ 9 LIMIT 5 ACKED 1-0 f v"), acked("XADD"));
    assert_eq!(lacks("XADD s MAXLEN 9 * acked keepref"), None);
    assert_eq!(lacks("XTRIM s acked MAXLEN 9"), acked("XTRIM"));
    assert_eq!(lacks("SET k IFEQ"), None);
    let claim = lacks("XREADGROUP GROUP g claim CLAIM 5 STREAMS s >");
    assert_eq!(claim.as_deref(), Some("XREADGROUP CLAIM, Redis 8.4, 8.4"));
    assert_eq!(lacks("XREADGROUP GROUP claim c STREAMS claim >"), None);
    assert_eq!(lacks("XREAD STREAMS + k 0 x"), None);
    assert_eq!(lacks("XREAD STREAMS k +").as_deref(), Some("XREAD +, Redis 7.4, 7.4"));
    assert_eq!(lacks("BITOP diff d a b").as_deref(), Some("BITOP DIFF, Redis 8.2, 8.2"));
    assert_eq!(lacks("BITOP AND diff one"), None);
    let age = lacks("CLIENT KILL MAXAGE 5");
    assert_eq!(age.as_deref(), Some("CLIENT KILL MAXAGE, Redis 7.4, 7.4"));
}

#[test]
fn hash_fields_are_read_and_set_with_their_time() {
    let (mut instance, conn) = {
        let mut instance = Instance::new(Config { version: Version::V8_4, ..Config::default() });
        let conn = instance.connect();
        (instance, conn)
    };
    let mut is = |line: &str, reply: &str| assert_eq!(run(&mut instance, conn, line), reply);
    is("HSETEX h FXX FIELDS 1 a 1", "(integer) 0");
    is("HSETEX h FNX EX 10 FIELDS 2 a 1 b 2", "(integer) 1");
    is("HPTTL h FIELDS 3 a b c", "1) (integer) 10000\n2) (integer) 10000\n3) (integer) -2");
    is("HSETEX h KEEPTTL FIELDS 1 a 3", "(integer) 1");
    is("HSETEX h FIELDS 1 b 4", "(integer) 1");
    is("HPTTL h FIELDS 2 a b", "1) (integer) 10000\n2) (integer) -1");
    is("HGETEX h PERSIST FIELDS 2 a c", "1) \"3\"\n2) (nil)");
    is("HPTTL h FIELDS 1 a", "1) (integer) -1");
    is("HGETEX h PX 5 FIELDS 1 a", "1) \"3\"");
    is("HPTTL h FIELDS 1 a", "1) (integer) 5");
    is("HGETEX h PXAT 1 FIELDS 2 a b", "1) \"3\"\n2) \"4\"");
    is("EXISTS h", "(integer) 0");
    let only = "(error) ERR Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified";
    is("HSETEX h EX 1 KEEPTTL FIELDS 1 a 1", only);
    is("MSETEX 2 s 1 t 2 NX PX 100", "(integer) 1");
    is("MSETEX 2 s 1 u 2 XX", "(integer) 0");
    is("MSETEX 2 s 1 u 2 NX", "(integer) 0");
    is("MSETEX 1 s 3 XX KEEPTTL", "(integer) 1");
    is("PTTL s", "(integer) 100");
    is("MSETEX 3 s 1", "(error) ERR wrong number of key-value pairs");
}

#[test]
fn a_connection_that_is_closed_hears_and_holds_nothing() {
    let (mut instance, listener) = with(&["SUBSCRIBE news"]);
    let other = instance.connect();
    run(&mut instance, other, "CLIENT KILL TYPE pubsub");
    assert_eq!(run(&mut instance, other, "PUBLISH news gone"), "(integer) 0");
    assert_eq!(run(&mut instance, other, "PUBSUB CHANNELS"), "(empty array)");
    assert!(instance.is_closed(listener));

    let (mut instance, quits) = with(&["WATCH key", "MULTI", "SET key 1"]);
    run(&mut instance, quits, "QUIT");
    let conn = instance.conn(quits).expect("it is there");
    assert!(!conn.in_multi);
}
