//! The server version that the engine imitates.
//!
//! To add a version, add a variant to [`Version`] with its arms here, and a place in
//! [`Version::ALL`]. The rows' `since` says which commands it has, [`OPTIONS`] which options.

use ground::json::{FromJson, Json, ToJson, Wrong};
use ground::resp::Bytes;

use super::args;
use super::command::row_of;

/// A server version, by default Redis 7.0.15. Commands that a version lacks are refused as unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Version {
    #[default]
    V7_0,
    V7_2,
    /// Valkey forked from Redis after 7.2: 8 (8.1) has neither HEXPIRE nor DELEX, but SET with
    /// IFEQ.
    Valkey8,
    /// Valkey 9 adds the HEXPIRE family and DELIFEQ.
    Valkey9,
    V7_4,
    V8_0,
    V8_2,
    V8_4,
}

impl Version {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Version; 8] = [
        Version::V7_0,
        Version::V7_2,
        Version::V7_4,
        Version::V8_0,
        Version::V8_2,
        Version::V8_4,
        Version::Valkey8,
        Version::Valkey9,
    ];

    /// Returns its name in scenarios and options.
    pub fn word(self) -> &'static str {
        match self {
            Version::V7_0 => "7.0",
            Version::V7_2 => "7.2",
            Version::V7_4 => "7.4",
            Version::V8_0 => "8.0",
            Version::V8_2 => "8.2",
            Version::V8_4 => "8.4",
            Version::Valkey8 => "valkey8",
            Version::Valkey9 => "valkey9",
        }
    }

    /// Returns the version that people write so: `7.2`, `7.2.4`, `v8.0`, `redis 7.2`, `valkey-8`;
    /// `valkey` is the newest. `None` if there is no such version, or if `8` may be one of several.
    pub fn parse(text: &str) -> Option<Version> {
        let text = text.trim().to_ascii_lowercase();
        let (is_valkey, number) = match text.strip_prefix("valkey") {
            Some(number) => (true, number),
            None => (false, text.strip_prefix("redis").unwrap_or(&text)),
        };
        let number = number.trim_start_matches([' ', '-', ':']);
        let number = number.strip_prefix('v').unwrap_or(number);
        let parts: Option<Vec<u8>> = match number {
            "" if is_valkey => return Version::ALL.into_iter().rfind(|one| one.is_valkey()),
            _ => number.split('.').map(|part| part.parse().ok()).collect(),
        };
        let is_meant = |version: &Version| {
            let (major, minor) = version.level();
            version.is_valkey() == is_valkey
                && match parts.as_deref() {
                    Some([first]) => *first == major,
                    Some([first, second] | [first, second, _]) => {
                        (*first, *second) == (major, minor)
                    }
                    _ => false,
                }
        };
        let mut meant = Version::ALL.into_iter().filter(is_meant);
        meant.next().filter(|_| meant.next().is_none())
    }

    /// Returns the names of all, as a sentence has them.
    pub fn words() -> String {
        Version::ALL.map(Version::word).join(", ")
    }

    /// Returns the version of a word; the error lists those that are known.
    pub fn of_word(text: &str) -> Result<Version, String> {
        Version::parse(text).ok_or_else(|| format!("{} are known", Version::words()))
    }

    /// Returns the product and its version, as people say it.
    pub fn label(self) -> String {
        match self.word().strip_prefix("valkey") {
            Some(number) => format!("Valkey {number}"),
            None => format!("Redis {}", self.word()),
        }
    }

    /// Returns true if a server that calls itself so (`redis 7.0.15`) is of this version.
    pub fn is_server(self, called: &str) -> bool {
        let is_of = |product: &str, number: &str| {
            let rest = called.strip_prefix(product).and_then(|rest| rest.strip_prefix(number));
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        match self.word().strip_prefix("valkey") {
            Some(number) => is_of("valkey ", number),
            None => is_of("redis ", self.word()),
        }
    }

    /// Returns the least version from `self` on that lacks nothing of a command.
    pub fn for_command(self, argv: &[Bytes]) -> Version {
        let mut version = self;
        while let Some(lacking) = Lacking::of(argv, version) {
            version = lacking.since;
        }
        version
    }

    /// Returns the version of Redis that INFO and scripts are told.
    pub fn number(self) -> &'static str {
        match self {
            Version::V7_0 => "7.0.15",
            // Valkey tells clients the last Redis version it is compatible with.
            Version::V7_2 | Version::Valkey8 | Version::Valkey9 => "7.2.4",
            Version::V7_4 => "7.4.0",
            Version::V8_0 => "8.0.0",
            Version::V8_2 => "8.2.3",
            Version::V8_4 => "8.4.0",
        }
    }

    /// Returns the product with its own number, as HELLO says them.
    pub fn product(self) -> (&'static str, &'static str) {
        match self {
            Version::Valkey8 => ("valkey", "8.1.0"),
            Version::Valkey9 => ("valkey", "9.0.0"),
            redis => ("redis", redis.number()),
        }
    }

    /// Returns the number within its own project.
    fn level(self) -> Level {
        match self {
            Version::V7_0 => (7, 0),
            Version::V7_2 => (7, 2),
            Version::V7_4 => (7, 4),
            Version::V8_0 => (8, 0),
            Version::V8_2 => (8, 2),
            Version::V8_4 => (8, 4),
            Version::Valkey8 => (8, 1),
            Version::Valkey9 => (9, 0),
        }
    }

    pub(super) fn is_valkey(self) -> bool {
        matches!(self, Version::Valkey8 | Version::Valkey9)
    }

    /// Returns true if this version has an option of a command that older ones lack.
    pub fn has_option(self, command: &str, option: &[u8]) -> bool {
        option_since(command, option).is_some_and(|since| self.has(since))
    }

    /// Returns true if only other versions have an option of a command.
    pub fn lacks_option(self, command: &str, option: &[u8]) -> bool {
        option_since(command, option).is_some_and(|since| !self.has(since))
    }

    /// Returns true if this version has what came with `since`.
    pub fn has(self, since: Since) -> bool {
        let level = if self.is_valkey() { since.valkey } else { since.redis };
        level.is_some_and(|level| level <= self.level())
    }
}

