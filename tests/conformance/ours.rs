//! Our engine in process, behind the same bytes that a socket would carry.

use std::collections::{BTreeMap, VecDeque};

use interleave::engine::{Config, ConnId, Instance, Outcome, Version};
use interleave::resp::{Bytes, Decoder, Value, decode_reply};

use super::audit::audited;
use super::{Server, Wait};

/// The clock starts at a plausible time.
const START_MS: u64 = 1_700_000_000_000;

#[derive(Debug)]
struct Link {
    id: ConnId,
    decoder: Decoder,
    replies: VecDeque<Value>,
    /// Requests that wait because an earlier one is blocked.
    queued: VecDeque<Vec<Bytes>>,
    closed: bool,
}

#[derive(Debug)]
pub struct Ours {
    version: Version,
    instance: Instance,
    now_ms: u64,
    links: BTreeMap<String, Link>,
    /// Whether what commands say they touched is held to what they did.
    audit: bool,
}

impl Default for Ours {
    fn default() -> Self {
        Ours::of(Version::default())
    }
}

impl Ours {
    pub fn of(version: Version) -> Ours {
        let instance = Instance::new(Config { version, ..Config::default() });
        Ours { version, instance, now_ms: START_MS, links: BTreeMap::new(), audit: false }
    }

    pub fn audited(version: Version) -> Ours {
        Ours { audit: true, ..Ours::of(version) }
    }

    fn link(&mut self, conn: &str) -> &mut Link {
        let instance = &mut self.instance;
        self.links.entry(conn.to_string()).or_insert_with(|| Link {
            id: instance.connect(),
            decoder: Decoder::default(),
            replies: VecDeque::new(),
            queued: VecDeque::new(),
            closed: false,
        })
    }

    /// A reply goes through its wire form, so that encoding is tested too.
    fn deliver(&mut self, id: ConnId, reply: &Value) {
        let proto = self.instance.conn(id).map(|conn| conn.proto).unwrap_or_default();
        let bytes = reply.to_bytes(proto);
        let (value, used) = decode_reply(&bytes).expect("well-formed").expect("complete");
        assert_eq!(used, bytes.len());
        if let Some(link) = self.links.values_mut().find(|link| link.id == id) {
            link.replies.push_back(value);
        }
    }

    fn deliver_pushes(&mut self) {
        for (id, reply) in self.instance.take_pushes() {
            self.deliver(id, &reply);
        }
    }

    /// Runs queued requests of connections that are free.
    fn work(&mut self) {
        loop {
            let free = |link: &&mut Link| {
                !link.queued.is_empty()
                    && !link.closed
                    && self.instance.conn(link.id).is_some_and(|conn| conn.blocked.is_none())
            };
            let Some(link) = self.links.values_mut().find(free) else { break };
            let Some(argv) = link.queued.pop_front() else { break };
            let id = link.id;
            let outcome = match self.audit {
                true => audited(&mut self.instance, id, &argv, self.now_ms),
                false => self.instance.execute(id, &argv, self.now_ms),
            };
            match outcome {
                Outcome::Reply(reply) => {
                    self.deliver(id, &reply);
                    self.deliver_pushes();
                }
                Outcome::Blocked | Outcome::None => self.deliver_pushes(),
            }
            let closed: Vec<ConnId> = self.links.values().map(|link| link.id).collect();
            for id in closed {
                if self.instance.conn(id).is_some_and(|conn| conn.is_closed) {
                    self.instance.disconnect(id);
                    self.links.values_mut().filter(|l| l.id == id).for_each(|l| l.closed = true);
                }
            }
        }
    }
}

impl Server for Ours {
    fn send(&mut self, conn: &str, bytes: &[u8]) {
        let link = self.link(conn);
        link.decoder.feed(bytes);
        loop {
            match link.decoder.next_request() {
                Ok(Some(argv)) => link.queued.push_back(argv),
                Ok(None) => break,
                Err(error) => {
                    link.replies.push_back(Value::error(error.to_string()));
                    link.closed = true;
                    break;
                }
            }
        }
        self.work();
    }

    fn receive(&mut self, conn: &str, wait: Wait) -> Option<Value> {
        let id = self.link(conn).id;
        if self.link(conn).replies.is_empty() && wait == Wait::ForReply {
            // What a real server answers in time, ours answers when the time has come.
            let until = self.instance.conn(id).and_then(|c| c.blocked)?.timeout_at_ms?;
            self.sleep(until.saturating_sub(self.now_ms));
        }
        self.link(conn).replies.pop_front()
    }

    fn is_closed(&mut self, conn: &str) -> bool {
        self.link(conn).closed
    }

    fn close(&mut self, conn: &str) {
        if let Some(link) = self.links.remove(conn) {
            self.instance.disconnect(link.id);
            self.deliver_pushes();
        }
    }

    fn sleep(&mut self, ms: u64) {
        self.now_ms += ms;
        self.instance.advance(self.now_ms);
        self.deliver_pushes();
        self.work();
    }

    fn reset(&mut self) {
        *self = Ours { audit: self.audit, ..Ours::of(self.version) };
    }
}
