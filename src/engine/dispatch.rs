//! Dispatch of commands: from arguments, through the checks in Redis's order, to the handler; for a
//! plain command, inside EXEC, from a script, or for a blocked command that is tried again.

use std::rc::Rc;

use super::blocking::BlockedOn;
use super::command::{Command, Flags, lookup, lookup_sub};
use super::commands::scripting::busy_text;
use super::conn::ReplyMode;
use super::context::{BlockRequest, Ctx, Fail};
use super::scripting::COMMAND_FUEL;
use super::{ConnId, Instance, Outcome};
use ground::resp::{Bytes, Proto, Value, quoted};

/// The most bytes of an argument that MONITOR shows, if the instance has a memory bound.
const MONITORED_BYTES: usize = 4096;

/// The result of a handler: its reply and its requests.
#[derive(Debug)]
pub(super) struct Done {
    pub reply: Value,
    pub block: Option<BlockRequest>,
    pub silent: bool,
}

/// The origin of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Client,
    Exec,
}

impl Instance {
    /// Runs one command of `conn` at `now_ms`. A blocked connection cannot run another one.
    pub fn execute(&mut self, conn: ConnId, argv: &[Bytes], now_ms: u64) -> Outcome {
        self.now_ms = now_ms;
        let Some(at) = self.conn_index(conn) else {
            return Outcome::Reply(Value::error("ERR no such connection"));
        };
        if argv.is_empty() {
            return Outcome::None;
        }
        if self.conns[at].1.blocked.is_some() {
            return Outcome::Reply(Value::error(
                "ERR this connection waits for an earlier command",
            ));
        }
        self.end_pause(now_ms);
        self.stats.commands += 1;
        self.conn_mut(conn).seen.last_ms = now_ms;
        let outer = self.running.replace(conn);
        let outcome = self.process(conn, argv, now_ms);
        if self.tracking.has_news() {
            self.tell_own_changes();
        }
        if !self.ready.is_empty() {
            self.serve_waiting(now_ms);
        }
        self.running = outer;
        if self.tracking.has_news() {
            self.tell_own_changes();
            self.broadcast_changes();
        }
        self.release_groupless();
        debug_assert!(self.ready.is_empty(), "a key is ready and its clients were not served");
        if self.trackers > 0 {
            self.end_caching(conn, argv);
        }
        self.silence(conn, outcome)
    }

    /// Ends the effect of CLIENT CACHING after the command or transaction that it was for, which
    /// may still wait for the end of a pause.
    #[inline(never)]
    fn end_caching(&mut self, conn: ConnId, argv: &[Bytes]) {
        let Some(at) = self.conn_index(conn).filter(|at| self.conns[*at].1.caches_next) else {
            return;
        };
        let this = &self.conns[at].1;
        let is_held = this.blocked.as_ref().is_some_and(|blocked| blocked.on == BlockedOn::Pause);
        let of_client = self.resolve(argv).is_ok_and(|command| command.name.starts_with("client|"));
        if !(this.in_multi || is_held || of_client) {
            self.conn_mut(conn).caches_next = false;
        }
    }

    /// Suppresses the reply after CLIENT REPLY OFF and SKIP.
    fn silence(&mut self, conn: ConnId, outcome: Outcome) -> Outcome {
        let Some(at) = self.conn_index(conn) else { return outcome };
        match self.conns[at].1.reply_mode {
            ReplyMode::On => outcome,
            ReplyMode::Off => match outcome {
                Outcome::Blocked => Outcome::Blocked,
                _ => Outcome::None,
            },
            ReplyMode::SkipNext => {
                self.conn_mut(conn).reply_mode = ReplyMode::Skip;
                Outcome::None
            }
            ReplyMode::Skip => {
                self.conn_mut(conn).reply_mode = ReplyMode::On;
                Outcome::None
            }
        }
    }

    fn process(&mut self, conn: ConnId, argv: &[Bytes], now_ms: u64) -> Outcome {
        let command = match self.resolve(argv) {
            Ok(command) => command,
            Err(fail) => return self.reject(conn, None, fail),
        };
        if !command.arity_fits_in(self.settings.version, argv.len()) {
            let text = format!("ERR wrong number of arguments for '{}' command", command.name);
            return self.reject(conn, Some(command), text.into());
        }
        if let Err(fail) = self.check_state(conn, command) {
            return self.reject(conn, Some(command), fail);
        }
        if self.is_paused(conn, command, argv) {
            self.postpone(conn, argv);
            return Outcome::Blocked;
        }
        self.conn_mut(conn).seen.command = Some(command);
        let this = self.conn_ref(conn);
        if this.in_multi && !runs_in_multi(command) {
            self.conn_mut(conn).queued.push(argv.into());
            return Outcome::Reply(Value::queued());
        }
        let db = this.db;
        let done = self.call(conn, command, argv, now_ms, Origin::Client);
        match done.block {
            Some(mut request) => {
                let argv = request.argv.take().map_or_else(|| argv.into(), Rc::from);
                // Redis answers all who waited in vain for a key with the same nil.
                let in_vain = match request.on {
                    BlockedOn::Time => done.reply,
                    _ => Value::NilArray,
                };
                self.start_waiting(conn, db, argv, request, in_vain);
                Outcome::Blocked
            }
            None if done.silent => Outcome::None,
            None => Outcome::Reply(done.reply),
        }
    }

