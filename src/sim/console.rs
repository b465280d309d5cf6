//! Consoles: people who type commands beside the programs of the cast.
//!
//! A console is a client without a program, which comes into being when a line is typed at it. A
//! typed line is a step of the run, with a place in its schedule; but there is no end to the lines
//! that may be typed, so `World::enabled` does not list them, and searches begin without consoles.
//! A command is sent, executed and answered in one step, in wire mode too; a blocking one leaves
//! its console blocked until another step serves it.

use std::fmt::Write;
use std::rc::Rc;

use crate::hexadecimal;
use crate::lua;
use crate::resp::{Value, split_inline};

use super::action::{ClientId, Impossible, NodeId};
use super::apply::{Ending, Log};
use super::client::{Call, CallKind, Client, State};
use super::node::conn_id;
use super::scenario::Setting;
use super::world::{Event, Seen, World};

/// The longest line that can be typed, in bytes.
pub const LINE_MAX: usize = 4 * 1024;

/// A line typed at a console.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Typed {
    pub console: ClientId,
    /// The instance that the line goes to. A console has one connection, which a line to another
    /// instance ends.
    pub node: NodeId,
    /// A command, quoted by redis-cli's rules.
    pub line: Rc<str>,
}

impl Typed {
    /// Returns `c1-SET_stock_10`; for another instance than the default one `c1@r2-GET_x`. In the
    /// line, `_` stands for a space, and `.`, `~`, `_` and control characters are written as `~`
    /// and two hexadecimal digits, because dots separate the steps of a schedule.
    pub fn write(&self, setting: &Setting) -> String {
        let mut out = self.console.name();
        if self.node != NodeId(0) {
            out.push('@');
            out.push_str(setting.node_name(self.node));
        }
        out.push('-');
        for c in self.line.chars() {
            match c {
                ' ' => out.push('_'),
                '.' | '~' | '_' | '\0'..='\x1f' | '\x7f' => {
                    // Writing to a String cannot fail.
                    let _ = write!(out, "~{:02x}", c as u32);
                }
                c => out.push(c),
            }
        }
        out
    }

    /// Parses the output of [`Typed::write`]; `None` for anything else.
    pub fn parse(token: &str, setting: &Setting) -> Option<Typed> {
        let (name, rest) = token.split_at(token.find(['-', '@'])?);
        let console = ClientId::console_of(name)?;
        let (node, line) = match rest.strip_prefix('@') {
            // Names have hyphens; of two that fit, the longer is meant.
            Some(rest) => {
                let line = |name: &String| rest.strip_prefix(name.as_str())?.strip_prefix('-');
                let named = setting.nodes.iter().filter_map(|name| Some((name, line(name)?)));
                let (name, line) = named.max_by_key(|(name, _)| name.len())?;
                (setting.node(name)?, line)
            }
            None => (NodeId(0), &rest[1..]),
        };
        let mut text = String::new();
        let mut rest = line.chars();
        while let Some(c) = rest.next() {
            text.push(match c {
                '_' => ' ',
                '~' => {
                    let (digits, after) = rest.as_str().split_at_checked(2)?;
                    rest = after.chars();
                    char::from_u32(hexadecimal(digits)?).filter(char::is_ascii)?
                }
                c => c,
            });
        }
        (text.len() <= LINE_MAX).then(|| Typed { console, node, line: text.into() })
    }
}

impl World {
    /// Returns the index of a console's client.
    pub(super) fn console_at(&self, id: ClientId) -> Option<usize> {
        self.consoles.iter().position(|console| console.id == id)
    }

    /// Sends the typed line and executes it. The world is unchanged if that is impossible: the
    /// console waits for a reply, or the line is no command.
    pub fn type_line(&mut self, typed: &Typed) -> Result<Seen, Impossible> {
        let id = typed.console;
        let argv = split_inline(typed.line.as_bytes()).unwrap_or_default();
        if !id.is_console() || argv.is_empty() || self.node(typed.node).is_none() {
            return Err(Impossible::NotNow);
        }
        if self.client(id).is_some_and(|console| console.state != State::Idle) {
            return Err(Impossible::NotReady(id));
        }
        let before = self.nodes.clone();
        self.take_seat(id, typed.node)?;
        let kind = CallKind::Redis { node: typed.node, connection: 0, argv: argv.into() };
        let call = Call { kind, line: 0, protected: true };
        let mut log = Log::new(true);
        let reply = self.execute(id, &call, Ending::Arrives, &mut log);
        Ok(self.seen(&before, Event::Call { client: id, call, reply, lost: false }, log))
    }

    /// Makes sure that the console exists and is connected to `node`.
    fn take_seat(&mut self, id: ClientId, node: NodeId) -> Result<(), Impossible> {
        let asks = |console: &Client| console.connections.first().map(|one| one.node);
        let at = self.console_at(id);
        if let Some(at) = at.filter(|at| asks(&self.consoles[*at]) != Some(node)) {
            self.disconnect(id);
            self.consoles.remove(at);
        } else if at.is_some() {
            return Ok(());
        }
        let empty = lua::compile(b"", "console").map_err(|_| Impossible::NotNow)?;
        let at = self.consoles.iter().take_while(|console| console.id < id).count();
        self.consoles.insert(at, Rc::new(Client::console(&empty, id, node)));
        Ok(())
    }

    /// Returns true if some instance has a connection of this console.
    pub fn is_connected(&self, id: ClientId) -> bool {
        let conn = conn_id(id, 0);
        self.nodes.iter().any(|node| !node.instance.is_closed(conn))
    }

    /// Closes the console's connection, and with it a transaction, watched keys, waits and
    /// subscriptions. The next line opens another one.
    pub(super) fn disconnect(&mut self, id: ClientId) {
        let conn = conn_id(id, 0);
        for node in self.nodes.iter_mut().filter(|node| node.instance.conn(conn).is_some()) {
            Rc::make_mut(node).instance.disconnect(conn);
        }
        self.client_mut(id).state = State::Idle;
    }

    /// Gives a console the reply that it waits for.
    pub(super) fn answer_console(&mut self, id: ClientId, reply: Value, log: &mut Log) {
        log.heard.push((id, reply));
        self.client_mut(id).state = State::Idle;
    }

    /// Handles a value that an instance has pushed: a late reply, if it no longer blocks the
    /// console; else a message, a line of MONITOR, an acknowledgement.
    pub(super) fn hear(&mut self, id: ClientId, push: Value, log: &mut Log) {
        log.heard.push((id, push));
        let conn = conn_id(id, 0);
        let blocked = self.nodes.iter().any(|node| node.instance.is_blocked(conn));
        if !blocked && self.client(id).is_some_and(|c| matches!(c.state, State::Blocked(_))) {
            self.client_mut(id).state = State::Idle;
        }
    }

    /// Returns the same world without its consoles.
    pub fn without_consoles(&self) -> World {
        let mut world = self.clone();
        for id in self.everybody().filter(|id| id.is_console()) {
            world.disconnect(id);
        }
        world.consoles.clear();
        world
    }

    /// Returns the view of a console's connection, which says its database.
    pub fn console_conn(&self, id: ClientId) -> Option<crate::engine::ConnView> {
        let node = self.client(id)?.connections().first()?.node;
        let node = self.node(self.serving(node))?;
        node.instance.conn(conn_id(id, 0)).filter(|conn| !conn.is_closed)
    }
}
