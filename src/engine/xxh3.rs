//! XXH3 of 64 bits with seed 0 and the default secret: the hash of DIGEST.
//!
//! Written from the published specification of the algorithm; absent: seeds, streaming, 128 bits.

const P32_1: u64 = 0x9e37_79b1;
const P32_2: u64 = 0x85eb_ca77;
const P32_3: u64 = 0xc2b2_ae3d;
const P64_1: u64 = 0x9e37_79b1_85eb_ca87;
const P64_2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const P64_3: u64 = 0x1656_67b1_9e37_79f9;
const P64_4: u64 = 0x85eb_ca77_c2b2_ae63;
const P64_5: u64 = 0x27d4_eb2f_1656_67c5;

#[rustfmt::skip]
const SECRET: [u64; 24] = [
    0xbe4b_a423_396c_feb8, 0x1cad_21f7_2c81_017c, 0xdb97_9083_e96d_d4de, 0x1f67_b3b7_a4a4_4072,
    0x78e5_c0cc_4ee6_79cb, 0x2172_ffcc_7dd0_5a82, 0x8e24_43f7_7446_08b8, 0x4c26_3a81_e690_35e0,
    0xcb00_c391_bb52_283c, 0xa32e_531b_8b65_d088, 0x4ef9_0da2_9748_6471, 0xd8ac_dea9_46ef_1938,
    0x3f34_9ce3_3f76_faa8, 0x1d4f_0bc7_c7bb_dcf9, 0x3159_b4cd_4be0_518a, 0x6473_78d9_c97e_9fc8,
    0xc3eb_d334_83ac_c5ea, 0xeb63_13fa_ffa0_81c5, 0x49da_f0b7_51dd_0d17, 0x9e68_d429_2655_16d3,
    0xfca1_477d_58be_162b, 0xce31_d07a_d1b8_f88f, 0x2804_1695_8f3a_cb45, 0x7e40_4bbb_cafb_d7af,
];

/// Returns the secret's eight bytes at `at`.
fn secret(at: usize) -> u64 {
    let (word, shift) = (at / 8, at % 8 * 8);
    match shift {
        0 => SECRET[word],
        _ => SECRET[word] >> shift | SECRET[word + 1] << (64 - shift),
    }
}

