//! Strings: SET and its relatives, ranges. Counters are in `counters`, bits in `bitmaps`.

use crate::args::{arity, expiry_unit, int, is, syntax};
use crate::context::{Ctx, Fail, Reply, WRONG_TYPE};
use crate::notify::Class;
use crate::value::{Data, Str};
use ground::resp::{Bytes, Value};

use super::comparing::Compare;
use super::keys::already_over;

/// The expiry requested by the options of SET and GETEX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ttl {
    None,
    Keep,
    Persist,
    At(u64),
}

/// The condition on which SET sets the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition<'a> {
    Always,
    Nx,
    Xx,
    If(Compare<'a>),
}

#[derive(Debug)]
pub struct SetOptions<'a> {
    pub ttl: Ttl,
    /// An expiry that is not parsed yet: its text, its unit in ms, and true if it is absolute.
    expire: Option<(&'a Bytes, i64, bool)>,
    pub get: bool,
    pub condition: Condition<'a>,
}

/// Converts the argument of EX, PX, EXAT or PXAT to a deadline in ms since the epoch.
pub fn deadline(cx: &Ctx<'_>, value: &[u8], unit_ms: i64, absolute: bool) -> Result<u64, Fail> {
    let invalid =
        || -> Fail { format!("ERR invalid expire time in '{}' command", cx.command.name).into() };
    let n = int(value)?;
    if n <= 0 {
        return Err(invalid());
    }
    let ms = n.checked_mul(unit_ms).ok_or_else(invalid)?;
    let ms = match absolute {
        true => {
            cx.now();
            Some(ms)
        }
        false => ms.checked_add(cx.origin() as i64),
    };
    ms.map(|ms| ms as u64).ok_or_else(invalid)
}

pub fn set_options<'a>(
    cx: &Ctx<'_>,
    args: &'a [Bytes],
    getex: bool,
) -> Result<SetOptions<'a>, Fail> {
    use Condition::*;
    let mut options = SetOptions { ttl: Ttl::None, expire: None, get: false, condition: Always };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let fresh = options.ttl == Ttl::None && options.expire.is_none();
        let unit = expiry_unit(arg);
        if let (Some((unit, absolute)), true) = (unit, fresh) {
            let Some(value) = rest.next() else { return syntax() };
            options.expire = Some((value, unit, absolute));
        } else if getex && is(arg, "PERSIST") && fresh {
            options.ttl = Ttl::Persist;
        } else if getex {
            return syntax();
        } else if is(arg, "KEEPTTL") && fresh {
            options.ttl = Ttl::Keep;
        } else if is(arg, "GET") {
            options.get = true;
        } else if is(arg, "NX") && matches!(options.condition, Always | Nx) {
            options.condition = Nx;
        } else if is(arg, "XX") && matches!(options.condition, Always | Xx) {
            options.condition = Xx;
        } else if options.condition == Always
            && cx.version().has_option("set", arg)
            && let Some(compare) = rest.clone().next().and_then(|with| Compare::parse(arg, with))
        {
            rest.next();
            options.condition = If(compare);
        } else {
            return syntax();
        }
    }
    Ok(options)
}

impl SetOptions<'_> {
    /// Parses the expiry. Syntax errors are reported before this.
    pub fn read_time(&mut self, cx: &Ctx<'_>) -> Result<(), Fail> {
        if let Some((value, unit, absolute)) = self.expire {
            self.ttl = Ttl::At(deadline(cx, value, unit, absolute)?);
        }
        Ok(())
    }
}

/// `SET key value [NX|XX|IFEQ …] [GET] [EX|PX|EXAT|PXAT n|KEEPTTL]`
pub fn set(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (key, value) = (&argv[1], &argv[2]);
    let mut options = set_options(cx, &argv[3..], false)?;
    options.read_time(cx)?;
    let mut old = Value::NilBulk;
    if options.get {
        old = cx.string(key)?.map_or(Value::NilBulk, |s| Value::Bulk(s.to_shared()));
    }
    let met = match options.condition {
        Condition::Always => true,
        Condition::Nx => !cx.exists(key),
        Condition::Xx => cx.exists(key),
        Condition::If(compare) => {
            compare.check()?;
            compare.holds(cx.string(key)?)
        }
    };
    if !met {
        return Ok(if options.get { old } else { Value::NilBulk });
    }
    store(cx, key, value, options.ttl);
    Ok(if options.get { old } else { Value::ok() })
}

/// Sets `key`, and announces the change.
pub fn store(cx: &mut Ctx<'_>, key: &Bytes, value: &Bytes, ttl: Ttl) {
    cx.replace(key, Data::Str(Str::new(value)), ttl == Ttl::Keep);
    if let Ttl::At(at) = ttl {
        cx.db_mut().set_deadline(key, Some(at));
    }
    cx.changed(key, Class::String, "set");
    if matches!(ttl, Ttl::At(_)) {
        cx.notify(Class::Generic, "expire", key);
    }
}

pub fn setnx(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if cx.exists(&argv[1]) {
        return Ok(Value::Int(0));
    }
    store(cx, &argv[1], &argv[2], Ttl::None);
    Ok(Value::Int(1))
}

pub fn setex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let at = deadline(cx, &argv[2], 1000, false)?;
    store(cx, &argv[1], &argv[3], Ttl::At(at));
    Ok(Value::ok())
}

pub fn psetex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let at = deadline(cx, &argv[2], 1, false)?;
    store(cx, &argv[1], &argv[3], Ttl::At(at));
    Ok(Value::ok())
}

