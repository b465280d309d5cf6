//! Redis's `cmsgpack`: MessagePack as lua-cmsgpack 0.4.0 writes and reads it.

use super::put;
use crate::call::{Args, Flow, Native};
use crate::state::{State, Thrown};
use crate::table::Table;
use crate::value::{Str, TableId, Value};

pub(crate) const FUNCTIONS: &[(&str, Native)] = &[
    ("pack", pack),
    ("unpack", |s, a| unpack(s, a, Some(0), 0)),
    ("unpack_limit", unpack_limit),
    ("unpack_one", unpack_one),
];

/// Deeper tables are written as nil.
const NESTING_MAX: usize = 16;
/// Deeper data is not read; PUC's stack would end first.
const READ_MAX: usize = 200;

type Result<T> = std::result::Result<T, Thrown>;

pub(super) fn constants(table: &mut Table) {
    put(table, "_NAME", Value::str(b"cmsgpack"));
    put(table, "_VERSION", Value::str(b"lua-cmsgpack 0.4.0"));
    put(table, "_COPYRIGHT", Value::str(b"Copyright (C) 2012, Salvatore Sanfilippo"));
    put(table, "_DESCRIPTION", Value::str(b"MessagePack C implementation for Lua"));
}

fn pack(state: &mut State, args: Args) -> Result<Flow> {
    if args.len == 0 {
        return Err(state.arg_error(0, "MessagePack pack needs input."));
    }
    let mut out = Vec::new();
    for n in 1..=args.len {
        let value = state.arg(args, n).clone();
        write(state, &value, 0, &mut out)?;
    }
    state.push_bytes(&out)?;
    Ok(Flow::Return(1))
}

fn write(state: &mut State, value: &Value, level: usize, out: &mut Vec<u8>) -> Result<()> {
    state.spend(1);
    state.check_size(out.len())?;
    match value {
        Value::Str(text) => {
            head(out, text.len(), &[(31, 0xa0), (0xff, 0xd9), (0xffff, 0xda)], 0xdb);
            out.extend_from_slice(text.as_bytes());
        }
        Value::Bool(b) => out.push(if *b { 0xc3 } else { 0xc2 }),
        Value::Num(n) => number(*n, out),
        Value::Table(id) if level < NESTING_MAX => {
            state.reads(state.table(*id).places());
            if is_array(state.table(*id)) {
                let len = state.table(*id).length();
                head(out, len, &[(15, 0x90), (0xffff, 0xdc)], 0xdd);
                for index in 1..=len {
                    let item = state.raw_get_int(*id, index);
                    write(state, &item, level + 1, out)?;
                }
            } else {
                write_map(state, *id, level, out)?;
            }
        }
        _ => out.push(0xc0),
    }
    Ok(())
}

fn write_map(state: &mut State, id: TableId, level: usize, out: &mut Vec<u8>) -> Result<()> {
    let mut entries = Vec::new();
    let mut key = Value::Nil;
    while let Ok(Some((next, value))) = state.next(id, &key) {
        key = next.clone();
        entries.push((next, value));
    }
    head(out, entries.len(), &[(15, 0x80), (0xffff, 0xde)], 0xdf);
    for (key, value) in entries {
        write(state, &key, level + 1, out)?;
        write(state, &value, level + 1, out)?;
    }
    Ok(())
}

/// Writes a length after its type: the first form whose limit is not exceeded. A limit below a byte
/// means that the length shares the byte with the type.
fn head(out: &mut Vec<u8>, len: usize, forms: &[(usize, u8)], last: u8) {
    let (limit, tag) =
        forms.iter().copied().find(|(max, _)| len <= *max).unwrap_or((usize::MAX, last));
    match limit {
        15 | 31 => out.push(tag | len as u8),
        0xff => out.extend([tag, len as u8]),
        0xffff => {
            out.push(tag);
            out.extend((len as u16).to_be_bytes());
        }
        _ => {
            out.push(tag);
            out.extend((len as u32).to_be_bytes());
        }
    }
}

fn number(n: f64, out: &mut Vec<u8>) {
    let range = -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;
    let is_integer = n == n.trunc() && range.contains(&n);
    if !is_integer {
        if n == f64::from(n as f32) {
            out.push(0xca);
            out.extend((n as f32).to_be_bytes());
        } else {
            out.push(0xcb);
            out.extend(n.to_be_bytes());
        }
        return;
    }
    let i = n as i64;
    match i {
        0..=127 => out.push(i as u8),
        128..=0xff => out.extend([0xcc, i as u8]),
        0x100..=0xffff => {
            out.push(0xcd);
            out.extend((i as u16).to_be_bytes());
        }
        0x1_0000..=0xffff_ffff => {
            out.push(0xce);
            out.extend((i as u32).to_be_bytes());
        }
        0x1_0000_0000.. => {
            out.push(0xcf);
            out.extend(i.to_be_bytes());
        }
        -32..=-1 => out.push(i as u8),
        -128..=-33 => out.extend([0xd0, i as u8]),
        -32768..=-129 => {
            out.push(0xd1);
            out.extend((i as i16).to_be_bytes());
        }
        -2_147_483_648..=-32769 => {
            out.push(0xd2);
            out.extend((i as i32).to_be_bytes());
        }
        _ => {
            out.push(0xd3);
            out.extend(i.to_be_bytes());
        }
    }
}

/// Returns true if the keys are exactly 1 to n.
fn is_array(table: &Table) -> bool {
    let (mut count, mut most) = (0usize, 0.0f64);
    let array = table.array.iter().enumerate().filter(|(_, value)| !value.is_nil());
    for (at, _) in array {
        count += 1;
        most = (at + 1) as f64;
    }
    for node in table.nodes.iter().filter(|node| !node.value.is_nil()) {
        match node.key {
            Value::Num(n) if n > 0.0 && n == n.trunc() && n <= f64::from(i32::MAX) => {
                count += 1;
                most = most.max(n);
            }
            _ => return false,
        }
    }
    most == count as f64
}

