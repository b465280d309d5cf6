//! BITFIELD: integers of any width inside a string.

use crate::args::{int, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::notify::Class;
use ground::resp::{Bytes, Value, number};

use super::bitmaps::{bit_offset, editable};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overflow {
    Wrap,
    Sat,
    Fail,
}

#[derive(Debug, Clone, Copy)]
enum Op {
    Get,
    Set(i64),
    IncrBy(i64),
}

#[derive(Debug, Clone, Copy)]
struct Field {
    op: Op,
    signed: bool,
    bits: u32,
    offset: u64,
    overflow: Overflow,
}

fn field_type(arg: &[u8]) -> Result<(bool, u32), Fail> {
    let invalid = "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not \
                   supported but i64 is.";
    let (signed, max) = match arg.first() {
        Some(b'i') => (true, 64),
        Some(b'u') => (false, 63),
        _ => return Err(invalid.into()),
    };
    match number::parse_int(&arg[1..]) {
        Some(bits) if (1..=max).contains(&bits) => Ok((signed, bits as u32)),
        _ => Err(invalid.into()),
    }
}

fn parse(cx: &Ctx<'_>, argv: &[Bytes]) -> Result<Vec<Field>, Fail> {
    let (mut fields, mut overflow, mut at) = (Vec::new(), Overflow::Wrap, 2);
    while let Some(word) = argv.get(at) {
        let more = argv.len() - at - 1;
        if is(word, "OVERFLOW") && more >= 1 {
            overflow = match () {
                () if is(&argv[at + 1], "WRAP") => Overflow::Wrap,
                () if is(&argv[at + 1], "SAT") => Overflow::Sat,
                () if is(&argv[at + 1], "FAIL") => Overflow::Fail,
                () => return Err("ERR Invalid OVERFLOW type specified".into()),
            };
            at += 2;
            continue;
        }
        let is_get = is(word, "GET");
        if !(is_get && more >= 2) && !((is(word, "SET") || is(word, "INCRBY")) && more >= 3) {
            return syntax();
        }
        let (signed, bits) = field_type(&argv[at + 1])?;
        let offset = bit_offset(cx, &argv[at + 2], Some(bits.into()))?;
        let op = match () {
            () if is_get => Op::Get,
            () if is(word, "SET") => Op::Set(int(&argv[at + 3])?),
            () => Op::IncrBy(int(&argv[at + 3])?),
        };
        fields.push(Field { op, signed, bits, offset, overflow });
        at += if is_get { 3 } else { 4 };
    }
    Ok(fields)
}

impl Field {
    fn read(&self, bytes: &[u8]) -> i128 {
        let mut value: u64 = 0;
        for bit in self.offset..self.offset + u64::from(self.bits) {
            let byte = bytes.get((bit >> 3) as usize).copied().unwrap_or(0);
            value = value << 1 | u64::from(byte >> (7 - (bit & 7)) & 1);
        }
        self.wrap(value.into())
    }

    fn write(&self, bytes: &mut [u8], value: i128) {
        for (i, bit) in (self.offset..self.offset + u64::from(self.bits)).enumerate() {
            let on = (value >> (self.bits as usize - 1 - i)) as u8 & 1;
            let (at, shift) = ((bit >> 3) as usize, 7 - (bit & 7));
            bytes[at] = bytes[at] & !(1 << shift) | on << shift;
        }
    }

    fn limits(&self) -> (i128, i128) {
        if self.signed {
            (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1)
        } else {
            (0, (1 << self.bits) - 1)
        }
    }

    /// Returns the low bits of `value`, read as this type.
    fn wrap(&self, value: i128) -> i128 {
        let low = value & ((1 << self.bits) - 1);
        if self.signed && low >> (self.bits - 1) == 1 { low - (1 << self.bits) } else { low }
    }

    /// Returns the number to store for `value`; `None` if it does not fit and OVERFLOW FAIL is set.
    fn fit(&self, value: i128) -> Option<i128> {
        let (min, max) = self.limits();
        if (min..=max).contains(&value) {
            return Some(value);
        }
        match self.overflow {
            Overflow::Wrap => Some(self.wrap(value)),
            Overflow::Sat => Some(value.clamp(min, max)),
            Overflow::Fail => None,
        }
    }
}

pub fn bitfield(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let fields = parse(cx, argv)?;
    let writes = fields.iter().filter(|field| !matches!(field.op, Op::Get));
    let end = writes.map(|field| field.offset + u64::from(field.bits)).max();
    let read = |value: i128| Value::Int(value as i64);
    let Some(end) = end else {
        let s = cx.string(key)?;
        let bytes = s.map(|s| s.as_bytes()).unwrap_or_default();
        return Ok(Value::Array(fields.iter().map(|field| read(field.read(&bytes))).collect()));
    };
    if cx.command.name == "bitfield_ro" {
        return Err("ERR BITFIELD_RO only supports the GET subcommand".into());
    }
    let old_len = cx.string(key)?.map_or(0, |s| s.len());
    let bytes = editable(cx, key, end.div_ceil(8) as usize)?;
    let (mut replies, mut changes) = (Vec::with_capacity(fields.len()), 0);
    let grown = bytes.len() > old_len;
    for field in &fields {
        let old = field.read(bytes);
        let (wanted, shows_old) = match field.op {
            Op::Get => {
                replies.push(read(old));
                continue;
            }
            Op::Set(value) if field.signed => (i128::from(value), true),
            Op::Set(value) => (i128::from(value as u64), true),
            Op::IncrBy(by) => (old + i128::from(by), false),
        };
        match field.fit(wanted) {
            None => replies.push(Value::NilBulk),
            Some(new) => {
                field.write(bytes, new);
                replies.push(read(if shows_old { old } else { new }));
                changes += u64::from(grown || old != new);
            }
        }
    }
    if changes > 0 {
        cx.changed(key, Class::String, "setbit");
    }
    Ok(Value::Array(replies))
}

pub fn bitfield_ro(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    bitfield(cx, argv)
}
