//! The native server: it serves the built page, and lets the page run its lessons on a real Redis.
//!
//! Contract: one page, read only, on one address (loopback unless told otherwise), optionally
//! under a sub-path; and one WebSocket for one connection to one Redis. What can go wrong at the
//! start is a [`StartError`](server::StartError), worded for the person at the terminal. Native
//! only; deliberately absent: TLS towards browsers (a reverse proxy's work), listings of folders,
//! any fallback page (the page's own addresses live behind `#`), Redis Cluster and Sentinel.
//!
//! # The protocol of a WebSocket
//!
//! `ws?node=N`, relative to the page, with the subprotocols `interleave`, `visitor.ID` and
//! `token.T`: secrets do not stand in an address, which every server on the way writes down. ID
//! is 16 to 64 letters, digits, `-` and `_`, made up at random by the page and kept for its
//! visit: it is who owns keys, servers and limits, and as good as a password. `node` counts
//! from 0: first each `--redis`, then each of `--spawn`. The token only where the proxy has
//! one. A handshake that is refused has the reason in its body; a page, which cannot read that,
//! gets the same words from `fetch` of the same address with the headers `Interleave-Visitor:
//! ID` and `Authorization: Bearer T` (426 is what a WebSocket would be let in with); OPTIONS there
//! allows a page of an allowed origin these headers. `visitor=`
//! and `token=` in the address are read too, for pages built before.
//!
//! **Binary messages are RESP.** From the page: one or more whole commands, each an array of
//! bulk strings. To the page: one or more whole replies, in the order of the commands, one for
//! each (as many as channels for a change of subscriptions), with pushed messages between them
//! as Redis sends them; a long reply comes in several messages. HELLO 3 switches to RESP3. What
//! the proxy answers itself is an error with the code `PROXY`: `-PROXY FLUSHALL is never
//! allowed: …`. In a transaction that makes EXEC fail with EXECABORT, as Redis's own refusals
//! do. A message over the limit gets one such error for all of it; a message that is no RESP
//! also ends the connection (1007), as it would with Redis.
//!
//! **Text messages are JSON**: orders to the proxy, and events from it.
//!
//! - `{"do":"down","keep":false}` kills the server's process; with `keep` it will come back with
//!   its keys, otherwise empty. `{"do":"up"}` starts it again;
//! - `{"do":"pause"}` lets the process stand still: connections stay, nothing is answered.
//!   `{"do":"resume"}` ends that;
//! - `{"do":"follow","node":1}`: this server becomes a replica of node 1, by Redis's own
//!   replication; done when it has its copy, or at once where node 1 is down. From then on the
//!   proxy holds each write of the master (a command, or a whole transaction), and WAIT waits;
//! - `{"do":"deliver"}` lets the next write through, `{"do":"deliver","to":1234}` those up to an
//!   offset of the master (INFO replication), `{"do":"deliver","all":true}` all there are; done
//!   when this server has them. Over 1024 writes or 16 MiB the oldest go through unasked;
//! - `{"do":"promote"}`: this server ends its replication, and what was held is lost. The same
//!   happens to one that goes down, or is cleaned: it comes back as a master;
//! - `{"do":"expire","key":"k"}`: the key runs out now, on a replica too, which takes no command;
//! - `{"do":"lose-reply"}`: the next command is carried out and its reply thrown away; where the
//!   reply would stand, there is `{"event":"reply-lost"}`;
//! - `{"do":"crash"}` cuts the connection to Redis at once and closes the WebSocket (4000);
//! - `{"do":"delay","ms":50}`: every reply of this WebSocket comes so much later (0 to 10000);
//! - `{"do":"keys"}` is answered `{"event":"keys","keys":[…],"more":false}`: the names of the
//!   visitor's keys on this node. `{"do":"clean"}` removes them.
//!
//! Orders are carried out one after the other and answered `{"event":"done","do":"down"}`, or
//! `{"event":"error","do":…,"why":…}`. What concerns the server itself
//! (all before `lose-reply`) is for throw-away servers only. Besides,
//! there come
//!
//! - `{"event":"ready","node":0,"nodes":5,"server":"redis 7.0.15","own":true,"scripts":true}` once
//!   the connection to Redis stands. Commands sent earlier wait for the first attempt to connect;
//!   `own`: a throw-away server; `scripts`: whether EVAL is possible;
//! - `{"event":"lost","why":…}` when it is gone, after an error for every command that waited: it
//!   may have been carried out or not, and is never sent a second time. Commands are refused until
//! - `{"event":"back",…}`, like `ready`: a new connection, without the transaction, the watched
//!   keys, the subscriptions and the RESP3 of the one before.
//!
//! Close codes: 1000 after QUIT, 1001 the proxy ends, 1007 and 1009 as above (1009: four times too
//! large), 1002 a ping that is no ping, 1011 Redis was lost in the middle of a long reply, 4000 a
//! crash that was asked for, 4001 idle.
//!
//! # Whose keys
//!
//! Programs say `stock`, and many visitors run them. With `--spawn` each visitor has servers of
//! their own; a user of the server's ACL keeps programs and scripts to what the policy allows. On
//! a server that others use (`--redis`) every key and channel gets a prefix on the way in, at the
//! positions that the command table names, and loses it in every reply on the way out; a user made
//! for the visitor (`~prefix*`, `&prefix*`, and the policy's commands one by one) holds scripts to
//! it, too: Redis itself refuses a key that a script did not get in KEYS. Where the server lets us
//! make no user, scripts are refused, and only commands are allowed whose keys the table finds for
//! certain. When a visitor has been gone for a while, user and keys are removed; what a proxy left
//! that was killed, the next one removes. The names of a visitor's keys are noted on the server
//! before a command makes them (`interleave.keys:RUN:VISITOR`), so no others are looked through.
//!
//! # Files
//!
//! - [`options`]: the command line; [`limits`]: every bound; [`url`]: addresses of Redis.
//! - [`page`]: where the page's files are; [`files`]: types, compression and cache rules.
//! - [`server`]: the socket, the routes, starting and ending; [`gate`]: Host, Origin, token.
//! - [`health`]: whether Redis answers; [`hub`]: visitors, their connections and keys, and
//!   cleaning up;
//!   [`spawn`]: throw-away servers;
//!   [`upstream`]: a connection to Redis; [`replica`]: links between throw-away servers, and
//!   [`held`]: what stands still on them.
//! - [`relay`]: the loop between two sockets; [`session`]: which answer belongs to which command;
//!   [`wire`]: RESP cut into replies, and [`pieces`]: one long reply; [`budget`]: the bytes that
//!   all connections together may hold; [`control`]: orders and events.
//! - [`policy`]: what is allowed; [`scripts`]: which scripts are, where others use the server;
//!   [`confine`]: where keys stand.
//! - [`metrics`]: what is counted; [`log`]: what is logged.

