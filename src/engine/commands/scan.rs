//! SCAN and its relatives. A cursor is the hash from which to continue, see `dict`.
//!
//! DIFFERENCE: cursors are 64-bit hashes, not Redis's reversed bucket numbers; clients must treat
//! them as opaque in either case.

use crate::args::{int, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::dict::Dict;
use crate::glob::Counted;
use crate::stream::parse_u64;
use crate::value::{HashVal, SetVal};
use crate::version::Version;
use ground::resp::{Bytes, Value};
use std::cell::Cell;

#[derive(Debug)]
struct Options<'a> {
    count: usize,
    pattern: Option<Counted<'a>>,
    /// The elements that were asked for so far.
    seen: Cell<usize>,
    kind: Option<&'a [u8]>,
    no_values: bool,
}

impl Options<'_> {
    fn matches(&self, key: &[u8]) -> bool {
        self.seen.update(|seen| seen + 1);
        self.pattern.as_ref().is_none_or(|pattern| pattern.matches(key))
    }

    /// Returns the page, unless it took too much to find it.
    fn answer(&self, cx: &mut Ctx<'_>, page: Value) -> Reply {
        cx.visits(self.seen.get() + self.pattern.as_ref().map_or(0, Counted::visits))?;
        Ok(page)
    }
}

fn cursor(cx: &Ctx<'_>, arg: &[u8]) -> Result<u64, Fail> {
    let sign = arg.first() == Some(&b'-');
    let cursor = match arg {
        // Before 7.2, what `strtoul` leaves nothing of.
        _ if cx.version() >= Version::V7_2 => parse_u64(arg),
        b"" => Some(0),
        [first, ..] if first.is_ascii_whitespace() => None,
        [_, digits @ ..] if sign => parse_u64(digits).map(u64::wrapping_neg),
        _ => parse_u64(arg),
    };
    cursor.ok_or_else(|| "ERR invalid cursor".into())
}

fn options<'a>(cx: &Ctx<'_>, args: &'a [Bytes]) -> Result<Options<'a>, Fail> {
    let seen = Cell::new(0);
    let mut options = Options { count: 10, pattern: None, seen, kind: None, no_values: false };
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        if cx.version().has_option(cx.command.name, word) {
            options.no_values = true;
            continue;
        }
        let Some(value) = rest.next() else { return syntax() };
        match () {
            () if is(word, "COUNT") => {
                let count = int(value)?;
                if count < 1 {
                    return syntax();
                }
                options.count = usize::try_from(count).unwrap_or(usize::MAX);
            }
            () if is(word, "MATCH") => {
                options.pattern = Some(Counted::new(value, cx.inst.room.max > 0));
            }
            () if is(word, "TYPE") && cx.command.name == "scan" => options.kind = Some(value),
            () => return syntax(),
        }
    }
    Ok(options)
}

fn page(next: u64, items: Vec<Value>) -> Value {
    Value::Array(vec![Value::bulk(next.to_string()), Value::Array(items)])
}

/// Returns one page of a table.
fn table_page<'d, V>(
    dict: &'d Dict<V>,
    cursor: u64,
    options: &Options<'_>,
    mut item: impl FnMut(&'d Bytes, &'d V, &mut Vec<Value>),
) -> Value {
    let (next, found) = dict.scan(cursor, options.count);
    let mut items = Vec::new();
    for (key, value) in found.into_iter().filter(|(key, _)| options.matches(key)) {
        item(key, value, &mut items);
    }
    page(next, items)
}

pub fn scan(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let from = cursor(cx, &argv[1])?;
    let options = options(cx, &argv[2..])?;
    let keys = cx.keyspace().len();
    cx.has_no_order(keys);
    let (next, found) = cx.keyspace().scan(from, options.count);
    let keys: Vec<Bytes> = found.into_iter().map(|(key, _)| key.clone()).collect();
    let mut items = Vec::new();
    for key in keys {
        if !options.matches(&key) {
            continue;
        }
        // An expired key is removed on the way, as Redis does.
        let Some(kind) = cx.kind(&key) else { continue };
        if options.kind.is_none_or(|wanted| is(wanted, kind.name())) {
            items.push(Value::Bulk(key));
        }
    }
    options.answer(cx, page(next, items))
}

pub fn hscan(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let from = cursor(cx, &argv[2])?;
    let Some(hash) = cx.hash(&argv[1])?.cloned() else { return Ok(page(0, vec![])) };
    cx.has_no_order(hash.len());
    let options = options(cx, &argv[3..])?;
    let put = |field: &Bytes, value: &Bytes, items: &mut Vec<Value>| {
        items.push(Value::Bulk(field.clone()));
        if !options.no_values {
            items.push(Value::Bulk(value.clone()));
        }
    };
    if let Some(table) = hash.table() {
        return options.answer(cx, table_page(table, from, &options, put));
    }
    let mut items = Vec::new();
    for (field, value) in HashVal::pairs(&hash).iter().filter(|(f, _)| options.matches(f)) {
        put(field, value, &mut items);
    }
    options.answer(cx, page(0, items))
}

pub fn sscan(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let from = cursor(cx, &argv[2])?;
    let Some(set) = cx.set_at(&argv[1])?.cloned() else { return Ok(page(0, vec![])) };
    cx.has_no_order(set.len());
    let options = options(cx, &argv[3..])?;
    if let SetVal::Table(table) = &set {
        let put = |m: &Bytes, _: &(), items: &mut Vec<Value>| items.push(Value::Bulk(m.clone()));
        return options.answer(cx, table_page(table, from, &options, put));
    }
    let members = set.members().into_iter().filter(|member| options.matches(member));
    let found = page(0, members.map(Value::Bulk).collect());
    options.answer(cx, found)
}

pub fn zscan(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let from = cursor(cx, &argv[2])?;
    let Some(zset) = cx.zset(&argv[1])?.cloned() else { return Ok(page(0, vec![])) };
    cx.has_no_order(zset.len());
    let options = options(cx, &argv[3..])?;
    // Scores are strings here even in RESP3.
    let text = |score: f64| Value::bulk(cx.double_text(score));
    if let Some(table) = zset.table() {
        let found = table_page(table, from, &options, |member, score, items| {
            items.extend([Value::Bulk(member.clone()), text(score.get())]);
        });
        return options.answer(cx, found);
    }
    let members = zset.iter().filter(|(member, _)| options.matches(member));
    let found = page(0, members.flat_map(|(m, s)| [Value::Bulk(m.clone()), text(s)]).collect());
    options.answer(cx, found)
}