pub fn get(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(cx.string(&argv[1])?.map_or(Value::NilBulk, |s| Value::Bulk(s.to_shared())))
}

pub fn getset(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let old = get(cx, argv)?;
    store(cx, &argv[1], &argv[2], Ttl::None);
    Ok(old)
}

pub fn getdel(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let old = get(cx, argv)?;
    if cx.delete(&argv[1]) {
        cx.changed(&argv[1], Class::Generic, "del");
    }
    Ok(old)
}

pub fn getex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let mut options = set_options(cx, &argv[2..], true)?;
    let key = &argv[1];
    let old = get(cx, argv)?;
    if old.is_nil() {
        return Ok(old);
    }
    options.read_time(cx)?;
    match options.ttl {
        // Of a time that is over already, only EXAT and PXAT can speak.
        Ttl::At(at) if already_over(cx, at) => {
            cx.delete(key);
            cx.changed(key, Class::Generic, "del");
        }
        Ttl::At(at) => {
            cx.db_mut().set_deadline(key, Some(at));
            cx.changed(key, Class::Generic, "expire");
        }
        Ttl::Persist if cx.lookup(key).is_some_and(|obj| obj.expires_at.is_some()) => {
            cx.db_mut().set_deadline(key, None);
            cx.changed(key, Class::Generic, "persist");
        }
        _ => {}
    }
    Ok(old)
}

pub fn mget(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let mut values = Vec::with_capacity(argv.len() - 1);
    let mut bytes = 0;
    for key in &argv[1..] {
        // A key of another type counts as absent.
        let Some(s) = cx.string(key).ok().flatten().cloned() else {
            values.push(Value::NilBulk);
            continue;
        };
        // One key may be named many times.
        bytes += s.len() as u64;
        cx.inst.check_reply(bytes)?;
        values.push(Value::Bulk(s.to_shared()));
    }
    Ok(Value::Array(values))
}

pub fn mset(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if argv.len().is_multiple_of(2) {
        return arity(cx.command.name);
    }
    for pair in argv[1..].chunks_exact(2) {
        store(cx, &pair[0], &pair[1], Ttl::None);
    }
    Ok(Value::ok())
}

pub fn msetnx(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if argv.len().is_multiple_of(2) {
        return arity(cx.command.name);
    }
    if argv[1..].iter().step_by(2).any(|key| cx.exists(key)) {
        return Ok(Value::Int(0));
    }
    mset(cx, argv)?;
    Ok(Value::Int(1))
}

/// Checks the new length of a string of `old` bytes, and reserves its growth under the memory
/// bound. The error says which of the two forbids it.
pub fn take_len(cx: &mut Ctx<'_>, old: usize, len: u64) -> Result<(), Fail> {
    check_len(cx, len)?;
    cx.inst.take_room(len.saturating_sub(old as u64))
}

/// Checks the length of a string; the error says that it is too long.
pub fn check_len(cx: &Ctx<'_>, len: u64) -> Result<(), Fail> {
    if len > cx.inst.settings.proto_max_bulk_len as u64 {
        return Err("ERR string exceeds maximum allowed size (proto-max-bulk-len)".into());
    }
    Ok(())
}

pub fn append(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (key, tail) = (&argv[1], &argv[2]);
    let len = match cx.string(key)?.map(Str::len) {
        None => {
            cx.add(key, Data::Str(Str::new(tail)));
            tail.len()
        }
        Some(len) => {
            check_len(cx, len as u64 + tail.len() as u64)?;
            if let Some(s) = cx.string_mut(key)? {
                s.edit().extend_from_slice(tail);
            }
            len + tail.len()
        }
    };
    cx.changed(key, Class::String, "append");
    Ok(Value::int(len))
}

pub fn strlen(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::int(cx.string(&argv[1])?.map_or(0, Str::len)))
}

pub fn getrange(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (start, end) = (int(&argv[2])?, int(&argv[3])?);
    let Some(s) = cx.string(&argv[1])? else { return Ok(Value::bulk("")) };
    let bytes = s.as_bytes();
    let len = bytes.len() as i64;
    if start < 0 && end < 0 && start > end {
        return Ok(Value::bulk(""));
    }
    let from_end = |n: i64| if n < 0 { (n.saturating_add(len)).max(0) } else { n };
    let (start, end) = (from_end(start), from_end(end).min(len - 1));
    if start > end || len == 0 {
        return Ok(Value::bulk(""));
    }
    Ok(Value::bulk(&bytes[start as usize..=end as usize]))
}

pub fn substr(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    getrange(cx, argv)
}

pub fn setrange(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (key, patch) = (&argv[1], &argv[3]);
    let offset = int(&argv[2])?;
    if offset < 0 {
        return Err("ERR offset is out of range".into());
    }
    let old_len = cx.string(key)?.map(Str::len);
    if patch.is_empty() {
        return Ok(Value::int(old_len.unwrap_or(0)));
    }
    let end = (offset as u64).saturating_add(patch.len() as u64);
    take_len(cx, old_len.unwrap_or(0), end)?;
    if old_len.is_none() {
        cx.add(key, Data::Str(Str::Plain(b"".as_slice().into())));
    }
    let Some(s) = cx.string_mut(key)? else { return Err(WRONG_TYPE.into()) };
    let bytes = s.edit();
    let end = offset as usize + patch.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[offset as usize..end].copy_from_slice(patch);
    let len = bytes.len();
    cx.changed(key, Class::String, "setrange");
    Ok(Value::int(len))
}
