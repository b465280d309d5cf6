//! The context of a handler ([`Ctx`]): the instance, the connection it runs for, the time, and the
//! keyspace operations that keep expiry, WATCH, blocked clients and notifications in step.

use super::Instance;
use super::access::Use;
use super::blocking::BlockedOn;
use super::command::{Command, Flags};
use super::conn::{Conn, ConnId};
use super::db::Db;
use super::dict::{Dict, EntryPlace};
use super::memory::ARG_BYTES;
use super::notify::Class;
use super::value::{Data, HashVal, Kind, Limits, List, Obj, SetVal, Str, ZSetVal};
use super::version::Version;
use ground::resp::{Bytes, Proto, Value, number};
use std::cell::Cell;
use std::rc::Rc;

/// A command's reply; an error ends the command with that text.
pub type Reply = Result<Value, Fail>;

/// The error reply of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fail(pub Bytes);

impl From<&str> for Fail {
    fn from(text: &str) -> Self {
        Fail(text.as_bytes().into())
    }
}
impl From<String> for Fail {
    fn from(text: String) -> Self {
        Fail(text.as_bytes().into())
    }
}

pub const SYNTAX: &str = "ERR syntax error";
pub const NOT_INT: &str = "ERR value is not an integer or out of range";
pub const NOT_FLOAT: &str = "ERR value is not a valid float";
pub const WRONG_TYPE: &str = "WRONGTYPE Operation against a key holding the wrong kind of value";
pub const NO_KEY: &str = "ERR no such key";
pub const NOT_POSITIVE: &str = "ERR value is out of range, must be positive";

/// The request of a command to block.
#[derive(Debug, Clone)]
pub struct BlockRequest {
    pub on: BlockedOn,
    pub keys: Vec<Bytes>,
    pub timeout_at_ms: Option<u64>,
    /// Replaces the command's arguments when it is tried again.
    pub argv: Option<Vec<Bytes>>,
}

/// The command's uses of the time.
#[derive(Debug, Clone, Copy, Default)]
struct TimeUses {
    deadline: bool,
    clock: bool,
    left: bool,
}

#[derive(Debug)]
pub struct Ctx<'a> {
    pub inst: &'a mut Instance,
    pub conn: ConnId,
    pub db: usize,
    now: u64,
    /// The uses of the time so far, for the [`Access`](super::Access) log.
    time_uses: Cell<TimeUses>,
    pub proto: Proto,
    pub command: &'static Command,
    /// True inside MULTI or a script, where no command blocks.
    pub deny_blocking: bool,
    pub in_script: bool,
    /// The key that is ready, while a blocked command is tried again because of it.
    pub ready_key: Option<Bytes>,
    /// The request to block, if the command made one.
    pub block: Option<BlockRequest>,
    /// The command replies nothing, or has pushed its replies.
    pub silent: bool,
}

impl<'a> Ctx<'a> {
    /// A context for a command that `conn` sends directly.
    pub fn new(inst: &'a mut Instance, conn: ConnId, command: &'static Command, now: u64) -> Self {
        let this = inst.conn_ref(conn);
        let (db, proto) = (this.db, this.proto);
        Ctx {
            inst,
            conn,
            db,
            now,
            time_uses: Cell::default(),
            proto,
            command,
            deny_blocking: false,
            in_script: false,
            ready_key: None,
            block: None,
            silent: false,
        }
    }

    /// Runs the handler.
    pub fn run(&mut self, argv: &[Bytes]) -> Reply {
        self.inst.room.begin_command();
        self.take_room_for(argv)?;
        let changing = (!self.in_script).then_some(self.conn);
        let outer = std::mem::replace(&mut self.inst.changing, changing);
        let reply = (self.command.handler)(self, argv);
        self.inst.changing = outer;
        let (command, time_uses) = (self.command, self.time_uses.get());
        self.inst.note(|access| {
            access.ran(command, reply.as_ref().ok());
            access.deadline |= time_uses.deadline;
            access.clock |= time_uses.clock;
            access.left |= time_uses.left;
        });
        reply
    }

    /// Reserves memory for the arguments, all of which the command may store. A handler that adds
    /// more reserves the rest itself.
    #[inline]
    fn take_room_for(&mut self, argv: &[Bytes]) -> Result<(), Fail> {
        let grows = self.command.flags.has(Flags::DENYOOM)
            || matches!(self.command.name, "publish" | "spublish");
        if self.inst.room.max == 0 || !grows {
            return Ok(());
        }
        self.inst.take_room(argv.iter().map(|arg| arg.len() as u64 + ARG_BYTES).sum())
    }

