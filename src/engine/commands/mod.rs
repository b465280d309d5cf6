//! The handlers of the command table, one file per type.
//!
//! A handler reads and changes keys through its [`Ctx`], which keeps expiry, WATCH, blocked
//! clients, notifications and the log of what was touched in step. It answers with Redis's exact
//! texts; it never panics, whatever the arguments. Absent: clocks and randomness other than those
//! of [`Ctx`].
//!
//! To add a command: a function here, a row in `rows`. Three ways to ask for the time, which the
//! checker tells apart: `Ctx::now` where the reply or the effect depends on it, `Ctx::origin` where
//! a deadline is counted from it, `Ctx::now_for_deadlines` where it only decides which keys have
//! expired. The whole recipe is in docs/ARCHITECTURE.md.

pub mod admin;
pub mod bitfield;
pub mod bitmaps;
pub mod clients;
pub mod command_info;
pub mod comparing;
pub mod config;
pub mod connection;
pub mod counters;
pub mod dump;
pub mod field_expiry;
pub mod functions;
pub mod geo;
pub mod hashes;
pub mod hll;
pub mod info;
pub mod keys;
pub mod keys_of;
pub mod lcs;
pub mod lists;
pub mod pubsub;
pub mod scan;
pub mod scripting;
pub mod server;
pub mod sets;
pub mod sort;
pub mod stream_groups;
pub mod stream_info;
pub mod stream_reads;
pub mod stream_refs;
pub mod streams;
pub mod strings;
pub mod tracking;
pub mod transactions;
pub mod zset_algebra;
pub mod zset_ranges;
pub mod zsets;

use super::command::Group;
use super::context::{Ctx, Reply};
use ground::resp::Bytes;

/// Refuses a command that makes no sense for a single server in memory.
pub fn refused(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    if cx.command.group == Group::Cluster {
        return Err("ERR This instance has cluster support disabled".into());
    }
    Err(format!(
        "ERR the command '{}' is not supported: this engine has no persistence, replication, \
         cluster or modules",
        cx.command.name
    )
    .into())
}

/// Replies to a container called without a subcommand.
pub fn container(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    super::args::arity(cx.command.name)
}

/// `CONTAINER HELP`.
pub fn help(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    use ground::resp::Value;
    let container = cx.command.name.split('|').next().unwrap_or_default();
    let upper = container.to_ascii_uppercase();
    let first = format!("{upper} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
    let mut lines = vec![Value::status(&first)];
    let version = cx.version();
    if let Some(command) = super::lookup(container.as_bytes()) {
        for sub in command.subcommands().filter(|sub| version.has(sub.since)) {
            let name = sub.name.rsplit('|').next().unwrap_or_default();
            lines.push(Value::status(&name.to_ascii_uppercase()));
            lines.push(Value::status(&format!("    {}", sub.summary())));
        }
    }
    Ok(Value::Array(lines))
}
