//! What a case is run on.

use interleave::resp::Value;

/// A server that the cases can be run on.
pub trait Server {
    /// Sends raw bytes on a named connection, which is opened at first use.
    fn send(&mut self, conn: &str, bytes: &[u8]);
    /// The next reply on it; `None` if none comes.
    fn receive(&mut self, conn: &str, wait: Wait) -> Option<Value>;
    /// Whether the server has closed the connection.
    fn is_closed(&mut self, conn: &str) -> bool;
    fn close(&mut self, conn: &str);
    fn sleep(&mut self, ms: u64);
    /// Forgets everything: connections, keys, settings.
    fn reset(&mut self);
}

/// How long to wait for a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// One is due: until it comes, within seconds.
    ForReply,
    /// None should come: a moment.
    ForSilence,
}