pub mod budget;
pub mod confine;
pub mod control;
pub mod files;
pub mod gate;
pub mod health;
pub mod held;
pub mod hub;
pub mod limits;
pub mod log;
pub mod metrics;
pub mod options;
pub mod page;
pub mod pieces;
pub mod policy;
pub mod relay;
pub mod replica;
pub mod scripts;
pub mod server;
pub mod session;
pub mod spawn;
pub mod upstream;
pub mod url;
pub mod wire;

use std::io::Write;
use std::process::ExitCode;

use options::{Options, Token};

/// Serves until Ctrl-C.
pub fn run(options: &Options) -> ExitCode {
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("proxy: cannot start any thread: {error}");
            return ExitCode::FAILURE;
        }
    };
    if !options.quiet {
        log::begin(options.levels.as_ref(), options.json_log);
    }
    let outcome = runtime.block_on(async {
        let server = server::Server::start(options).await?;
        // The browser tests read the address from this line.
        say(&format!("Interleave is at {} (Ctrl-C stops it)", server.url()));
        if !server.address().ip().is_loopback() {
            say("Everybody on this network can open it.");
        }
        // Who gave one has it, and what is printed here may end in a log.
        if let (Some(token), Token::Made) = (server.token(), &options.token) {
            say(&format!("Running lessons on Redis needs this token: {token}"));
        }
        server.run(server::interrupted()).await;
        Ok::<(), server::StartError>(())
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("proxy: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints for the person at the terminal, which may be closed.
fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// The example of README.md, which `cargo test --doc` runs.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct ReadMe;
