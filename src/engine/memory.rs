//! Estimated memory: for `maxmemory` and INFO, and for the bound that a host may set.
//!
//! DIFFERENCE: an estimate by number of keys and length of strings, not an allocator's count.

use super::Instance;
use super::access::Use;
use super::context::Fail;
use super::scripting::COMMAND_FUEL;
use super::value::Str;
use ground::resp::Value;
use lua::Data;

/// The `used_memory` of an empty server, in bytes.
const BASE_BYTES: u64 = 800 * 1024;
/// The bytes of a table slot, a key header and a value header.
const KEY_BYTES: u64 = 96;

/// The most bytes that an argument adds to a keyspace besides its own: it may become a key.
pub(super) const ARG_BYTES: u64 = KEY_BYTES + 32;

/// The most cells of LCS's table under a memory bound: each takes time and four bytes. It allows
/// strings of 1,400 bytes; Redis goes to 134 million cells.
pub(super) const LCS_CELLS_MAX: u64 = 2_000_000;

/// The length from which a string costs a script fuel whenever a command reads it.
const LONG_STRING: usize = 64 * 1024;

/// A command's words beyond `FEW_WORDS` each cost a script `WORD_FUEL`: RPUSH may have thousands.
const FEW_WORDS: usize = 16;
const WORD_FUEL: u64 = 16;

/// The number of parts from which a reply costs a script fuel, and of elements a command.
const LONG_REPLY: u64 = 1_000;

/// The most elements that a command looks at under a memory bound: each takes some tenths of a
/// microsecond, and one key may be named many times.
const VISITED_MAX: u64 = 2_000_000;

/// The memory bound of an instance, if its host has set one; see [`super::Config::bytes_max`].
///
/// DIFFERENCE: Redis looks at what is in use and lets the command that goes beyond run. Here what
/// a command may add is known before anything of that size is allocated, and it is refused with
/// OOM words of our own, in the middle of a script too.
///
/// Memory is not counted for each command: `left` is a lower bound of the free room. Each command
/// that may grow subtracts the most that it can add; only if `left` is too small is everything
/// counted anew. So small commands cost a subtraction, and the sum never passes the bound. Equality
/// of instances ignores it: it decides when memory is counted, not what is refused.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Room {
    /// The bound in bytes; 0 is no bound, as in Redis.
    pub max: u64,
    left: u64,
    /// The cost of commands to a script besides [`Room::command_fuel`], since the script was last
    /// charged. Otherwise a loop over a long value could take a thousand times as long as one over
    /// a short value.
    fuel: u64,
    /// The elements that the present command has looked at.
    visited: u64,
}

impl Room {
    pub fn new(max: u64) -> Room {
        Room { max, left: max, fuel: 0, visited: 0 }
    }

    fn refusal(&self) -> Fail {
        format!("OOM command not allowed: a world of this page may hold {} MiB", self.max >> 20)
            .into()
    }

    /// Returns the least cost of a command to a script. Under a bound the page waits for the
    /// script, and a small write takes as long as a few hundred instructions.
    pub fn command_fuel(&self, args: &[Data]) -> u64 {
        let bytes: usize =
            args.iter().map(|arg| if let Data::Str(text) = arg { text.len() } else { 0 }).sum();
        let words = args.len().saturating_sub(FEW_WORDS) as u64;
        let long = words * WORD_FUEL + bytes as u64 / 1024 * WORD_FUEL;
        if self.max > 0 { 5 * COMMAND_FUEL + long } else { COMMAND_FUEL }
    }

    pub fn take_fuel(&mut self) -> u64 {
        std::mem::take(&mut self.fuel)
    }

    /// Charges for a command that reads a string, and may copy it.
    #[inline]
    pub fn looks_at(&mut self, string: &Str) {
        if self.max > 0 && !matches!(string, Str::Int(_)) && string.len() >= LONG_STRING {
            self.fuel += string.len() as u64 / 256;
        }
    }

    /// Begins to count for another command.
    pub fn begin_command(&mut self) {
        self.visited = 0;
    }

