//! HyperLogLog: PFADD, PFCOUNT, PFMERGE, on strings in Redis's own format.
//!
//! DIFFERENCE: the sparse form is written canonically from the registers; Redis edits it in
//! place and may leave neighbouring runs unmerged. The registers are equal in either case.

use crate::context::{Ctx, Fail, Reply};
use crate::notify::Class;
use crate::value::{Data, Str};
use ground::resp::{Bytes, Value};

const REGISTERS: usize = 1 << 14;
const HEADER: usize = 16;
const DENSE_LEN: usize = HEADER + REGISTERS * 6 / 8;
/// hll-sparse-max-bytes, and the largest count the sparse form can hold.
const SPARSE_LEN_MAX: usize = 3000;
const SPARSE_COUNT_MAX: u8 = 32;
const STALE: u64 = 1 << 63;
const NOT_HLL: &str = "WRONGTYPE Key is not a valid HyperLogLog string value.";
const CORRUPTED: &str = "INVALIDOBJ Corrupted HLL object detected";

/// MurmurHash64A, little-endian, with Redis's seed.
fn murmur(data: &[u8]) -> u64 {
    const M: u64 = 0xc6a4_a793_5bd1_e995;
    let mut h = 0xadc8_3b19u64 ^ (data.len() as u64).wrapping_mul(M);
    let mut words = data.chunks_exact(8);
    for word in &mut words {
        let mut k = u64::from_le_bytes(word.try_into().unwrap_or_default()).wrapping_mul(M);
        k ^= k >> 47;
        h = (h ^ k.wrapping_mul(M)).wrapping_mul(M);
    }
    let rest = words.remainder();
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        h = (h ^ u64::from_le_bytes(last)).wrapping_mul(M);
    }
    h ^= h >> 47;
    h = h.wrapping_mul(M);
    h ^ h >> 47
}

#[derive(Debug, Clone)]
struct Hll {
    registers: Vec<u8>,
    dense: bool,
    /// The last estimate; its top bit is set when it is no longer valid.
    card: u64,
}

impl Hll {
    fn new() -> Hll {
        Hll { registers: vec![0; REGISTERS], dense: false, card: STALE }
    }

    fn parse(bytes: &[u8]) -> Result<Hll, Fail> {
        let header_fits = bytes.len() >= HEADER && bytes.starts_with(b"HYLL") && bytes[4] <= 1;
        if !header_fits || (bytes[4] == 0 && bytes.len() != DENSE_LEN) {
            return Err(NOT_HLL.into());
        }
        let card = u64::from_le_bytes(bytes[8..16].try_into().unwrap_or_default());
        let mut hll = Hll { registers: vec![0; REGISTERS], dense: bytes[4] == 0, card };
        if hll.dense {
            for (i, register) in hll.registers.iter_mut().enumerate() {
                let (at, shift) = (HEADER + i * 6 / 8, i * 6 % 8);
                let high = bytes.get(at + 1).copied().unwrap_or(0);
                *register = ((u16::from(bytes[at]) | u16::from(high) << 8) >> shift) as u8 & 63;
            }
            return Ok(hll);
        }
        let (mut index, mut at) = (0, HEADER);
        while let Some(&op) = bytes.get(at) {
            let (run, value) = match op >> 6 {
                0 => (usize::from(op & 63) + 1, 0),
                1 => {
                    at += 1;
                    let low = bytes.get(at).copied().ok_or(CORRUPTED)?;
                    (usize::from(op & 63) << 8 | usize::from(low), 0)
                }
                _ => (usize::from(op & 3) + 1, (op >> 2 & 31) + 1),
            };
            let run = run + usize::from(op >> 6 == 1);
            let Some(registers) = hll.registers.get_mut(index..index + run) else {
                return Err(CORRUPTED.into());
            };
            registers.fill(value);
            index += run;
            at += 1;
        }
        if index == REGISTERS { Ok(hll) } else { Err(CORRUPTED.into()) }
    }

    fn sparse_runs(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for run in self.registers.chunk_by(|a, b| a == b) {
            let mut left = run.len();
            while left > 0 {
                let take = match run[0] {
                    0 if left > 64 => {
                        let take = left.min(16384);
                        out.extend([0x40 | ((take - 1) >> 8) as u8, (take - 1) as u8]);
                        take
                    }
                    0 => {
                        out.push((left - 1) as u8);
                        left
                    }
                    value => {
                        let take = left.min(4);
                        out.push(0x80 | (value - 1) << 2 | (take - 1) as u8);
                        take
                    }
                };
                left -= take;
            }
        }
        out
    }

