//! The proxy as a process between WebSocket clients and real redis-servers: what passes, what is
//! refused and in which words, what happens when something breaks, and that nothing is left behind.
//!
//! What is done to it, and what comes of it:
//!
//! - Redis is killed (-9) in mid-conversation: who waits gets an error that says so, nothing is
//!   sent twice, and the proxy connects again by itself
//!   (`faults::redis_killed_in_mid_conversation`, `faults::a_server_of_ones_own_dies_…`).
//! - A connection is half open: after the time for a reply an error, and a new connection
//!   (`faults::a_server_that_stands_still_answers_later_or_is_given_up`).
//! - A reply is lost: its command was carried out once (`faults::a_reply_is_lost_…`).
//! - A master is killed while writes wait for its replica: they are lost, the promoted replica
//!   lacks them, and the old master comes back as its copy (`replicas`).
//! - The proxy is ended or killed: no server of its own is left, and the next one removes what the
//!   killed one left on a shared server (`faults::nothing_is_left_of_a_proxy_however_it_ends`,
//!   `shared::a_proxy_that_was_killed_is_cleaned_up_after`).
//! - 500 WebSockets at once: each is answered, within 300 MB, and nothing is left
//!   (`limits::five_hundred_at_once`).
//! - Slow loris: who dawdles over a request is cut off, the others are served
//!   (`limits::who_dawdles_over_a_request_is_cut_off`); so is who does not read.
//! - Fuzzed frames and RESP: an error or the end of that connection, nothing else
//!   (`limits::nonsense_harms_nobody`).
//! - A page from another origin, a rebound name: refused at the handshake, in words (`gate`, and in
//!   Chromium tests/browser/real.test.mjs).
//! - Keys of others on a shared server: out of reach, scripts included (`shared`).

mod client;
mod crowd;
mod faults;
mod gate;
#[allow(dead_code, reason = "runs of lessons are followed in tests/library.rs")]
mod host;
mod limits;
mod relay;
mod replicas;
mod shared;

/// An id as a page makes it up.
const ALICE: &str = "alice-0123456789";
const BOB: &str = "bob-0123456789-x";
