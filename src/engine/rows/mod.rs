//! The rows of the command table, by group. The names, arities, flags, key specifications, versions
//! and summaries are those that COMMAND and COMMAND DOCS of Redis 7.0.15 reply with, and those of
//! later versions for later commands.
//!
//! To add a command, add a row to its group: `(name, arity, flags, keys, since, handler, summary)`.
//!
//! - `name`: lower case; a subcommand is `container|sub`, beside a row for the container.
//! - `arity`: arguments with the name itself; negative: at least so many.
//! - flags: words of [`Flags`](super::command::Flags); `@name` adds and `-@name` takes away an ACL
//!   category, `~tip` adds a tip.
//! - keys: specifications, `;` between them. `RO`, `RW`, `OW`, `RM` and what is done to the value,
//!   as COMMAND names them; where they begin: `@1` (this argument), `kw:STREAMS:1` (behind this
//!   word, looked for from there on); which: `+last/step/limit`, `num:count/first/step` (a count
//!   among the arguments), `?` (the row cannot say). `incomplete` and `variable_flags`: see
//!   `commands::keys_of`.
//! - `since`: `7.4.0` of Redis alone (unless Valkey began with it), `7.4.0/9.0.0` of both, `/9.0.0`
//!   of Valkey alone.
//!
//! Then the handler (`commands`), its line in `src/view/console/syntax.txt`, cases in
//! tests/conformance. The whole recipe is in docs/ARCHITECTURE.md.

mod data;
mod server;
mod sorted;
mod system;

use super::command::{Group, Handler, Row};

const ALL: &[(Group, &[Row])] = &[
    data::STRINGS,
    data::BITMAPS,
    data::HASHES,
    data::LISTS,
    data::SETS,
    sorted::ZSETS,
    sorted::GEO,
    sorted::HLL,
    sorted::STREAMS,
    system::KEYS,
    system::TRANSACTIONS,
    system::CONNECTION,
    system::PUBSUB,
    system::SCRIPTING,
    server::SERVER,
    server::CLUSTER,
];

/// A row without its summary: the fields needed to run the command.
pub type Brief = (Group, &'static str, i32, &'static str, &'static str, &'static str, Handler);

const COUNT: usize = {
    let (mut group, mut count) = (0, 0);
    while group < ALL.len() {
        count += ALL[group].1.len();
        group += 1;
    }
    count
};

/// A row as it was before a version: name, that version, arity, flags.
pub type Former = (&'static str, &'static str, i32, &'static str);

/// Blocking commands did not run in scripts, and ranks had no WITHSCORE.
pub static FORMER: [Former; 11] = [
    ("blmove", "7.2.0", 6, "write denyoom noscript blocking"),
    ("blpop", "7.2.0", -3, "write noscript blocking"),
    ("brpop", "7.2.0", -3, "write noscript blocking"),
    ("brpoplpush", "7.2.0", 4, "write denyoom noscript blocking"),
    ("bzpopmax", "7.2.0", -3, "write noscript blocking fast"),
    ("bzpopmin", "7.2.0", -3, "write noscript blocking fast"),
    ("command|getkeys", "7.2.0", -4, "loading stale @connection"),
    ("command|getkeysandflags", "7.2.0", -4, "loading stale @connection"),
    ("wait", "7.2.0", 3, "noscript @connection -@keyspace"),
    ("zrank", "7.2.0", 3, "readonly fast"),
    ("zrevrank", "7.2.0", 3, "readonly fast"),
];

/// The summaries are kept apart, because only COMMAND DOCS and HELP read them, and they are long.
pub static SUMMARIES: [&str; COUNT] = {
    let mut all = [""; COUNT];
    let (mut group, mut count) = (0, 0);
    while group < ALL.len() {
        let rows = ALL[group].1;
        let mut row = 0;
        while row < rows.len() {
            all[count] = rows[row].6;
            (row, count) = (row + 1, count + 1);
        }
        group += 1;
    }
    all
};

pub static BRIEF: [Brief; COUNT] = {
    let (group, rows) = ALL[0];
    let mut all = [brief(group, &rows[0]); COUNT];
    let (mut group, mut count) = (0, 0);
    while group < ALL.len() {
        let rows = ALL[group].1;
        let mut row = 0;
        while row < rows.len() {
            all[count] = brief(ALL[group].0, &rows[row]);
            (row, count) = (row + 1, count + 1);
        }
        group += 1;
    }
    all
};

const fn brief(group: Group, row: &Row) -> Brief {
    (group, row.0, row.1, row.2, row.3, row.4, row.5)
}
