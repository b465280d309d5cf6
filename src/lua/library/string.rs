//! The string library, after `lstrlib.c`.

use super::gsub::gsub;
use super::pattern::Matcher;
use crate::call::{Args, Flow, Native};
use crate::state::{Body, Function, GLOBALS, State, Thrown};
use crate::value::Value;

pub(crate) const FUNCTIONS: &[(&str, Native)] = &[
    ("byte", byte),
    ("char", char),
    ("dump", dump),
    ("find", find),
    ("format", super::format::format),
    ("gmatch", gmatch),
    ("gsub", gsub),
    ("len", len),
    ("lower", lower),
    ("match", match_),
    ("rep", rep),
    ("reverse", reverse),
    ("sub", sub),
    ("upper", upper),
];

type Result<T> = std::result::Result<T, Thrown>;

/// Converts a position that is counted from the end if negative.
fn relative(position: i64, len: usize) -> i64 {
    let position = if position < 0 { position + len as i64 + 1 } else { position };
    position.max(0)
}

fn byte(state: &mut State, args: Args) -> Result<Flow> {
    let text = state.check_str(args, 1)?;
    let from = relative(state.opt_int(args, 2, 1)?, text.len());
    let to = relative(state.opt_int(args, 3, from)?, text.len()).min(text.len() as i64);
    let from = from.max(1);
    if from > to {
        return Ok(Flow::Return(0));
    }
    let bytes = &text.as_bytes()[from as usize - 1..to as usize];
    if bytes.len() >= 8000 {
        return Err(state.lib_error("stack overflow (string slice too long)"));
    }
    for &c in bytes {
        state.push(Value::Num(c.into()));
    }
    Ok(Flow::Return(bytes.len()))
}

fn char(state: &mut State, args: Args) -> Result<Flow> {
    let mut out = Vec::with_capacity(args.len);
    for n in 1..=args.len {
        let code = state.check_int32(args, n)?;
        out.push(u8::try_from(code).map_err(|_| state.arg_error(n, "invalid value"))?);
    }
    state.push_bytes(&out)?;
    Ok(Flow::Return(1))
}

fn dump(state: &mut State, args: Args) -> Result<Flow> {
    state.check_function(args, 1)?;
    // DIFFERENCE: there are no binary chunks here, so no function can be dumped.
    Err(state.lib_error("unable to dump given function"))
}

fn find(state: &mut State, args: Args) -> Result<Flow> {
    find_or_match(state, args, true)
}

fn match_(state: &mut State, args: Args) -> Result<Flow> {
    find_or_match(state, args, false)
}

fn find_or_match(state: &mut State, args: Args, is_find: bool) -> Result<Flow> {
    let text = state.check_str(args, 1)?;
    let pattern = state.check_str(args, 2)?;
    let bytes = pattern.as_bytes();
    let init = relative(state.opt_int(args, 3, 1)?, text.len()).max(1) as usize - 1;
    let init = init.min(text.len());
    if is_find && (state.arg(args, 4).truthy() || is_plain(bytes)) {
        state.reads(bytes.len());
        let found = find_bytes(&text.as_bytes()[init..], bytes);
        state.spend(text.len() / 16);
        let Some(at) = found else {
            state.push(Value::Nil);
            return Ok(Flow::Return(1));
        };
        state.push(Value::Num((init + at + 1) as f64));
        state.push(Value::Num((init + at + bytes.len()) as f64));
        return Ok(Flow::Return(2));
    }
    let anchored = bytes.first() == Some(&b'^');
    let mut matcher = Matcher::new(text.as_bytes(), bytes);
    for start in init..=text.len() {
        let found = matcher.match_at(start, anchored.into());
        let found = found.map_err(|message| matcher.failed(state, message))?;
        if let Some(end) = found {
            state.spend(matcher.steps);
            if !is_find {
                return Ok(Flow::Return(matcher.push_captures(state, start, end)?));
            }
            state.push(Value::Num((start + 1) as f64));
            state.push(Value::Num(end as f64));
            let captures = match matcher.has_captures() {
                true => matcher.push_captures(state, start, end)?,
                false => 0,
            };
            return Ok(Flow::Return(captures + 2));
        }
        if anchored {
            break;
        }
    }
    state.spend(matcher.steps);
    state.push(Value::Nil);
    Ok(Flow::Return(1))
}

/// Returns true if a pattern has no special characters before its first zero byte.
fn is_plain(pattern: &[u8]) -> bool {
    let end = pattern.iter().position(|&c| c == 0).unwrap_or(pattern.len());
    !pattern[..end].iter().any(|c| b"^$*+?.([%-".contains(c))
}

fn find_bytes(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let Some((&first, rest)) = wanted.split_first() else { return Some(0) };
    let last = text.len().checked_sub(wanted.len())?;
    if wanted.len() <= 16 {
        return (0..=last).find(|&at| text[at] == first && text[at + 1..].starts_with(rest));
    }
    // std searches in linear time, in text: each byte becomes a character.
    let chars = |bytes: &[u8]| bytes.iter().map(|&b| char::from(b)).collect::<String>();
    let text = chars(text);
    text.find(&chars(wanted)).map(|at| text[..at].chars().count())
}

fn gmatch(state: &mut State, args: Args) -> Result<Flow> {
    let text = state.check_str(args, 1)?;
    let pattern = state.check_str(args, 2)?;
    let body = Body::Gmatch { text, pattern, at: 0 };
    let iterator = state.new_function(Function { body, env: GLOBALS, identity: 0 });
    state.push(iterator);
    Ok(Flow::Return(1))
}

fn len(state: &mut State, args: Args) -> Result<Flow> {
    let length = state.check_str(args, 1)?.len();
    state.push(Value::Num(length as f64));
    Ok(Flow::Return(1))
}

fn lower(state: &mut State, args: Args) -> Result<Flow> {
    let text = state.check_str(args, 1)?.as_bytes().to_ascii_lowercase();
    state.push_bytes(&text)?;
    Ok(Flow::Return(1))
}

fn upper(state: &mut State, args: Args) -> Result<Flow> {
    let text = state.check_str(args, 1)?.as_bytes().to_ascii_uppercase();
    state.push_bytes(&text)?;
    Ok(Flow::Return(1))
}

fn rep(state: &mut State, args: Args) -> Result<Flow> {
    let text = state.check_str(args, 1)?;
    let count = usize::try_from(state.check_int32(args, 2)?).unwrap_or(0);
    if text.len().saturating_mul(count) > state.limits.string as usize {
        return Err(state.lib_error("resulting string too large"));
    }
    state.push_bytes(&text.as_bytes().repeat(count))?;
    Ok(Flow::Return(1))
}

fn reverse(state: &mut State, args: Args) -> Result<Flow> {
    let mut text = state.check_str(args, 1)?.as_bytes().to_vec();
    text.reverse();
    state.push_bytes(&text)?;
    Ok(Flow::Return(1))
}

fn sub(state: &mut State, args: Args) -> Result<Flow> {
    let text = state.check_str(args, 1)?;
    let from = relative(state.check_int(args, 2)?, text.len()).max(1);
    let to = relative(state.opt_int(args, 3, -1)?, text.len()).min(text.len() as i64);
    let bytes = match from <= to {
        true => &text.as_bytes()[from as usize - 1..to as usize],
        false => b"",
    };
    state.push_bytes(bytes)?;
    Ok(Flow::Return(1))
}
