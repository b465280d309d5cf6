//! The double nearest to a decimal number, exactly, by arithmetic on large integers.
//!
//! std's way is faster on long numbers and comes with a table of 10 KB that does not compress. Here
//! the usual short number is one multiplication, and a long one some microseconds.

/// Digits that can decide between two neighbouring doubles; of the rest it only counts whether one
/// of them is not zero.
const DIGITS_MAX: usize = 800;
/// The decimal digits that fit a limb.
const GROUP: usize = 9;

/// `digits [. digits] [e [sign] digits]`, with at least one digit before the exponent. What is too
/// large is infinite, what is too small is zero.
pub fn parse(text: &[u8]) -> Option<f64> {
    let mark = text.iter().position(|b| matches!(b, b'e' | b'E'));
    let (mantissa, exponent) = match mark {
        Some(at) => (&text[..at], parse_exponent(&text[at + 1..])?),
        None => (text, 0),
    };
    let point = mantissa.iter().position(|&b| b == b'.');
    let (whole, fraction) = match point {
        Some(at) => (&mantissa[..at], &mantissa[at + 1..]),
        None => (mantissa, &[][..]),
    };
    let digits = || whole.iter().chain(fraction);
    if digits().next().is_none() || !digits().all(u8::is_ascii_digit) {
        return None;
    }
    let zeros = digits().take_while(|&&b| b == b'0').count();
    let significant = digits().skip(zeros);
    let mut kept: Vec<u8> = significant.clone().take(DIGITS_MAX).map(|b| b - b'0').collect();
    let dropped = whole.len() + fraction.len() - zeros - kept.len();
    let mut power = exponent.saturating_add(dropped as i64 - fraction.len() as i64);
    if significant.skip(DIGITS_MAX).any(|&b| b != b'0') {
        kept.push(1);
        power -= 1;
    }
    Some(nearest(&kept, power))
}

fn parse_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] | rest => (false, rest),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |n: i64, b: &u8| n.saturating_mul(10).saturating_add((b - b'0').into());
    let exponent = digits.iter().fold(0, add).min(1 << 40);
    Some(if negative { -exponent } else { exponent })
}

/// `digits` × 10^`power`; the first digit is not zero.
fn nearest(digits: &[u8], power: i64) -> f64 {
    // The decimal point stands so far to the right of the first digit.
    match power.saturating_add(digits.len() as i64) {
        _ if digits.is_empty() => return 0.0,
        311.. => return f64::INFINITY,
        ..=-326 => return 0.0,
        _ => {}
    }
    if digits.len() <= 15 && (-22..=22).contains(&power) {
        // Both numbers are exact, and so is the rounding of one operation.
        let n = digits.iter().fold(0.0, |n, &digit| n * 10.0 + f64::from(digit));
        let scale = (0..power.abs()).fold(1.0, |scale, _| scale * 10.0);
        return if power < 0 { n / scale } else { n * scale };
    }
    let mut number = Large::default();
    for group in digits.chunks(GROUP) {
        let value = group.iter().fold(0, |n, &digit| n * 10 + u32::from(digit));
        number.multiply_add(10u32.pow(group.len() as u32), value);
    }
    for factor in groups(power) {
        number.multiply_add(factor, 0);
    }
    if power < 0 {
        // 10^-power has fewer than 4 bits for each power; 64 more bits of quotient are plenty.
        number.shift(power.unsigned_abs() as usize / 8 + 3);
        for divisor in groups(-power) {
            number.divide(divisor);
        }
    }
    number.round()
}

/// The factors of 10^`power`, at most nine digits in each; none if it is negative.
fn groups(power: i64) -> impl Iterator<Item = u32> {
    let power = power.max(0) as usize;
    let rest = 10u32.pow((power % GROUP) as u32);
    std::iter::repeat_n(1_000_000_000, power / GROUP).chain([rest])
}

/// A large number: `limbs` × 2^-`scale`, lowest limb first and the highest not zero.
#[derive(Default)]
struct Large {
    limbs: Vec<u32>,
    scale: i64,
    /// The number is a little larger than that.
    inexact: bool,
}

