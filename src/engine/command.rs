//! The command table: one row per command and subcommand.
//!
//! A row drives dispatch, arity errors, COMMAND, completion, documentation links and (through
//! its key specifications) footprints. Rows are written in `rows/`, compactly; they are parsed
//! once, at first use.

use std::sync::OnceLock;

use super::context::{Ctx, Reply};
use super::rows;
use super::version::{Since, Version};
use ground::resp::Bytes;
use ground::sorted::sort_by;

pub type Handler = fn(&mut Ctx<'_>, &[Bytes]) -> Reply;

/// A row: name, arity, flags (`@` and `-@` add and remove an ACL category, `~` adds a tip), key
/// specifications, first version, handler, summary.
pub type Row = (&'static str, i32, &'static str, &'static str, &'static str, Handler, &'static str);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    Generic,
    String,
    Bitmap,
    Hash,
    List,
    Set,
    SortedSet,
    Geo,
    HyperLogLog,
    Stream,
    PubSub,
    Transactions,
    Scripting,
    Connection,
    Server,
    Cluster,
}

impl Group {
    /// Returns the group's name in COMMAND DOCS.
    pub fn name(self) -> &'static str {
        match self {
            Group::Generic => "generic",
            Group::String => "string",
            Group::Bitmap => "bitmap",
            Group::Hash => "hash",
            Group::List => "list",
            Group::Set => "set",
            Group::SortedSet => "sorted-set",
            Group::Geo => "geo",
            Group::HyperLogLog => "hyperloglog",
            Group::Stream => "stream",
            Group::PubSub => "pubsub",
            Group::Transactions => "transactions",
            Group::Scripting => "scripting",
            Group::Connection => "connection",
            Group::Server => "server",
            Group::Cluster => "cluster",
        }
    }

    fn category(self) -> Option<&'static str> {
        match self {
            Group::Generic => Some("@keyspace"),
            Group::SortedSet => Some("@sortedset"),
            Group::Transactions => Some("@transaction"),
            Group::String => Some("@string"),
            Group::Bitmap => Some("@bitmap"),
            Group::Hash => Some("@hash"),
            Group::List => Some("@list"),
            Group::Set => Some("@set"),
            Group::Geo => Some("@geo"),
            Group::HyperLogLog => Some("@hyperloglog"),
            Group::Stream => Some("@stream"),
            Group::PubSub => Some("@pubsub"),
            Group::Scripting => Some("@scripting"),
            Group::Connection => Some("@connection"),
            Group::Server | Group::Cluster => None,
        }
    }
}

/// Command flags, named as in COMMAND.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(u32);

macro_rules! flags {
    ($($name:ident $text:literal $bit:literal)*) => {
        impl Flags {
            $(pub const $name: Flags = Flags(1 << $bit);)*
            const ALL: &[(Flags, &str)] = &[$((Flags::$name, $text)),*];
        }
    };
}

flags! {
    WRITE "write" 0
    READONLY "readonly" 1
    DENYOOM "denyoom" 2
    ADMIN "admin" 3
    PUBSUB "pubsub" 4
    NOSCRIPT "noscript" 5
    BLOCKING "blocking" 6
    LOADING "loading" 7
    STALE "stale" 8
    SKIP_MONITOR "skip_monitor" 9
    SKIP_SLOWLOG "skip_slowlog" 10
    ASKING "asking" 11
    FAST "fast" 12
    NO_AUTH "no_auth" 13
    MAY_REPLICATE "may_replicate" 14
    NO_MULTI "no_multi" 15
    MOVABLEKEYS "movablekeys" 16
    ALLOW_BUSY "allow_busy" 17
    NO_MANDATORY_KEYS "no_mandatory_keys" 18
    NO_ASYNC_LOADING "no_async_loading" 19
}

impl Flags {
    pub fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Flags::ALL.iter().filter(move |(flag, _)| self.has(*flag)).map(|(_, name)| *name)
    }
}

/// The position where a command's keys begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    Index(usize),
    /// After this word, which is looked for from this argument on (backwards from the end if
    /// negative).
    Keyword(&'static str, i64),
    Unknown,
}

/// Which of the arguments from there on are keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Find {
    /// Every `step`-th argument up to `last` (relative to the first; -1 is the last argument); a
    /// `limit` of n stops at one n-th of the arguments.
    Range {
        last: i64,
        step: usize,
        limit: usize,
    },
    /// A count, then that many keys.
    KeyNum {
        count: usize,
        first: usize,
        step: usize,
    },
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySpec {
    /// `RO`, `RW`, `OW` or `RM`, and the effect on the value, named as in COMMAND.
    pub flags: Vec<&'static str>,
    pub begin: Begin,
    pub find: Find,
}

