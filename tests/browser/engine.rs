//! The engine by itself, as wasm, for `tests/browser/harness.test.mjs` and `benches/wasm.mjs`:
//! it runs recorded cases, and one command many times.

#[path = "../conformance/audit.rs"]
mod audit;
#[allow(dead_code)] // Reading and recording files is for the native tests.
#[path = "../conformance/case.rs"]
mod case;
#[path = "../conformance/ours.rs"]
mod ours;
#[path = "../conformance/server.rs"]
mod server;

use server::{Server, Wait};

/// Runs the cases of a file; how many there were, then a line for each that failed.
pub fn run_cases(json: &str) -> Vec<String> {
    let mut server = ours::Ours::audited(Default::default());
    let cases = case::load(json);
    let mut lines = vec![cases.len().to_string()];
    for case in cases {
        server.reset();
        if let Err(message) = case.run(&mut server) {
            lines.push(format!("{}: {message}", case.name));
        }
    }
    lines
}

/// Runs a command so many times; how many of the replies were errors.
pub fn repeat(words: &[String], times: u32) -> u32 {
    use interleave::engine::{Instance, Outcome};
    let mut instance = Instance::default();
    let conn = instance.connect();
    let argv: Vec<interleave::resp::Bytes> =
        words.iter().map(|word| word.as_bytes().into()).collect();
    let fails = |outcome: &Outcome| matches!(outcome, Outcome::Reply(reply) if reply.is_error());
    let outcomes = (0..times).map(|_| instance.execute(conn, &argv, 1_700_000_000_000));
    outcomes.filter(fails).count() as u32
}

#[cfg(target_arch = "wasm32")]
mod exports {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    pub fn cases(json: &str) -> Vec<String> {
        super::run_cases(json)
    }

    #[wasm_bindgen]
    pub fn repeat(words: Vec<String>, times: u32) -> u32 {
        super::repeat(&words, times)
    }
}

/// wasm-bindgen calls it when the module loads; there is nothing to do by then.
#[cfg(target_arch = "wasm32")]
fn main() {}

/// Natively it does the same with files named on the command line.
#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let lines = run_cases(&std::fs::read_to_string(&path)?);
        println!("{path}: {}", lines.join("\n"));
    }
    println!("errors of 1000 GETs: {}", repeat(&["GET".into(), "key".into()], 1000));
    Ok(())
}
