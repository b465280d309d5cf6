//! CONFIG: parameters that change the engine, and parameters that are only stored.

use std::rc::Rc;

use crate::Instance;
use crate::args::{int, is};
use crate::context::{Ctx, Reply};
use crate::glob::glob_match;
use crate::notify::NotifyFlags;
use crate::settings::Settings;
use crate::version::Version;
use ground::resp::{Bytes, Value};

/// The type of a parameter.
enum Kind {
    /// An integer within bounds; `true` allows a memory unit.
    Number {
        min: i64,
        max: i64,
        memory: bool,
        of: fn(&mut Settings) -> Slot<'_>,
    },
    Notify,
    Flag,
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Cannot be set while the server runs.
    Fixed,
    /// Cannot be set to anything but nothing: every client may send every command.
    Password,
    /// Limits of unread output: class, hard limit, soft limit, seconds, for each class.
    Output,
}

enum Slot<'s> {
    Size(&'s mut usize),
    Long(&'s mut u64),
    /// Stored, without effect.
    Kept,
}

struct Parameter {
    name: &'static str,
    default: &'static str,
    kind: Kind,
}

const fn number(
    name: &'static str,
    default: &'static str,
    min: i64,
    max: i64,
    of: fn(&mut Settings) -> Slot<'_>,
) -> Parameter {
    Parameter { name, default, kind: Kind::Number { min, max, memory: false, of } }
}

const fn memory(
    name: &'static str,
    default: &'static str,
    min: i64,
    of: fn(&mut Settings) -> Slot<'_>,
) -> Parameter {
    Parameter { name, default, kind: Kind::Number { min, max: i64::MAX, memory: true, of } }
}

const fn kept(name: &'static str, default: &'static str, min: i64, max: i64) -> Parameter {
    number(name, default, min, max, |_| Slot::Kept)
}

const fn flag(name: &'static str, default: &'static str) -> Parameter {
    Parameter { name, default, kind: Kind::Flag }
}

const fn text(name: &'static str, default: &'static str) -> Parameter {
    Parameter { name, default, kind: Kind::Text }
}

const fn fixed(name: &'static str, default: &'static str) -> Parameter {
    Parameter { name, default, kind: Kind::Fixed }
}

const POLICIES: &[&str] = &[
    "volatile-lru",
    "volatile-lfu",
    "volatile-random",
    "volatile-ttl",
    "allkeys-lru",
    "allkeys-lfu",
    "allkeys-random",
    "noeviction",
];

const LARGE: i64 = i64::MAX;

/// One parameter under two names, stored under the first.
const LIST_SIZE: &str = "list-max-listpack-size";
const LIST_SIZE_ALIAS: &str = "list-max-ziplist-size";

/// All parameters, sorted by name.
static PARAMETERS: &[Parameter] = &[
    flag("activedefrag", "no"),
    flag("activerehashing", "yes"),
    flag("appendonly", "no"),
    Parameter {
        name: "appendfsync",
        default: "everysec",
        kind: Kind::Word(&["always", "everysec", "no"]),
    },
    fixed("bind", "127.0.0.1"),
    kept("busy-reply-threshold", "5000", 0, LARGE),
    Parameter {
        name: "client-output-buffer-limit",
        default: "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60",
        kind: Kind::Output,
    },
    fixed("databases", "16"),
    text("dir", "/"),
    text("dbfilename", "dump.rdb"),
    number("hash-max-listpack-entries", "512", 0, LARGE, |s| {
        Slot::Size(&mut s.limits.hash_entries)
    }),
    memory("hash-max-listpack-value", "64", 0, |s| Slot::Size(&mut s.limits.hash_value)),
    number("hash-max-ziplist-entries", "512", 0, LARGE, |s| Slot::Size(&mut s.limits.hash_entries)),
    memory("hash-max-ziplist-value", "64", 0, |s| Slot::Size(&mut s.limits.hash_value)),
    memory("hll-sparse-max-bytes", "3000", 0, |_| Slot::Kept),
    kept("hz", "10", 1, 500),
    kept("latency-monitor-threshold", "0", 0, LARGE),
    flag("lazyfree-lazy-expire", "no"),
    flag("lazyfree-lazy-user-del", "no"),
    kept("lfu-decay-time", "1", 0, i32::MAX as i64),
    kept("lfu-log-factor", "10", 0, i32::MAX as i64),
    kept("list-compress-depth", "0", 0, LARGE),
    kept(LIST_SIZE, "-2", i32::MIN as i64, i32::MAX as i64),
    kept(LIST_SIZE_ALIAS, "-2", i32::MIN as i64, i32::MAX as i64),
    Parameter {
        name: "loglevel",
        default: "notice",
        kind: Kind::Word(&["debug", "verbose", "notice", "warning"]),
    },
    kept("lua-time-limit", "5000", 0, LARGE),
    number("maxclients", "10000", 1, u32::MAX as i64, |s| Slot::Size(&mut s.maxclients)),
    memory("maxmemory", "0", 0, |s| Slot::Long(&mut s.maxmemory)),
    Parameter { name: "maxmemory-policy", default: "noeviction", kind: Kind::Word(POLICIES) },
    kept("maxmemory-samples", "5", 1, LARGE),
    Parameter { name: "notify-keyspace-events", default: "", kind: Kind::Notify },
    fixed("port", "6379"),
    memory("proto-max-bulk-len", "536870912", 1024 * 1024, |s| {
        Slot::Size(&mut s.proto_max_bulk_len)
    }),
    Parameter { name: "requirepass", default: "", kind: Kind::Password },
    text("save", ""),
    number("set-max-intset-entries", "512", 0, LARGE, |s| Slot::Size(&mut s.limits.set_ints)),
    number("set-max-listpack-entries", "128", 0, LARGE, |s| Slot::Size(&mut s.limits.set_entries)),
    memory("set-max-listpack-value", "64", 0, |s| Slot::Size(&mut s.limits.set_value)),
    kept("slowlog-log-slower-than", "10000", -1, LARGE),
    kept("slowlog-max-len", "128", 0, LARGE),
    memory("stream-node-max-bytes", "4096", 0, |_| Slot::Kept),
    kept("stream-node-max-entries", "100", 0, LARGE),
    kept("tcp-keepalive", "300", 0, LARGE),
    kept("timeout", "0", 0, LARGE),
    number("tracking-table-max-keys", "1000000", 0, LARGE, |s| {
        Slot::Size(&mut s.tracking_keys_max)
    }),
    number("zset-max-listpack-entries", "128", 0, LARGE, |s| {
        Slot::Size(&mut s.limits.zset_entries)
    }),
    memory("zset-max-listpack-value", "64", 0, |s| Slot::Size(&mut s.limits.zset_value)),
    number("zset-max-ziplist-entries", "128", 0, LARGE, |s| Slot::Size(&mut s.limits.zset_entries)),
    memory("zset-max-ziplist-value", "64", 0, |s| Slot::Size(&mut s.limits.zset_value)),
];

/// The parameters of a version: sets had no listpack before 7.2.
fn parameters(version: Version) -> impl Iterator<Item = &'static Parameter> {
    let is_late = |name: &str| name.starts_with("set-max-listpack-");
    PARAMETERS.iter().filter(move |of| version >= Version::V7_2 || !is_late(of.name))
}