    /// Returns the row that `argv` names.
    pub(super) fn resolve(&self, argv: &[Bytes]) -> Result<&'static Command, Fail> {
        let version = self.settings.version;
        let known = |command: &&Command| version.has(command.since);
        let Some(command) = lookup(&argv[0]).filter(known).filter(|c| !c.is_sub) else {
            return Err(unknown_command(argv));
        };
        if !command.is_container || argv.len() < 2 {
            return Ok(command);
        }
        lookup_sub(command, &argv[1]).filter(known).ok_or_else(|| {
            let sub = String::from_utf8_lossy(&argv[1][..argv[1].len().min(128)]).into_owned();
            let container = command.name.to_ascii_uppercase();
            Fail(latin(&format!("ERR unknown subcommand '{sub}'. Try {container} HELP.")))
        })
    }

    /// Refuses `command` if the state of the server or of the connection does not allow it.
    fn check_state(&mut self, conn: ConnId, command: &'static Command) -> Result<(), Fail> {
        if let Some(running) = &self.script
            && !command.flags.has(Flags::ALLOW_BUSY)
        {
            return Err(busy_text(&running.origin).into());
        }
        let this = self.conn_ref(conn);
        if this.in_multi && command.flags.has(Flags::NO_MULTI) {
            return Err("ERR Command not allowed inside a transaction".into());
        }
        let allowed = ["psubscribe", "subscribe", "ssubscribe", "punsubscribe", "unsubscribe"];
        let allowed_too = ["sunsubscribe", "ping", "quit", "reset"];
        if this.in_pubsub()
            && this.proto == Proto::Resp2
            && !allowed.contains(&command.name)
            && !allowed_too.contains(&command.name)
        {
            return Err(format!(
                "ERR Can't execute '{}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / \
                 RESET are allowed in this context",
                command.name
            )
            .into());
        }
        if self.settings.maxmemory > 0
            && command.flags.has(Flags::DENYOOM)
            && self.is_out_of_memory()
        {
            return Err("OOM command not allowed when used memory > 'maxmemory'.".into());
        }
        Ok(())
    }

    /// Refuses a command for a reason of the host, for instance because this instance is a replica.
    pub fn refuse(&mut self, conn: ConnId, argv: &[Bytes], why: &str) -> Outcome {
        let command = argv.first().and_then(|name| lookup(name));
        self.reject(conn, command, why.into())
    }

    /// Replies with an error to a command that is not run, and marks the transaction it was meant
    /// for as failed.
    fn reject(&mut self, conn: ConnId, command: Option<&'static Command>, fail: Fail) -> Outcome {
        let mut text = clean(fail.0);
        if let Some(command) = command {
            self.stats.command(command.index).rejected += 1;
        }
        let this = self.conn_ref(conn);
        if command.is_some_and(|c| c.name == "exec") {
            // EXEC itself was refused: the transaction is over.
            let why = text.strip_prefix(b"ERR ").unwrap_or(&text);
            text = [b"EXECABORT Transaction discarded because of: ", why].concat().into();
            self.discard(conn);
        } else if this.in_multi {
            self.conn_mut(conn).dirty_exec = true;
        }
        self.stats.error(&text);
        Outcome::Reply(Value::Error(text))
    }

    /// Ends a transaction without running it.
    pub(super) fn discard(&mut self, conn: ConnId) {
        let this = self.conn_mut(conn);
        this.in_multi = false;
        this.dirty_exec = false;
        this.dirty_cas = false;
        this.queued.clear();
        self.unwatch_all(conn);
    }

    /// Ends everything that the connection takes part in: its transaction, the keys it watches, its
    /// subscriptions, CLIENT TRACKING and MONITOR.
    pub(super) fn let_go(&mut self, conn: ConnId) {
        self.discard(conn);
        self.unsubscribe_all(conn);
        if self.trackers > 0 {
            self.untrack(conn);
        }
        let this = self.conn_mut(conn);
        if std::mem::take(&mut this.is_monitor) {
            self.monitors -= 1;
        }
    }

    /// Shows a command to the connections in MONITOR; a script's commands are shown as from `lua`.
    pub(super) fn show_monitors(
        &mut self,
        conn: ConnId,
        command: &Command,
        argv: &[Bytes],
        now_ms: u64,
        by_script: bool,
    ) {
        let hidden = command.flags.has(Flags::SKIP_MONITOR) || command.flags.has(Flags::ADMIN);
        if self.monitors == 0 || hidden {
            return;
        }
        // A line of MONITOR contains the time and the sender.
        self.note(|access| (access.clock, access.connections) = (true, true));
        let db = self.conn_ref(conn).db;
        // Under a bound a watcher is not sent four times what a script has made, again and again.
        let shown = if self.room.max > 0 { MONITORED_BYTES } else { usize::MAX };
        let words: Vec<String> =
            argv.iter().map(|arg| quoted(&arg[..arg.len().min(shown)])).collect();
        let from = match by_script {
            true => "lua".to_owned(),
            false => format!("127.0.0.1:{}", 50_000 + conn % 10_000),
        };
        let (seconds, micros) = (now_ms / 1000, now_ms % 1000 * 1000);
        let text = format!("{seconds}.{micros:06} [{db} {from}] {}", words.join(" "));
        let monitors = self.conns.iter().filter(|(_, other)| other.is_monitor);
        let monitors: Vec<ConnId> = monitors.map(|(id, _)| *id).collect();
        self.use_room(text.len() as u64 * monitors.len() as u64);
        for id in monitors {
            self.pushes.push((id, Value::status(&text)));
        }
    }

    /// Runs the handler.
    pub(super) fn call(
        &mut self,
        conn: ConnId,
        command: &'static Command,
        argv: &[Bytes],
        now_ms: u64,
        origin: Origin,
    ) -> Done {
        self.show_monitors(conn, command, argv, now_ms, false);
        let mut cx = Ctx::new(self, conn, command, now_ms);
        cx.deny_blocking = origin == Origin::Exec;
        let result = cx.run(argv);
        let (block, silent) = (cx.block.take(), cx.silent);
        if self.trackers > 0 {
            self.remember_read(conn, command, command, argv);
        }
        self.stats.work += COMMAND_FUEL;
        let stats = self.stats.command(command.index);
        stats.calls += 1;
        let reply = match result {
            Ok(reply) => reply,
            Err(fail) => Value::Error(clean(fail.0)),
        };
        if let Value::Error(text) = &reply {
            stats.failed += 1;
            self.stats.error(text);
        }
        let block = block.filter(|_| origin != Origin::Exec);
        Done { reply, block, silent }
    }

    /// Tries a blocked command again now that `key` is ready; `None` if it still waits.
    pub(super) fn retry_blocked(
        &mut self,
        conn: ConnId,
        key: &Bytes,
        now_ms: u64,
    ) -> Option<Value> {
        let blocked = self.conn_ref(conn).blocked.as_ref()?;
        let (argv, db) = (blocked.argv.clone(), blocked.db);
        let command = self.resolve(&argv).ok()?;
        let mut cx = Ctx::new(self, conn, command, now_ms);
        (cx.db, cx.ready_key) = (db, Some(key.clone()));
        let result = cx.run(&argv);
        if cx.block.is_some() {
            return None;
        }
        Some(result.unwrap_or_else(|fail| Value::Error(clean(fail.0))))
    }
}

