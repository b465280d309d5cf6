//! CLIENT PAUSE: postpones commands until an explicit time, all of them or those that write.
//!
//! As in Redis, a postponed command has passed its checks (an unknown one is refused at once), a
//! longer or stricter pause replaces the one under way, and `CLIENT UNPAUSE` itself is postponed if
//! all commands are.

use std::rc::Rc;

use super::blocking::BlockedOn;
use super::command::{Command, Flags};
use super::context::BlockRequest;
use super::scripting::ScriptFlags;
use super::{ConnId, Instance, Outcome};
use ground::resp::{Bytes, Value};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pause {
    pub until_ms: u64,
    /// True: all commands; false: only those that may write.
    pub all: bool,
    /// The connections whose commands wait, in order of arrival.
    postponed: Vec<ConnId>,
}

impl Instance {
    pub(super) fn pause(&mut self, until_ms: u64, all: bool) {
        let waiting = Rc::make_mut(&mut self.waiting);
        let pause = Pause { until_ms, all, postponed: Vec::new() };
        let pause = match waiting.pause.take() {
            None => pause,
            Some(old) => Pause {
                until_ms: old.until_ms.max(until_ms),
                all: old.all || all,
                postponed: old.postponed,
            },
        };
        waiting.pause = Some(pause);
    }

    /// Returns true if `command` has to wait for the end of a pause.
    pub(super) fn is_paused(&self, conn: ConnId, command: &Command, argv: &[Bytes]) -> bool {
        let Some(pause) = &self.waiting.pause else { return false };
        let queued = || self.conn_ref(conn).queued.iter();
        let exec_writes = |argv: &Rc<[Bytes]>| match self.resolve(argv) {
            Ok(command) => self.may_write(command, argv),
            Err(_) => false,
        };
        pause.all
            || self.may_write(command, argv)
            || command.name == "exec" && queued().any(exec_writes)
    }

    /// Returns true if `command` may write: Redis's "may replicate".
    fn may_write(&self, command: &Command, argv: &[Bytes]) -> bool {
        let scripts = &self.scripts;
        let sha = || Bytes::from(argv[1].to_ascii_lowercase());
        let writes = |flags: Option<ScriptFlags>| flags.is_none_or(|flags| !flags.no_writes);
        match command.name {
            "publish" | "spublish" | "pfcount" => true,
            "eval" => writes(super::commands::scripting::flags_of(&argv[1])),
            "evalsha" => writes(scripts.cache.get(&sha()).map(|script| script.flags)),
            "fcall" => {
                let mut libraries = scripts.libraries.values();
                writes(libraries.find_map(|l| l.functions.get(&argv[1]).map(|f| f.flags)))
            }
            _ => command.flags.has(Flags::WRITE),
        }
    }

    pub(super) fn postpone(&mut self, conn: ConnId, argv: &[Bytes]) {
        let request = BlockRequest {
            on: BlockedOn::Pause,
            keys: Vec::new(),
            timeout_at_ms: None,
            argv: None,
        };
        let db = self.conn_ref(conn).db;
        self.start_waiting(conn, db, argv.into(), request, Value::Null);
        if let Some(pause) = &mut Rc::make_mut(&mut self.waiting).pause {
            pause.postponed.push(conn);
        }
    }

    pub(super) fn pause_until(&self) -> Option<u64> {
        self.waiting.pause.as_ref().map(|pause| pause.until_ms)
    }

    /// Ends the pause and runs the postponed commands, if the time has come.
    pub(super) fn end_pause(&mut self, now_ms: u64) {
        if self.pause_until().is_some_and(|until| until <= now_ms) {
            self.unpause(now_ms);
        }
    }

    pub(super) fn unpause(&mut self, now_ms: u64) {
        let Some(pause) = Rc::make_mut(&mut self.waiting).pause.take() else { return };
        for conn in pause.postponed {
            // It may have gone meanwhile, or wait for something else by now.
            let on =
                self.conn_index(conn).and_then(|at| Some(self.conns[at].1.blocked.as_ref()?.on));
            if on != Some(BlockedOn::Pause) {
                continue;
            }
            let Some(blocked) = self.stop_waiting(conn) else { continue };
            // Before what its own command makes the server tell it.
            let at = self.pushes.len();
            if let Outcome::Reply(reply) = self.execute(conn, &blocked.argv, now_ms) {
                self.pushes.insert(at, (conn, reply));
            }
        }
    }
}