fn unpack_one(state: &mut State, args: Args) -> Result<Flow> {
    let offset = state.opt_int(args, 2, 0)?;
    unpack(state, args, Some(1), offset)
}

fn unpack_limit(state: &mut State, args: Args) -> Result<Flow> {
    let limit = state.check_int32(args, 2)?;
    let offset = state.opt_int(args, 3, 0)?;
    unpack(state, args, usize::try_from(limit).ok(), offset)
}

/// Reads up to `limit` values (0: all); with a limit or an offset, the position where reading ended
/// comes first.
fn unpack(state: &mut State, args: Args, limit: Option<usize>, offset: i64) -> Result<Flow> {
    let text = state.check_str(args, 1)?;
    let len = text.len();
    let (Some(limit), Ok(start)) = (limit, usize::try_from(offset)) else {
        let message =
            format!("Invalid request to unpack with offset of {offset} and limit of {len}.");
        return Err(state.lib_error(&message));
    };
    if start > len {
        let message = format!("Start offset {start} greater than input length {len}.");
        return Err(state.lib_error(&message));
    }
    let all = limit == 0 && start == 0;
    let mut reader = Reader { text, at: start };
    let place = state.top;
    if !all {
        state.push(Value::Nil);
    }
    let mut count = 0;
    while reader.at < len && (all || count < limit) {
        if count >= 7900 {
            return Err(state.lib_error(
                "stack overflow (too many return values at once; use \
              unpack_one or unpack_limit instead.)",
            ));
        }
        let value = reader.value(state, 0)?;
        state.push(value);
        count += 1;
    }
    if !all {
        let end = if reader.at == len { -1.0 } else { reader.at as f64 };
        state.stack[place] = Value::Num(end);
        count += 1;
    }
    Ok(Flow::Return(count))
}

struct Reader {
    text: Str,
    at: usize,
}

impl Reader {
    fn take(&mut self, state: &State, len: usize) -> Result<Vec<u8>> {
        let end = self.at.saturating_add(len);
        match self.text.as_bytes().get(self.at..end) {
            Some(bytes) => {
                self.at = end;
                Ok(bytes.to_vec())
            }
            None => Err(state.lib_error("Missing bytes in input.")),
        }
    }

    fn unsigned(&mut self, state: &State, len: usize) -> Result<u64> {
        let bytes = self.take(state, len)?;
        Ok(bytes.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)))
    }

    fn signed(&mut self, state: &State, len: usize) -> Result<i64> {
        let bits = 64 - 8 * len as u32;
        Ok((self.unsigned(state, len)? << bits) as i64 >> bits)
    }

    fn value(&mut self, state: &mut State, depth: usize) -> Result<Value> {
        state.spend(1);
        if depth > READ_MAX {
            return Err(state.lib_error("Bad data format in input."));
        }
        let tag = self.unsigned(state, 1)? as u8;
        Ok(match tag {
            0x00..=0x7f => Value::Num(tag.into()),
            0xe0..=0xff => Value::Num((tag as i8).into()),
            0x80..=0x8f => return self.map(state, usize::from(tag & 15), depth),
            0x90..=0x9f => return self.array(state, usize::from(tag & 15), depth),
            0xa0..=0xbf => return self.string(state, usize::from(tag & 31)),
            0xc0 => Value::Nil,
            0xc2 | 0xc3 => Value::Bool(tag == 0xc3),
            0xca => {
                let bits = self.unsigned(state, 4)? as u32;
                Value::Num(f32::from_bits(bits).into())
            }
            0xcb => Value::Num(f64::from_bits(self.unsigned(state, 8)?)),
            // As the C library does, which takes 64 bits for a number with a sign.
            0xcc..=0xcf => Value::Num(self.unsigned(state, 1 << (tag - 0xcc))? as i64 as f64),
            0xd0..=0xd3 => Value::Num(self.signed(state, 1 << (tag - 0xd0))? as f64),
            0xd9..=0xdb => {
                let len = self.unsigned(state, 1 << (tag - 0xd9))? as usize;
                return self.string(state, len);
            }
            0xdc | 0xdd => {
                let len = self.unsigned(state, 2 << (tag - 0xdc))? as usize;
                return self.array(state, len, depth);
            }
            0xde | 0xdf => {
                let len = self.unsigned(state, 2 << (tag - 0xde))? as usize;
                return self.map(state, len, depth);
            }
            _ => return Err(state.lib_error("Bad data format in input.")),
        })
    }

    fn string(&mut self, state: &mut State, len: usize) -> Result<Value> {
        let bytes = self.take(state, len)?;
        Ok(state.new_str(&bytes))
    }

    fn array(&mut self, state: &mut State, len: usize, depth: usize) -> Result<Value> {
        let table = state.new_table(Table::default());
        for index in 1..=len {
            let value = self.value(state, depth + 1)?;
            self.store(state, &table, &Value::Num(index as f64), value)?;
        }
        Ok(table)
    }

    fn map(&mut self, state: &mut State, len: usize, depth: usize) -> Result<Value> {
        let table = state.new_table(Table::default());
        for _ in 0..len {
            let key = self.value(state, depth + 1)?;
            let value = self.value(state, depth + 1)?;
            self.store(state, &table, &key, value)?;
        }
        Ok(table)
    }

    fn store(&self, state: &mut State, table: &Value, key: &Value, value: Value) -> Result<()> {
        let Value::Table(id) = table else { return Ok(()) };
        state.raw_set(*id, key, value).map_err(|message| Value::str(message.as_bytes()))
    }
}
