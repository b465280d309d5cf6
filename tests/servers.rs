//! The tests of the programs: `resp` and `proxy`, as processes that other processes talk to; of
//! what they say at a terminal; and of the lessons' lenses in Rust, which talk to a redis-server.
//! They wait more than they compute, so they use the unoptimised build that `make serve` has, and
//! run many at a time.

#[path = "clients/main.rs"]
mod clients;
#[path = "lenses/main.rs"]
mod lenses;
#[path = "program.rs"]
mod program;
#[path = "proxy/main.rs"]
mod proxy;