impl Large {
    fn multiply_add(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for limb in &mut self.limbs {
            carry += u64::from(*limb) * u64::from(factor);
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.limbs.push(carry as u32);
        }
    }

    /// Adds limbs below, which leaves the value as it is.
    fn shift(&mut self, limbs: usize) {
        self.limbs.splice(0..0, std::iter::repeat_n(0, limbs));
        self.scale += 32 * limbs as i64;
    }

    fn divide(&mut self, divisor: u32) {
        let mut rest = 0;
        for limb in self.limbs.iter_mut().rev() {
            let dividend = rest << 32 | u64::from(*limb);
            *limb = (dividend / u64::from(divisor)) as u32;
            rest = dividend % u64::from(divisor);
        }
        self.inexact |= rest != 0;
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }

    fn bit(&self, at: i64) -> bool {
        let limb = usize::try_from(at / 32).ok().and_then(|limb| self.limbs.get(limb));
        at >= 0 && limb.is_some_and(|limb| limb >> (at % 32) & 1 == 1)
    }

    /// The nearest double; of two the even one.
    fn round(&self) -> f64 {
        let top = self.limbs.last().map_or(0, |limb| limb.leading_zeros());
        let bits = 32 * self.limbs.len() as i64 - i64::from(top);
        // The value of the double's last bit; subnormal numbers end at 2^-1074.
        let unit = (bits - self.scale - 53).max(-1074);
        let lowest = unit + self.scale;
        let mantissa =
            (lowest..bits).rev().fold(0u64, |mantissa, at| mantissa << 1 | u64::from(self.bit(at)));
        let below = || self.inexact || (0..lowest - 1).any(|at| self.bit(at));
        let up = self.bit(lowest - 1) && (mantissa & 1 == 1 || below());
        let mantissa = mantissa + u64::from(up);
        if unit > 971 {
            return f64::INFINITY;
        }
        // The highest bit of the mantissa is not stored, but counts as 1 in the exponent above it;
        // so a mantissa that was rounded up to 2^53 comes out right, and 2^1024 as infinity.
        match mantissa >> 52 {
            0 => f64::from_bits(mantissa),
            _ => f64::from_bits((((unit + 1074) as u64) << 52) + mantissa),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};

    use super::*;

    fn agrees(text: &str) {
        let reference: f64 = text.parse().expect(text);
        assert_eq!(parse(text.as_bytes()).map(f64::to_bits), Some(reference.to_bits()), "{text}");
    }

    #[test]
    fn reads_the_nearest_double() {
        for text in [
            "0",
            "0.0",
            ".5",
            "5.",
            "1e22",
            "1e23",
            "123456789012345678",
            "9007199254740993",
            "0e999",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2e-324",
            "1e-400",
            "0.000000000000000000000000000001e30",
            "100000000000000000000000000000000000000000000e-44",
            "8.5e15",
            "1e-5",
            "6.02214076E+23",
        ] {
            agrees(text);
        }
        // Half way between two doubles, and a little more after many digits.
        let half = "9007199254740993".to_owned() + "." + &"0".repeat(1000);
        agrees(&half);
        agrees(&(half + "1"));
        agrees(&"7".repeat(5000));
        agrees(&format!("0.{}7", "0".repeat(320)));
        for text in
            ["", ".", "e5", "1e", "1e+", "1.2.3", "1e5.", "-1", "+1", "1 ", "0x10", "inf", "1e--5"]
        {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn agrees_with_the_standard_library() {
        let mut random = rand::rngs::ChaCha8Rng::seed_from_u64(7);
        for _ in 0..20_000 {
            let d = f64::from_bits(random.next_u64() >> 1);
            if d.is_finite() {
                agrees(&format!("{d:e}"));
                agrees(&format!("{d:.25e}"));
                // The middle between it and its neighbour, exactly.
                let next = f64::from_bits(d.to_bits() + 1);
                if d > 1e-10 && next < 1e20 {
                    agrees(&format!("{d:.1100}"));
                }
            }
            let digits: u64 = random.random();
            agrees(&format!(
                "{}e{}",
                digits >> random.random_range(0..60),
                random.random_range(-340..310)
            ));
        }
    }
}
