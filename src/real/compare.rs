//! Compares the reply of a real Redis with the simulator's.
//!
//! Two replies are equal if they are equal to the byte, in the protocol of the connection. Replies
//! that may differ between two servers are *alike*: of the same kind, and their difference has a
//! known reason ([`Why`]). Everything else *differs*, and that is never explained away.

use crate::resp::{Bytes, Proto, Value, decode_reply};

/// A reason why two replies need not be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// DIFFERENCE: the clock. A real server reads its own, the simulator the world's, and real time
    /// goes on between two steps. TTL and the like are compared by whether there is a deadline.
    Clock,
    /// DIFFERENCE: randomness. A real server draws (SPOP, RANDOMKEY) as it likes.
    Random,
    /// DIFFERENCE: data about the server itself: connections' numbers, versions, memory.
    Server,
    /// The same members in another order, if Redis promises none.
    Order,
    /// The same error in other words: versions differ, and memory addresses.
    Wording,
    /// No instance answers, in the run and in reality; the error's origin and text depend on the
    /// network.
    NoAnswer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    Equal,
    Alike(Why),
    Differs,
}

/// A command, and further facts about it.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub argv: &'a [Bytes],
    /// The commands that an EXEC executes.
    pub queued: &'a [std::rc::Rc<[Bytes]>],
    pub proto: Proto,
    /// True if it runs a script that reads the server's clock.
    pub by_clock: bool,
}

const CLOCK: &[&str] = &[
    "TTL",
    "PTTL",
    "EXPIRETIME",
    "PEXPIRETIME",
    "HTTL",
    "HPTTL",
    "TIME",
    "LASTSAVE",
    "OBJECT IDLETIME",
    "OBJECT FREQ",
];
const RANDOM: &[&str] =
    &["RANDOMKEY", "SPOP", "SRANDMEMBER", "HRANDFIELD", "ZRANDMEMBER", "ACL GENPASS"];
const SERVER: &[&str] = &[
    "CLIENT ID",
    "CLIENT INFO",
    "CLIENT LIST",
    "CLIENT GETREDIR",
    "HELLO",
    "INFO",
    "ROLE",
    "COMMAND",
    "COMMAND COUNT",
    "COMMAND DOCS",
    "COMMAND INFO",
    "COMMAND LIST",
    "CONFIG GET",
    "MEMORY USAGE",
    "MEMORY STATS",
    "MEMORY DOCTOR",
    "ACL WHOAMI",
    "ACL CAT",
    "LOLWUT",
    "OBJECT HELP",
    "DEBUG OBJECT",
];
const UNORDERED: &[&str] = &[
    "SMEMBERS",
    "SINTER",
    "SUNION",
    "SDIFF",
    "HKEYS",
    "HVALS",
    "HGETALL",
    "KEYS",
    "SCAN",
    "SSCAN",
    "HSCAN",
    "ZSCAN",
    "PUBSUB CHANNELS",
    "PUBSUB NUMSUB",
];

/// Returns the command's name in capitals, and the same with the next word.
fn names(argv: &[Bytes]) -> (String, String) {
    let word = |at: usize| {
        let text = argv.get(at).map(|word| String::from_utf8_lossy(word).to_ascii_uppercase());
        text.unwrap_or_default()
    };
    (word(0), format!("{} {}", word(0), word(1)))
}

/// Returns true if the command is in the list.
fn is_of(list: &[&str], argv: &[Bytes]) -> bool {
    let (one, two) = names(argv);
    list.iter().any(|name| *name == one || *name == two)
}

/// Returns `expected` as a connection with protocol `proto` would carry it.
pub fn carried(expected: &Value, proto: Proto) -> Value {
    match decode_reply(&expected.to_bytes(proto)) {
        Ok(Some((value, _))) => value,
        _ => expected.clone(),
    }
}

/// Compares the simulator's reply with the real one.
pub fn compare(asked: Asked<'_>, expected: &Value, real: &Value) -> Match {
    let expected = carried(expected, asked.proto);
    if let (Value::Array(mine), Value::Array(theirs)) = (&expected, real)
        && !asked.queued.is_empty()
        && mine.len() == theirs.len()
        && mine.len() == asked.queued.len()
    {
        let each = mine.iter().zip(theirs).zip(asked.queued).map(|((mine, theirs), argv)| {
            compare_one(Asked { argv, queued: &[], ..asked }, mine, theirs)
        });
        return each.fold(Match::Equal, worse);
    }
    compare_one(asked, &expected, real)
}

/// Returns the worse of two comparisons.
pub fn worse(one: Match, other: Match) -> Match {
    match (one, other) {
        (Match::Differs, _) | (_, Match::Differs) => Match::Differs,
        (Match::Alike(why), _) | (_, Match::Alike(why)) => Match::Alike(why),
        _ => Match::Equal,
    }
}