/// Returns true for commands that MULTI does not queue.
fn runs_in_multi(command: &Command) -> bool {
    matches!(command.name, "exec" | "discard" | "multi" | "watch" | "quit" | "reset")
}

fn unknown_command(argv: &[Bytes]) -> Fail {
    let mut text = b"ERR unknown command '".to_vec();
    text.extend(&argv[0][..argv[0].len().min(128)]);
    text.extend(b"', with args beginning with: ");
    let mut args = Vec::new();
    for arg in &argv[1..] {
        // Formatted as C strings, which end at a NUL.
        let arg = &arg[..arg.iter().position(|&b| b == 0).unwrap_or(arg.len())];
        if args.len() >= 128 {
            break;
        }
        let room = 128 - args.len();
        args.push(b'\'');
        args.extend(&arg[..arg.len().min(room)]);
        args.extend(b"' ");
    }
    text.extend(args);
    Fail(text.into())
}

fn latin(text: &str) -> Bytes {
    text.as_bytes().into()
}

/// Replaces line breaks, because an error is one line.
pub(super) fn clean(text: Bytes) -> Bytes {
    if !text.iter().any(|b| matches!(b, b'\r' | b'\n')) {
        return text;
    }
    text.iter().map(|&b| if matches!(b, b'\r' | b'\n') { b' ' } else { b }).collect()
}
