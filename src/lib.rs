//! Interleave: a browser playground that teaches Redis concurrency control.
//!
//! A single-threaded Redis engine runs real client programs; the learner decides who goes next.
//! This crate is everything but its four lowest layers, which are crates in their folders: the
//! world in which clients meet, the lessons, and the page. Its module tree is the architecture;
//! each line may use only what stands above it (tests/tidy.rs holds the order). A crate beside it,
//! src/divide, divides the page's program once it is built.
//!
//! docs/ARCHITECTURE.md is the long form: entry points, what each invariant forbids, and recipes
//! "to add a command, a lesson, a fault, a word, a film, an opcode, edit …". To add a module, give
//! it a line here at its height, and the same place in `LAYERS` of tests/tidy.rs.
//!
//! # A step, from the finger to the picture
//!
//! A press becomes a [`session::Msg`]; the session lets a [`sim::Timeline`] take one
//! [`sim::Action`]; [`sim::World::apply`] sends the client's pending command to the
//! [`engine::Instance`], hands the reply to its [`lua::Vm`] and runs it to the next call. The new
//! frame becomes a picture, plain data ([`app::stage`]), and the step from the one before a film
//! ([`view::film`]), which `ui::stage` plays. Going back is another frame of the list.
//!
//! # Invariants
//!
//! 1. Nothing but `worker`, `ui`, `proxy`, `server` and `program` reads a clock, a random source, a
//!    socket or the page. Time and randomness are arguments. (`check` and `lesson::source` read
//!    files, natively.)
//! 2. A `World` is a value: clone is cheap, equality and hash are exact, two targets give the same
//!    fingerprint.
//! 3. `apply` accepts every action that `enabled` lists, in a fixed documented order; a trace is a
//!    list of actions and replays to the same frames forever.
//! 4. The learner's step, the guided walk, the test, the checker and the crowd all drive the same
//!    `World::apply`.
//! 5. A Redis error is a reply with Redis's exact text. A panic is our bug. User input of any kind
//!    never panics.
//! 6. Every long computation takes a budget and returns, shows progress and can be stopped.
//! 7. Everything has a bound (states, steps, bytes, instructions, queue lengths); reaching it is a
//!    shown result (docs/bounds.md).
//! 8. What a lesson claims is computed, and tested, not written.
//! 9. Nothing below `lesson` is localised; lesson files name no Rust item.
//! 10. What is left out of a state in a search was seen not to be read; no program's text is looked
//!     at for it. docs/checker.md lists every abstraction and reduction.

/// An explicit-state model checker: search, reductions, liveness, census; it knows nothing of
/// Redis.
pub use checker;
/// Redis: keyspace, expiry, commands (a table), transactions, scripting.
pub use engine;
/// What all others stand on: fingerprints, JSON, mistakes on purpose, RESP, sorting (src/ground).
pub use ground::{
    from_json, hash, hexadecimal, json, json_enum, json_struct, mutant, resp, sorted,
};
/// Lua 5.1 as plain data: a VM that can be cloned, compared, hashed, paused at any call.
pub use lua;

// The modules. Their pages are the heads of their files: with `///` here, rustdoc would look up the
// links of those heads in this file.

// Languages, bilingual text, every word of the interface.
pub mod text;

// The world: instances, clients, faults, clocks; `enabled()`, `apply()`; timeline, schedules,
// properties.
pub mod sim;

// The crowd: discrete-event runs of the same world under seeded latencies; statistics.
pub mod load;

// How a world is written down: a row for each field, read from TOML and JSON alike; mistakes.
pub mod scenario;

// Lessons: format, diagnostics, verdicts, grades.
pub mod lesson;

// A lesson being worked on: the run, what each input does to it, and how it is written in a link.
pub mod session;

// The playground: a scenario of the learner's own; its drafts, folder, zip and JSON.
pub mod playground;

// A run on a real Redis, beside the simulator's: what is sent, what is compared; small crowds
// there.
pub mod real;

// What the page asks of the checker: the messages between the two, and the work in slices.
pub mod jobs;

// The checker as the page loads it, in a worker (wasm32; natively it only compiles, for `ui`).
#[cfg(any(target_arch = "wasm32", all(feature = "page", not(test))))]
pub mod worker;

// Plain data to draw: a frame, films, what is found, the map, crowds, consoles, exports. It
// changes no run.
pub mod view;

// The page without a browser: its whole state, which takes events and leaves effects; what can be
// pressed, where an address leads, the run that is stepped, and what its stage shows.
pub mod app;

// The page, in Yew (with the feature `page`: the checker is built without it). Natively it draws
// what is shown before its program has come (`ui::paint`).
#[cfg(all(feature = "page", not(test)))]
pub mod ui;

// The command-line tool for lessons (native).
#[cfg(not(target_arch = "wasm32"))]
pub mod check;

/// The static server, and the relay to a real Redis (native).
#[cfg(not(target_arch = "wasm32"))]
pub use proxy;

/// The engine behind a TCP port (native).
#[cfg(not(target_arch = "wasm32"))]
pub use server;

// The program `interleave`: its commands and their options (native).
#[cfg(not(target_arch = "wasm32"))]
pub mod program;

#[cfg(test)]
pub(crate) use ground::share;

// Tests that drive the library and need it optimised: one program with the unit tests, so that the
// library is compiled once for both.
#[cfg(test)]
extern crate self as interleave;
#[cfg(test)]
#[path = "../tests/library.rs"]
mod library;
