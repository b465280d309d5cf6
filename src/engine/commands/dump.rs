//! DUMP and RESTORE, in a format of our own.
//!
//! DIFFERENCE: the payload is not RDB; it is meant to travel between instances of this engine.
//! It ends, as Redis's does, in a version and a checksum, and what does not check is refused in
//! Redis's words.

use std::rc::Rc;

use crate::args::{int, int_or, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::notify::Class;
use crate::stream::{Consumer, Group, Pending, Stream, StreamId};
use crate::value::{Data, HashVal, Limits, List, SetVal, Str, ZSetVal};
use ground::hash::fingerprint;
use ground::resp::{Bytes, Value};

const MAGIC: &[u8; 2] = b"IL";

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, n: u64) {
        self.0.extend(n.to_le_bytes());
    }
    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }
    fn id(&mut self, id: StreamId) {
        self.number(id.ms);
        self.number(id.seq);
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let (head, tail) = self.0.split_at_checked(8)?;
        self.0 = tail;
        Some(u64::from_le_bytes(head.try_into().ok()?))
    }
    fn bytes(&mut self) -> Option<Bytes> {
        let len = usize::try_from(self.number()?).ok()?;
        let (head, tail) = self.0.split_at_checked(len)?;
        self.0 = tail;
        Some(head.into())
    }
    fn id(&mut self) -> Option<StreamId> {
        Some(StreamId { ms: self.number()?, seq: self.number()? })
    }
}

fn write(data: &Data) -> Vec<u8> {
    let mut out = Writer(Vec::new());
    match data {
        Data::Str(s) => {
            out.0.push(0);
            out.bytes(&s.as_bytes());
        }
        Data::List(list) => {
            out.0.push(1);
            list.iter().for_each(|item| out.bytes(item));
        }
        Data::Set(set) => {
            out.0.push(2);
            set.members().iter().for_each(|member| out.bytes(member));
        }
        Data::ZSet(zset) => {
            out.0.push(3);
            for (member, score) in zset.iter() {
                out.bytes(member);
                out.number(score.to_bits());
            }
        }
        Data::Hash(hash) => {
            out.0.push(4);
            for (field, value) in hash.pairs() {
                out.bytes(&field);
                out.bytes(&value);
                out.number(hash.expires_at(&field).unwrap_or(u64::MAX));
            }
        }
        Data::Stream(stream) => write_stream(stream, &mut out),
    }
    out.0
}

fn write_stream(stream: &Stream, out: &mut Writer) {
    out.0.push(5);
    out.id(stream.last_id);
    out.id(stream.max_deleted_id);
    out.number(stream.entries_added);
    out.number(stream.entries.len() as u64);
    for (id, fields) in stream.entries.iter() {
        out.id(*id);
        out.number(fields.len() as u64);
        fields.iter().for_each(|field| out.bytes(field));
    }
    out.number(stream.groups.len() as u64);
    for (name, group) in &stream.groups {
        out.bytes(name);
        out.id(group.last_id);
        out.number(group.entries_read.unwrap_or(-1) as u64);
        out.number(group.consumers.len() as u64);
        for (name, consumer) in &group.consumers {
            out.bytes(name);
            out.number(consumer.seen_ms);
            out.number(consumer.active_ms.unwrap_or(u64::MAX));
        }
        out.number(group.pending.len() as u64);
        for (id, pending) in &group.pending {
            out.id(*id);
            out.bytes(&pending.consumer);
            out.number(pending.delivered_ms as u64);
            out.number(pending.count as u64);
        }
    }
}

fn read(payload: &[u8], limits: &Limits) -> Option<Data> {
    let (kind, rest) = payload.split_first()?;
    let mut input = Reader(rest);
    let data = match kind {
        0 => Data::Str(Str::new(&input.bytes()?)),
        1 => {
            let mut list = List::default();
            while !input.0.is_empty() {
                list.push_back(input.bytes()?);
            }
            Data::List(Rc::new(list))
        }
        2 => {
            let first = Reader(input.0).bytes()?;
            let mut set = SetVal::new(&first, limits);
            while !input.0.is_empty() {
                set.add(&input.bytes()?, limits);
            }
            Data::Set(Rc::new(set))
        }
        3 => {
            let mut zset = ZSetVal::default();
            while !input.0.is_empty() {
                let member = input.bytes()?;
                let score = f64::from_bits(input.number()?);
                zset.insert(&member, Some(score).filter(|s| !s.is_nan())?, limits);
            }
            Data::ZSet(Rc::new(zset))
        }
        4 => {
            let mut hash = HashVal::default();
            while !input.0.is_empty() {
                let (field, value) = (input.bytes()?, input.bytes()?);
                hash.make_room_for([&field, &value].into_iter(), limits);
                hash.set(&field, value, limits);
                let deadline = input.number()?;
                hash.set_expires_at(&field, Some(deadline).filter(|at| *at != u64::MAX));
            }
            Data::Hash(Rc::new(hash))
        }
        5 => Data::Stream(Rc::new(read_stream(&mut input)?)),
        _ => return None,
    };
    (input.0.is_empty() && !data.is_empty_aggregate()).then_some(data)
}

