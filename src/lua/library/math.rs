//! The math library, after `lmathlib.c`, with Redis's random numbers.
//!
//! DIFFERENCE: rounded functions come from `libm`, so that a program computes the same bits on
//! every target. The last digit of one in some tens is another than that of the C library.

use super::put;
use crate::call::{Args, Flow, Native};
use crate::state::{State, Thrown};
use crate::table::Table;
use crate::value::Value;

pub(crate) const FUNCTIONS: &[(&str, Native)] = &[
    ("abs", |s, a| unary(s, a, f64::abs)),
    ("acos", |s, a| unary(s, a, |x| numeric(libm::acos(x)))),
    ("asin", |s, a| unary(s, a, |x| numeric(libm::asin(x)))),
    ("atan", |s, a| unary(s, a, libm::atan)),
    ("atan2", |s, a| binary(s, a, libm::atan2)),
    ("ceil", |s, a| unary(s, a, f64::ceil)),
    ("cos", |s, a| unary(s, a, libm::cos)),
    ("cosh", |s, a| unary(s, a, libm::cosh)),
    ("deg", |s, a| unary(s, a, |x| x / (std::f64::consts::PI / 180.0))),
    ("exp", |s, a| unary(s, a, libm::exp)),
    ("floor", |s, a| unary(s, a, f64::floor)),
    ("fmod", |s, a| binary(s, a, |x, y| x % y)),
    ("frexp", frexp),
    ("ldexp", ldexp),
    ("log", |s, a| unary(s, a, libm::log)),
    ("log10", |s, a| unary(s, a, |x| numeric(libm::log10(x)))),
    ("max", |s, a| extreme(s, a, |x, y| x > y)),
    ("min", |s, a| extreme(s, a, |x, y| x < y)),
    ("modf", modf),
    ("pow", |s, a| binary(s, a, crate::code::power)),
    ("rad", |s, a| unary(s, a, |x| x * (std::f64::consts::PI / 180.0))),
    ("random", random),
    ("randomseed", randomseed),
    ("sin", |s, a| unary(s, a, libm::sin)),
    ("sinh", |s, a| unary(s, a, libm::sinh)),
    ("sqrt", |s, a| unary(s, a, f64::sqrt)),
    ("tan", |s, a| unary(s, a, libm::tan)),
    ("tanh", |s, a| unary(s, a, libm::tanh)),
];

type Result<T> = std::result::Result<T, Thrown>;

pub(super) fn constants(table: &mut Table) {
    put(table, "pi", Value::Num(std::f64::consts::PI));
    put(table, "huge", Value::Num(f64::INFINITY));
}

/// Returns NaN without a sign, as the C library has it for some functions.
fn numeric(x: f64) -> f64 {
    if x.is_nan() { f64::NAN } else { x }
}

fn unary(state: &mut State, args: Args, f: impl Fn(f64) -> f64) -> Result<Flow> {
    let x = state.check_num(args, 1)?;
    state.push(Value::Num(f(x)));
    Ok(Flow::Return(1))
}

fn binary(state: &mut State, args: Args, f: impl Fn(f64, f64) -> f64) -> Result<Flow> {
    let x = state.check_num(args, 1)?;
    let y = state.check_num(args, 2)?;
    state.push(Value::Num(f(x, y)));
    Ok(Flow::Return(1))
}

fn extreme(state: &mut State, args: Args, better: impl Fn(f64, f64) -> bool) -> Result<Flow> {
    let mut best = state.check_num(args, 1)?;
    for n in 2..=args.len {
        let x = state.check_num(args, n)?;
        if better(x, best) {
            best = x;
        }
    }
    state.push(Value::Num(best));
    Ok(Flow::Return(1))
}

fn modf(state: &mut State, args: Args) -> Result<Flow> {
    let x = state.check_num(args, 1)?;
    let whole = x.trunc();
    let rest = if x.is_infinite() { 0.0 } else { x - whole };
    state.push(Value::Num(whole));
    state.push(Value::Num(rest.copysign(x)));
    Ok(Flow::Return(2))
}

fn frexp(state: &mut State, args: Args) -> Result<Flow> {
    let x = state.check_num(args, 1)?;
    let (mut mantissa, mut exponent) = (x, 0i32);
    if x != 0.0 && x.is_finite() {
        if x.abs() < f64::MIN_POSITIVE {
            mantissa *= 2f64.powi(64);
            exponent = -64;
        }
        let bits = mantissa.to_bits();
        exponent += ((bits >> 52) & 0x7ff) as i32 - 1022;
        mantissa = f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52);
    }
    state.push(Value::Num(mantissa));
    state.push(Value::Num(exponent.into()));
    Ok(Flow::Return(2))
}

fn ldexp(state: &mut State, args: Args) -> Result<Flow> {
    let x = state.check_num(args, 1)?;
    let mut exponent = state.check_int32(args, 2)?.clamp(-2200, 2200);
    let mut result = x;
    // In steps, so that neither a power nor a denormal is rounded on the way.
    while exponent > 1000 {
        result *= 2f64.powi(1000);
        exponent -= 1000;
    }
    while exponent < -1000 {
        result *= 2f64.powi(-1000);
        exponent += 1000;
    }
    state.push(Value::Num(result * 2f64.powi(exponent)));
    Ok(Flow::Return(1))
}

/// The state of Redis's random generator before a program seeds it.
pub(crate) const RANDOM_START: u64 = 0x1234_abcd_330e;
/// The low bits of every seed.
const RANDOM_LOW: u64 = 0x330e;
const RANDOM_MAX: u64 = i32::MAX as u64;

/// Returns the next number of `lrand48`.
fn next_random(state: &mut State) -> u64 {
    state.random = state.random.wrapping_mul(0x5_DEEC_E66D).wrapping_add(0xb) & ((1 << 48) - 1);
    state.random >> 17
}

fn random(state: &mut State, args: Args) -> Result<Flow> {
    state.has_drawn |= !state.is_seeded;
    let r = (next_random(state) % RANDOM_MAX) as f64 / RANDOM_MAX as f64;
    let result = match args.len {
        0 => r,
        1 => {
            let high = state.check_int32(args, 1)?;
            if high < 1 {
                return Err(state.arg_error(1, "interval is empty"));
            }
            (r * f64::from(high)).floor() + 1.0
        }
        2 => {
            let low = state.check_int32(args, 1)?;
            let high = state.check_int32(args, 2)?;
            if low > high {
                return Err(state.arg_error(2, "interval is empty"));
            }
            (r * f64::from(high.wrapping_sub(low).wrapping_add(1))).floor() + f64::from(low)
        }
        _ => return Err(state.lib_error("wrong number of arguments")),
    };
    state.push(Value::Num(result));
    Ok(Flow::Return(1))
}

fn randomseed(state: &mut State, args: Args) -> Result<Flow> {
    let seed = state.check_int32(args, 1)? as u32;
    state.random = u64::from(seed) << 16 | RANDOM_LOW;
    state.is_seeded = true;
    Ok(Flow::Return(0))
}
