//! The rows of the command table, by group. The names, arities, flags, key specifications,
//! versions and summaries are those that COMMAND and COMMAND DOCS of Redis 7.0.15 answer, and of
//! the later versions for what came later.

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

/// A row without its summary: what a command needs to run.
pub type Brief = (Group, &'static str, i32, &'static str, &'static str, &'static str, Handler);

const COUNT: usize = {
    let (mut group, mut count) = (0, 0);
    while group < ALL.len() {
        count += ALL[group].1.len();
        group += 1;
    }
    count
};

/// The summaries stand apart: only COMMAND DOCS and HELP ask for them, and they are long.
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
