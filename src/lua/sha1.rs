//! SHA-1, with which Redis names its scripts. Not for secrets.

/// Returns the digest of `data`, in hexadecimal.
pub fn hex(data: &[u8]) -> String {
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let mut blocks = data.chunks_exact(64);
    for block in &mut blocks {
        compress(&mut state, block);
    }
    let mut rest = blocks.remainder().to_vec();
    rest.push(0x80);
    while rest.len() % 64 != 56 {
        rest.push(0);
    }
    rest.extend((data.len() as u64 * 8).to_be_bytes());
    for block in rest.chunks_exact(64) {
        compress(&mut state, block);
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

fn compress(state: &mut [u32; 5], block: &[u8]) {
    let mut w = [0u32; 80];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for i in 16..80 {
        w[i] = (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (i, word) in w.into_iter().enumerate() {
        let (f, k) = match i / 20 {
            0 => (b & c | !b & d, 0x5a82_7999),
            1 => (b ^ c ^ d, 0x6ed9_eba1),
            2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
            _ => (b ^ c ^ d, 0xca62_c1d6u32),
        };
        let next =
            a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(word);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
    }
    for (sum, word) in state.iter_mut().zip([a, b, c, d, e]) {
        *sum = sum.wrapping_add(word);
    }
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn known_digests() {
        assert_eq!(hex(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        assert_eq!(hex(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(hex(&[b'a'; 200]), "e61cfffe0d9195a525fc6cf06ca2d77119c24a40");
    }
}