fn read_stream(input: &mut Reader<'_>) -> Option<Stream> {
    let mut stream = Stream::default();
    let (last_id, max_deleted_id) = (input.id()?, input.id()?);
    let added = input.number()?;
    for _ in 0..input.number()? {
        let id = input.id()?;
        let mut fields = Vec::new();
        for _ in 0..input.number()? {
            fields.push(input.bytes()?);
        }
        if stream.last_entry_id().is_some_and(|last| last >= id) {
            return None;
        }
        stream.add(id, &fields);
    }
    (stream.last_id, stream.max_deleted_id) = (last_id, max_deleted_id);
    stream.entries_added = added;
    for _ in 0..input.number()? {
        let name = input.bytes()?;
        let last_id = input.id()?;
        let entries_read = Some(input.number()? as i64).filter(|n| *n >= 0);
        let mut group = Group { last_id, entries_read, ..Group::default() };
        for _ in 0..input.number()? {
            let name = input.bytes()?;
            let (seen_ms, active) = (input.number()?, input.number()?);
            let active_ms = Some(active).filter(|ms| *ms != u64::MAX);
            group.consumers.insert(name, Consumer { seen_ms, active_ms, ..Consumer::default() });
        }
        for _ in 0..input.number()? {
            let id = input.id()?;
            let consumer = input.bytes()?;
            let (delivered_ms, count) = (input.number()? as i64, input.number()? as i64);
            group.consumers.get_or_default(consumer.clone()).pending.insert(id);
            group.pending.insert(id, Pending { consumer, delivered_ms, count });
        }
        stream.groups.insert(name, Rc::new(group));
    }
    Some(stream)
}

pub fn serialize(data: &Data) -> Vec<u8> {
    let mut out = write(data);
    out.extend(MAGIC);
    let check = fingerprint(&out[..]);
    out.extend(check.to_le_bytes());
    out
}

pub fn deserialize(payload: &[u8], limits: &Limits) -> Option<Data> {
    let (body, check) = payload.split_at_checked(payload.len().checked_sub(8)?)?;
    let check = u64::from_le_bytes(check.try_into().ok()?);
    let data = body.strip_suffix(MAGIC)?;
    if fingerprint(body) != check { None } else { read(data, limits) }
}

pub fn dump(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let Some(obj) = cx.read(&argv[1]) else { return Ok(Value::NilBulk) };
    let payload = Value::bulk(serialize(obj.data()));
    // Times at which entries were delivered, and deadlines of fields, are among it.
    cx.now();
    Ok(payload)
}

pub fn restore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let (mut replace, mut absolute) = (false, false);
    let mut rest = argv[4..].iter();
    while let Some(arg) = rest.next() {
        let mut number = |text: &str| -> Result<(), Fail> {
            match int(rest.next().map_or(&[][..], |n| n))? {
                n if n < 0 => Err(text.into()),
                _ => Ok(()),
            }
        };
        match () {
            () if is(arg, "REPLACE") => replace = true,
            () if is(arg, "ABSTTL") => absolute = true,
            () if is(arg, "IDLETIME") => number("ERR Invalid IDLETIME value, must be >= 0")?,
            () if is(arg, "FREQ") => number("ERR Invalid FREQ value, must be >= 0 and <= 255")?,
            () => return syntax(),
        }
    }
    if !replace && cx.exists(key) {
        return Err("BUSYKEY Target key name already exists.".into());
    }
    let ttl = int_or(&argv[2], crate::context::NOT_INT)?;
    if ttl < 0 {
        return Err("ERR Invalid TTL value, must be >= 0".into());
    }
    let limits = cx.limits().clone();
    let Some(data) = deserialize(&argv[3], &limits) else {
        return Err("ERR DUMP payload version or checksum are wrong".into());
    };
    cx.inst.take_room(data.bytes())?;
    let now = if absolute { cx.now() } else { cx.origin() };
    let at = (ttl > 0).then(|| if absolute { ttl as u64 } else { now.saturating_add(ttl as u64) });
    let was_there = replace && cx.delete(key);
    if at.is_some_and(|at| at <= now) {
        if was_there {
            cx.changed(key, Class::Generic, "del");
        }
        return Ok(Value::ok());
    }
    cx.add(key, data);
    cx.db_mut().set_deadline(key, at);
    cx.changed(key, Class::Generic, "restore");
    Ok(Value::ok())
}