    /// Reserves the bytes that a value made of `items` adds, see [`Instance::take_room`].
    pub fn take_room_of<'b>(&mut self, items: impl Iterator<Item = &'b Bytes>) -> Result<(), Fail> {
        match self.inst.room.max {
            0 => Ok(()),
            _ => self.inst.take_room(items.map(|item| item.len() as u64 + ARG_BYTES).sum()),
        }
    }

    /// Counts elements that the command looks at; the error says that they are too many.
    pub fn visits(&mut self, elements: usize) -> Result<(), Fail> {
        self.inst.room.visits(elements as u64)
    }

    /// Counts `times` looks at a text; a long one counts as more.
    pub fn visits_text(&mut self, text: &[u8], times: usize) -> Result<(), Fail> {
        self.visits(times.saturating_mul(1 + text.len() / 64))
    }

    /// Returns the time in ms and notes that the reply or the effect depends on it, see
    /// [`Access::clock`](super::Access::clock).
    pub fn now(&self) -> u64 {
        self.time_uses.set(TimeUses { clock: true, ..self.time_uses.get() });
        self.now
    }

    /// Returns the time, to compare an age with this number of ms.
    pub fn now_and_span(&mut self, ms: i64) -> u64 {
        self.inst.note(|access| access.spans.push(ms.unsigned_abs()));
        self.now()
    }

    /// Returns the time as the origin of deadlines, or to store it: see
    /// [`Access::deadline`](super::Access::deadline).
    pub fn origin(&self) -> u64 {
        self.time_uses.set(TimeUses { deadline: true, ..self.time_uses.get() });
        self.now
    }

    /// Returns the ms until a key's deadline, for a reply.
    pub fn left(&self, at: u64) -> u64 {
        self.time_uses.set(TimeUses { left: true, ..self.time_uses.get() });
        at.saturating_sub(self.origin())
    }

    /// Returns the time for a result that depends on it only through which keys have expired.
    pub fn now_for_deadlines(&self) -> u64 {
        self.now
    }

    // ---- the connection -------------------------------------------------------------------

    pub fn this(&self) -> &Conn {
        self.inst.conn_ref(self.conn)
    }

    pub fn this_mut(&mut self) -> &mut Conn {
        self.inst.conn_mut(self.conn)
    }

    pub fn limits(&self) -> &Limits {
        &self.inst.settings.limits
    }

    pub fn version(&self) -> Version {
        self.inst.settings.version
    }

    pub fn resp3(&self) -> bool {
        self.proto == Proto::Resp3
    }

    // ---- replies that depend on the protocol ----------------------------------------------

    pub fn map(&self, pairs: Vec<(Value, Value)>) -> Value {
        if self.resp3() {
            Value::Map(pairs)
        } else {
            Value::Array(pairs.into_iter().flat_map(|(k, v)| [k, v]).collect())
        }
    }

    pub fn set(&self, items: Vec<Value>) -> Value {
        if self.resp3() { Value::Set(items) } else { Value::Array(items) }
    }

    /// DIFFERENCE: under RESP3 a double is written with 17 digits, as in Redis 7.0; later versions
    /// write the shortest form. Both read back as the same number.
    pub fn double(&self, d: f64) -> Value {
        if self.resp3() { Value::Double(d) } else { Value::bulk(self.double_text(d)) }
    }

    /// Formats a double as this version does.
    pub fn double_text(&self, d: f64) -> String {
        if self.version() >= Version::V7_2 {
            number::double_shortest(d)
        } else {
            number::double_g17(d)
        }
    }

    // ---- reading ---------------------------------------------------------------------------

    pub fn db(&self) -> &Db {
        &self.inst.dbs[self.db]
    }

    pub fn db_mut(&mut self) -> &mut Db {
        &mut self.inst.dbs[self.db]
    }

    /// Returns the keys of the database, as a whole.
    pub fn keyspace(&mut self) -> &Dict<Obj> {
        self.inst.note_keyspace(Use::Read);
        self.db().keys()
    }

    /// Returns the place of `key`; an expired key is removed first and has none.
    pub fn find(&mut self, key: &[u8]) -> Option<EntryPlace> {
        self.inst.note_key(self.db, key, Use::Read);
        let place = self.db().find(key)?;
        match self.db().at(place).expires_at {
            Some(at) if at <= self.now => {
                self.inst.expire_key(self.db, key, self.now);
                return None;
            }
            _ => {}
        }
        let fields_due = self.db().first_field_deadline().is_some_and(|(at, _)| *at <= self.now);
        if fields_due && self.db().field_deadline(key).is_some_and(|at| at <= self.now) {
            self.inst.expire_fields(self.db, &Bytes::from(key), self.now);
            return self.db().find(key);
        }
        Some(place)
    }

    pub fn lookup(&mut self, key: &[u8]) -> Option<&Obj> {
        let place = self.find(key)?;
        Some(self.db().at(place))
    }

    /// [`Ctx::lookup`] for a reading command, which counts as a hit or a miss.
    pub fn read(&mut self, key: &[u8]) -> Option<&Obj> {
        self.find_to_read(key).map(|place| self.db().at(place))
    }

    fn find_to_read(&mut self, key: &[u8]) -> Option<EntryPlace> {
        let place = self.find(key);
        let stats = &mut self.inst.stats.0;
        match place {
            Some(_) => stats.keyspace_hits += 1,
            None => stats.keyspace_misses += 1,
        }
        place
    }

    pub fn exists(&mut self, key: &[u8]) -> bool {
        self.find(key).is_some()
    }

    pub fn kind(&mut self, key: &[u8]) -> Option<Kind> {
        self.lookup(key).map(|obj| obj.data().kind())
    }

    // ---- changing --------------------------------------------------------------------------

    /// Returns the value under `key` for changing. The caller announces the change.
    pub fn data_mut(&mut self, key: &[u8]) -> Option<&mut Data> {
        let place = self.find(key)?;
        Some(self.db_mut().at_mut(place).data_mut())
    }

    /// Puts a value under a key that has none.
    pub fn add(&mut self, key: &Bytes, data: Data) {
        let kind = data.kind();
        self.db_mut().insert(key, Obj::new(data, None));
        self.added(key, kind);
    }

    /// Announces that there is a key that was not there: to blocked clients, and as `new` to
    /// subscribers. What the command did to it follows.
    pub fn added(&mut self, key: &Bytes, kind: Kind) {
        self.inst.signal_ready(self.db, key, kind);
        self.notify(Class::New, "new", key);
    }

    /// Puts a value under `key`, over any old one; removes the expiry, unless `keep_ttl`.
    pub fn replace(&mut self, key: &Bytes, data: Data, keep_ttl: bool) {
        let place = self.find(key);
        let kind = data.kind();
        let expires_at = match place {
            Some(place) if keep_ttl => self.db().at(place).expires_at,
            _ => None,
        };
        match place {
            // In place, where the index of deadlines need not change.
            Some(place)
                if self.db().at(place).expires_at.is_none()
                    && kind == Kind::String
                    && matches!(self.db().at(place).data(), Data::Str(_)) =>
            {
                *self.db_mut().at_mut(place).data_mut() = data;
            }
            _ => {
                self.db_mut().insert(key, Obj::new(data, expires_at));
                if place.is_none() {
                    self.added(key, kind);
                }
            }
        }
    }

    /// Removes `key`; returns true if it existed.
    pub fn delete(&mut self, key: &[u8]) -> bool {
        self.find(key).is_some() && self.inst.dbs[self.db].remove(key).is_some()
    }

    /// Announces that `key` has changed: to watchers, as `event` to subscribers, and to the counter
    /// of changes.
    pub fn changed(&mut self, key: &Bytes, class: Class, event: &str) {
        self.inst.touch(self.db, key);
        self.inst.notify(class, event, self.db, key);
        self.inst.dirty += 1;
    }

    /// Announces a change that subscribers see and WATCH does not, such as that of a stream's
    /// groups.
    pub fn changed_unwatched(&mut self, key: &Bytes, class: Class, event: &str) {
        self.notify(class, event, key);
        self.changed_quietly(key, 1);
    }

    /// Announces a change that WATCH and subscribers do not see, such as one inside a consumer
    /// group.
    pub fn changed_quietly(&mut self, key: &Bytes, changes: usize) {
        self.inst.note_key(self.db, key, Use::Write);
        self.inst.dirty += changes as u64;
    }

    pub fn notify(&mut self, class: Class, event: &str, key: &Bytes) {
        self.inst.notify(class, event, self.db, key);
    }

    pub fn touch(&mut self, key: &Bytes) {
        self.inst.touch(self.db, key);
    }

    /// Removes `key` if it holds an aggregate without elements; returns true if it did.
    pub fn drop_if_empty(&mut self, key: &Bytes) -> bool {
        let empty = self.db().get(key).is_some_and(|obj| obj.data().is_empty_aggregate());
        if empty {
            self.db_mut().remove(key);
            self.notify(Class::Generic, "del", key);
        }
        empty
    }

    /// Records that so many elements stand in the reply, or are scanned, in an order that Redis
    /// does not promise, where the command's row does not say so of all its replies.
    pub fn has_no_order(&mut self, elements: usize) {
        if let Some(access) = &mut self.inst.access {
            access.order |= elements > 1;
        }
    }

    /// Records that keys of the database were counted, of which some may run out.
    pub fn counts_keys(&mut self) {
        let expiring = self.db().expiring() > 0;
        if let Some(access) = &mut self.inst.access {
            access.lazy |= expiring;
        }
    }

    /// Returns a pseudo-random number below `bound`, from the instance's seed.
    pub fn random(&mut self, bound: usize) -> usize {
        self.inst.random_below(bound as u64) as usize
    }
}

