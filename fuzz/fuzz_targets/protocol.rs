//! Any bytes on a connection are requests, answered one by one, or an error that closes it.
//! tests/conformance/hostile.rs says what the bytes mean.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code)] // The other target runs the rest.
#[path = "../../tests/conformance/hostile.rs"]
mod hostile;

fuzz_target!(|input: &[u8]| hostile::protocol(input));
