//! Replication on the real servers, as in the world: the proxy holds a master's writes back, and
//! delivers them to a replica when the schedule says so.
//!
//! One entry of a link's backlog in the world may be several writes of a real master (a deadline
//! that was moved away, an expired key). So the master's offset after each entry is kept, and
//! delivering the entry means delivering everything up to that offset.

use std::collections::VecDeque;

use crate::resp::{Bytes, Value};
use crate::session::spelling::command_text;
use crate::sim::{BACKLOG_MAX, NodeId};

use super::plan::Line;
use super::report::{Check, Mark};
use super::run::{Phase, Runner, Trouble};
use super::sockets::Owner;
use super::work::{PATIENCE_MS, REPLY_MS, Tried};

/// The ms that a copy of everything may take.
const COPY_MS: u64 = 3 * PATIENCE_MS;

impl Runner {
    fn offsets(&mut self, node: usize) -> &mut VecDeque<u64> {
        if self.offsets.len() <= node {
            self.offsets.resize_with(node + 1, VecDeque::new);
        }
        &mut self.offsets[node]
    }

    pub(super) fn follow(&mut self, node: usize, master: usize, waited: u64) -> Tried {
        self.offsets(node).clear();
        self.carry_out(node, &format!(r#"{{"do":"follow","node":{master}}}"#), waited)
    }

    pub(super) fn promote(&mut self, node: usize, waited: u64) -> Tried {
        self.offsets(node).clear();
        self.carry_out(node, r#"{"do":"promote"}"#, waited)
    }

    /// Delivers the next entry of the backlog to the replica.
    pub(super) fn deliver(&mut self, node: usize, waited: u64) -> Tried {
        let order = match self.offsets(node).front() {
            Some(offset) => format!(r#"{{"do":"deliver","to":{offset}}}"#),
            None => r#"{"do":"deliver"}"#.to_owned(),
        };
        let tried = self.carry_out(node, &order, waited);
        if matches!(tried, Tried::Done) {
            self.offsets(node).pop_front();
        }
        tried
    }

    /// Delivers everything to the replica at once, for differences that the world does not see.
    pub(super) fn level(&mut self, node: usize, waited: u64) -> Tried {
        self.offsets(node).clear();
        self.carry_out(node, r#"{"do":"deliver","all":true}"#, waited)
    }

    /// Records a master's write; `links` are its replicas, with the lengths of their backlogs.
    pub(super) fn written(
        &mut self,
        line: Option<Line>,
        node: usize,
        links: &[(usize, usize)],
        waited: u64,
    ) -> Tried {
        // The command that moves deadlines away uses the same line, so wait until that is free.
        let busy = line.and_then(|line| self.find(Owner::Line(line), None));
        let busy = busy.map(|at| &self.sockets[at]);
        if busy.is_some_and(|socket| !socket.waits && !socket.due.is_empty()) && waited < REPLY_MS {
            return Tried::Wait;
        }
        let offset = match self.tell(node, &["INFO", "replication"], waited) {
            Ok(None) => return Tried::Wait,
            Ok(Some(info)) => master_offset(&info),
            Err(()) => None,
        };
        let Some(offset) = offset else { return Tried::Done };
        for (replica, len) in links {
            let offsets = self.offsets(*replica);
            // It changed nothing that the world would deliver: it goes with what is before it.
            let nothing = offsets.len() >= *len && *len < BACKLOG_MAX;
            match offsets.back_mut().filter(|_| nothing) {
                Some(last) => *last = offset,
                None => offsets.push_back(offset),
            }
            // Where there are too many, the oldest two are one.
            while offsets.len() > *len {
                offsets.pop_front();
            }
        }
        Tried::Done
    }

    /// Asks a node if its data is as in the world.
    pub(super) fn ask_node(
        &mut self,
        node: usize,
        argv: &[Bytes],
        expected: &Value,
        waited: u64,
    ) -> Tried {
        let real = match self.tell(node, argv, waited) {
            Ok(None) => return Tried::Wait,
            Ok(Some(Value::Array(parts))) => parts.into_iter().next().unwrap_or(Value::NilArray),
            Ok(Some(real)) => real,
            Err(()) => return Tried::Done,
        };
        let mark = if real == *expected { Mark::Equal } else { Mark::Differs };
        let (simulated, real) = (expected.to_cli_short(), real.to_cli_short());
        let client = self.node_name(node);
        self.note(Check { client, command: command_text(argv), simulated, real, mark });
        Tried::Done
    }

    fn node_name(&self, node: usize) -> String {
        let name = |node: usize| {
            let world = &self.done.last()?.world;
            Some(world.setting().node_name(NodeId(u8::try_from(node).ok()?)).to_string())
        };
        name(node).unwrap_or_default()
    }

    /// Gives the proxy an order for a node, and waits until it is done.
    fn carry_out(&mut self, node: usize, order: &str, waited: u64) -> Tried {
        let Some(at) = self.find(Owner::Watch, Some(node)) else { return Tried::Done };
        if !self.sent {
            self.sent = true;
            self.order(at, order);
        }
        match self.sockets[at].answers.pop_front() {
            Some(Ok(())) => {}
            Some(Err(why)) if self.phase == Phase::Connecting => self.stop(Trouble::Start(why)),
            Some(Err(why)) => {
                let client = self.node_name(node);
                let (command, simulated) = (order.to_owned(), "…".to_owned());
                self.note(Check { client, command, simulated, real: why, mark: Mark::Differs });
            }
            None if waited > COPY_MS => self.stop(Trouble::Lost("…".into())),
            None => return Tried::Wait,
        }
        Tried::Done
    }
}

/// Parses `master_repl_offset` in INFO.
fn master_offset(info: &Value) -> Option<u64> {
    let (Value::Bulk(text) | Value::Verbatim { text, .. }) = info else { return None };
    let text = String::from_utf8_lossy(text);
    let line = text.lines().find_map(|line| line.strip_prefix("master_repl_offset:"))?;
    line.trim().parse().ok()
}