fn read<const N: usize>(data: &[u8], at: usize) -> u64 {
    data[at..at + N].iter().rev().fold(0, |n, &b| n << 8 | u64::from(b))
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

fn avalanche(mut h: u64) -> u64 {
    h = (h ^ h >> 37).wrapping_mul(0x1656_6791_9e37_79f9);
    h ^ h >> 32
}

fn avalanche_64(mut h: u64) -> u64 {
    h = (h ^ h >> 33).wrapping_mul(P64_2);
    h = (h ^ h >> 29).wrapping_mul(P64_3);
    h ^ h >> 32
}

pub fn xxh3(data: &[u8]) -> u64 {
    let len = data.len();
    let mix = |at: usize, key: usize| {
        fold(read::<8>(data, at) ^ secret(key), read::<8>(data, at + 8) ^ secret(key + 8))
    };
    match len {
        0 => avalanche_64(secret(56) ^ secret(64)),
        1..=3 => {
            let [a, b, c] = [data[0], data[len / 2], data[len - 1]].map(u64::from);
            let word = a << 16 | b << 24 | c | (len as u64) << 8;
            avalanche_64(word ^ (secret(0) ^ secret(0) >> 32) & 0xffff_ffff)
        }
        4..=8 => {
            let word = read::<4>(data, len - 4) + (read::<4>(data, 0) << 32);
            let mut h = word ^ secret(8) ^ secret(16);
            h ^= h.rotate_left(49) ^ h.rotate_left(24);
            h = h.wrapping_mul(0x9fb2_1c65_1e98_df25);
            h = (h ^ (h >> 35).wrapping_add(len as u64)).wrapping_mul(0x9fb2_1c65_1e98_df25);
            h ^ h >> 28
        }
        9..=16 => {
            let low = read::<8>(data, 0) ^ secret(24) ^ secret(32);
            let high = read::<8>(data, len - 8) ^ secret(40) ^ secret(48);
            let sum = (len as u64).wrapping_add(low.swap_bytes()).wrapping_add(high);
            avalanche(sum.wrapping_add(fold(low, high)))
        }
        17..=128 => {
            let mut h = (len as u64).wrapping_mul(P64_1);
            for i in (0..=(len - 1) / 32).rev() {
                h = h.wrapping_add(mix(16 * i, 32 * i));
                h = h.wrapping_add(mix(len - 16 * (i + 1), 32 * i + 16));
            }
            avalanche(h)
        }
        129..=240 => {
            let mut h = (len as u64).wrapping_mul(P64_1);
            for i in 0..8 {
                h = h.wrapping_add(mix(16 * i, 16 * i));
            }
            h = avalanche(h);
            for i in 8..len / 16 {
                h = h.wrapping_add(mix(16 * i, 16 * (i - 8) + 3));
            }
            avalanche(h.wrapping_add(mix(len - 16, 136 - 17)))
        }
        _ => long(data),
    }
}

/// Hashes long input: blocks of sixteen stripes of 64 bytes, with a scramble after each block.
fn long(data: &[u8]) -> u64 {
    let mut sums = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1];
    let stripes = (data.len() - 1) / 64;
    for n in 0..stripes {
        accumulate(&mut sums, &data[n * 64..], n % 16 * 8);
        if n % 16 == 15 {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = (*sum ^ *sum >> 47 ^ secret(128 + 8 * i)).wrapping_mul(P32_1);
            }
        }
    }
    accumulate(&mut sums, &data[data.len() - 64..], 192 - 64 - 7);
    let start = (data.len() as u64).wrapping_mul(P64_1);
    avalanche((0..4).fold(start, |h, i| {
        let (a, b) = (sums[2 * i] ^ secret(11 + 16 * i), sums[2 * i + 1] ^ secret(19 + 16 * i));
        h.wrapping_add(fold(a, b))
    }))
}

fn accumulate(sums: &mut [u64; 8], stripe: &[u8], key: usize) {
    for i in 0..8 {
        let word = read::<8>(stripe, 8 * i);
        let keyed = word ^ secret(key + 8 * i);
        sums[i ^ 1] = sums[i ^ 1].wrapping_add(word);
        sums[i] = sums[i].wrapping_add((keyed & 0xffff_ffff).wrapping_mul(keyed >> 32));
    }
}

#[cfg(test)]
mod tests {
    /// As the reference implementation answers, around every border between its ways.
    #[test]
    fn digests_are_those_of_the_reference() {
        let data: Vec<u8> = (0..3000u32).map(|i| (i * 7 + 3) as u8).collect();
        let known = [
            (0, 0x2d06_8005_38d3_94c2),
            (1, 0x13e6_08bc_156d_efed),
            (3, 0xa908_8dda_485b_481c),
            (4, 0x6d92_53b1_6c8b_1ed3),
            (8, 0x6053_9db6_3047_1163),
            (9, 0xfeff_6683_61d7_23a8),
            (16, 0xb8c8_59b0_f030_b585),
            (17, 0x714a_0440_8e79_b80f),
            (32, 0x19ff_4ee1_d6ba_1a55),
            (33, 0x3e44_983a_d216_79c8),
            (65, 0x8292_18de_4d79_8646),
            (96, 0xf084_e7cf_bc62_4743),
            (97, 0x1daa_8327_1a8e_7b7c),
            (128, 0x6742_5a03_6502_61bf),
            (129, 0xc664_bf33_11c6_abc4),
            (240, 0x6455_6dc6_b462_a6cf),
            (241, 0x8bea_dd3a_8874_fe17),
            (1024, 0x9b81_661c_641c_72b1),
            (1025, 0x806c_2072_ed71_3576),
            (3000, 0xc891_78bb_873c_6b3d),
        ];
        for (len, digest) in known {
            assert_eq!(super::xxh3(&data[..len]), digest, "{len} bytes");
        }
    }
}
