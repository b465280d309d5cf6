//! The limits of a visitor: every bound of the proxy that an operator might want to change.

use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of one message.
    pub message: usize,
    /// The most WebSockets of one visitor.
    pub connections: usize,
    /// The most commands per second of one visitor; 0: no limit.
    pub rate: u32,
    /// The most visitors at once.
    pub visitors: usize,
    /// The most HTTP connections at once, until they become WebSockets.
    pub sockets: usize,
    /// The most of them from one address.
    pub per_address: usize,
    /// The most bytes that all connections together hold.
    pub memory: usize,
    /// The time within which a reader of a file must take something.
    pub send: Duration,
    /// The most bytes of one visitor's keys on a shared server.
    pub quota: u64,
    /// True if a shared server may have no `maxmemory`.
    pub any_memory: bool,
    /// The time after which a WebSocket without traffic is closed.
    pub idle: Duration,
    /// The ms after which a script is stopped.
    pub script_ms: u64,
    /// The time after which a Redis that does not answer a command counts as lost.
    pub reply: Duration,
    /// The time for which a visitor's keys and servers stay after the last connection.
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
        Self {
            message: 1024 * 1024,
            // A crowd of 28 clients, while those of a run before it are being closed.
            connections: 64,
            rate: 200,
            visitors: 128,
            sockets: 2048,
            per_address: 1024,
            memory: 256 * 1024 * 1024,
            send: Duration::from_secs(30),
            quota: 16 * 1024 * 1024,
            any_memory: false,
            idle: Duration::from_secs(600),
            script_ms: 5000,
            reply: Duration::from_secs(60),
            linger: Duration::from_secs(60),
        }
    }
}
