//! Lua by itself, for `tests/browser/harness.test.mjs`: as wasm it exports a function that runs a
//! program; natively it prints the programs of the corpus and some generated ones, with what each
//! must print. Both run the same driver, which `tests/lua.rs` holds against `lua5.1`.

#[path = "../lua/driver.rs"]
mod driver;

#[cfg(target_arch = "wasm32")]
mod exports {
    use wasm_bindgen::prelude::wasm_bindgen;

    /// What `program` prints.
    #[wasm_bindgen]
    pub fn run(program: &[u8]) -> Vec<u8> {
        super::driver::ours(program)
    }
}

/// wasm-bindgen calls it when the module loads; there is nothing to do by then.
#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
#[path = "../lua/corpus.rs"]
mod corpus;
#[cfg(not(target_arch = "wasm32"))]
#[path = "../lua/generate.rs"]
mod generate;

/// How many generated programs come after the corpus.
#[cfg(not(target_arch = "wasm32"))]
const GENERATED: u64 = 1000;

/// A line for each program: its name, its source and what it prints, in JSON. The bytes are in
/// hexadecimal, as neither need be UTF-8.
#[cfg(not(target_arch = "wasm32"))]
pub fn print() -> std::io::Result<()> {
    use std::io::Write as _;

    let mut programs = Vec::new();
    for file in corpus::files("tests/lua") {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (name, source) in corpus::programs(&file) {
            programs.push((format!("{stem}/{name}"), source));
        }
    }
    for seed in 1..=GENERATED {
        programs.push((format!("seed {seed}"), generate::program(seed).into_bytes()));
    }

    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (name, source) in programs {
        let output = driver::ours(&source);
        let line = serde_json::json!({
            "name": name, "source": hex(&source), "output": hex(&output),
        });
        writeln!(out, "{line}")?;
    }
    out.flush()
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    print()
}