macro_rules! typed {
    ($read:ident $change:ident $create:ident $variant:ident $type:ty, $fresh:expr) => {
        impl Ctx<'_> {
            /// Returns the value, if the key exists; the error is WRONGTYPE.
            pub fn $read(&mut self, key: &[u8]) -> Result<Option<&$type>, Fail> {
                match self.read(key).map(Obj::data) {
                    None => Ok(None),
                    Some(Data::$variant(value)) => Ok(Some(value)),
                    Some(_) => Err(WRONG_TYPE.into()),
                }
            }
            pub fn $change(&mut self, key: &[u8]) -> Result<Option<&mut $type>, Fail> {
                let Some(place) = self.find(key) else { return Ok(None) };
                if !matches!(self.db().at(place).data(), Data::$variant(_)) {
                    return Err(WRONG_TYPE.into());
                }
                match self.db_mut().at_mut(place).data_mut() {
                    Data::$variant(value) => Ok(Some(Rc::make_mut(value))),
                    _ => Err(WRONG_TYPE.into()),
                }
            }
            /// Returns the value for changing; creates an empty one if the key is missing.
            pub fn $create(&mut self, key: &Bytes) -> Result<&mut $type, Fail> {
                if self.find(key).is_none() {
                    self.add(key, Data::$variant(Rc::new($fresh)));
                }
                self.$change(key)?.ok_or_else(|| WRONG_TYPE.into())
            }
        }
    };
}

