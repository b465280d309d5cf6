//! Parses arguments, with Redis's error texts.

use super::context::{Fail, NOT_FLOAT, NOT_INT, NOT_POSITIVE, SYNTAX};
use ground::resp::number;

pub fn int(arg: &[u8]) -> Result<i64, Fail> {
    number::parse_int(arg).ok_or_else(|| NOT_INT.into())
}

pub fn int_or(arg: &[u8], text: &str) -> Result<i64, Fail> {
    number::parse_int(arg).ok_or_else(|| text.into())
}

pub fn float(arg: &[u8]) -> Result<f64, Fail> {
    float_or(arg, NOT_FLOAT)
}

pub fn float_or(arg: &[u8], text: &str) -> Result<f64, Fail> {
    number::parse_double(arg).ok_or_else(|| text.into())
}

/// Parses a count that must not be negative.
pub fn positive(arg: &[u8]) -> Result<i64, Fail> {
    match number::parse_int(arg) {
        Some(n) if n >= 0 => Ok(n),
        Some(_) => Err(NOT_POSITIVE.into()),
        None => Err(NOT_POSITIVE.into()),
    }
}

/// Parses an integer in `min..=max`; the error is `text` (or Redis's own for a range).
pub fn int_within(arg: &[u8], min: i64, max: i64, text: Option<&str>) -> Result<i64, Fail> {
    let n = match number::parse_int(arg) {
        Some(n) => n,
        None => return Err(text.unwrap_or(NOT_INT).into()),
    };
    if n < min || n > max {
        return Err(match text {
            Some(text) => text.into(),
            None => format!("ERR value is out of range, value must between {min} and {max}").into(),
        });
    }
    Ok(n)
}

pub fn is(arg: &[u8], word: &str) -> bool {
    arg.eq_ignore_ascii_case(word.as_bytes())
}

/// Returns the unit of an expiry option in ms, and true if its value is a moment, false if it is a
/// duration.
pub fn expiry_unit(option: &[u8]) -> Option<(i64, bool)> {
    let units = [("EX", 1000, false), ("PX", 1, false), ("EXAT", 1000, true), ("PXAT", 1, true)];
    let unit = units.into_iter().find(|(name, ..)| is(option, name))?;
    Some((unit.1, unit.2))
}

pub fn syntax<T>() -> Result<T, Fail> {
    Err(SYNTAX.into())
}

pub fn arity<T>(name: &str) -> Result<T, Fail> {
    Err(format!("ERR wrong number of arguments for '{name}' command").into())
}

/// Converts Redis's inclusive bounds, negative from the end, to `start..end` over `len` items.
pub fn span(start: i64, stop: i64, len: usize) -> (usize, usize) {
    let len = len as i64;
    let start = if start < 0 { (start + len).max(0) } else { start };
    let stop = if stop < 0 { stop + len } else { stop };
    if start > stop || start >= len || stop < 0 {
        return (0, 0);
    }
    (start as usize, (stop.min(len - 1) + 1) as usize)
}