/// Options that a command did not have from its beginning on: the command, the option, and the
/// versions.
const OPTIONS: [(&str, &str, Since); 20] = [
    ("set", "IFEQ", Since::new("8.4.0/8.1.0")),
    ("set", "IFNE", Since::new("8.4.0")),
    ("set", "IFDEQ", Since::new("8.4.0")),
    ("set", "IFDNE", Since::new("8.4.0")),
    ("xadd", "KEEPREF", Since::new("8.2.0")),
    ("xadd", "DELREF", Since::new("8.2.0")),
    ("xadd", "ACKED", Since::new("8.2.0")),
    ("xtrim", "KEEPREF", Since::new("8.2.0")),
    ("xtrim", "DELREF", Since::new("8.2.0")),
    ("xtrim", "ACKED", Since::new("8.2.0")),
    ("xreadgroup", "CLAIM", Since::new("8.4.0")),
    ("hscan", "NOVALUES", Since::new("7.4.0")),
    ("xread", "+", Since::new("7.4.0/8.0.0")),
    ("client|kill", "MAXAGE", Since::new("7.4.0/8.0.0")),
    ("bitop", "DIFF", Since::new("8.2.0")),
    ("bitop", "DIFF1", Since::new("8.2.0")),
    ("bitop", "ANDOR", Since::new("8.2.0")),
    ("bitop", "ONE", Since::new("8.2.0")),
    ("zrank", "WITHSCORE", Since::new("7.2.0")),
    ("zrevrank", "WITHSCORE", Since::new("7.2.0")),
];

/// Returns since when a command has an option; `None` if it always had it, or never.
fn option_since(command: &str, option: &[u8]) -> Option<Since> {
    let mut all = OPTIONS.iter();
    let found = all.find(|(of, known, _)| *of == command && args::is(option, known));
    found.map(|(.., since)| *since)
}

/// What a version lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lacking {
    /// The command, with the option if that is what is lacking.
    pub what: String,
    /// The first version that has it; of the same product, if any.
    pub since: Version,
}

impl Lacking {
    /// Returns what `version` lacks of a command that it refused.
    pub fn of(argv: &[Bytes], version: Version) -> Option<Lacking> {
        let command = row_of(argv)?;
        let name = command.name.replace('|', " ").to_ascii_uppercase();
        if !version.has(command.since) {
            return Some(Lacking { what: name, since: command.since.first(version)? });
        }
        let (_, option, since) = OPTIONS.iter().find(|(of, option, since)| {
            let is_meant = |arg: &Bytes| arg.eq_ignore_ascii_case(option.as_bytes());
            *of == command.name
                && !version.has(*since)
                && among_options(command.name, argv).iter().any(is_meant)
        })?;
        Some(Lacking { what: format!("{name} {option}"), since: since.first(version)? })
    }