typed!(list list_mut list_or_new List List, List::default());
typed!(hash hash_mut hash_or_new Hash HashVal, HashVal::default());
typed!(zset zset_mut zset_or_new ZSet ZSetVal, ZSetVal::default());
typed!(set_at set_mut set_or_new Set SetVal, SetVal::Table(Default::default()));
typed!(stream stream_mut stream_or_new Stream super::stream::Stream, Default::default());

impl Ctx<'_> {
    pub fn string(&mut self, key: &[u8]) -> Result<Option<&Str>, Fail> {
        let Some(place) = self.find_to_read(key) else { return Ok(None) };
        let Instance { dbs, room, .. } = &mut *self.inst;
        match dbs[self.db].at(place).data() {
            Data::Str(value) => {
                room.looks_at(value);
                Ok(Some(value))
            }
            _ => Err(WRONG_TYPE.into()),
        }
    }

    pub fn string_mut(&mut self, key: &[u8]) -> Result<Option<&mut Str>, Fail> {
        let Some(place) = self.find(key) else { return Ok(None) };
        if !matches!(self.db().at(place).data(), Data::Str(_)) {
            return Err(WRONG_TYPE.into());
        }
        match self.db_mut().at_mut(place).data_mut() {
            Data::Str(value) => Ok(Some(value)),
            _ => Err(WRONG_TYPE.into()),
        }
    }
}

impl Ctx<'_> {
    /// Makes the command wait for one of `keys`; `in_vain` is the reply if it may not block, or if
    /// its timeout has passed.
    pub fn wait_for(
        &mut self,
        on: BlockedOn,
        keys: &[Bytes],
        timeout_at_ms: Option<u64>,
        in_vain: Value,
    ) -> Value {
        if !self.deny_blocking {
            self.block = Some(BlockRequest { on, keys: keys.to_vec(), timeout_at_ms, argv: None });
        }
        in_vain
    }
}
