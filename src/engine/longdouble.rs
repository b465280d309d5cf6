//! The 80-bit `long double` of x86 Linux, as far as INCRBYFLOAT needs it: parsing, adding,
//! printing.
//!
//! Redis adds in this format and prints 17 decimals, so that 10.5 + 0.1 is 10.6, which a double
//! would not give. A number is `mantissa × 2^exponent` with a mantissa of 64 bits.

use std::cmp::Ordering;

const MANTISSA_BITS: u32 = 64;
/// The largest exponent; numbers beyond it overflow, or round to zero.
const EXPONENT_MAX: i32 = 16384 - 64;
const EXPONENT_MIN: i32 = -16445;
/// Redis prints into a buffer of this many bytes and refuses numbers that do not fit.
const TEXT_LEN_MAX: usize = 5 * 1024;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LongDouble {
    negative: bool,
    /// The mantissa: zero, or with its top bit set.
    mantissa: u64,
    exponent: i32,
    infinite: bool,
}

/// A natural number, least significant word first.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Natural(Vec<u32>);

impl Natural {
    fn trim(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    fn mul_add(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for limb in &mut self.0 {
            carry += u64::from(*limb) * u64::from(factor);
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn div_small(&mut self, divisor: u32) -> u32 {
        let mut rest = 0u64;
        for limb in self.0.iter_mut().rev() {
            rest = rest << 32 | u64::from(*limb);
            *limb = (rest / u64::from(divisor)) as u32;
            rest %= u64::from(divisor);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        rest as u32
    }

    fn bits(&self) -> u32 {
        match self.0.last() {
            Some(top) => self.0.len() as u32 * 32 - top.leading_zeros(),
            None => 0,
        }
    }

    fn shl(&self, by: u32) -> Natural {
        let (words, bits) = ((by / 32) as usize, by % 32);
        let mut out = vec![0; words];
        let mut carry = 0;
        for &limb in &self.0 {
            let wide = u64::from(limb) << bits | carry;
            out.push(wide as u32);
            carry = wide >> 32;
        }
        out.push(carry as u32);
        Natural(out).trim()
    }

    fn bit(&self, n: u32) -> bool {
        self.0.get((n / 32) as usize).is_some_and(|limb| limb >> (n % 32) & 1 == 1)
    }

    fn any_below(&self, n: u32) -> bool {
        (0..n).any(|i| self.bit(i))
    }

    fn cmp(&self, other: &Natural) -> Ordering {
        let by_len = self.0.len().cmp(&other.0.len());
        by_len.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    fn sub(&mut self, other: &Natural) {
        let mut borrow = 0i64;
        for (i, limb) in self.0.iter_mut().enumerate() {
            let wide = i64::from(*limb) - i64::from(other.0.get(i).copied().unwrap_or(0)) - borrow;
            borrow = i64::from(wide < 0);
            *limb = wide as u32;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn decimal(mut self) -> String {
        let mut groups = Vec::new();
        while !self.0.is_empty() {
            groups.push(self.div_small(1_000_000_000));
        }
        let Some(top) = groups.pop() else { return "0".into() };
        let mut text = top.to_string();
        for group in groups.iter().rev() {
            text.push_str(&format!("{group:09}"));
        }
        text
    }
}

impl LongDouble {
    pub const ZERO: LongDouble =
        LongDouble { negative: false, mantissa: 0, exponent: 0, infinite: false };

    /// Rounds `value × 2^exponent` to nearest, ties to even; `sticky` means that the exact value is
    /// a little more.
    fn round(negative: bool, value: &Natural, exponent: i32, sticky: bool) -> LongDouble {
        let bits = value.bits();
        if bits == 0 {
            return LongDouble { negative, ..LongDouble::ZERO };
        }
        let mut exponent = exponent + bits as i32 - MANTISSA_BITS as i32;
        let mut mantissa = 0u64;
        for i in 0..MANTISSA_BITS {
            let at = bits as i32 - 1 - i as i32;
            mantissa = mantissa << 1 | u64::from(at >= 0 && value.bit(at as u32));
        }
        if bits > MANTISSA_BITS {
            let dropped = bits - MANTISSA_BITS;
            let half = value.bit(dropped - 1);
            let more = sticky || value.any_below(dropped - 1);
            if half && (more || mantissa & 1 == 1) {
                mantissa = mantissa.wrapping_add(1);
                if mantissa == 0 {
                    mantissa = 1 << 63;
                    exponent += 1;
                }
            }
        }
        if exponent < EXPONENT_MIN {
            return LongDouble { negative, ..LongDouble::ZERO };
        }
        LongDouble { negative, mantissa, exponent, infinite: exponent > EXPONENT_MAX }
    }

    /// Parses what `strtold` accepts as a whole: a decimal number or infinity. `None` for anything
    /// else, for NaN and for a leading space.
    pub fn parse(text: &[u8]) -> Option<LongDouble> {
        let (negative, digits) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        if digits.eq_ignore_ascii_case(b"inf") || digits.eq_ignore_ascii_case(b"infinity") {
            return Some(LongDouble { negative, infinite: true, ..LongDouble::ZERO });
        }
        // Far beyond what can be printed; the work grows with the square of it.
        if text.len() > 2 * TEXT_LEN_MAX {
            return None;
        }
        let (mut value, mut power, mut point, mut seen, mut at) =
            (Natural(vec![]), 0i32, false, false, 0);
        if digits.len() > 2 && digits[..2].eq_ignore_ascii_case(b"0x") {
            let d = ground::resp::number::parse_double(digits)?;
            return Some(LongDouble::from_double(if negative { -d } else { d }));
        }
        while let Some(&b) = digits.get(at) {
            match b {
                b'0'..=b'9' => {
                    value.mul_add(10, u32::from(b - b'0'));
                    power -= i32::from(point);
                    seen = true;
                }
                b'.' if !point => point = true,
                _ => break,
            }
            at += 1;
        }
        if !seen {
            return None;
        }
        if let [b'e' | b'E', rest @ ..] = &digits[at..] {
            let n: i64 = std::str::from_utf8(rest).ok()?.parse().ok()?;
            power = power.saturating_add(n.clamp(-100_000, 100_000) as i32);
        } else if at != digits.len() {
            return None;
        }
        let value = value.trim();
        let number = LongDouble::scale(negative, value.clone(), power);
        // ERANGE, on either side.
        let lost = number.mantissa == 0 && value.bits() > 0;
        (!number.infinite && !lost).then_some(number)
    }

    pub fn is_infinite(self) -> bool {
        self.infinite
    }

    /// Returns `value × 10^power`.
    fn scale(negative: bool, mut value: Natural, power: i32) -> LongDouble {
        if value.bits() == 0 {
            return LongDouble { negative, ..LongDouble::ZERO };
        }
        if power > 5000 {
            return LongDouble { negative, infinite: true, ..LongDouble::ZERO };
        }
        if power < -5500 {
            return LongDouble { negative, ..LongDouble::ZERO };
        }
        if power >= 0 {
            (0..power).for_each(|_| value.mul_add(10, 0));
            return LongDouble::round(negative, &value, 0, false);
        }
        let mut divisor = Natural(vec![1]);
        (0..-power).for_each(|_| divisor.mul_add(10, 0));
        // Enough quotient bits for the mantissa and a rounding bit.
        let shift = (MANTISSA_BITS + 2 + divisor.bits()).saturating_sub(value.bits());
        let mut rest = value.shl(shift);
        let mut quotient = Natural(vec![]);
        let steps = rest.bits().saturating_sub(divisor.bits());
        let mut part = divisor.shl(steps);
        for _ in 0..=steps {
            quotient = quotient.shl(1);
            if rest.cmp(&part) != Ordering::Less {
                rest.sub(&part);
                quotient.mul_add(1, 1);
                if quotient.0.is_empty() {
                    quotient.0.push(1);
                }
            }
            part = part.shr1();
        }
        LongDouble::round(negative, &quotient, -(shift as i32), rest.bits() > 0)
    }

    pub fn from_double(d: f64) -> LongDouble {
        if d == 0.0 || !d.is_finite() {
            let infinite = d.is_infinite();
            return LongDouble { negative: d < 0.0, infinite, ..LongDouble::ZERO };
        }
        let bits = d.abs().to_bits();
        let (raw, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let (mantissa, exponent) =
            if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) };
        let value = Natural(vec![mantissa as u32, (mantissa >> 32) as u32]).trim();
        LongDouble::round(d < 0.0, &value, exponent, false)
    }

    /// Returns the sum; `None` if it is infinite or not a number.
    pub fn add(self, other: LongDouble) -> Option<LongDouble> {
        if self.infinite || other.infinite {
            return None;
        }
        if self.mantissa == 0 || other.mantissa == 0 {
            return Some(if self.mantissa == 0 { other } else { self });
        }
        let low = self.exponent.min(other.exponent);
        let aligned = |x: LongDouble| {
            let limbs = Natural(vec![x.mantissa as u32, (x.mantissa >> 32) as u32]);
            limbs.shl((x.exponent - low) as u32)
        };
        let (mut a, mut b) = (aligned(self), aligned(other));
        let sum = if self.negative == other.negative {
            let mut carry = 0u64;
            a.0.resize(a.0.len().max(b.0.len()), 0);
            for (i, limb) in a.0.iter_mut().enumerate() {
                carry += u64::from(*limb) + u64::from(b.0.get(i).copied().unwrap_or(0));
                *limb = carry as u32;
                carry >>= 32;
            }
            a.0.push(carry as u32);
            LongDouble::round(self.negative, &a.trim(), low, false)
        } else {
            let mut negative = self.negative;
            if a.cmp(&b) == Ordering::Less {
                std::mem::swap(&mut a, &mut b);
                negative = other.negative;
            }
            a.sub(&b);
            let zero = a.bits() == 0;
            LongDouble::round(negative && !zero, &a, low, false)
        };
        (!sum.infinite).then_some(sum)
    }

    /// Formats as `%.17Lf` without trailing zeros.
    pub fn to_text(self) -> String {
        let digits = 17;
        let mut value = Natural(vec![self.mantissa as u32, (self.mantissa >> 32) as u32]).trim();
        (0..digits).for_each(|_| value.mul_add(10, 0));
        if self.exponent >= 0 {
            value = value.shl(self.exponent as u32);
        } else {
            let drop = self.exponent.unsigned_abs();
            let half = value.bit(drop - 1);
            let more = value.any_below(drop - 1);
            value = value.shr(drop);
            if half && (more || value.bit(0)) {
                value.mul_add(1, 1);
                if value.0.is_empty() {
                    value.0.push(1);
                }
            }
        }
        let mut text = value.decimal();
        if text.len() <= digits {
            text = format!("{text:0>width$}", width = digits + 1);
        }
        text.insert(text.len() - digits, '.');
        text.truncate(TEXT_LEN_MAX);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if self.negative && text != "0" { format!("-{text}") } else { text.into() }
    }
}

impl Natural {
    fn shr(&self, by: u32) -> Natural {
        let (words, bits) = ((by / 32) as usize, by % 32);
        let limbs = self.0.get(words..).unwrap_or_default();
        let shifted = (0..limbs.len()).map(|i| {
            let high = limbs.get(i + 1).copied().unwrap_or(0);
            ((u64::from(high) << 32 | u64::from(limbs[i])) >> bits) as u32
        });
        Natural(shifted.collect()).trim()
    }

    fn shr1(&self) -> Natural {
        self.shr(1)
    }
}

#[cfg(test)]
mod tests {
    use super::LongDouble;

    #[test]
    fn sums_print_as_redis_prints_them() {
        for (a, b, sum) in [
            ("10.5", "0.1", "10.6"),
            ("3.0e3", "200", "3200"),
            ("0.1", "0.2", "0.3"),
            ("1", "-1", "0"),
            ("5.0e3", "-5000.5", "-0.5"),
            ("1e19", "1", "10000000000000000001"),
            ("1e20", "1", "100000000000000000000"),
            ("0", "1e-17", "0.00000000000000001"),
            ("-1.5", "1", "-0.5"),
            ("1.1", "2.2", "3.3"),
            ("1e25", "0", "10000000000000000000000000"),
        ] {
            let of = |text: &str| LongDouble::parse(text.as_bytes()).unwrap();
            assert_eq!(of(a).add(of(b)).unwrap().to_text(), sum, "{a} + {b}");
        }
        for text in ["", "abc", "1x", " 1", "nan", "1e99999", "."] {
            assert_eq!(LongDouble::parse(text.as_bytes()), None, "{text}");
        }
        let inf = LongDouble::parse(b"inf").unwrap();
        assert_eq!(inf.add(LongDouble::ZERO), None);
    }
}
