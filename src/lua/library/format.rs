//! `string.format`: C's `printf` for Lua's values.

use super::args::to_integer;
use crate::call::{Args, Flow};
use crate::number;
use crate::state::{State, Thrown};

/// A parsed format such as `%5.2f`.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

pub(crate) fn format(state: &mut State, args: Args) -> Result<Flow, Thrown> {
    let text = state.check_str(args, 1)?;
    let text = text.as_bytes();
    let mut out = Vec::with_capacity(text.len() + 16);
    let (mut at, mut arg) = (0, 1);
    while at < text.len() {
        let c = text[at];
        at += 1;
        if c != b'%' {
            out.push(c);
            continue;
        }
        if text.get(at) == Some(&b'%') {
            out.push(b'%');
            at += 1;
            continue;
        }
        arg += 1;
        if arg > args.len {
            return Err(state.arg_error(arg, "no value"));
        }
        let spec = scan(text, &mut at).map_err(|message| state.lib_error(message))?;
        let conversion = text.get(at).copied().unwrap_or(0);
        at += 1;
        convert(state, args, arg, &spec, conversion, &mut out)?;
        state.check_size(out.len())?;
    }
    state.push_bytes(&out)?;
    Ok(Flow::Return(1))
}

/// Reads flags, width and precision.
fn scan(text: &[u8], at: &mut usize) -> Result<Spec, &'static str> {
    let mut spec = Spec::default();
    let start = *at;
    while let Some(&flag) = text.get(*at) {
        match flag {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            _ => break,
        }
        *at += 1;
    }
    if *at - start >= 6 {
        return Err("invalid format (repeated flags)");
    }
    spec.width = digits(text, at).unwrap_or(0);
    if text.get(*at) == Some(&b'.') {
        *at += 1;
        spec.precision = Some(digits(text, at).unwrap_or(0));
    }
    if text.get(*at).is_some_and(u8::is_ascii_digit) {
        return Err("invalid format (width or precision too long)");
    }
    Ok(spec)
}

/// Parses at most two digits.
fn digits(text: &[u8], at: &mut usize) -> Option<usize> {
    let mut number = None;
    for _ in 0..2 {
        match text.get(*at) {
            Some(c @ b'0'..=b'9') => {
                number = Some(number.unwrap_or(0) * 10 + usize::from(c - b'0'));
                *at += 1;
            }
            _ => break,
        }
    }
    number
}

fn convert(
    state: &mut State,
    args: Args,
    arg: usize,
    spec: &Spec,
    conversion: u8,
    out: &mut Vec<u8>,
) -> Result<(), Thrown> {
    match conversion {
        b'c' => {
            let c = to_integer(state.check_num(args, arg)?) as u8;
            // C's string ends at a zero byte.
            let start = out.len();
            pad(out, spec, &[], &[c], false);
            if let Some(end) = out[start..].iter().position(|&c| c == 0) {
                out.truncate(start + end);
            }
        }
        b'd' | b'i' => {
            let n = to_integer(state.check_num(args, arg)?);
            integer(out, spec, n < 0, &n.unsigned_abs().to_string(), true, b"");
        }
        b'u' | b'o' | b'x' | b'X' => {
            let n = state.check_num(args, arg)?;
            // As a C cast to unsigned long does on x86-64.
            let n = match n {
                n if n >= 18_446_744_073_709_551_616.0 => 0,
                n if n >= 9_223_372_036_854_775_808.0 => n as u64,
                n => to_integer(n) as u64,
            };
            let (digits, prefix): (_, &[u8]) = match conversion {
                b'o' => (format!("{n:o}"), b"0"),
                b'x' => (format!("{n:x}"), b"0x"),
                b'X' => (format!("{n:X}"), b"0X"),
                _ => (n.to_string(), b""),
            };
            let prefix = if spec.alternate && n != 0 { prefix } else { b"" };
            integer(out, spec, false, &digits, false, prefix);
        }
        b'e' | b'E' | b'f' | b'g' | b'G' => {
            let n = state.check_num(args, arg)?;
            let start = out.len();
            float(out, spec, n, conversion);
            // Each digit of a large number is a division of all of it.
            state.spend((out.len() - start) * 4);
        }
        b'q' => quote(out, state.check_str(args, arg)?.as_bytes()),
        b's' => {
            let text = state.check_str(args, arg)?;
            let mut bytes = text.as_bytes();
            if spec.precision.is_none() && bytes.len() >= 100 {
                // Too long to be formatted: kept whole.
                out.extend_from_slice(bytes);
                return Ok(());
            }
            let len = spec.precision.map_or(bytes.len(), |precision| precision.min(bytes.len()));
            bytes = bytes[..len].split(|&c| c == 0).next().unwrap_or(bytes);
            pad(out, spec, &[], bytes, false);
        }
        other => {
            let name = if other == 0 { String::new() } else { char::from(other).to_string() };
            let text = format!("invalid option '%{name}' to 'format'");
            return Err(state.lib_error(&text));
        }
    }
    Ok(())
}

/// Writes `prefix` and `body` in the given width, with zeros between them if `zeros`.
fn pad(out: &mut Vec<u8>, spec: &Spec, prefix: &[u8], body: &[u8], zeros: bool) {
    let fill = spec.width.saturating_sub(prefix.len() + body.len());
    let put = |out: &mut Vec<u8>, c| out.extend(std::iter::repeat_n(c, fill));
    if !spec.left && !zeros {
        put(out, b' ');
    }
    out.extend_from_slice(prefix);
    if !spec.left && zeros {
        put(out, b'0');
    }
    out.extend_from_slice(body);
    if spec.left {
        put(out, b' ');
    }
}

fn sign(spec: &Spec, negative: bool) -> &'static [u8] {
    match (negative, spec.plus, spec.space) {
        (true, ..) => b"-",
        (_, true, _) => b"+",
        (_, _, true) => b" ",
        _ => b"",
    }
}

fn integer(
    out: &mut Vec<u8>,
    spec: &Spec,
    negative: bool,
    digits: &str,
    signed: bool,
    prefix: &[u8],
) {
    let mut body = String::new();
    let wanted = spec.precision.unwrap_or(1);
    if !(wanted == 0 && digits == "0") {
        // The octal prefix is a digit.
        let given = digits.len() + usize::from(prefix == b"0");
        body.extend(std::iter::repeat_n('0', wanted.saturating_sub(given)));
        body.push_str(digits);
    } else if prefix == b"0" {
        body.push('0');
    }
    let prefix = if signed { sign(spec, negative) } else { prefix };
    pad(out, spec, prefix, body.as_bytes(), spec.zero && spec.precision.is_none());
}

fn float(out: &mut Vec<u8>, spec: &Spec, n: f64, conversion: u8) {
    let precision = spec.precision.unwrap_or(6);
    let magnitude = n.abs();
    let mut body = match conversion.to_ascii_lowercase() {
        b'e' => number::exponential(magnitude, precision, spec.alternate),
        b'f' => number::fixed(magnitude, precision, spec.alternate),
        _ => number::general(magnitude, precision, spec.alternate),
    };
    if conversion.is_ascii_uppercase() {
        body.make_ascii_uppercase();
    }
    let negative = n.is_sign_negative();
    pad(out, spec, sign(spec, negative), body.as_bytes(), spec.zero && n.is_finite());
}

/// Writes a string so that Lua reads it back.
fn quote(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for &c in text {
        match c {
            b'"' | b'\\' | b'\n' => out.extend([b'\\', c]),
            b'\r' => out.extend(b"\\r"),
            0 => out.extend(b"\\000"),
            c => out.push(c),
        }
    }
    out.push(b'"');
}