    /// Counts `elements` that the command looks at: many cost a script fuel, too many are refused.
    pub fn visits(&mut self, elements: u64) -> Result<(), Fail> {
        if self.max == 0 {
            return Ok(());
        }
        self.visited = self.visited.saturating_add(elements);
        if self.visited >= LONG_REPLY {
            self.fuel += elements.min(VISITED_MAX);
        }
        if self.visited > VISITED_MAX {
            let max = VISITED_MAX / 1_000_000;
            return Err(format!(
                "OOM command not allowed: a command on this page may look at {max} million elements"
            )
            .into());
        }
        Ok(())
    }

    /// Charges for a `reply` given to a script.
    pub fn answers(&mut self, reply: &Value) {
        if self.max > 0 && matches!(reply, Value::Array(_) | Value::Map(_) | Value::Set(_)) {
            self.fuel += Some(parts(reply)).filter(|n| *n >= LONG_REPLY).unwrap_or(0);
        }
    }
}

fn parts(value: &Value) -> u64 {
    match value {
        Value::Array(items) | Value::Set(items) | Value::Push(items) => {
            1 + items.iter().map(parts).sum::<u64>()
        }
        Value::Map(pairs) => 1 + pairs.iter().map(|(k, v)| parts(k) + parts(v)).sum::<u64>(),
        _ => 1,
    }
}

impl Instance {
    pub(super) fn used_memory(&self) -> u64 {
        let sizes = self.dbs.iter().map(|db| {
            let keys = db.keys().iter();
            keys.map(|(key, obj)| KEY_BYTES + key.len() as u64 + obj.data().bytes()).sum::<u64>()
        });
        BASE_BYTES + sizes.sum::<u64>()
    }

    pub(super) fn is_out_of_memory(&mut self) -> bool {
        self.note_keyspace(Use::Read);
        // What is kept is never too much to be looked at once.
        let _ = self.room.visits(self.kept());
        self.used_memory() > self.settings.maxmemory
    }

    /// Reserves the bytes that a command may add, or refuses the command. To be called before
    /// anything of that size is allocated.
    #[inline]
    pub(super) fn take_room(&mut self, bytes: u64) -> Result<(), Fail> {
        if self.room.max == 0 {
            return Ok(());
        }
        if self.room.left < bytes {
            self.count_room();
        }
        self.room.left = self.room.left.checked_sub(bytes).ok_or_else(|| self.room.refusal())?;
        Ok(())
    }

    /// Counts `bytes` sent to other connections, which are held until the host takes them.
    pub(super) fn use_room(&mut self, bytes: u64) {
        self.room.left = self.room.left.saturating_sub(bytes);
    }

    /// Refuses a reply, or an intermediate result, that is larger than the whole bound.
    pub(super) fn check_reply(&self, bytes: u64) -> Result<(), Fail> {
        if self.room.max > 0 && bytes > self.room.max {
            return Err(self.room.refusal());
        }
        Ok(())
    }

    /// Refuses LCS of two strings with more than [`LCS_CELLS_MAX`] pairs of bytes.
    pub(super) fn check_cells(&self, cells: u64) -> Result<(), Fail> {
        if self.room.max > 0 && cells > LCS_CELLS_MAX {
            let max = LCS_CELLS_MAX / 1_000_000;
            return Err(format!(
                "OOM command not allowed: LCS on this page may compare {max} million pairs of bytes"
            )
            .into());
        }
        Ok(())
    }

    fn count_room(&mut self) {
        self.note_keyspace(Use::Read);
        let sent: u64 = self.pushes.iter().map(|(_, value)| value.bytes()).sum();
        let tracked = self.tracking.bytes();
        let used = self.used_memory() - BASE_BYTES + sent + tracked;
        self.room.fuel += self.kept();
        self.room.left = self.room.max.saturating_sub(used);
    }

    /// Returns the number of keys and elements: so many are looked at to count the memory.
    pub(super) fn kept(&self) -> u64 {
        let keys = self.dbs.iter().flat_map(|db| db.keys().iter());
        keys.map(|(_, obj)| 1 + obj.data().elements() as u64).sum()
    }
}
