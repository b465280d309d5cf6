//! What all layers stand on, and that stands on nothing of ours: fingerprints ([`hash`]), JSON
//! ([`json`]), RESP values ([`resp`]), sorting and small maps in order ([`sorted`]), mistakes on
//! purpose ([`mutant`]).
//!
//! Contract: no clocks, sockets or page; the same results on every target. To add a leaf, give it a
//! module here; it may use only those above that it names.

pub mod hash;
pub mod json;
pub mod mutant;
pub mod resp;
pub mod sorted;

/// Reads up to eight hexadecimal digits. Unlike `u32::from_str_radix` it takes no sign for one.
pub fn hexadecimal(digits: &str) -> Option<u32> {
    digits.chars().try_fold(0, |code, digit| Some(code << 4 | digit.to_digit(16)?))
}

/// Returns how many cases a test that explores widely tries: `usual`, which `make test` has time
/// for, or so many times as many as `INTERLEAVE_LONG` says (`make test-long`).
pub fn share(usual: u64) -> u64 {
    let times = std::env::var("INTERLEAVE_LONG").ok().and_then(|text| text.parse().ok());
    usual * times.unwrap_or(1)
}

/// The example of README.md, which `cargo test --doc` runs.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct ReadMe;
