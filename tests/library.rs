//! The tests that drive the library itself and take processor time. `src/lib.rs` includes them in
//! its own test program, so that the library is compiled once for them and for its unit tests, with
//! the optimisation of the `test` profile. Tests of programs that do not are in `servers.rs`.
//!
//! To add a file of such tests, give it a line here.

#[path = "conformance/main.rs"]
mod conformance;
#[path = "edges.rs"]
mod edges;
#[path = "lessons.rs"]
mod lessons;
#[path = "lua.rs"]
mod lua;
#[path = "lua_scripts.rs"]
mod lua_scripts;
#[path = "models.rs"]
mod models;
/// Replays of lessons through the proxy, which is a process: most of their time goes into the runs.
#[path = "proxy"]
mod proxy {
    #[allow(dead_code, reason = "the tests of the proxy itself use more of it")]
    mod client;
    #[allow(dead_code, reason = "crowds are tested with the proxy")]
    mod host;
    mod lessons;
}
