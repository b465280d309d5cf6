//! Asks the linker to leave in the page's program what refers to what: `divide` (src/divide) reads
//! there which functions need which data. It is no part of what is served.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    // A debug page is not divided.
    if is("CARGO_CFG_TARGET_ARCH", "wasm32") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bin=app=--emit-relocs");
    }
}
