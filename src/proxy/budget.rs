//! One budget of bytes over all connections, and a TCP connection that draws on it.
//!
//! Contract: each connection has [`FREE`] bytes of its own; what it holds beyond them comes out of
//! the budget, and a connection that finds nothing there is cut. What counts is what a visitor
//! decides: a message that has not ended, commands that Redis has not taken, a reply that is under
//! way. A connection also ends when its reader takes too little (`STEP` in `--send` seconds).

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::metrics::Metrics;

/// The bytes that a connection may hold without asking.
pub const FREE: usize = 64 * 1024;
/// The bytes that a reader must take within the time for it.
const STEP: usize = 64 * 1024;

#[derive(Debug)]
pub struct Budget {
    most: usize,
    metrics: Arc<Metrics>,
}

impl Budget {
    pub fn new(most: usize, metrics: Arc<Metrics>) -> Arc<Self> {
        Arc::new(Self { most, metrics })
    }

    pub fn share(self: &Arc<Self>) -> Share {
        Share { budget: self.clone(), bytes: AtomicUsize::new(0) }
    }
}

/// What one holder has taken of the budget; given back when dropped.
#[derive(Debug)]
pub struct Share {
    budget: Arc<Budget>,
    bytes: AtomicUsize,
}

impl Share {
    /// Holds this number of bytes from now on; false if there are not as many, and then nothing
    /// changes.
    pub fn set(&self, bytes: usize) -> bool {
        let used = &self.budget.metrics.buffered_bytes;
        let before = self.bytes.load(Relaxed);
        let most = self.budget.most as u64;
        let fits = |used: u64| {
            let after = (used + bytes as u64).saturating_sub(before as u64);
            (bytes <= before || after <= most).then_some(after)
        };
        let done = used.fetch_update(Relaxed, Relaxed, fits).is_ok();
        if done {
            self.bytes.store(bytes, Relaxed);
        }
        done
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.set(0);
    }
}

/// Counts what one WebSocket has sent and what is not done with.
#[derive(Debug)]
pub struct Meter {
    share: Share,
    /// The bytes of a message that has not ended.
    coming: AtomicUsize,
    /// The bytes of commands that Redis has not taken.
    going: AtomicUsize,
    /// False while the connection speaks HTTP, whose own bounds hold.
    on: std::sync::atomic::AtomicBool,
}

impl Meter {
    pub fn new(budget: &Arc<Budget>) -> Arc<Self> {
        Arc::new(Self {
            share: budget.share(),
            coming: AtomicUsize::new(0),
            going: AtomicUsize::new(0),
            on: false.into(),
        })
    }

    /// Begins to count: the connection has become a WebSocket.
    pub fn begin(&self) {
        self.on.store(true, Relaxed);
    }

    fn came(&self, bytes: usize) -> bool {
        if !self.on.load(Relaxed) {
            return true;
        }
        self.coming.fetch_add(bytes, Relaxed);
        self.settle()
    }

    /// A whole message was read.
    pub fn ended(&self) {
        self.coming.store(0, Relaxed);
        self.settle();
    }

    /// A ping was read, which may stand in the middle of a message.
    pub fn ping(&self, bytes: usize) {
        let less = |coming: usize| Some(coming.saturating_sub(bytes + 6));
        let _ = self.coming.fetch_update(Relaxed, Relaxed, less);
    }

    /// Redis has not taken this number of bytes; false if there is no room for them.
    pub fn waits(&self, bytes: usize) -> bool {
        self.going.store(bytes, Relaxed);
        self.settle()
    }

    fn settle(&self) -> bool {
        let held = self.coming.load(Relaxed) + self.going.load(Relaxed);
        self.share.set(held.saturating_sub(FREE))
    }
}

/// A visitor's TCP connection.
#[derive(Debug)]
pub struct Measured {
    stream: TcpStream,
    meter: Arc<Meter>,
    /// The time for a reader to take something.
    patience: Duration,
    stuck: Option<Pin<Box<Sleep>>>,
    /// The bytes taken since `stuck` began.
    taken: usize,
}

impl Measured {
    pub fn new(stream: TcpStream, meter: Arc<Meter>, patience: Duration) -> Self {
        Self { stream, meter, patience, stuck: None, taken: 0 }
    }

    /// Watches over one attempt to write.
    fn watched(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let outcome = write(Pin::new(&mut self.stream), cx);
        if let Poll::Ready(outcome) = outcome {
            self.taken += *outcome.as_ref().unwrap_or(&0);
            if self.taken >= STEP {
                self.stuck = None;
            }
            return Poll::Ready(outcome);
        }
        let stuck = self.stuck.get_or_insert_with(|| {
            self.taken = 0;
            Box::pin(sleep(self.patience))
        });
        ready!(stuck.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the reader is too slow")))
    }
}

impl AsyncRead for Measured {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        if self.meter.came(buffer.filled().len() - before) {
            return Poll::Ready(Ok(()));
        }
        Metrics::one(&self.meter.share.budget.metrics.no_room_total);
        Poll::Ready(Err(io::Error::other("there is no room for more bytes")))
    }
}

impl AsyncWrite for Measured {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.watched(cx, |stream, cx| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.watched(cx, |stream, cx| stream.poll_write_vectored(cx, parts))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called when everything has been written: nobody is waited for then.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stuck = None;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_a_connections_own_comes_from_the_budget() {
        let metrics = Arc::new(Metrics::default());
        let budget = Budget::new(1000, metrics.clone());
        let (a, b) = (Meter::new(&budget), Meter::new(&budget));
        assert!(a.came(10_000_000), "HTTP is not counted");
        a.begin();
        b.begin();
        assert!(a.came(FREE) && b.came(FREE));
        assert_eq!(metrics.buffered_bytes.load(Relaxed), 0);
        assert!(a.came(600) && !b.came(600));
        a.ping(94);
        assert!(a.waits(0) && metrics.buffered_bytes.load(Relaxed) == 500);
        a.ended();
        assert!(a.waits(FREE + 1000) && !b.waits(1));
        drop(a);
        assert!(b.waits(300));
        assert_eq!(metrics.buffered_bytes.load(Relaxed), 900);
        drop(b);
        assert_eq!(metrics.buffered_bytes.load(Relaxed), 0);
    }
}
