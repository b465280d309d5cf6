//! Bits of strings: SETBIT, GETBIT, BITCOUNT, BITPOS, BITOP. BITFIELD is in `bitfield`.

use crate::args::{int, int_or, is, syntax};
use crate::context::{Ctx, Fail, Reply, WRONG_TYPE};
use crate::notify::Class;
use crate::value::{Data, Str};
use ground::resp::{Bytes, Value};

/// The growth of a string, in bytes, from which memory is reserved with a check first.
const GROWS_AT_ONCE: usize = 1 << 20;

const BAD_OFFSET: &str = "ERR bit offset is not an integer or out of range";

/// Parses a bit offset; it must lie within the longest string allowed.
pub fn bit_offset(cx: &Ctx<'_>, arg: &[u8], multiple_of: Option<u64>) -> Result<u64, Fail> {
    let (arg, factor) = match (arg, multiple_of) {
        ([b'#', rest @ ..], Some(bits)) => (rest, bits),
        _ => (arg, 1),
    };
    let n = u64::try_from(int_or(arg, BAD_OFFSET)?).map_err(|_| Fail::from(BAD_OFFSET))?;
    let offset = n.checked_mul(factor).ok_or(BAD_OFFSET)?;
    if offset >> 3 >= cx.inst.settings.proto_max_bulk_len as u64 {
        return Err(BAD_OFFSET.into());
    }
    Ok(offset)
}

/// Returns the string at `key` for editing, at least `len` bytes long; creates it if it is missing.
pub fn editable<'c>(cx: &'c mut Ctx<'_>, key: &Bytes, len: usize) -> Result<&'c mut Vec<u8>, Fail> {
    let old = cx.string(key)?.map(Str::len);
    let more = len.saturating_sub(old.unwrap_or(0));
    cx.inst.take_room(more as u64)?;
    // Without a bound a machine may still not have the memory: that is an error, not the end.
    let mut room: Vec<u8> = Vec::new();
    if more > GROWS_AT_ONCE && room.try_reserve_exact(len).is_err() {
        return Err("OOM command not allowed when used memory > 'maxmemory'.".into());
    }
    drop(room);
    if old.is_none() {
        cx.add(key, Data::Str(Str::Plain(b"".as_slice().into())));
    }
    let Some(s) = cx.string_mut(key)? else { return Err(WRONG_TYPE.into()) };
    let bytes = s.edit();
    if bytes.len() < len {
        bytes.resize(len, 0);
    }
    Ok(bytes)
}

pub fn setbit(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let offset = bit_offset(cx, &argv[2], None)?;
    let bit = match int_or(&argv[3], "ERR bit is not an integer or out of range")? {
        bit @ (0 | 1) => bit as u8,
        _ => return Err("ERR bit is not an integer or out of range".into()),
    };
    let at = (offset >> 3) as usize;
    let shift = 7 - (offset & 7);
    let had = cx.string(key)?.map_or(0, Str::len);
    let bytes = editable(cx, key, at + 1)?;
    let old = bytes[at] >> shift & 1;
    bytes[at] = bytes[at] & !(1 << shift) | bit << shift;
    match had <= at || old != bit {
        true => cx.changed(key, Class::String, "setbit"),
        // Its encoding has changed.
        false => cx.changed_quietly(key, 0),
    }
    Ok(Value::Int(old.into()))
}

pub fn getbit(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let offset = bit_offset(cx, &argv[2], None)?;
    let Some(s) = cx.string(&argv[1])? else { return Ok(Value::Int(0)) };
    let byte = s.as_bytes().get((offset >> 3) as usize).copied().unwrap_or(0);
    Ok(Value::Int((byte >> (7 - (offset & 7)) & 1).into()))
}

/// Converts `[start end [BYTE|BIT]]` to bits `from..to` of `len` bytes; `None` if the range is
/// empty.
fn bit_range(start: i64, end: Option<i64>, in_bits: bool, len: usize) -> Option<(usize, usize)> {
    let total = len as i64 * if in_bits { 8 } else { 1 };
    let end = end.unwrap_or(total - 1);
    let from_end = |n: i64| if n < 0 { (n.saturating_add(total)).max(0) } else { n };
    let (start, end) = (from_end(start), from_end(end).min(total - 1));
    if start > end {
        return None;
    }
    let unit = if in_bits { 1 } else { 8 };
    Some((start as usize * unit, (end as usize + 1) * unit))
}

fn unit(arg: Option<&Bytes>) -> Result<bool, Fail> {
    match arg {
        None => Ok(false),
        Some(word) if is(word, "BYTE") => Ok(false),
        Some(word) if is(word, "BIT") => Ok(true),
        Some(_) => syntax(),
    }
}

/// Returns the byte at `at` with the bits outside `from..to` cleared.
fn masked(bytes: &[u8], at: usize, from: usize, to: usize) -> u8 {
    let mut byte = bytes[at];
    if from > at * 8 {
        byte &= 0xff >> (from - at * 8);
    }
    if to < at * 8 + 8 {
        byte &= !(0xff >> (to - at * 8));
    }
    byte
}

