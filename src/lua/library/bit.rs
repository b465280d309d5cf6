//! Redis's `bit`: Mike Pall's BitOp 1.0.2.

use super::args::to_integer;
use crate::call::{Args, Flow, Native};
use crate::state::{State, Thrown};
use crate::value::Value;

pub(crate) const FUNCTIONS: &[(&str, Native)] = &[
    ("arshift", |s, a| shift(s, a, |x, n| ((x as i32) >> n) as u32)),
    ("band", |s, a| fold(s, a, |x, y| x & y)),
    ("bnot", |s, a| unary(s, a, |x| !x)),
    ("bor", |s, a| fold(s, a, |x, y| x | y)),
    ("bswap", |s, a| unary(s, a, u32::swap_bytes)),
    ("bxor", |s, a| fold(s, a, |x, y| x ^ y)),
    ("lshift", |s, a| shift(s, a, |x, n| x << n)),
    ("rol", |s, a| shift(s, a, u32::rotate_left)),
    ("ror", |s, a| shift(s, a, u32::rotate_right)),
    ("rshift", |s, a| shift(s, a, |x, n| x >> n)),
    ("tobit", |s, a| unary(s, a, |x| x)),
    ("tohex", tohex),
];

type Result<T> = std::result::Result<T, Thrown>;

/// Returns the low 32 bits of a number, rounded by adding a large constant.
fn bits(state: &mut State, args: Args, n: usize) -> Result<u32> {
    let number = state.check_num(args, n)?;
    Ok((number + 6_755_399_441_055_744.0).to_bits() as u32)
}

fn give(state: &mut State, bits: u32) -> Result<Flow> {
    state.push(Value::Num((bits as i32).into()));
    Ok(Flow::Return(1))
}

fn unary(state: &mut State, args: Args, f: impl Fn(u32) -> u32) -> Result<Flow> {
    let x = bits(state, args, 1)?;
    give(state, f(x))
}

fn fold(state: &mut State, args: Args, f: impl Fn(u32, u32) -> u32) -> Result<Flow> {
    let mut x = bits(state, args, 1)?;
    for n in 2..=args.len {
        x = f(x, bits(state, args, n)?);
    }
    give(state, x)
}

fn shift(state: &mut State, args: Args, f: impl Fn(u32, u32) -> u32) -> Result<Flow> {
    let x = bits(state, args, 1)?;
    let n = bits(state, args, 2)? & 31;
    give(state, f(x, n))
}

fn tohex(state: &mut State, args: Args) -> Result<Flow> {
    let x = bits(state, args, 1)?;
    let digits = match args.len {
        0 | 1 => 8,
        _ => i64::from(bits(state, args, 2)? as i32),
    };
    let text = if digits < 0 { format!("{x:08X}") } else { format!("{x:08x}") };
    let len = to_integer(digits.unsigned_abs() as f64).clamp(0, 8) as usize;
    state.push_bytes(&text.as_bytes()[8 - len..])?;
    Ok(Flow::Return(1))
}
