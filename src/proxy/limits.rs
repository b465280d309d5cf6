//! The limits of a visitor: every bound of the proxy. Those that an operator might want to change
//! are options.

use std::time::Duration;

use clap::Args;

use super::options::{Options, milliseconds, seconds, within};

#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Limits {
    /// --redis may name one without maxmemory, which a visitor can fill
    #[arg(long)]
    pub any_memory: bool,
    /// The most bytes of a visitor's keys on one --redis
    #[arg(long, value_name = "BYTES", default_value = "16777216")]
    #[arg(value_parser = within::<u64>(1 << 16, 1 << 40))]
    pub quota: u64,
    /// Commands per second of a visitor; 0: no limit
    #[arg(long, value_name = "N", default_value = "200")]
    #[arg(value_parser = within::<u32>(0, 1_000_000))]
    pub rate: u32,
    /// WebSockets of a visitor
    // A crowd of 28 clients, while those of a run before it are being closed.
    #[arg(long, value_name = "N", default_value = "64", value_parser = within::<usize>(1, 10_000))]
    pub connections: usize,
    /// Visitors at once; one who has gone makes room
    #[arg(long, value_name = "N", default_value = "128", value_parser = within::<usize>(1, 10_000))]
    pub visitors: usize,
    /// The most bytes of one message
    #[arg(long, value_name = "BYTES", default_value = "1048576")]
    #[arg(value_parser = within::<usize>(64, 64 << 20))]
    pub message: usize,
    /// The most bytes that are on their way to and fro
    #[arg(long, value_name = "BYTES", default_value = "268435456")]
    #[arg(value_parser = within::<usize>(1 << 20, 1 << 40))]
    pub memory: usize,
    /// HTTP connections of one address, of 2048
    #[arg(long, value_name = "N", default_value = "1024")]
    #[arg(value_parser = within::<usize>(1, 10_000))]
    pub per_address: usize,
    /// The most HTTP connections at once, until they become WebSockets.
    #[arg(skip = 2048_usize)]
    pub sockets: usize,
    /// Cuts off who takes nothing of a file
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub send: Duration,
    /// Closes a WebSocket on which nothing happens
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = seconds)]
    pub idle: Duration,
    /// Stops a script
    #[arg(long = "script", value_name = "SECONDS", default_value = "5")]
    #[arg(value_parser = milliseconds)]
    pub script_ms: u64,
    /// Takes a Redis that does not answer for lost
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub reply: Duration,
    /// Keeps the keys and servers of a visitor who has gone
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub linger: Duration,
}

/// The time within which a message must be sent; else the reader is too slow.
pub const SLOW_READER: Duration = Duration::from_secs(10);
/// The time within which the head of an HTTP request must arrive.
pub const HEAD: Duration = Duration::from_secs(10);
/// The most bytes of one reply.
pub const REPLY_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The bytes of a reply from which on it is passed on in pieces; and where the budget is used up.
pub const PIECE_BYTES: usize = 64 * 1024;
pub const SMALL_PIECE_BYTES: usize = 8 * 1024;
/// The most commands of one connection that wait for replies; then no more is read.
pub const PENDING_MAX: usize = 1024;
/// The most bytes of one connection's commands that Redis has not taken; then no more is read.
pub const OUT_BYTES_MAX: usize = 1024 * 1024;
/// The most writes held for one replica, and their bytes; beyond, the oldest are delivered.
pub const HELD_WRITES_MAX: usize = 1024;
pub const HELD_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The longest delay that a visitor may order.
pub const DELAY_MS_MAX: u64 = 10_000;

impl Default for Limits {
    fn default() -> Self {
        Options::default().limits
    }
}
