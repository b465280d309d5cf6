//! Interleave: a browser playground that teaches Redis concurrency control.
//!
//! A single-threaded Redis engine runs real client programs; the learner decides who goes next.
//! This crate is everything: the engine, the Lua the clients are written in, the world they meet
//! in, the lessons, and the page. Its module tree is the architecture; each line may use only what
//! stands above it.

pub mod hash;
pub mod resp;
pub mod text;

pub mod lua;

pub mod engine;

pub mod sim;

pub mod lesson;

pub mod view;

#[cfg(not(target_arch = "wasm32"))]
pub mod proxy;