fn kept_as(parameter: &Parameter) -> &'static str {
    if parameter.name == LIST_SIZE_ALIAS { LIST_SIZE } else { parameter.name }
}

fn current(settings: &mut Settings, parameter: &Parameter) -> String {
    if let Some(text) = settings.kept.get(kept_as(parameter)) {
        return text.clone();
    }
    match &parameter.kind {
        Kind::Number { of, .. } => match of(settings) {
            Slot::Size(n) => n.to_string(),
            Slot::Long(n) => n.to_string(),
            Slot::Kept => parameter.default.into(),
        },
        Kind::Notify => settings.notify.text(),
        _ => parameter.default.into(),
    }
}

/// Parses a number of bytes with an optional unit.
fn memory_size(text: &[u8]) -> Option<i64> {
    let digits = text.iter().position(|b| !b.is_ascii_digit() && *b != b'-').unwrap_or(text.len());
    let factor = match text[digits..].to_ascii_lowercase().as_slice() {
        b"" | b"b" => 1,
        b"k" => 1000,
        b"kb" => 1024,
        b"m" => 1_000_000,
        b"mb" => 1024 * 1024,
        b"g" => 1_000_000_000,
        b"gb" => 1024 * 1024 * 1024,
        _ => return None,
    };
    ground::resp::number::parse_int(&text[..digits])?.checked_mul(factor)
}

/// Changes the classes that `value` names; returns the limits of all.
fn output_limits(before: &str, value: &str) -> Result<String, &'static str> {
    let mut all: Vec<String> = before.split(' ').map(str::to_owned).collect();
    let words: Vec<&str> = value.split_whitespace().collect();
    if words.is_empty() || !words.len().is_multiple_of(4) {
        return Err("Wrong number of arguments in buffer limit configuration.");
    }
    for of in words.chunks_exact(4) {
        let class = match of[0].to_ascii_lowercase() {
            class if class == "replica" => "slave".to_owned(),
            class => class,
        };
        let is_it = |at: &usize| all[*at] == class;
        let at = (0..all.len()).step_by(4).find(is_it);
        let at = at.ok_or("Invalid client class specified in buffer limit configuration.")?;
        let size = |word: &str| memory_size(word.as_bytes()).filter(|n| *n >= 0);
        let seconds = int(of[3].as_bytes()).ok().filter(|n| *n >= 0);
        let (Some(hard), Some(soft), Some(seconds)) = (size(of[1]), size(of[2]), seconds) else {
            return Err(
                "Error in hard, soft or soft_seconds setting in buffer limit configuration.",
            );
        };
        for (offset, n) in [hard, soft, seconds].into_iter().enumerate() {
            all[at + 1 + offset] = n.to_string();
        }
    }
    Ok(all.join(" "))
}