#[derive(Debug, Clone)]
pub struct Command {
    /// The name in lower case; a subcommand's is `config|get`.
    pub name: &'static str,
    /// The number of arguments, the name included; negative: at least that many.
    pub arity: i32,
    pub flags: Flags,
    pub keys: Vec<KeySpec>,
    pub group: Group,
    pub since: Since,
    pub categories: Vec<&'static str>,
    /// What was other in versions before one.
    former: Option<(Since, Form)>,
    pub tips: Vec<&'static str>,
    /// The index of its row.
    row: u16,
    pub handler: Handler,
    /// True for a subcommand, which has no name of its own.
    pub is_sub: bool,
    /// True if the command only holds subcommands.
    pub is_container: bool,
    /// The index in [`commands`].
    pub index: u16,
}

/// What of a row may differ between versions: arity, flags and ACL categories.
#[derive(Debug, Clone)]
struct Form {
    arity: i32,
    flags: Flags,
    categories: Vec<&'static str>,
}

impl Command {
    /// Returns `first, last, step` as in COMMAND: from the first key that a range names to the last
    /// of the ranges that follow on each other.
    pub fn key_positions(&self) -> (i64, i64, i64) {
        let mut all: Option<(i64, i64, i64)> = None;
        for spec in &self.keys {
            let (Begin::Index(first), Find::Range { last, step, .. }) = (spec.begin, spec.find)
            else {
                continue;
            };
            let (first, step) = (first as i64, step as i64);
            let last = if last < 0 { last } else { first + last };
            match all {
                None => all = Some((first, last, step)),
                Some((begin, end, 1)) if end == first - 1 && step == 1 => {
                    all = Some((begin, last, 1));
                }
                Some(_) => {}
            }
        }
        all.unwrap_or_default()
    }

    fn former(&self, version: Version) -> Option<&Form> {
        self.former.as_ref().filter(|(since, _)| !version.has(*since)).map(|(_, form)| form)
    }

    pub fn arity_in(&self, version: Version) -> i32 {
        self.former(version).map_or(self.arity, |form| form.arity)
    }

    pub fn flags_in(&self, version: Version) -> Flags {
        self.former(version).map_or(self.flags, |form| form.flags)
    }

    pub fn categories_in(&self, version: Version) -> &[&'static str] {
        self.former(version).map_or(&self.categories, |form| &form.categories)
    }

    pub fn summary(&self) -> &'static str {
        rows::SUMMARIES.get(usize::from(self.row)).copied().unwrap_or_default()
    }

    /// Returns the rows of the subcommands.
    pub fn subcommands(&self) -> impl Iterator<Item = &'static Command> {
        let prefix = if self.is_container { self.name } else { "\0" };
        commands()
            .iter()
            .filter(move |c| c.name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('|')))
    }

    /// Returns true if some version takes that many arguments.
    pub fn arity_fits(&self, argc: usize) -> bool {
        fits(self.arity, argc)
    }

    pub fn arity_fits_in(&self, version: Version, argc: usize) -> bool {
        fits(self.arity_in(version), argc)
    }
}

fn fits(arity: i32, argc: usize) -> bool {
    let wanted = arity.unsigned_abs() as usize;
    if arity < 0 { argc >= wanted } else { argc == wanted }
}

struct Table {
    commands: Vec<Command>,
    /// A hash table with open addressing, by the name's hash; its length is a power of two, and at
    /// most half of it is used.
    slots: Vec<Option<u16>>,
}

/// Returns all rows, sorted by name.
pub fn commands() -> &'static [Command] {
    &table().commands
}

/// Returns the row of `name` (`"config|get"` for a subcommand), in any case.
pub fn lookup(name: &[u8]) -> Option<&'static Command> {
    let table = table();
    let mut lower = [0u8; 32];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    let mut at = slot_of(lower, table.slots.len());
    loop {
        let command = &table.commands[usize::from(table.slots[at]?)];
        if command.name.as_bytes() == lower {
            return Some(command);
        }
        at = (at + 1) % table.slots.len();
    }
}

/// Returns the row of a command with its arguments: a subcommand's, if there is one; `None` for an
/// unknown command.
pub fn row_of(argv: &[Bytes]) -> Option<&'static Command> {
    let command = lookup(argv.first()?)?;
    let sub = argv.get(1).filter(|_| command.is_container);
    Some(sub.and_then(|sub| lookup_sub(command, sub)).unwrap_or(command))
}

/// Returns the row of a subcommand.
pub fn lookup_sub(container: &Command, sub: &[u8]) -> Option<&'static Command> {
    let name = [container.name.as_bytes(), b"|", sub].concat();
    lookup(&name)
}

fn slot_of(name: &[u8], slots: usize) -> usize {
    // Names are short: FNV beats the keyspace's hash here.
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for &b in name {
        hash = (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash >> 32) as usize % slots
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut commands = Vec::new();
        commands.extend((0..).zip(&rows::BRIEF).map(|(place, row)| parse_row(place, row)));
        sort_by(&mut commands, |a: &Command, b| a.name.cmp(b.name));
        let names: Vec<_> = commands.iter().map(|command| command.name).collect();
        for (index, command) in commands.iter_mut().enumerate() {
            command.index = index as u16;
            command.is_container = names
                .iter()
                .any(|n| n.strip_prefix(command.name).is_some_and(|rest| rest.starts_with('|')));
        }
        let size = (commands.len() * 2).next_power_of_two();
        let mut slots = vec![None; size];
        for command in &commands {
            let mut at = slot_of(command.name.as_bytes(), size);
            while slots[at].is_some() {
                at = (at + 1) % size;
            }
            slots[at] = Some(command.index);
        }
        Table { commands, slots }
    })
}

