//! The rows of the command table, by group. The names, arities, flags, key specifications,
//! versions and summaries are those that COMMAND and COMMAND DOCS of Redis 7.0.15 answer, and of
//! the later versions for what came later.

mod data;
mod server;
mod sorted;
mod system;

use super::command::{Group, Row};

pub const ALL: &[(Group, &[Row])] = &[
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
