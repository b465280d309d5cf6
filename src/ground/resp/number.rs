//! Numbers as Redis reads and writes them: `string2ll`, `strtod` under Redis's checks, `%.17g`.

use super::decimal;

/// Appends the decimal form of `n`.
pub fn push_int(n: i64, out: &mut Vec<u8>) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    out.extend_from_slice(&digits[at..]);
}

/// An integer in its one canonical form: no sign but `-`, no leading zero, no space, in range.
pub fn parse_int(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'0'] => return Some(0),
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    if digits.is_empty() || digits.len() > 19 || !matches!(digits[0], b'1'..=b'9') {
        return None;
    }
    let mut n: u64 = 0;
    for &b in digits {
        if !b.is_ascii_digit() {
            return None;
        }
        // Nineteen digits stay below 10^19 < 2^64.
        n = n * 10 + u64::from(b - b'0');
    }
    if negative { (n <= 1 << 63).then(|| (n as i64).wrapping_neg()) } else { i64::try_from(n).ok() }
}

/// Parses what `strtod` accepts as a whole. `None` for NaN, for a leading space and for a number
/// out of range.
pub fn parse_double(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?;
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        return parse_hex(hex.as_bytes()).map(|d| d * sign);
    }
    let named = ["inf", "infinity"].iter().any(|name| digits.eq_ignore_ascii_case(name));
    let value = if named { f64::INFINITY } else { decimal::parse(digits.as_bytes())? };
    let nonzero_digits = || {
        digits
            .split(['e', 'E'])
            .next()
            .is_some_and(|m| m.bytes().any(|b| (b'1'..=b'9').contains(&b)))
    };
    // strtod sets ERANGE on overflow and on underflow to zero.
    if (value.is_infinite() && !named) || (value == 0.0 && nonzero_digits()) {
        return None;
    }
    Some(value * sign)
}

/// The same where Redis does not look at ERANGE: too large is infinite, too small is zero.
pub fn parse_double_or_limit(text: &[u8]) -> Option<f64> {
    let limit = || match text {
        [b'-', digits @ ..] => decimal::parse(digits).map(|d| -d),
        [b'+', digits @ ..] | digits => decimal::parse(digits),
    };
    parse_double(text).or_else(limit)
}

/// Hexadecimal digits with an optional point and binary exponent.
fn parse_hex(text: &[u8]) -> Option<f64> {
    let (mut value, mut exponent, mut seen, mut point) = (0f64, 0i32, false, false);
    let mut at = 0;
    while let Some(&b) = text.get(at) {
        match char::from(b).to_digit(16) {
            Some(digit) => {
                value = value * 16.0 + f64::from(digit);
                exponent -= if point { 4 } else { 0 };
                seen = true;
            }
            None if b == b'.' && !point => point = true,
            None => break,
        }
        at += 1;
    }
    if let [b'p' | b'P', rest @ ..] = &text[at..] {
        let power: i32 = std::str::from_utf8(rest).ok()?.parse().ok()?;
        exponent = exponent.saturating_add(power);
    } else if at != text.len() {
        return None;
    }
    let value = value * 2f64.powi(exponent);
    (seen && value.is_finite()).then_some(value)
}

/// C's `%.17g`.
pub fn double_g17(d: f64) -> String {
    // Nearly all that programs send; zero may have a sign.
    if d.trunc() == d && d.abs() < 1e15 && d != 0.0 {
        return (d as i64).to_string();
    }
    double_g(d, 17)
}

/// C's `%.{precision}g`.
pub fn double_g(d: f64, precision: usize) -> String {
    general(d, precision, false)
}

/// C's `%.{precision}g`; as `%#g`, where the zeros at the end are to be kept.
pub fn general(d: f64, precision: usize, keep_zeros: bool) -> String {
    if d.is_nan() {
        return if d.is_sign_negative() { "-nan" } else { "nan" }.into();
    }
    if d.is_infinite() {
        return if d > 0.0 { "inf" } else { "-inf" }.into();
    }
    let precision = precision.max(1);
    // One digit, the point, the rest, `e` and the exponent: correctly rounded.
    let scientific = format!("{:.*e}", precision - 1, d);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let shown = |digits: &str| match (keep_zeros, digits.contains('.')) {
        (true, false) => format!("{digits}."),
        (false, true) => digits.trim_end_matches('0').trim_end_matches('.').into(),
        _ => digits.into(),
    };
    if exponent < -4 || exponent >= precision as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", shown(mantissa), exponent.abs());
    }
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    shown(&format!("{d:.decimals$}"))
}

/// The shortest form that reads back the same, as Redis writes doubles since 7.2 (`fpconv`).
pub fn double_shortest(d: f64) -> String {
    if !d.is_finite() {
        return double_g17(d);
    }
    // Whole numbers up to 2^62 are written as integers.
    if d == d.trunc()
        && d.abs() <= 4_611_686_018_427_387_904.0
        && !(d == 0.0 && d.is_sign_negative())
    {
        return (d as i64).to_string();
    }
    let scientific = format!("{d:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = mantissa.chars().filter(char::is_ascii_digit).count() as i32;
    // fpconv's choice: plain digits while the number stays short.
    let shift = exponent - digits + 1;
    if shift >= 0 && exponent < digits + 7 || shift < 0 && (shift > -7 || exponent > -4) {
        return format!("{d}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{}", exponent.abs())
}
