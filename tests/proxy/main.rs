//! The proxy as a process between WebSocket clients and real redis-servers: what passes, what is
//! refused and in which words, what happens when something breaks, and that nothing is left behind.

mod client;
mod crowd;
mod faults;
mod gate;
mod host;
mod lessons;
mod limits;
mod relay;
mod shared;

/// An id as a page makes it up.
const ALICE: &str = "alice-0123456789";
const BOB: &str = "bob-0123456789-x";
