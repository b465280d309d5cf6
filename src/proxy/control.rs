//! Text messages of a WebSocket: orders of the page to the proxy, and events for the page. They are
//! JSON, as listed at the head of the module `proxy`.

use serde::Deserialize;
use serde_json::json;

use super::hub::Fault;
use super::limits::DELAY_MS_MAX;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    /// Kills the server's process at once; `keep` lets it return with its keys.
    Down {
        #[serde(default)]
        keep: bool,
    },
    Up,
    Pause,
    Resume,
    /// Makes the server a replica of another.
    Follow {
        node: usize,
    },
    /// Delivers held writes to this replica: the next one, those up to an offset, or all.
    Deliver {
        #[serde(default)]
        to: Option<u64>,
        #[serde(default)]
        all: bool,
    },
    /// Ends the server's replication.
    Promote,
    /// Expires a key of this server, also on a replica.
    Expire {
        key: String,
    },
    /// Executes the next command and drops its reply.
    LoseReply,
    /// Cuts this connection to Redis, as when a client crashes.
    Crash,
    /// Delays every reply of this connection by this number of ms.
    Delay {
        ms: u64,
    },
    /// Lists the keys.
    Keys,
    /// Removes all keys of the visitor.
    Clean,
}

impl Order {
    pub fn read(text: &str) -> Result<Self, String> {
        let order: Order =
            serde_json::from_str(text).map_err(|error| format!("this is no order: {error}"))?;
        match order {
            Order::Delay { ms } if ms > DELAY_MS_MAX => {
                Err(format!("a delay is at most {DELAY_MS_MAX} ms"))
            }
            order => Ok(order),
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Order::Down { .. } => "down",
            Order::Up => "up",
            Order::Pause => "pause",
            Order::Resume => "resume",
            Order::Follow { .. } => "follow",
            Order::Deliver { .. } => "deliver",
            Order::Promote => "promote",
            Order::Expire { .. } => "expire",
            Order::LoseReply => "lose-reply",
            Order::Crash => "crash",
            Order::Delay { .. } => "delay",
            Order::Keys => "keys",
            Order::Clean => "clean",
        }
    }

    /// Returns the fault that the order makes on the server; `None` for other orders.
    pub fn fault(&self) -> Option<Fault> {
        match self {
            Order::Down { keep } => Some(Fault::Down { keep: *keep }),
            Order::Up => Some(Fault::Up),
            Order::Pause => Some(Fault::Pause),
            Order::Resume => Some(Fault::Resume),
            _ => None,
        }
    }
}

pub fn done(order: &Order) -> String {
    json!({ "event": "done", "do": order.name() }).to_string()
}

pub fn failed(order: Option<&Order>, why: &str) -> String {
    json!({ "event": "error", "do": order.map(Order::name), "why": why }).to_string()
}

pub fn keys(keys: &[String], more: bool) -> String {
    json!({ "event": "keys", "keys": keys, "more": more }).to_string()
}

pub fn reply_lost() -> String {
    json!({ "event": "reply-lost" }).to_string()
}

pub fn lost(why: &str) -> String {
    json!({ "event": "lost", "why": why }).to_string()
}

/// Returns the event for a connection to Redis; `first` is true for the WebSocket's first one.
pub fn connected(
    first: bool,
    (node, nodes): (usize, usize),
    server: &str,
    (own, scripts): (bool, bool),
) -> String {
    let event = if first { "ready" } else { "back" };
    json!({
        "event": event, "node": node, "nodes": nodes, "server": server, "own": own,
        "scripts": scripts,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_and_mistakes_are_named() {
        for (text, order) in [
            (r#"{"do":"down"}"#, Order::Down { keep: false }),
            (r#"{"do":"down","keep":true}"#, Order::Down { keep: true }),
            (r#"{"do":"lose-reply"}"#, Order::LoseReply),
            (r#"{"do":"follow","node":1}"#, Order::Follow { node: 1 }),
            (r#"{"do":"deliver"}"#, Order::Deliver { to: None, all: false }),
            (r#"{"do":"deliver","to":7}"#, Order::Deliver { to: Some(7), all: false }),
            (r#"{"do":"delay","ms":50}"#, Order::Delay { ms: 50 }),
        ] {
            assert_eq!(Order::read(text), Ok(order.clone()), "{text}");
            assert!(text.contains(order.name()));
        }
        for (text, what) in [
            ("", "no order"),
            ("[]", "no order"),
            (r#"{"do":"explode"}"#, "unknown variant `explode`"),
            (r#"{"do":"delay","ms":10001}"#, "at most 10000 ms"),
            (r#"{"do":"follow"}"#, "missing field `node`"),
            (r#"{"do":"delay","ms":-1}"#, "no order"),
        ] {
            let error = Order::read(text).unwrap_err();
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