    fn serialize(&mut self) -> Vec<u8> {
        let mut out = b"HYLL\x01\0\0\0".to_vec();
        out.extend(self.card.to_le_bytes());
        if !self.dense && self.registers.iter().all(|r| *r <= SPARSE_COUNT_MAX) {
            let runs = self.sparse_runs();
            if runs.len() + HEADER <= SPARSE_LEN_MAX {
                out.extend(runs);
                return out;
            }
        }
        self.dense = true;
        out[4] = 0;
        out.resize(DENSE_LEN, 0);
        for (i, register) in self.registers.iter().enumerate() {
            let (at, shift) = (HEADER + i * 6 / 8, i * 6 % 8);
            let wide = u16::from(*register) << shift;
            out[at] |= wide as u8;
            if let Some(high) = out.get_mut(at + 1) {
                *high |= (wide >> 8) as u8;
            }
        }
        out
    }

    /// Adds an element; returns true if a register grew.
    fn add(&mut self, element: &[u8]) -> bool {
        let hash = murmur(element);
        let index = hash as usize & (REGISTERS - 1);
        let count = ((hash >> 14 | 1 << 50).trailing_zeros() + 1) as u8;
        let grew = self.registers[index] < count;
        self.registers[index] = self.registers[index].max(count);
        grew
    }

    fn merge(&mut self, other: &Hll) {
        for (a, b) in self.registers.iter_mut().zip(&other.registers) {
            *a = (*a).max(*b);
        }
        self.dense |= other.dense;
    }

    /// Ertl's estimator, which Redis has used since 4.0.
    fn estimate(&self) -> u64 {
        let mut histogram = [0u32; 64];
        for register in &self.registers {
            histogram[usize::from(*register)] += 1;
        }
        let m = REGISTERS as f64;
        let mut z = m * tau((m - f64::from(histogram[51])) / m);
        for count in histogram[1..=50].iter().rev() {
            z = (z + f64::from(*count)) * 0.5;
        }
        z += m * sigma(f64::from(histogram[0]) / m);
        (0.721_347_520_444_481_7 * m * m / z).round() as u64
    }
}

fn sigma(mut x: f64) -> f64 {
    if x == 1.0 {
        return f64::INFINITY;
    }
    let (mut y, mut z) = (1.0, x);
    loop {
        x *= x;
        let before = z;
        z += x * y;
        y += y;
        if before == z {
            return z;
        }
    }
}

fn tau(mut x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let (mut y, mut z) = (1.0, 1.0 - x);
    loop {
        x = x.sqrt();
        let before = z;
        y *= 0.5;
        z -= (1.0 - x) * (1.0 - x) * y;
        if before == z {
            return z / 3.0;
        }
    }
}

fn load(cx: &mut Ctx<'_>, key: &Bytes) -> Result<Option<Hll>, Fail> {
    cx.string(key)?.map(|s| Hll::parse(&s.as_bytes())).transpose()
}

fn store(cx: &mut Ctx<'_>, key: &Bytes, mut hll: Hll) -> Result<(), Fail> {
    let bytes = std::rc::Rc::new(hll.serialize());
    cx.inst.take_room(bytes.len() as u64)?;
    cx.replace(key, Data::Str(Str::Raw(bytes)), true);
    Ok(())
}

pub fn pfadd(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let old = load(cx, key)?;
    let mut updated = old.is_none();
    let mut hll = old.unwrap_or_else(Hll::new);
    for element in &argv[2..] {
        updated |= hll.add(element);
    }
    if updated {
        hll.card |= STALE;
        store(cx, key, hll)?;
        cx.changed(key, Class::String, "pfadd");
    }
    Ok(Value::Int(updated.into()))
}

pub fn pfcount(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if argv.len() > 2 {
        let mut union = Hll::new();
        for key in &argv[1..] {
            if let Some(hll) = load(cx, key)? {
                union.merge(&hll);
            }
        }
        return Ok(Value::Int(union.estimate() as i64));
    }
    let key = &argv[1];
    let Some(mut hll) = load(cx, key)? else { return Ok(Value::Int(0)) };
    if hll.card & STALE == 0 {
        return Ok(Value::Int(hll.card as i64));
    }
    let estimate = hll.estimate();
    // The estimate is kept in the value, which is a change that watchers see.
    hll.card = estimate;
    store(cx, key, hll)?;
    cx.touch(key);
    cx.inst.dirty += 1;
    Ok(Value::Int(estimate as i64))
}

pub fn pfmerge(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let mut union = Hll::new();
    if let Some(target) = load(cx, &argv[1])? {
        union.card |= target.card;
    }
    for key in &argv[1..] {
        if let Some(hll) = load(cx, key)? {
            union.merge(&hll);
        }
    }
    store(cx, &argv[1], union)?;
    cx.changed(&argv[1], Class::String, "pfadd");
    Ok(Value::ok())
}
