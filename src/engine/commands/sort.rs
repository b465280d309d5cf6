//! SORT and SORT_RO.

use std::cmp::Ordering;

use crate::args::{int, is, syntax};
use crate::context::{Ctx, Fail, Reply, WRONG_TYPE};
use crate::notify::Class;
use crate::value::{Data, Kind, List, Obj};
use ground::resp::{Bytes, Value, number};
use ground::sorted::sort_by;
use std::rc::Rc;

#[derive(Debug, Default)]
struct Options<'a> {
    desc: bool,
    alpha: bool,
    limit: Option<(i64, i64)>,
    by: Option<&'a Bytes>,
    get: Vec<&'a Bytes>,
    store: Option<&'a Bytes>,
}

fn options<'a>(args: &'a [Bytes], read_only: bool) -> Result<Options<'a>, Fail> {
    let mut options = Options::default();
    let mut rest = args;
    while let Some((word, tail)) = rest.split_first() {
        rest = match (tail, ()) {
            (_, ()) if is(word, "ASC") => {
                options.desc = false;
                tail
            }
            (_, ()) if is(word, "DESC") => {
                options.desc = true;
                tail
            }
            (_, ()) if is(word, "ALPHA") => {
                options.alpha = true;
                tail
            }
            ([start, count, tail @ ..], ()) if is(word, "LIMIT") => {
                options.limit = Some((int(start)?, int(count)?));
                tail
            }
            ([key, tail @ ..], ()) if is(word, "STORE") && !read_only => {
                options.store = Some(key);
                tail
            }
            ([pattern, tail @ ..], ()) if is(word, "BY") => {
                options.by = Some(pattern);
                tail
            }
            ([pattern, tail @ ..], ()) if is(word, "GET") => {
                options.get.push(pattern);
                tail
            }
            _ => return syntax(),
        };
    }
    Ok(options)
}

/// Looks up `pattern` for an element: `#` is itself, `a*b` a string, `a*b->f` a hash field.
fn by_pattern(cx: &mut Ctx<'_>, pattern: &[u8], element: &Bytes) -> Result<Option<Bytes>, Fail> {
    if pattern == b"#" {
        return Ok(Some(element.clone()));
    }
    cx.visits_text(pattern, 1)?;
    let Some(star) = pattern.iter().position(|&b| b == b'*') else { return Ok(None) };
    let behind = &pattern[star + 1..];
    let arrow = behind.windows(2).position(|pair| pair == b"->");
    let arrow = arrow.filter(|at| at + 2 < behind.len());
    let tail = &behind[..arrow.unwrap_or(behind.len())];
    let key = [&pattern[..star], element, tail].concat();
    let found = match (cx.read(&key).map(Obj::data), arrow) {
        (Some(Data::Hash(hash)), Some(at)) => hash.get(&behind[at + 2..]).cloned(),
        (Some(Data::Str(s)), None) => Some(s.to_shared()),
        _ => None,
    };
    cx.visits_text(found.as_deref().unwrap_or_default(), 1)?;
    Ok(found)
}

/// The value that an element is sorted by.
#[derive(Debug)]
enum Weight {
    Number(f64),
    /// `None` if the pattern finds no value.
    Text(Option<Bytes>),
}

fn weigh(cx: &mut Ctx<'_>, options: &Options<'_>, element: &Bytes) -> Result<Weight, Fail> {
    let text = match options.by {
        Some(pattern) => by_pattern(cx, pattern, element)?,
        None => Some(element.clone()),
    };
    if options.alpha {
        // Shown results are compared as C strings, stored ones byte by byte.
        let shown =
            |text: Bytes| if options.store.is_some() { text } else { c_string(&text).into() };
        return Ok(Weight::Text(text.map(shown)));
    }
    let Some(text) = text else { return Ok(Weight::Number(0.0)) };
    // strtod skips leading space, and takes nothing at all for zero.
    let text = c_string(&text);
    match number::parse_double(text.trim_ascii_start()) {
        Some(d) => Ok(Weight::Number(d)),
        None if text.is_empty() => Ok(Weight::Number(0.0)),
        None => Err("ERR One or more scores can't be converted into double".into()),
    }
}

