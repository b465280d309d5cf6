//! Fingerprints: one 64-bit number for a value, the same on every target and in every build.
//!
//! `std`'s hashers are keyed at random or unspecified between releases, and `usize` hashes
//! differently in 32-bit wasm and 64-bit native code. [`Fingerprinter`] is fixed-key and widens
//! `usize`, so `derive(Hash)` on plain data (no hash maps inside) gives equal numbers everywhere.
//! A fingerprint names a state in links, tests and displays; equality is always exact comparison.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Odd constants: the fractional parts of the golden ratio and of the square root of two.
const K0: u64 = 0x9e37_79b9_7f4a_7c15;
const K1: u64 = 0x6a09_e667_f3bc_c909;

/// A fixed-key [`Hasher`]: folded 64×64→128-bit multiplication per word, as in wyhash.
#[derive(Debug, Clone)]
pub struct Fingerprinter {
    state: u64,
}

impl Default for Fingerprinter {
    fn default() -> Self {
        Self { state: K0 }
    }
}

impl Fingerprinter {
    #[inline]
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.state ^ word ^ K1) * u128::from(K0);
        self.state = ((product as u64) ^ ((product >> 64) as u64)).wrapping_add(K1);
    }
}

impl Hasher for Fingerprinter {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
        let rest = words.remainder();
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            // The length goes into the top byte (a remainder has at most seven bytes), so that
            // "a" and "a\0" differ.
            last[7] = rest.len() as u8;
            self.mix(u64::from_le_bytes(last));
        }
    }
    fn write_u8(&mut self, n: u8) {
        self.mix(n.into());
    }
    fn write_u16(&mut self, n: u16) {
        self.mix(n.into());
    }
    fn write_u32(&mut self, n: u32) {
        self.mix(n.into());
    }
    fn write_u64(&mut self, n: u64) {
        self.mix(n);
    }
    fn write_u128(&mut self, n: u128) {
        self.mix(n as u64);
        self.mix((n >> 64) as u64);
    }
    fn write_usize(&mut self, n: usize) {
        self.mix(n as u64);
    }
    // Enum discriminants arrive here.
    fn write_isize(&mut self, n: isize) {
        self.mix(n as i64 as u64);
    }
    fn finish(&self) -> u64 {
        let product = u128::from(self.state ^ K0) * u128::from(K1);
        (product as u64) ^ ((product >> 64) as u64)
    }
}

/// A hasher for tables in memory, where speed is all: a multiplication per word, which is cheap in
/// wasm too.
#[derive(Debug, Clone, Default)]
pub struct Quick(u64);

/// A [`HashMap`] with [`Quick`].
pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

impl Quick {
    #[inline]
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(K0);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
        for byte in words.remainder() {
            self.mix((*byte).into());
        }
    }
    fn write_u8(&mut self, n: u8) {
        self.mix(n.into());
    }
    fn write_u16(&mut self, n: u16) {
        self.mix(n.into());
    }
    fn write_u32(&mut self, n: u32) {
        self.mix(n.into());
    }
    fn write_u64(&mut self, n: u64) {
        self.mix(n);
    }
    fn write_usize(&mut self, n: usize) {
        self.mix(n as u64);
    }
    fn write_isize(&mut self, n: isize) {
        self.mix(n as i64 as u64);
    }
    fn finish(&self) -> u64 {
        // A table looks at the highest and at the lowest bits.
        self.0 ^ (self.0 >> 32)
    }
}

/// The fingerprint of `value`.
pub fn fingerprint<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = Fingerprinter::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pinned_values_hold_on_every_target() {
        assert_eq!(fingerprint(&7usize), fingerprint(&7u64));
        assert_eq!(fingerprint(&Some("balance")), fingerprint(&Some(String::from("balance"))));
        assert_ne!(fingerprint(b"a".as_slice()), fingerprint(b"a\0".as_slice()));
        assert_ne!(fingerprint(&[0u64, 0]), fingerprint(&[0u64, 0, 0]));
    }
}
