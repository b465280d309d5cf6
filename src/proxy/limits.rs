//! The limits of a visitor: every bound of the proxy that an operator might want to change.

use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one message.
    pub message: usize,
    /// WebSockets of one visitor.
    pub connections: usize,
    /// Commands per second of one visitor; 0: as many as there are.
    pub rate: u32,
    /// Visitors at once.
    pub visitors: usize,
    /// HTTP connections at once, until they become WebSockets.
    pub sockets: usize,
    /// A WebSocket on which nothing happens is closed.
    pub idle: Duration,
    /// A script that runs longer is stopped.
    pub script_ms: u64,
    /// A Redis that does not answer a command for so long is taken for lost.
    pub reply: Duration,
    /// A visitor's keys and servers stay for so long after the last connection.
    pub linger: Duration,
}

/// A message that does not get out in this time belongs to a reader who does not read.
pub const SLOW_READER: Duration = Duration::from_secs(10);
/// The head of an HTTP request has to come in this time.
pub const HEAD: Duration = Duration::from_secs(10);
/// Bytes of one reply.
pub const REPLY_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Commands of one connection that wait for their replies; then no more is read.
pub const PENDING_MAX: usize = 1024;
/// Bytes of commands of one connection that Redis does not take; then no more is read.
pub const OUT_BYTES_MAX: usize = 1024 * 1024;
/// Writes on their way to one replica, and their bytes; beyond, the oldest are delivered unasked.
pub const HELD_WRITES_MAX: usize = 1024;
pub const HELD_BYTES_MAX: usize = 16 * 1024 * 1024;
/// A visitor's delay is at most so long.
pub const DELAY_MS_MAX: u64 = 10_000;

impl Default for Limits {
    fn default() -> Self {
        Self {
            message: 1024 * 1024,
            connections: 32,
            rate: 200,
            visitors: 64,
            sockets: 2048,
            idle: Duration::from_secs(600),
            script_ms: 5000,
            reply: Duration::from_secs(60),
            linger: Duration::from_secs(60),
        }
    }
}
