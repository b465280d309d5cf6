//! Natural numbers of any size, as far as counting schedules needs them: addition, subtraction,
//! reading and writing.

use std::fmt;

/// A natural number in base 10⁹, lowest digit first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Natural(Vec<u32>);

const BASE: u64 = 1_000_000_000;

impl Natural {
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds `other`.
    pub fn add(&mut self, other: &Natural) {
        let mut carry = 0;
        for at in 0..self.0.len().max(other.0.len()) + 1 {
            let digit = |n: &Natural| u64::from(n.0.get(at).copied().unwrap_or(0));
            let sum = digit(self) + digit(other) + carry;
            carry = sum / BASE;
            match self.0.get_mut(at) {
                Some(digit) => *digit = (sum % BASE) as u32,
                // Zeros below a digit of `other` are digits, too.
                None if sum > 0 || at < other.0.len() => self.0.push((sum % BASE) as u32),
                None => {}
            }
        }
    }

    /// Parses a decimal number; `None` for anything else, and for more than a thousand digits.
    pub fn parse(digits: &str) -> Option<Natural> {
        if digits.is_empty() || digits.len() > 1_000 || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let groups = digits.as_bytes().rchunks(9);
        let group =
            |digits: &[u8]| digits.iter().fold(0, |n, digit| n * 10 + u32::from(digit - b'0'));
        let mut number = Natural(groups.map(group).collect());
        while number.0.last() == Some(&0) {
            number.0.pop();
        }
        Some(number)
    }

    /// Subtracts `other`; 0 where that is larger.
    pub fn minus(&self, other: &Natural) -> Natural {
        if *self <= *other {
            return Natural::default();
        }
        let mut left = self.clone();
        let mut borrow = 0;
        for at in 0..left.0.len() {
            let taken = u64::from(other.0.get(at).copied().unwrap_or(0)) + borrow;
            let digit = u64::from(left.0[at]);
            borrow = u64::from(digit < taken);
            left.0[at] = (digit + borrow * BASE - taken) as u32;
        }
        while left.0.last() == Some(&0) {
            left.0.pop();
        }
        left
    }

    /// Returns the nearest `f64`, for shares and bars.
    pub fn to_f64(&self) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, digit| sum * BASE as f64 + f64::from(*digit))
    }
}

impl From<u64> for Natural {
    fn from(mut n: u64) -> Natural {
        let mut digits = Vec::new();
        while n > 0 {
            digits.push((n % BASE) as u32);
            n /= BASE;
        }
        Natural(digits)
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Natural) -> std::cmp::Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = self.0.iter().rev();
        match digits.next() {
            None => f.pad_integral(true, "", "0"),
            Some(first) => {
                let mut text = first.to_string();
                digits.for_each(|digit| text.push_str(&format!("{digit:09}")));
                f.pad_integral(true, "", &text)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_by_doubling() {
        let mut n = Natural::from(1);
        for _ in 0..128 {
            let same = n.clone();
            n.add(&same);
        }
        assert_eq!(n.to_string(), "340282366920938463463374607431768211456");
        assert_eq!(n.to_f64(), 2_f64.powi(128));
    }

    #[test]
    fn what_was_added_can_be_taken_away() {
        let mut n = Natural::from(1);
        for _ in 0..70 {
            let less = n.clone();
            n.add(&Natural::from(999_999_999_999));
            assert_eq!(n.minus(&less), Natural::from(999_999_999_999));
            assert_eq!(n.minus(&n), Natural::default());
            assert_eq!(less.minus(&n), Natural::default());
            let same = n.clone();
            n.add(&same);
            assert_eq!(n.minus(&same), same);
        }
    }

    #[test]
    fn zeros_inside_are_written() {
        let mut n = Natural::from(999_999_999);
        n.add(&Natural::from(2));
        assert_eq!(n.to_string(), "1000000001");
        assert_eq!(Natural::default().to_string(), "0");
        let mut n = Natural::default();
        n.add(&Natural::from(2_000_000_000_000_000_000));
        assert_eq!(n.to_string(), "2000000000000000000");
        let mut n = Natural::from(7);
        n.add(&Natural::from(3_000_000_000_000_000_000));
        assert_eq!(n.to_string(), "3000000000000000007");
        for digits in ["0", "7", "1000000001", "3000000000000000007", "120000000000000000000"] {
            assert_eq!(Natural::parse(digits).map(|n| n.to_string()).as_deref(), Some(digits));
        }
        assert_eq!(Natural::parse("000"), Some(Natural::default()));
        assert_eq!(Natural::parse("1").max(Natural::parse("")), Some(Natural::from(1)));
        for text in ["", "-1", "1.5", "１", "1e9"] {
            assert_eq!(Natural::parse(text), None, "{text}");
        }
        assert!(Natural::from(5_000_000_000) > Natural::from(7));
    }
}