fn assign(settings: &mut Settings, parameter: &Parameter, value: &[u8]) -> Result<(), String> {
    let text = || String::from_utf8_lossy(value).into_owned();
    match &parameter.kind {
        Kind::Fixed => return Err("can't set immutable config".into()),
        Kind::Number { min, max, memory, of } => {
            let n = if *memory {
                memory_size(value).ok_or("argument must be a memory value")?
            } else {
                int(value).map_err(|_| "argument couldn't be parsed into an integer")?
            };
            if n < *min || n > *max {
                return Err(format!("argument must be between {min} and {max} inclusive"));
            }
            match of(settings) {
                Slot::Size(slot) => *slot = usize::try_from(n).unwrap_or(usize::MAX),
                Slot::Long(slot) => *slot = n as u64,
                Slot::Kept => drop(settings.kept.insert(kept_as(parameter), n.to_string())),
            }
        }
        Kind::Notify => match NotifyFlags::parse(value) {
            Some(flags) => settings.notify = flags,
            None => return Err("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.".into()),
        },
        Kind::Flag => match () {
            () if is(value, "yes") || is(value, "no") => {
                settings.kept.insert(parameter.name, text().to_ascii_lowercase());
            }
            () => return Err("argument must be 'yes' or 'no'".into()),
        },
        Kind::Output => {
            let limits = output_limits(&current(settings, parameter), &text())?;
            settings.kept.insert(parameter.name, limits);
        }
        Kind::Text => drop(settings.kept.insert(parameter.name, text())),
        // DIFFERENCE: Redis asks for it from then on. A password that is never asked for protects
        // nothing.
        Kind::Password if value.is_empty() => {}
        Kind::Password => return Err("this server knows no passwords".into()),
        Kind::Word(words) => match words.iter().find(|word| is(value, word)) {
            Some(word) => drop(settings.kept.insert(parameter.name, (*word).to_string())),
            None => {
                return Err(format!(
                    "argument(s) must be one of the following: {}",
                    words.join(", ")
                ));
            }
        },
    }
    Ok(())
}

impl Instance {
    /// Returns the value of a parameter, as CONFIG GET says it; `None` if there is no such one. For
    /// a server with a port, which holds what concerns connections and clocks.
    pub fn setting(&self, name: &str) -> Option<String> {
        let parameter = parameters(self.settings.version).find(|of| of.name == name)?;
        Some(current(&mut (*self.settings).clone(), parameter))
    }
}

pub fn config_get(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let mut settings = (*cx.inst.settings).clone();
    let databases = cx.inst.dbs.len().to_string();
    let mut pairs = Vec::new();
    for parameter in parameters(cx.version()) {
        let asked = |pattern: &Bytes| glob_match(pattern, parameter.name.as_bytes(), true);
        if argv[2..].iter().any(asked) {
            let value = match parameter.name {
                "databases" => databases.clone(),
                _ => current(&mut settings, parameter),
            };
            pairs.push((Value::bulk(parameter.name), Value::bulk(value)));
        }
    }
    Ok(cx.map(pairs))
}

pub fn config_set(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if !argv.len().is_multiple_of(2) {
        return crate::args::arity("config|set");
    }
    // All or nothing.
    let mut settings = (*cx.inst.settings).clone();
    let mut seen: Vec<&str> = Vec::new();
    for pair in argv[2..].chunks_exact(2) {
        let name = String::from_utf8_lossy(&pair[0]).into_owned();
        let Some(parameter) = parameters(cx.version()).find(|p| is(&pair[0], p.name)) else {
            return Err(format!(
                "ERR Unknown option or number of arguments for CONFIG SET - '{name}'"
            )
            .into());
        };
        let failed = |why: &str| {
            format!("ERR CONFIG SET failed (possibly related to argument '{name}') - {why}")
        };
        if seen.contains(&parameter.name) {
            return Err(failed("duplicate parameter").into());
        }
        seen.push(parameter.name);
        assign(&mut settings, parameter, &pair[1]).map_err(|why| failed(&why))?;
    }
    cx.inst.settings = Rc::new(settings);
    Ok(Value::ok())
}

pub fn config_resetstat(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    cx.inst.stats.0 = Default::default();
    Ok(Value::ok())
}

/// CONFIG REWRITE fails: there is no configuration file.
pub fn config_rewrite(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Err("ERR The server is running without a config file".into())
}
