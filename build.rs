//! Asks the linker to leave in the page's program what refers to what: `check split` reads there
//! which functions need which data. It is no part of what is served.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    // A debug page is not divided.
    if is("CARGO_CFG_TARGET_ARCH", "wasm32") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bin=app=--emit-relocs");
    }
}
