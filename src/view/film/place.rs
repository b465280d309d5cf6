//! Places: names for where something is drawn, such as `line:A:3`, `key:0:stock`.
//!
//! The page writes a place into the attribute `data-place` of the element that is drawn there; an
//! element may have several, separated by spaces. A film names places and knows no pixels. To add a
//! kind, add a constructor here, and write the place where the thing is drawn.

use std::fmt;

use crate::sim::{ClientId, NodeId};
use crate::view::stage::diagram::Window;

/// A name that can stand in an attribute: no white space, no quotes, never empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(String);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Escapes bytes that could end the name, or a selector, as `%20`.
fn escaped(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b':' | b'-' | b'_' | b'.' => {
                name.push(char::from(byte));
            }
            _ => name += &format!("%{byte:02x}"),
        }
    }
    name
}

/// Names a race window by the client and step of its read and, after the first, by the number of
/// its key.
fn window_name(window: &Window) -> String {
    let (client, read_step, nth) = window.id();
    let nth = if nth > 0 { format!(":{nth}") } else { String::new() };
    format!("window:{}:{read_step}{nth}", client.name())
}

/// A part of a step's row in the diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowPart {
    /// The whole row: what appears at once if nothing travels along it.
    All,
    /// At the diagram's left edge, at the client's lane, at the instance's lane, at the right edge;
    /// all at the height of the request.
    In,
    Client,
    Server,
    Out,
    /// The same at the height of the reply.
    InBack,
    ClientBack,
    ServerBack,
    OutBack,
    /// Half-way back, where a lost reply fades.
    Half,
    /// The drawn lines with their words, and the dot at the request's end.
    Request,
    Reply,
    Dot,
    /// "waits …" in the reply's place.
    Stub,
    /// The replies to clients that were waiting, which this step ends.
    Served,
    /// The red mark of a step that breaks something.
    Blame,
}

impl RowPart {
    const NAMES: [(RowPart, &'static str); 16] = [
        (RowPart::All, "all"),
        (RowPart::In, "in"),
        (RowPart::Client, "client"),
        (RowPart::Server, "server"),
        (RowPart::Out, "out"),
        (RowPart::InBack, "in:back"),
        (RowPart::ClientBack, "client:back"),
        (RowPart::ServerBack, "server:back"),
        (RowPart::OutBack, "out:back"),
        (RowPart::Half, "half"),
        (RowPart::Request, "request"),
        (RowPart::Reply, "reply"),
        (RowPart::Dot, "dot"),
        (RowPart::Stub, "stub"),
        (RowPart::Served, "served"),
        (RowPart::Blame, "blame"),
    ];

    pub fn name(self) -> &'static str {
        RowPart::NAMES.iter().find(|(part, _)| *part == self).map_or("", |(_, name)| name)
    }

    /// Parses `row:7:dot` into the step and the part.
    pub fn parse(place: &str) -> Option<(usize, RowPart)> {
        let (step, name) = place.strip_prefix("row:")?.split_once(':')?;
        let (part, _) = RowPart::NAMES.iter().find(|(_, known)| *known == name)?;
        Some((step.parse().ok()?, *part))
    }
}

