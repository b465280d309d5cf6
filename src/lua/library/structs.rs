//! Redis's `struct`: Roberto Ierusalimschy's library for C's data layouts.

use super::args::to_integer;
use crate::call::{Args, Flow, Native};
use crate::state::{State, Thrown};
use crate::value::{Str, Value};

pub(crate) const FUNCTIONS: &[(&str, Native)] =
    &[("pack", pack), ("size", size), ("unpack", unpack)];

const SIZE_MAX: usize = 32;
const ALIGN_MAX: usize = 8;

type Result<T> = std::result::Result<T, Thrown>;

/// A format being read, with the byte order and alignment it has set so far.
struct Format {
    text: Str,
    at: usize,
    little: bool,
    align: usize,
}

impl Format {
    fn new(state: &mut State, args: Args) -> Result<Self> {
        let text = state.check_str(args, 1)?;
        state.reads(text.len() * 8);
        Ok(Self { text, at: 0, little: true, align: 1 })
    }

    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Returns the next option, and its size.
    fn next(&mut self, state: &State) -> Result<Option<(u8, usize)>> {
        // C's string ends at a zero byte.
        let option = self.peek();
        if option == 0 {
            return Ok(None);
        }
        self.at += 1;
        let size = match option {
            b'b' | b'B' | b'x' => 1,
            b'h' | b'H' => 2,
            b'f' => 4,
            b'l' | b'L' | b'T' | b'd' => 8,
            b'c' => self.number(state, 1)?,
            b'i' | b'I' => {
                let size = self.number(state, 4)?;
                if size > SIZE_MAX {
                    let text = format!("integral size {size} is larger than limit of {SIZE_MAX}");
                    return Err(state.lib_error(&text));
                }
                size
            }
            _ => 0,
        };
        Ok(Some((option, size)))
    }

    fn number(&mut self, state: &State, default: usize) -> Result<usize> {
        if !self.peek().is_ascii_digit() {
            return Ok(default);
        }
        let mut number = 0i32;
        while self.peek().is_ascii_digit() {
            let digit = i32::from(self.peek() - b'0');
            number = number
                .checked_mul(10)
                .and_then(|number| number.checked_add(digit))
                .ok_or_else(|| state.lib_error("integral size overflow"))?;
            self.at += 1;
        }
        Ok(number as usize)
    }

    fn padding(&self, position: usize, option: u8, size: usize) -> usize {
        if size == 0 || option == b'c' {
            return 0;
        }
        let size = size.min(self.align);
        (size - (position & (size - 1))) & (size - 1)
    }

    /// Handles an option that sets byte order or alignment.
    fn control(&mut self, state: &State, option: u8) -> Result<()> {
        match option {
            b' ' => {}
            b'>' => self.little = false,
            b'<' => self.little = true,
            b'!' => {
                let align = self.number(state, ALIGN_MAX)?;
                if !align.is_power_of_two() {
                    let text = format!("alignment {align} is not a power of 2");
                    return Err(state.lib_error(&text));
                }
                self.align = align;
            }
            other => {
                let text = format!("invalid format option '{}'", char::from(other));
                return Err(state.arg_error(1, &text));
            }
        }
        Ok(())
    }

    /// Puts bytes, least significant first, into the format's order.
    fn ordered(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        if !self.little {
            bytes.reverse();
        }
        bytes
    }
}

fn pack(state: &mut State, args: Args) -> Result<Flow> {
    let mut format = Format::new(state, args)?;
    let mut out = Vec::new();
    let mut arg = 2;
    while let Some((option, size)) = format.next(state)? {
        let padding = format.padding(out.len(), option, size);
        out.resize(out.len() + padding, 0);
        match option {
            b'b' | b'B' | b'h' | b'H' | b'l' | b'L' | b'T' | b'i' | b'I' => {
                let n = number_arg(state, args, arg)?;
                let value = match n {
                    n if n >= 18_446_744_073_709_551_616.0 => 0,
                    n if n >= 9_223_372_036_854_775_808.0 => n as u64,
                    n => to_integer(n) as u64,
                };
                let mut bytes = value.to_le_bytes().to_vec();
                bytes.resize(size, 0);
                out.extend(format.ordered(bytes));
                arg += 1;
            }
            b'f' => {
                let n = number_arg(state, args, arg)? as f32;
                out.extend(format.ordered(n.to_le_bytes().to_vec()));
                arg += 1;
            }
            b'd' => {
                let n = number_arg(state, args, arg)?;
                out.extend(format.ordered(n.to_le_bytes().to_vec()));
                arg += 1;
            }
            b'x' => out.push(0),
            b'c' | b's' => {
                let text = state.check_str(args, arg)?;
                arg += 1;
                let size = if size == 0 { text.len() } else { size };
                if text.len() < size {
                    return Err(state.arg_error(arg, "string too short"));
                }
                out.extend_from_slice(&text.as_bytes()[..size]);
                if option == b's' {
                    out.push(0);
                }
            }
            other => format.control(state, other)?,
        }
        state.check_size(out.len())?;
    }
    state.push_bytes(&out)?;
    Ok(Flow::Return(1))
}