pub fn bitcount(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let Some(s) = cx.string(&argv[1])?.cloned() else { return Ok(Value::Int(0)) };
    let bytes = s.as_bytes();
    let range = match argv.len() {
        2 => bit_range(0, None, false, bytes.len()),
        4 | 5 => {
            let (start, end) = (int(&argv[2])?, int(&argv[3])?);
            let in_bits = unit(argv.get(4))?;
            // Here, and not in BITPOS, bounds in the wrong order are nothing even where both
            // would be cut to the same end.
            if start < 0 && end < 0 && start > end {
                return Ok(Value::Int(0));
            }
            bit_range(start, Some(end), in_bits, bytes.len())
        }
        _ => return syntax(),
    };
    let Some((from, to)) = range else { return Ok(Value::Int(0)) };
    let (first, last) = (from / 8, (to - 1) / 8);
    let mut count = u64::from(masked(&bytes, first, from, to).count_ones());
    if last > first {
        let inner = bytes[first + 1..last].iter().map(|b| u64::from(b.count_ones()));
        count += inner.sum::<u64>() + u64::from(masked(&bytes, last, from, to).count_ones());
    }
    Ok(Value::Int(count as i64))
}

pub fn bitpos(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let bit = int(&argv[2])?;
    if bit != 0 && bit != 1 {
        return Err("ERR The bit argument must be 1 or 0.".into());
    }
    let Some(s) = cx.string(&argv[1])?.cloned() else {
        // An endless row of zeros.
        return Ok(Value::Int(-bit));
    };
    if argv.len() > 6 {
        return syntax();
    }
    let start = argv.get(3).map_or(Ok(0), |arg| int(arg))?;
    let in_bits = unit(argv.get(5))?;
    let end = argv.get(4).map(|arg| int(arg)).transpose()?;
    let bytes = s.as_bytes();
    let Some((from, to)) = bit_range(start, end, in_bits, bytes.len()) else {
        return Ok(Value::Int(-1));
    };
    let flip = if bit == 1 { 0 } else { 0xff };
    for at in from / 8..=(to - 1) / 8 {
        let mut byte = bytes[at] ^ flip;
        if byte == 0 {
            continue;
        }
        byte = masked(&[byte], 0, from.saturating_sub(at * 8), (to - at * 8).min(8));
        if byte != 0 {
            return Ok(Value::int(at * 8 + byte.leading_zeros() as usize));
        }
    }
    // Without an end, the string goes on in zeros.
    Ok(if bit == 0 && end.is_none() { Value::int(to) } else { Value::Int(-1) })
}

pub fn bitop(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let name = &argv[1];
    let later = |word: &str| is(name, word) && cx.version().has_option("bitop", name);
    /// What becomes of the first key's byte and the bytes of the others.
    type Op = fn(u8, &mut dyn Iterator<Item = u8>) -> u8;
    let op: Op = match () {
        () if is(name, "AND") => |first, others| others.fold(first, |all, byte| all & byte),
        () if is(name, "OR") => |first, others| others.fold(first, |any, byte| any | byte),
        () if is(name, "XOR") => |first, others| others.fold(first, |odd, byte| odd ^ byte),
        () if is(name, "NOT") => |first, _| !first,
        () if later("DIFF") => |first, others| first & !others.fold(0, |any, byte| any | byte),
        () if later("DIFF1") => |first, others| !first & others.fold(0, |any, byte| any | byte),
        () if later("ANDOR") => |first, others| first & others.fold(0, |any, byte| any | byte),
        () if later("ONE") => |first, others| {
            let (one, more) =
                others.fold((first, 0), |(one, more), byte| (one | byte, more | one & byte));
            one & !more
        },
        () => return syntax(),
    };
    if is(name, "NOT") && argv.len() != 4 {
        return Err("ERR BITOP NOT must be called with a single source key.".into());
    }
    if argv.len() < 5 && ["DIFF", "DIFF1", "ANDOR"].iter().any(|word| is(name, word)) {
        let name = String::from_utf8_lossy(name).to_ascii_uppercase();
        let text = format!("ERR BITOP {name} must be called with at least two source keys.");
        return Err(text.into());
    }
    let (to, mut sources) = (&argv[2], Vec::new());
    for key in &argv[3..] {
        // Cheap: the bytes are shared.
        sources.push(cx.string(key)?.cloned());
    }
    let sources: Vec<_> =
        sources.iter().map(|s| s.as_ref().map(Str::as_bytes).unwrap_or_default()).collect();
    let len = sources.iter().map(|source| source.len()).max().unwrap_or(0);
    // One key may be named many times.
    cx.inst.check_reply(sources.iter().map(|source| source.len() as u64).sum())?;
    cx.inst.take_room(len as u64)?;
    let at = |source: &[u8], i: usize| source.get(i).copied().unwrap_or(0);
    let result: Vec<u8> = (0..len)
        .map(|i| op(at(&sources[0], i), &mut sources[1..].iter().map(|source| at(source, i))))
        .collect();
    if len == 0 {
        if cx.delete(to) {
            cx.changed(to, Class::Generic, "del");
        }
    } else {
        cx.replace(to, Data::Str(Str::Raw(std::rc::Rc::new(result))), false);
        cx.changed(to, Class::String, "set");
    }
    Ok(Value::int(len))
}