/// Constructors of places that exist once for every client.
macro_rules! of_client {
    ($($(#[$doc:meta])* $name:ident = $word:literal),* $(,)?) => {
        $($(#[$doc])* pub fn $name(id: ClientId) -> Place {
            Place(format!(concat!($word, ":{}"), id.name()))
        })*
    };
}

macro_rules! of_node {
    ($($(#[$doc:meta])* $name:ident = $word:literal),* $(,)?) => {
        $($(#[$doc])* pub fn $name(id: NodeId) -> Place {
            Place(format!(concat!($word, ":{}"), id.0))
        })*
    };
}

/// Constructors of places that exist once for every key of an instance; keys of other databases
/// than 0 are named `[1] stock`, as in the panel.
macro_rules! of_key {
    ($($(#[$doc:meta])* $name:ident = $word:literal),* $(,)?) => {
        $($(#[$doc])* pub fn $name(id: NodeId, key: &str) -> Place {
            Place(format!(concat!($word, ":{}:{}"), id.0, escaped(key)))
        })*
    };
}

impl Place {
    of_client! {
        /// The badge at the line of the client's next command.
        marker = "marker",
        /// The client's card: its letter, its state.
        client = "client",
        /// How far the client's clock is ahead, on its card.
        client_clock = "ahead",
        /// Its lane in the diagram, the part of it that is past, its end.
        lane = "lane",
        lane_past = "past",
        lane_end = "end",
        /// The label of its step button.
        next = "next",
        /// Its connection, where transactions are shown.
        conn = "conn",
        /// Its votes, where a quorum is counted.
        tally = "tally",
    }

    of_node! {
        /// An instance's panel, and its lane in the diagram.
        instance = "inst",
        server_lane = "server",
        /// The one place where a command runs.
        slot = "slot",
        /// The inbox of commands that wait, as a whole.
        inbox = "inbox",
        crown = "crown",
        role = "role",
        /// The link from its master, and its two ends.
        link = "link",
    }

    of_key! {
        key = "key",
        value = "value",
        ttl = "ttl",
        /// The badge of the client that wrote it.
        by = "by",
    }

    /// The value that a step wrote, in the key's history.
    pub fn written(id: NodeId, key: &str, step: usize) -> Place {
        Place(format!("written:{}:{}:{step}", id.0, escaped(key)))
    }

    /// The line of a client's program, from 1; 0 is its end.
    pub fn line(id: ClientId, line: u32) -> Place {
        Place(format!("line:{}:{line}", id.name()))
    }

    /// The right end of that line, in the gutter.
    pub fn line_end(id: ClientId, line: u32) -> Place {
        Place(format!("line:{}:{line}:end", id.name()))
    }

    /// The value of a client's variable, beside the line that set it.
    pub fn chip(id: ClientId, variable: &str) -> Place {
        Place(format!("chip:{}:{}", id.name(), escaped(variable)))
    }

    pub fn row(step: usize, part: RowPart) -> Place {
        Place(format!("row:{step}:{}", part.name()))
    }

    /// A span in the diagram: its `kind`, whose it is, and the step at which it began.
    pub fn band(kind: &str, whose: &str, from: usize) -> Place {
        Place(format!("band:{kind}:{}:{from}", escaped(whose)))
    }

    /// A race window, and the part of it that is red.
    pub fn window(window: &Window) -> Place {
        Place(format!("band:{}", window_name(window)))
    }

    pub fn window_red(window: &Window) -> Place {
        Place(format!("red:{}", window_name(window)))
    }

    /// The part of a band that is red, and a mark on it, from 0.
    pub fn band_red(kind: &str, whose: &str, from: usize) -> Place {
        Place(format!("red:{kind}:{}:{from}", escaped(whose)))
    }

    pub fn band_notch(kind: &str, whose: &str, from: usize, number: usize) -> Place {
        Place(format!("notch:{kind}:{}:{from}:{number}", escaped(whose)))
    }

    /// The command of a client in an instance's inbox.
    pub fn arrived(node: NodeId, id: ClientId) -> Place {
        Place(format!("inbox:{}:{}", node.0, id.name()))
    }

    /// The command of a client that an instance holds back (a blocking command, WAIT).
    pub fn held(node: NodeId, id: ClientId) -> Place {
        Place(format!("shelf:{}:{}", node.0, id.name()))
    }

    /// A reply that has not left, or was not taken.
    pub fn replied(node: NodeId, id: ClientId) -> Place {
        Place(format!("out:{}:{}", node.0, id.name()))
    }

    /// A command that a transaction has queued, from 0.
    pub fn queued(id: ClientId, number: usize) -> Place {
        Place(format!("queue:{}:{number}", id.name()))
    }

    /// The thread from a client's connection to a key that it watches.
    pub fn thread(id: ClientId, node: NodeId, key: &str) -> Place {
        Place(format!("thread:{}:{}:{}", id.name(), node.0, escaped(key)))
    }

    /// An entry of a replica's backlog, from 0.
    pub fn entry(replica: NodeId, number: usize) -> Place {
        Place(format!("link:{}:{number}", replica.0))
    }

    /// The gate of a resource, which checks fencing tokens.
    pub fn gate(resource: &str) -> Place {
        Place(format!("gate:{}", escaped(resource)))
    }

    pub fn table(name: &str) -> Place {
        Place(format!("table:{}", escaped(name)))
    }

    /// The variables of a process.
    pub fn variables(process: &str) -> Place {
        Place(format!("variables:{}", escaped(process)))
    }

    pub fn mutex(name: &str) -> Place {
        Place(format!("mutex:{}", escaped(name)))
    }

    /// The chip of a property, in the lesson's order.
    pub fn claim(number: usize) -> Place {
        Place(format!("claim:{number}"))
    }

    /// A token, which exists only while the film plays. `name`: `command`, `reply`, `woken:B` …
    pub fn token(name: &str) -> Place {
        Place(format!("token:{}", escaped(name)))
    }

    /// The folder of a script in the slot. Below: its commands, from 0, and the bar of a slow one.
    pub fn folder() -> Place {
        Place("folder".to_owned())
    }

    pub fn folder_line(number: usize) -> Place {
        Place(format!("folder:{number}"))
    }

    pub fn folder_bar() -> Place {
        Place("folder:bar".to_owned())
    }

    /// The time, above the diagram.
    pub fn clock() -> Place {
        Place("clock".to_owned())
    }

    /// The chart of a key's time to live.
    pub fn trace() -> Place {
        Place("trace".to_owned())
    }

    /// The sentence that describes the step.
    pub fn say() -> Place {
        Place("say".to_owned())
    }

    /// The line between the two steps that collide.
    pub fn join() -> Place {
        Place("join".to_owned())
    }

    pub fn name(&self) -> &str {
        &self.0
    }

    /// Returns true if this is a key, by the name of its place, or that key's value.
    pub fn is_of_key(&self, key: &str) -> bool {
        let both = self.0.split_once(':').zip(key.split_once(':'));
        both.is_some_and(|((kind, one), (_, other))| {
            matches!(kind, "key" | "value") && one == other
        })
    }

    /// Returns the word before the first colon.
    pub fn kind(&self) -> &str {
        self.0.split(':').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_stand_in_an_attribute() {
        let key = Place::key(NodeId(0), "a \"b\"\n键");
        assert_eq!(key.name(), "key:0:a%20%22b%22%0a%e9%94%ae");
        assert_eq!(Place::key(NodeId(1), "lock:2").name(), "key:1:lock:2");
        assert_eq!(Place::line_end(ClientId(0), 3).name(), "line:A:3:end");
        let back = Place::row(7, RowPart::ClientBack);
        assert_eq!(back.name(), "row:7:client:back");
        assert_eq!(RowPart::parse(back.name()), Some((7, RowPart::ClientBack)));
        assert_eq!(RowPart::parse("row:7:elsewhere"), None);
        assert_eq!(Place::chip(ClientId(1), "n").kind(), "chip");
    }
}
