//! Conformance: the same cases on our engine in process and on a real redis-server.
//!
//! Cases are data: `cases/*.json`, each a list of `{name, area, steps}` (the format is described
//! in `case.rs`), and `cases/8.2/*.json` for what Redis 7.0 lacks. `UPDATE_EXPECT=1` records the
//! replies anew from the real servers. `random.rs`
//! compares seeded random command sequences, reply by reply and keyspace by keyspace.

mod access;
mod audit;
mod case;
mod cli;
mod console;
mod fuzz;
mod hostile;
mod ours;
mod random;
mod real;
mod server;

use case::Case;
use interleave::engine::Version;
use ours::Ours;
use real::Real;
pub(super) use real::other_servers;
use server::{Server, Wait};

/// The versions that cases were recorded from.
const RECORDED: [Version; 2] = [Version::V7_0, Version::V8_2];

#[test]
fn our_engine_answers_as_recorded() {
    for version in RECORDED {
        run_all(&mut Ours::of(version), version);
    }
}

#[test]
fn a_real_server_answers_as_recorded() {
    for version in RECORDED {
        let Some(mut real) = Real::start_of(version) else {
            eprintln!("no {} (.ci/setup servers): it is not looked at", version.label());
            continue;
        };
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            case::record_all(&mut real, version);
        }
        run_all(&mut real, version);
    }
}

/// Only names that contain this are run, where it is set.
fn filter() -> Option<String> {
    std::env::var("CASE").ok()
}

fn run_all(server: &mut dyn Server, version: Version) {
    let (mut run, mut failures) = (0, Vec::new());
    for (file, cases) in case::load_all(version) {
        for case in cases {
            let Case { name, .. } = &case;
            if filter().is_some_and(|part| !name.contains(&part)) {
                continue;
            }
            server.reset();
            run += 1;
            if let Err(message) = case.run(server) {
                failures.push(format!("{file}: {name}: {message}"));
            }
        }
    }
    assert!(run > 0, "no cases were run");
    let count = failures.len();
    assert!(failures.is_empty(), "{count} of {run} cases failed:\n{}", failures.join("\n"));
}
