//! Any arguments of any command are answered, and leave the instance a value.
//! tests/conformance/hostile.rs says what the bytes mean.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code)] // The other target runs the rest.
#[path = "../../tests/conformance/hostile.rs"]
mod hostile;

fuzz_target!(|input: &[u8]| hostile::arguments(input));