fn compare_one(asked: Asked<'_>, expected: &Value, real: &Value) -> Match {
    if same(expected, real) {
        return Match::Equal;
    }
    if let (Value::Error(mine), Value::Error(theirs)) = (expected, real) {
        // `ERR`, `NOSCRIPT`: the code is what programs look at.
        let code = |text: &Bytes| text.split(|b| *b == b' ').next().map(<[u8]>::to_vec);
        return if code(mine) == code(theirs) {
            Match::Alike(Why::Wording)
        } else {
            Match::Differs
        };
    }
    if expected.is_error() || real.is_error() {
        return Match::Differs;
    }
    let reasons = [(CLOCK, Why::Clock), (RANDOM, Why::Random), (SERVER, Why::Server)];
    for (list, why) in reasons {
        if is_of(list, asked.argv) && alike(expected, real, why) {
            return Match::Alike(why);
        }
    }
    if is_of(UNORDERED, asked.argv) && same(&sorted(expected), &sorted(real)) {
        return Match::Alike(Why::Order);
    }
    // An entry's number is the time at which it was added.
    if is_stream_time(asked.argv, expected, real)
        || is_idle_time(asked.argv, expected, real)
        || asked.by_clock
    {
        return Match::Alike(Why::Clock);
    }
    Match::Differs
}

/// Returns true if the replies are equal; an acknowledging push is an array in RESP2.
fn same(mine: &Value, theirs: &Value) -> bool {
    match (mine, theirs) {
        (Value::Push(a) | Value::Array(a), Value::Push(b) | Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => mine == theirs,
    }
}

/// Returns true if the replies are of the same kind; for deadlines, if both have one or neither
/// has.
fn alike(mine: &Value, theirs: &Value, why: Why) -> bool {
    match (mine, theirs) {
        (Value::Int(a), Value::Int(b)) if why == Why::Clock => (*a >= 0) == (*b >= 0),
        (Value::Array(a), Value::Array(b)) if why == Why::Clock => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b, why))
        }
        (Value::Array(a), Value::Array(b)) if why == Why::Random => a.len() == b.len(),
        _ => std::mem::discriminant(mine) == std::mem::discriminant(theirs),
    }
}

/// Sorts the members of every list. Pairs stay together in a map; in RESP2 the fields of a hash are
/// a flat list, whose parts are compared as they are.
fn sorted(value: &Value) -> Value {
    let list = |items: &[Value]| {
        let mut items: Vec<Value> = items.iter().map(sorted).collect();
        crate::sorted::sort_by(&mut items, |a, b| a.to_cli().cmp(&b.to_cli()));
        items
    };
    match value {
        Value::Array(items) | Value::Set(items) => Value::Array(list(items)),
        Value::Map(pairs) => {
            let pair =
                |(key, value): &(Value, Value)| Value::Array(vec![key.clone(), sorted(value)]);
            Value::Array(list(&pairs.iter().map(pair).collect::<Vec<_>>()))
        }
        other => other.clone(),
    }
}

/// Returns true for the ids of XADD with `*`, which contain the time.
pub fn is_stream_time(argv: &[Bytes], mine: &Value, theirs: &Value) -> bool {
    let made_up = argv.iter().any(|word| word.as_ref() == b"*");
    let bulks = matches!((mine, theirs), (Value::Bulk(_), Value::Bulk(_)));
    is_of(&["XADD"], argv) && made_up && bulks
}

/// Returns true for consumers of a group, or entries that wait for an acknowledgement, that differ
/// only in how long they have been idle. Since Redis 7.2 a server also says how long consumers have
/// been inactive.
fn is_idle_time(argv: &[Bytes], mine: &Value, theirs: &Value) -> bool {
    let (Value::Array(mine), Value::Array(theirs)) = (mine, theirs) else { return false };
    let is_time = |name: &Value| match name {
        Value::Bulk(name) => matches!(name.as_ref(), b"idle" | b"inactive"),
        _ => false,
    };
    let is_pending = is_of(&["XPENDING"], argv);
    let fields = |one: &Value| {
        let all: Vec<(Value, Value)> = match one {
            // An id, its consumer, its idle time in ms, and how often it was delivered.
            Value::Array(entry) if is_pending => match entry.as_slice() {
                [id, consumer, Value::Int(_), times] => {
                    vec![(id.clone(), consumer.clone()), (times.clone(), Value::NilBulk)]
                }
                _ => vec![(one.clone(), Value::NilBulk)],
            },
            Value::Array(words) => {
                words.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
            }
            Value::Map(pairs) => pairs.clone(),
            other => vec![(other.clone(), Value::NilBulk)],
        };
        all.into_iter().filter(|(name, _)| !is_time(name)).collect::<Vec<_>>()
    };
    let same_fields = |(mine, theirs)| fields(mine) == fields(theirs);
    (is_pending || is_of(&["XINFO CONSUMERS"], argv))
        && mine.len() == theirs.len()
        && mine.iter().zip(theirs).all(same_fields)
}

/// Returns true if a script of this text reads the clock.
pub fn reads_clock(script: &[u8]) -> bool {
    let text = String::from_utf8_lossy(script).to_ascii_uppercase();
    ["TIME", "TTL", "PTTL"]
        .iter()
        .any(|name| text.contains(&format!("\"{name}\"")) || text.contains(&format!("'{name}'")))
}