fn parse_row(row: u16, brief: &rows::Brief) -> Command {
    let &(group, name, arity, words, specs, since, handler) = brief;
    let keys: Vec<KeySpec> =
        specs.split(';').map(str::trim).filter(|s| !s.is_empty()).map(parse_spec).collect();
    // Movable: what first, last and step cannot describe.
    let plain =
        |spec: &KeySpec| matches!((spec.begin, spec.find), (Begin::Index(_), Find::Range { .. }));
    let incomplete = |spec: &KeySpec| spec.flags.contains(&"incomplete");
    let is_movable = keys.iter().any(|spec| !plain(spec) || incomplete(spec));
    let (Form { arity, flags, categories }, tips) = parse_form(group, arity, words, is_movable);
    let former = rows::FORMER.iter().find(|former| former.0 == name);
    let former = former.map(|&(_, since, arity, words)| {
        (Since::new(since), parse_form(group, arity, words, is_movable).0)
    });
    Command {
        name,
        arity,
        flags,
        keys,
        group,
        since: Since::new(since),
        categories,
        former,
        tips,
        row,
        handler,
        is_sub: name.contains('|'),
        is_container: false,
        index: 0,
    }
}

/// Parses the flags of a row; also returns its tips.
fn parse_form(
    group: Group,
    arity: i32,
    words: &'static str,
    is_movable: bool,
) -> (Form, Vec<&'static str>) {
    let (mut flags, mut extra, mut taken, mut tips) = (0, Vec::new(), Vec::new(), Vec::new());
    for word in words.split_ascii_whitespace() {
        match Flags::ALL.iter().find(|(_, name)| *name == word) {
            Some((flag, _)) => flags |= flag.0,
            None if word.starts_with('@') => extra.push(word),
            None => match (word.strip_prefix('-'), word.strip_prefix('~')) {
                (Some(category), _) => taken.push(category),
                (_, Some(tip)) => tips.push(tip),
                _ => debug_assert!(false, "unknown flag {word}"),
            },
        }
    }
    if is_movable {
        flags |= Flags::MOVABLEKEYS.0;
    }
    let flags = Flags(flags);
    let mut categories = implied_categories(group, flags);
    categories.retain(|category| !taken.contains(category));
    categories.extend(extra);
    (Form { arity, flags, categories }, tips)
}

fn implied_categories(group: Group, flags: Flags) -> Vec<&'static str> {
    let mut categories = Vec::new();
    let mut when = |condition: bool, names: &[&'static str]| {
        if condition {
            categories.extend(names);
        }
    };
    when(flags.has(Flags::WRITE), &["@write"]);
    when(flags.has(Flags::READONLY) && group != Group::Scripting, &["@read"]);
    when(flags.has(Flags::ADMIN), &["@admin", "@dangerous"]);
    when(flags.has(Flags::PUBSUB) && group != Group::PubSub, &["@pubsub"]);
    when(flags.has(Flags::FAST), &["@fast"]);
    when(!flags.has(Flags::FAST), &["@slow"]);
    when(flags.has(Flags::BLOCKING), &["@blocking"]);
    categories.extend(group.category());
    categories
}

fn parse_spec(text: &'static str) -> KeySpec {
    let mut spec = KeySpec {
        flags: Vec::new(),
        begin: Begin::Unknown,
        find: Find::Range { last: 0, step: 1, limit: 0 },
    };
    let numbers = |text: &str| -> Vec<i64> {
        text.split(['/', ':']).filter_map(|n| n.parse().ok()).collect()
    };
    for word in text.split_ascii_whitespace() {
        if let Some(index) = word.strip_prefix('@') {
            spec.begin = Begin::Index(index.parse().unwrap_or(1));
        } else if let Some(keyword) = word.strip_prefix("kw:") {
            let (keyword, from) = keyword.split_once(':').unwrap_or((keyword, "1"));
            spec.begin = Begin::Keyword(keyword, from.parse().unwrap_or(1));
        } else if let Some(range) = word.strip_prefix('+') {
            if let [last, step, limit] = numbers(range)[..] {
                spec.find = Find::Range { last, step: step as usize, limit: limit as usize };
            }
        } else if let Some(counted) = word.strip_prefix("num:") {
            if let [count, first, step] = numbers(counted)[..] {
                let (count, first, step) = (count as usize, first as usize, step as usize);
                spec.find = Find::KeyNum { count, first, step };
            }
        } else if word == "?" {
            spec.find = Find::Unknown;
        } else {
            spec.flags.push(word);
        }
    }
    spec
}