    /// Returns what it is, since when there is it, and that version's name in scenarios.
    pub fn values(&self) -> [String; 3] {
        [self.what.clone(), self.since.label(), self.since.word().to_owned()]
    }
}

/// Returns the arguments of a command among which its options are.
fn among_options<'a>(command: &str, argv: &'a [Bytes]) -> &'a [Bytes] {
    let is = |at: usize, words: &[&str]| {
        argv.get(at).is_some_and(|arg| words.iter().any(|word| args::is(arg, word)))
    };
    let is_later = |at: usize| argv.get(at).is_some_and(|arg| option_since(command, arg).is_some());
    let (from, to) = match command {
        // Its fields may be named as an option is.
        "xadd" => {
            let mut at = 2;
            loop {
                at += match () {
                    () if is(at, &["NOMKSTREAM"]) || is_later(at) => 1,
                    () if is(at, &["MAXLEN", "MINID"]) && is(at + 1, &["=", "~"]) => 3,
                    () if is(at, &["MAXLEN", "MINID", "LIMIT"]) => 2,
                    () => break (2, at),
                }
            }
        }
        "xtrim" | "client|kill" => (2, argv.len()),
        "bitop" => (1, 2),
        "xread" => {
            let streams = (1..argv.len()).find(|at| is(*at, &["STREAMS"])).unwrap_or(argv.len());
            ((streams + 1 + argv.len()) / 2, argv.len())
        }
        "xreadgroup" => {
            let streams = (4..argv.len()).find(|at| is(*at, &["STREAMS"]));
            (4, streams.unwrap_or(argv.len()))
        }
        _ => (3, argv.len()),
    };
    argv.get(from..to.min(argv.len())).unwrap_or_default()
}

/// Major and minor number.
type Level = (u8, u8);

/// The level at which Valkey forked: it has everything of Redis 7.2.
const SHARED: Level = (7, 2);

/// The first version of Redis that has a command, and the first of Valkey, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Since {
    redis: Option<Level>,
    valkey: Option<Level>,
    text: &'static str,
}

impl Since {
    /// Parses `7.4.0` for Redis alone (unless Valkey began with it), `7.4.0/9.0.0` for both,
    /// `/9.0.0` for Valkey alone.
    pub const fn new(text: &'static str) -> Since {
        let bytes = text.as_bytes();
        let mut slash = 0;
        while slash < bytes.len() && bytes[slash] != b'/' {
            slash += 1;
        }
        let redis = level_at(bytes, 0);
        let valkey = match redis {
            _ if slash < bytes.len() => level_at(bytes, slash + 1),
            Some((major, minor)) if major < SHARED.0 || minor <= SHARED.1 && major == SHARED.0 => {
                redis
            }
            _ => None,
        };
        Since { redis, valkey, text }
    }

    /// Returns the first version that has it, of the same product as `version` if there is one.
    fn first(self, version: Version) -> Option<Version> {
        let mut having = Version::ALL.into_iter().filter(|one| one.has(self));
        let same = |one: &Version| one.is_valkey() == version.is_valkey();
        having.clone().find(same).or_else(|| having.next())
    }

    /// Returns the version number that COMMAND DOCS of `version` shows.
    pub fn text(&self, version: Version) -> &'static str {
        let (redis, valkey) = self.text.split_once('/').unwrap_or((self.text, self.text));
        if version.is_valkey() { valkey } else { redis }
    }
}

/// Parses `major.minor` from there on; the numbers are single digits.
const fn level_at(text: &[u8], at: usize) -> Option<Level> {
    if at + 2 < text.len() && text[at].is_ascii_digit() && text[at + 2].is_ascii_digit() {
        return Some((text[at] - b'0', text[at + 2] - b'0'));
    }
    None
}

impl FromJson for Version {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        let word = String::made_of(json, wrong);
        Version::parse(&word).unwrap_or_else(|| {
            wrong.say(format!("{word} where one of {} should be", Version::words()));
            Version::default()
        })
    }
}

impl ToJson for Version {
    fn to_json(&self) -> Json {
        Json::Text(self.word().to_owned())
    }
}
