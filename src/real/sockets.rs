//! The machine's side of its WebSockets: the commands sent on each, the replies received, and those
//! still awaited. The protocol is in the head of the module `proxy`.

use std::collections::VecDeque;

use crate::json::{FromJson, Json, Wrong};
use crate::resp::{Bytes, Proto, Value, decode_reply};

use super::plan::{Line, is_confirmation, is_message};

/// The longest reply that is waited for, in bytes.
const REPLY_BYTES_MAX: usize = 4 << 20;
/// The most messages of channels that wait to be taken.
const MESSAGES_MAX: usize = 256;

/// An order to the host of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Opens a WebSocket to a node; data sent before it is open waits.
    Open {
        id: u32,
        node: usize,
    },
    Bytes {
        id: u32,
        bytes: Vec<u8>,
    },
    Text {
        id: u32,
        text: String,
    },
    Close {
        id: u32,
    },
    /// Calls [`super::Runner::wake`] after this number of ms; a later one replaces it.
    Wake {
        ms: u32,
    },
}

/// An event of a WebSocket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    Bytes(Vec<u8>),
    Text(String),
    /// It was closed, with the reason if it is known.
    Closed(String),
}

/// The user of a WebSocket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The machine itself, for each node: setup, orders, looking at deadlines.
    Watch,
    Line(Line),
    /// A console, by number.
    Console(u8),
}

/// The use of an awaited reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// A task waits for it.
    Reply,
    /// It is ignored.
    Drop,
    /// The remaining time of this key.
    Left(Bytes),
    /// The connection's number on the server.
    Id,
}

#[derive(Debug)]
pub struct Socket {
    pub id: u32,
    pub owner: Owner,
    pub node: usize,
    /// True if it is connected to Redis.
    pub ready: bool,
    /// The reason if the connection was lost.
    pub lost: Option<String>,
    pub closed: bool,
    pub own: bool,
    pub server_id: Option<i64>,
    /// True if its last command waits, as in the simulator.
    pub waits: bool,
    pub subscribed: bool,
    pub due: VecDeque<Due>,
    pub replies: VecDeque<Value>,
    pub messages: VecDeque<Value>,
    /// The number of replies that the proxy has dropped.
    pub dropped: usize,
    /// Answers to orders: done, or the reason why not.
    pub answers: VecDeque<Result<(), String>>,
    bytes: Vec<u8>,
}

/// A text message of the proxy.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Told {
    pub event: String,
    pub order: String,
    pub why: String,
    pub server: String,
    pub nodes: usize,
    pub own: bool,
}

impl FromJson for Told {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Told {
        let text = |json: &mut Json, name: &str| -> String {
            json.field::<Option<String>>(name).ok().flatten().unwrap_or_default()
        };
        Told {
            event: text(&mut json, "event"),
            order: text(&mut json, "do"),
            why: text(&mut json, "why"),
            server: text(&mut json, "server"),
            nodes: json.read::<Option<usize>>("nodes", wrong).unwrap_or(0),
            own: json.read::<Option<bool>>("own", wrong).unwrap_or(false),
        }
    }
}

/// A reply that is not for the machine itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Came {
    Left(Bytes, i64),
    /// For a console: a reply, or a message.
    Console(u8, Value),
}

impl Socket {
    pub fn new(id: u32, owner: Owner, node: usize) -> Socket {
        Socket {
            id,
            owner,
            node,
            ready: false,
            lost: None,
            closed: false,
            own: false,
            server_id: None,
            waits: false,
            subscribed: false,
            due: VecDeque::new(),
            replies: VecDeque::new(),
            messages: VecDeque::new(),
            dropped: 0,
            answers: VecDeque::new(),
            bytes: Vec::new(),
        }
    }

    /// Handles an event of the proxy.
    pub fn told(&mut self, told: &Told) {
        match told.event.as_str() {
            "ready" | "back" => {
                (self.ready, self.lost, self.own) = (true, None, told.own);
                if told.event == "back" {
                    self.subscribed = false;
                }
            }
            "lost" => (self.ready, self.lost) = (false, Some(told.why.clone())),
            "reply-lost" => self.dropped += 1,
            // These go together with a command.
            "done" | "error" if matches!(told.order.as_str(), "lose-reply" | "expire") => {}
            "done" => self.answers.push_back(Ok(())),
            "error" => self.answers.push_back(Err(told.why.clone())),
            _ => {}
        }
    }

    /// Adds received bytes and returns whole replies in `came`. The error says that they are no
    /// RESP.
    pub fn feed(&mut self, bytes: &[u8], came: &mut Vec<Came>) -> Result<(), String> {
        self.bytes.extend_from_slice(bytes);
        let mut at = 0;
        loop {
            match decode_reply(&self.bytes[at..]) {
                Ok(Some((value, len))) => {
                    at += len;
                    self.deal(value, came);
                }
                Ok(None) if self.bytes.len() - at > REPLY_BYTES_MAX => {
                    return Err(format!("a reply of more than {REPLY_BYTES_MAX} bytes"));
                }
                Ok(None) => break,
                Err(error) => return Err(error.0),
            }
        }
        self.bytes.drain(..at);
        Ok(())
    }

    fn deal(&mut self, value: Value, came: &mut Vec<Came>) {
        if let Owner::Console(number) = self.owner {
            if !(self.subscribed && is_message(&value)) {
                self.due.pop_front();
            }
            came.push(Came::Console(number, value));
            return;
        }
        let pushed = matches!(value, Value::Push(_)) || self.subscribed;
        if pushed && is_message(&value) {
            if self.messages.len() < MESSAGES_MAX {
                self.messages.push_back(value);
            }
            return;
        }
        if matches!(value, Value::Push(_)) && !is_confirmation(&value) {
            return; // invalidations and the like, unasked
        }
        match (self.due.pop_front(), value) {
            (Some(Due::Reply), value) => self.replies.push_back(value),
            (Some(Due::Id), Value::Int(id)) => self.server_id = Some(id),
            (Some(Due::Left(key)), Value::Int(ms)) => came.push(Came::Left(key, ms)),
            _ => {}
        }
    }

    /// Drops all replies and messages, and those still awaited.
    pub fn forget(&mut self) {
        self.due.iter_mut().for_each(|due| *due = Due::Drop);
        self.replies.clear();
        self.answers.clear();
        self.messages.clear();
    }
}

/// Encodes a command.
pub fn wire<W: AsRef<[u8]>>(argv: &[W], out: &mut Vec<u8>) {
    Value::Array(argv.iter().map(Value::bulk).collect()).encode(Proto::Resp2, out);
}
