//! Bytes that wish no good, as requests and as arguments: nothing panics, a reply survives its way
//! through the wire, and an instance stays a value. The body of the fuzz targets `protocol` and
//! `arguments`, and of bounded tests.

use interleave::engine::{Config, Instance, Outcome, Version, commands};
use interleave::resp::{Bytes, Decoder, Proto, Value, decode_reply};

/// What arguments are made of: numbers at their limits, words of the commands, keys.
pub const WORDS: &[&str] = &[
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

const NOW: u64 = 1_700_000_000_000;

/// Commands that would be served, which takes for ever or much memory: negative counts of random
/// members, bits and bytes far out; by themselves or called from a script.
pub fn asks_for_too_much(argv: &[Bytes]) -> bool {
    const NAMES: [&[u8]; 5] =
        [b"srandmember", b"hrandfield", b"zrandmember", b"setbit", b"setrange"];
    let names = |arg: &Bytes| {
        let arg = arg.to_ascii_lowercase();
        NAMES.iter().any(|name| arg.windows(name.len()).any(|part| part == *name))
    };
    let is_far = |arg: &Bytes| interleave::resp::number::parse_int(arg).is_some_and(far);
    argv.iter().any(names) && argv.iter().any(is_far)
}

fn far(n: i64) -> bool {
    n.unsigned_abs() > 100_000
}

fn instance(version: u8) -> Instance {
    let versions = [
        Version::V7_0,
        Version::V7_2,
        Version::V7_4,
        Version::V8_0,
        Version::V8_4,
        Version::Valkey8,
        Version::Valkey9,
    ];
    let version = versions[usize::from(version) % versions.len()];
    Instance::new(Config { version, script_budget: 10_000, ..Config::default() })
}

/// Runs a command of one of a few connections, and looks at what came of it.
fn run(instance: &mut Instance, conn: u32, argv: &[Bytes]) {
    if asks_for_too_much(argv) {
        return;
    }
    if let Outcome::Reply(reply) = instance.execute(conn, argv, NOW) {
        travels(&reply);
    }
    for (_, push) in instance.take_pushes() {
        travels(&push);
    }
    instance.continue_script(10_000);
}

fn travels(reply: &Value) {
    for proto in [Proto::Resp2, Proto::Resp3] {
        let bytes = reply.to_bytes(proto);
        match decode_reply(&bytes) {
            Ok(Some((_, used))) => assert_eq!(used, bytes.len(), "{reply:?}"),
            other => panic!("{reply:?} became {other:?}"),
        }
    }
}

fn is_a_value(instance: &Instance) {
    let copy = instance.clone();
    assert!(copy == *instance, "a copy differs");
    assert_eq!(copy.fingerprint(), instance.fingerprint());
}

/// The first two bytes choose the version and the size of the pieces; the others come as requests,
/// and as a reply.
pub fn protocol(bytes: &[u8]) {
    let [version, piece, bytes @ ..] = bytes else { return };
    let _ = decode_reply(bytes);
    let mut instance = instance(*version);
    let conn = instance.connect();
    let mut decoder = Decoder::default();
    decoder.max_bulk_len = 1 << 20;
    for piece in bytes.chunks(usize::from(*piece).max(1)) {
        decoder.feed(piece);
        loop {
            match decoder.next_request() {
                Ok(Some(argv)) => {
                    assert!(!argv.is_empty());
                    run(&mut instance, conn, &argv);
                }
                Ok(None) => break,
                // The connection would be closed.
                Err(error) => return assert!(error.to_string().starts_with("ERR Protocol error")),
            }
        }
    }
    is_a_value(&instance);
}

/// Commands of the table: two bytes choose the row, the next ones the connection, how many
/// arguments there are, and which; 255 says that a length and an argument of its own follow.
pub fn arguments(bytes: &[u8]) {
    let Some((version, bytes)) = bytes.split_first() else { return };
    let mut instance = instance(*version);
    let conns = [instance.connect(), instance.connect(), instance.connect()];
    let mut bytes = bytes.iter().copied();
    let mut next = move || bytes.next();
    let rows = commands();
    while let (Some(high), Some(low), Some(choice)) = (next(), next(), next()) {
        let row = &rows[usize::from(u16::from_be_bytes([high, low])) % rows.len()];
        let mut argv: Vec<Bytes> = row.name.split('|').map(|part| part.as_bytes().into()).collect();
        for _ in 0..choice / 16 {
            let Some(word) = next() else { break };
            argv.push(match word {
                255 => (0..next().unwrap_or_default()).map_while(|_| next()).collect(),
                word => WORDS[usize::from(word) % WORDS.len()].as_bytes().into(),
            });
        }
        run(&mut instance, conns[usize::from(choice) % conns.len()], &argv);
    }
    is_a_value(&instance);
}
