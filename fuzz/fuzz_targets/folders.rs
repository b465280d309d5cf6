//! Any file or folder is a lesson, or is refused in words. tests/edges.rs says what the bytes mean.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code)] // The other targets run the rest.
#[path = "../../tests/edges.rs"]
mod edges;

fuzz_target!(|input: &[u8]| edges::files(input));