/// Returns a number argument; a missing one is nil here, because the library marks the end with
/// one.
fn number_arg(state: &mut State, args: Args, n: usize) -> Result<f64> {
    if n > args.len {
        return Err(state.arg_error(n, "number expected, got nil"));
    }
    state.check_num(args, n)
}

fn unpack(state: &mut State, args: Args) -> Result<Flow> {
    let mut format = Format::new(state, args)?;
    let text = state.check_str(args, 2)?;
    let data = text.as_bytes();
    let start = state.opt_int(args, 3, 1)?;
    if start <= 0 {
        return Err(state.arg_error(3, "offset must be 1 or greater"));
    }
    let mut at = start as usize - 1;
    let mut count = 0;
    let too_short = |state: &State| state.arg_error(2, "data string too short");
    while let Some((option, mut size)) = format.next(state)? {
        at = at.saturating_add(format.padding(at, option, size));
        if size > data.len() || at > data.len() - size {
            return Err(too_short(state));
        }
        let field = &data[at..at + size];
        let value = match option {
            b'b' | b'B' | b'h' | b'H' | b'l' | b'L' | b'T' | b'i' | b'I' => {
                let bytes = format.ordered(field.to_vec());
                Some(Value::Num(integer(&bytes, option.is_ascii_lowercase())))
            }
            b'f' => {
                let bytes = format.ordered(field.to_vec());
                Some(Value::Num(f32::from_le_bytes(bytes.try_into().unwrap_or_default()).into()))
            }
            b'd' => {
                let bytes = format.ordered(field.to_vec());
                Some(Value::Num(f64::from_le_bytes(bytes.try_into().unwrap_or_default())))
            }
            b'c' => {
                if size == 0 {
                    let previous = state.stack[..state.top].last().filter(|_| count > 0);
                    let Some(wanted) = previous.and_then(Value::to_number) else {
                        return Err(state.lib_error("format 'c0' needs a previous size"));
                    };
                    size = usize::try_from(to_integer(wanted)).unwrap_or(usize::MAX);
                    state.top -= 1;
                    count -= 1;
                    if size > data.len() || at > data.len() - size {
                        return Err(too_short(state));
                    }
                }
                Some(state.new_str(&data[at..at + size]))
            }
            b's' => {
                let end = data[at..].iter().position(|&c| c == 0);
                let Some(length) = end else {
                    state.reads(data.len() - at);
                    return Err(state.lib_error("unfinished string in data"));
                };
                size = length + 1;
                Some(state.new_str(&data[at..at + length]))
            }
            b'x' => None,
            other => {
                format.control(state, other)?;
                None
            }
        };
        if let Some(value) = value {
            if count >= 7990 {
                return Err(state.lib_error("stack overflow (too many results)"));
            }
            state.push(value);
            count += 1;
        }
        at += size;
    }
    state.push(Value::Num((at + 1) as f64));
    Ok(Flow::Return(count + 1))
}

/// Decodes an integer of any size, least significant byte first.
fn integer(bytes: &[u8], signed: bool) -> f64 {
    let mut value = 0u64;
    for (at, byte) in bytes.iter().take(8).enumerate() {
        value |= u64::from(*byte) << (8 * at);
    }
    if !signed {
        return value as f64;
    }
    let bits = 64 - 8 * bytes.len().clamp(1, 8) as u32;
    ((value << bits) as i64 >> bits) as f64
}

fn size(state: &mut State, args: Args) -> Result<Flow> {
    let mut format = Format::new(state, args)?;
    let mut at = 0usize;
    while let Some((option, size)) = format.next(state)? {
        at = at.saturating_add(format.padding(at, option, size));
        match option {
            b's' => return Err(state.arg_error(1, "option 's' has no fixed size")),
            b'c' if size == 0 => {
                return Err(state.arg_error(1, "option 'c0' has no fixed size"));
            }
            other if !other.is_ascii_alphanumeric() => format.control(state, other)?,
            _ => {}
        }
        at = at.saturating_add(size);
    }
    state.push(Value::Num(at as f64));
    Ok(Flow::Return(1))
}