/// Returns the part of `text` before its first NUL, as C string functions see it.
fn c_string(text: &[u8]) -> &[u8] {
    &text[..text.iter().position(|&b| b == 0).unwrap_or(text.len())]
}

fn compare(a: &(Bytes, Weight), b: &(Bytes, Weight)) -> Ordering {
    match (&a.1, &b.1) {
        (Weight::Number(x), Weight::Number(y)) => {
            // Equal scores fall back on the elements, so that the order is defined.
            x.partial_cmp(y).unwrap_or(Ordering::Equal).then_with(|| a.0.cmp(&b.0))
        }
        (Weight::Text(x), Weight::Text(y)) => x.cmp(y),
        _ => Ordering::Equal,
    }
}

fn elements(cx: &mut Ctx<'_>, key: &Bytes) -> Result<(Vec<Bytes>, bool), Fail> {
    Ok(match cx.read(key).map(Obj::data) {
        None => (Vec::new(), false),
        Some(Data::List(list)) => (list.iter().cloned().collect(), false),
        Some(Data::Set(set)) => (set.members(), true),
        Some(Data::ZSet(zset)) => (zset.iter().map(|(member, _)| member.clone()).collect(), false),
        Some(_) => return Err(WRONG_TYPE.into()),
    })
}

fn run(cx: &mut Ctx<'_>, argv: &[Bytes], read_only: bool) -> Reply {
    let mut options = options(&argv[2..], read_only)?;
    let (mut items, is_set) = elements(cx, &argv[1])?;
    cx.visits(items.len())?;
    if cx.kind(&argv[1]) == Some(Kind::ZSet)
        && let Some(zset) = cx.zset_mut(&argv[1])?
    {
        // A side effect of Redis's that OBJECT ENCODING shows.
        zset.leave_listpack();
        cx.changed_quietly(&argv[1], 0);
    }
    let mut sorts = options.by.is_none_or(|pattern| pattern.contains(&b'*'));
    if !sorts && is_set && (options.store.is_some() || cx.in_script) {
        // A set has no order of its own: what is kept must not depend on chance.
        (sorts, options.alpha, options.by) = (true, true, None);
    }
    if !sorts && is_set {
        cx.has_no_order(items.len());
    }
    if sorts {
        let mut weighed = Vec::with_capacity(items.len());
        for item in items {
            let weight = weigh(cx, &options, &item)?;
            weighed.push((item, weight));
        }
        sort_by(&mut weighed, |a, b| if options.desc { compare(b, a) } else { compare(a, b) });
        items = weighed.into_iter().map(|(item, _)| item).collect();
    } else if options.desc && !is_set && cx.kind(&argv[1]) == Some(Kind::ZSet) {
        items.reverse();
    }
    if let Some((start, count)) = options.limit {
        let start = usize::try_from(start.max(0)).unwrap_or(usize::MAX).min(items.len());
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        items = items.into_iter().skip(start).take(count).collect();
    }
    let mut out: Vec<Option<Bytes>> = Vec::with_capacity(items.len());
    let mut bytes = 0;
    for item in items {
        if options.get.is_empty() {
            out.push(Some(item));
            continue;
        }
        for pattern in &options.get {
            let got = by_pattern(cx, pattern, &item)?;
            // One long value may be what every element leads to.
            bytes += got.as_ref().map_or(0, |got| got.len() as u64) + 16;
            cx.inst.check_reply(bytes)?;
            out.push(got);
        }
    }
    let Some(to) = options.store else {
        let reply = out.into_iter().map(|item| item.map_or(Value::NilBulk, Value::Bulk));
        return Ok(Value::Array(reply.collect()));
    };
    let len = out.len();
    cx.take_room_of(out.iter().flatten())?;
    if len == 0 {
        if cx.delete(to) {
            cx.changed(to, Class::Generic, "del");
        }
        return Ok(Value::Int(0));
    }
    let nothing = || Bytes::from(b"".as_slice());
    let list: List = out.into_iter().map(|item| item.unwrap_or_else(nothing)).collect();
    cx.replace(to, Data::List(Rc::new(list)), false);
    cx.changed(to, Class::List, "sortstore");
    Ok(Value::int(len))
}

pub fn sort(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    run(cx, argv, false)
}

pub fn sort_ro(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    run(cx, argv, true)
}
