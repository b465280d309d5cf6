//! Numbers as text: C's `strtod` and `printf`, without C.
//!
//! Lua 5.1 uses the C library for both; the formats here are glibc's (hexadecimal floats, `inf` and
//! `nan` are read).

use ground::resp::number::push_int;

/// Formats a number as `tostring` and `..` do: `%.14g`.
pub(super) fn format(n: f64) -> Vec<u8> {
    let mut out = Vec::with_capacity(24);
    write(n, &mut out);
    out
}

/// Appends `n` as `%.14g`.
pub(super) fn write(n: f64, out: &mut Vec<u8>) {
    // Most numbers in programs are small integers: no rounding, no exponent.
    if n.abs() < 1e14 && n == n.trunc() && (n != 0.0 || n.is_sign_positive()) {
        push_int(n as i64, out);
    } else {
        out.extend_from_slice(general(n, 14, false).as_bytes());
    }
}

/// `%.<precision>g`, with `#` keeping the zeros at the end.
pub(super) use ground::resp::number::general;

/// Returns `inf`, `-inf`, `nan` or `-nan`, as printf writes them; `None` for finite numbers.
pub(super) fn special(n: f64) -> Option<&'static str> {
    match (n.is_nan(), n.is_infinite(), n.is_sign_negative()) {
        (true, _, false) => Some("nan"),
        (true, _, true) => Some("-nan"),
        (_, true, false) => Some("inf"),
        (_, true, true) => Some("-inf"),
        _ => None,
    }
}

/// `%.<precision>e`.
pub(super) fn exponential(n: f64, precision: usize, keep_point: bool) -> String {
    if let Some(text) = special(n) {
        return text.to_owned();
    }
    let scientific = format!("{n:.precision$e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let mantissa = if keep_point { with_point(mantissa) } else { mantissa.to_owned() };
    format!("{mantissa}e{}", exponent_text(exponent.parse().unwrap_or(0)))
}

/// `%.<precision>f`.
pub(super) fn fixed(n: f64, precision: usize, keep_point: bool) -> String {
    if let Some(text) = special(n) {
        return text.to_owned();
    }
    let text = format!("{n:.precision$}");
    if keep_point { with_point(&text) } else { text }
}

fn exponent_text(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{:02}", exponent.unsigned_abs())
}

fn with_point(text: &str) -> String {
    if text.contains('.') { text.to_owned() } else { format!("{text}.") }
}

/// Returns true if C's `isspace` does.
pub(super) fn is_space(c: u8) -> bool {
    matches!(c, b' ' | b'\t'..=b'\r')
}

/// Parses the whole of `text` as a number; blanks around it are allowed. As in C the text ends at
/// its first zero byte.
pub(super) fn parse(text: &[u8]) -> Option<f64> {
    let text = text.split(|&c| c == 0).next().unwrap_or(text);
    let start = text.iter().position(|&c| !is_space(c))?;
    let end = text.iter().rposition(|&c| !is_space(c))? + 1;
    let text = &text[start..end];
    // The common case, spared the checks below.
    if text.len() < 16 && text.iter().all(u8::is_ascii_digit) {
        return Some(text.iter().fold(0u64, |n, c| n * 10 + u64::from(c - b'0')) as f64);
    }
    let (negative, rest) = match text[0] {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let magnitude = match rest {
        [b'0', b'x' | b'X', digits @ ..] => parse_hex(digits)?,
        _ => parse_decimal(rest)?,
    };
    Some(if negative { -magnitude } else { magnitude })
}

fn parse_decimal(text: &[u8]) -> Option<f64> {
    if text.first()?.is_ascii_alphabetic() {
        let word = text.to_ascii_lowercase();
        return match word.as_slice() {
            b"inf" | b"infinity" => Some(f64::INFINITY),
            b"nan" => Some(f64::NAN),
            _ => None,
        };
    }
    ground::resp::decimal::parse(text)
}

fn parse_hex(text: &[u8]) -> Option<f64> {
    let (mut value, mut exponent, mut digits, mut point) = (0.0f64, 0i32, 0, false);
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'.' if !point => point = true,
            c => {
                let Some(digit) = (c as char).to_digit(16) else { break };
                value = value * 16.0 + f64::from(digit);
                digits += 1;
                exponent -= if point { 4 } else { 0 };
            }
        }
        at += 1;
    }
    if digits == 0 {
        return None;
    }
    if at < text.len() {
        let power = match &text[at..] {
            [b'p' | b'P', rest @ ..] => rest,
            _ => return None,
        };
        let power = std::str::from_utf8(power).ok()?;
        exponent = exponent.saturating_add(power.parse::<i32>().ok()?);
    }
    Some(if exponent == 0 { value } else { value * 2f64.powi(exponent) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_as_printf_does() {
        for (n, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (10.0, "10"),
            (-7.0, "-7"),
            (0.1, "0.1"),
            (1e14, "1e+14"),
            (123_456_789_012_345.0, "1.2345678901234e+14"),
            (1.0 / 3.0, "0.33333333333333"),
            (1e100, "1e+100"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(String::from_utf8(format(n)).unwrap(), text);
        }
        assert_eq!(general(0.1, 17, false), "0.10000000000000001");
    }

    #[test]
    fn reads_as_strtod_does() {
        for (text, n) in [
            ("10", Some(10.0)),
            ("  0x10  ", Some(16.0)),
            ("1e3", Some(1000.0)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            ("-0x1p4", Some(-16.0)),
            ("inf", Some(f64::INFINITY)),
            ("", None),
            ("1e", None),
            ("0x", None),
            ("1 2", None),
            ("--1", None),
            ("1a", None),
        ] {
            assert_eq!(parse(text.as_bytes()), n, "{text}");
        }
    }
}
