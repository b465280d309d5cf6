//! Replication between throw-away servers of one visitor, one write at a time.
//!
//! Servers listen on Unix sockets only, and a replica connects to its master over TCP. So each link
//! has a relay in the proxy: a port of the loopback interface that passes bytes between one replica
//! and its master's socket. Bytes to the master pass; bytes to the replica are held
//! ([`super::held`]) until the visitor orders their delivery. Another process that finds the port
//! meets the master's password, and only while no replica is connected.
//!
//! A link lives as long as its [`Link`]: dropping it closes the port and both connections, and held
//! writes are lost, as in the failure of a master.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex as AsyncMutex, Notify};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tracing::{info, warn};

use super::held::Held;
use super::hub::{Hub, Node, Visitor};
use super::metrics::{Gauge, Metrics};
use super::spawn::State;
use super::upstream::{Answer, PATIENCE, Upstream};
use super::url::Endpoint;

/// The ms between two looks at a server's offset.
const LOOKS_MS: [u64; 6] = [1, 2, 5, 10, 20, 50];
/// Settings for replication; a server that does not know one does not need it.
const LINK: [(&str, &str); 5] = [
    // Learners think for long: silence breaks nothing.
    ("repl-timeout", "86400"),
    ("repl-ping-replica-period", "3600"),
    // The copy comes in one piece, whose length is said, before the stream and with it.
    ("repl-diskless-sync", "no"),
    ("repl-rdb-channel", "no"),
    ("dual-channel-replication-enabled", "no"),
];

/// The link of a replica to its master.
#[derive(Debug)]
pub struct Link {
    master: usize,
    port: u16,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
    _counted: Gauge<Arc<Metrics>>,
}

#[derive(Debug, Default)]
struct Shared {
    held: Mutex<Held>,
    /// Signals that bytes may pass.
    released: Notify,
}

impl Shared {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Link {
    async fn open(
        master: usize,
        endpoint: Endpoint,
        metrics: &Arc<Metrics>,
    ) -> Result<Self, String> {
        let failed = |error| format!("no port for the replica: {error}");
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let shared = Arc::new(Shared::default());
        let task = tokio::spawn(serve(listener, endpoint, shared.clone()));
        let _counted = Gauge::new(metrics.clone(), |metrics| &metrics.links);
        Ok(Self { master, port, shared, task, _counted })
    }

    /// Releases everything up to this offset.
    fn release(&self, until: u64) {
        self.shared.held().release(until);
        self.shared.released.notify_one();
    }
}

/// Serves one replica at a time; refuses another one meanwhile.
async fn serve(listener: TcpListener, endpoint: Endpoint, shared: Arc<Shared>) {
    loop {
        let Ok((replica, _)) = listener.accept().await else {
            // Out of files, for instance: the replica comes again.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        *shared.held() = Held::default();
        let serving = pass(replica, &endpoint, &shared);
        let others = async {
            loop {
                if listener.accept().await.is_err() {
                    sleep(Duration::from_millis(100)).await;
                }
            }
        };
        tokio::select! {
            outcome = serving => {
                if let Err(why) = outcome {
                    info!(%why, "link-ended");
                }
            }
            () = others => {}
        }
        *shared.held() = Held::default();
    }
}

/// Passes bytes on until one side ends.
async fn pass(mut replica: TcpStream, endpoint: &Endpoint, shared: &Shared) -> Result<(), String> {
    let Endpoint::Unix(path) = endpoint else { return Err("the master has no socket".into()) };
    let broken = |error: std::io::Error| error.to_string();
    replica.set_nodelay(true).map_err(broken)?;
    // It is down: the replica asks again, once a second.
    let Ok(mut master) = dial(path).await else { return Ok(()) };
    let (mut up, mut down) = (vec![0; 16 * 1024], vec![0; 16 * 1024]);
    loop {
        tokio::select! {
            n = replica.read(&mut up) => match n.map_err(broken)? {
                0 => return Err("the replica has gone".into()),
                n => {
                    shared.held().replica(&up[..n]);
                    master.write_all(&up[..n]).await.map_err(broken)?;
                }
            },
            n = master.read(&mut down) => match n.map_err(broken)? {
                0 => return Err("the master has gone".into()),
                n => {
                    shared.held().master(&down[..n])?;
                    forward(&mut replica, shared).await.map_err(broken)?;
                }
            },
            () = shared.released.notified() => {
                forward(&mut replica, shared).await.map_err(broken)?;
            }
        }
    }
}

async fn forward(replica: &mut TcpStream, shared: &Shared) -> std::io::Result<()> {
    let bytes = {
        let mut held = shared.held();
        let before = held.pushed_out();
        let bytes = held.take();
        if before == 0 && held.pushed_out() > 0 {
            warn!(writes = held.writes(), "held-too-much");
        }
        bytes
    };
    replica.write_all(&bytes).await
}

#[cfg(unix)]
async fn dial(path: &str) -> std::io::Result<impl AsyncRead + AsyncWrite + Unpin + use<>> {
    tokio::net::UnixStream::connect(path).await
}

#[cfg(not(unix))]
async fn dial(_path: &str) -> std::io::Result<tokio::io::DuplexStream> {
    Err(std::io::Error::other("this system has no Unix sockets"))
}

/// The writes to deliver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Next,
    /// Those up to this offset of the master.
    Until(u64),
    /// All writes that the master has made.
    All,
}

impl Hub {
    /// Makes the visitor's server `node` a replica of their server `master`, with a copy of
    /// everything. If the master is down, the copy is made when it returns.
    pub async fn follow(
        &self,
        visitor: &Visitor,
        node: usize,
        master: usize,
    ) -> Result<(), String> {
        self.only_own(node)?;
        self.only_own(master)?;
        if node == master {
            return Err("a server does not follow itself".into());
        }
        let mut slot = self.link(visitor, node).lock().await;
        // The writes that the old link held are lost.
        *slot = None;
        let (url, state) = self.place_of(visitor, master).await?;
        let mut replica = self.admin(visitor, node).await?;
        let link = slot.insert(Link::open(master, url.endpoint.clone(), &self.metrics).await?);
        let password = url.password.clone().unwrap_or_default();
        // By this port its master tells it from other replicas.
        let name = (node + 1).to_string();
        for (setting, value) in
            [("masterauth", password.as_str()), ("replica-announce-port", &name)]
                .into_iter()
                .chain(LINK)
        {
            let _ = replica.say(&["CONFIG", "SET", setting, value]).await?;
        }
        let port = link.port.to_string();
        let mut leads = match state {
            State::Up => Some(Upstream::logged_in(&url, self.tls()).await?),
            State::Paused | State::Down => None,
        };
        if let Some(leads) = &mut leads {
            for (setting, value) in LINK {
                let _ = leads.say(&["CONFIG", "SET", setting, value]).await?;
            }
        }
        let asked = replica.say(&["REPLICAOF", "127.0.0.1", &port]).await?;
        asked.ok("the server does not follow")?;
        info!(visitor = %visitor.name, node, of = master, "follows");
        let Some(mut leads) = leads else { return Ok(()) };
        let began = Instant::now();
        for wait in looks() {
            let said = info(&mut replica).await?;
            let up = said.of("master_link_status") == Some("up") && link.shared.held().streams();
            if up {
                // Where no copy was needed, what was missing comes as a stream.
                let of_master = info(&mut leads).await?;
                let offset = of_master.number("master_repl_offset").unwrap_or(0);
                link.release(offset);
                let has = info(&mut replica).await?.number("slave_repl_offset");
                if has.is_some_and(|has| has >= offset) && of_master.has_replica(&name) {
                    return Ok(());
                }
            }
            if began.elapsed() > 2 * PATIENCE {
                break;
            }
            sleep(wait).await;
        }
        Err("the replica has not got its copy".into())
    }

    /// Delivers held writes to the visitor's replica `node`, and waits until it has them.
    pub async fn deliver(
        &self,
        visitor: &Visitor,
        node: usize,
        which: Which,
    ) -> Result<(), String> {
        self.only_own(node)?;
        let slot = self.link(visitor, node).lock().await;
        let link = slot.as_ref().ok_or("this server follows no other")?;
        let master = self.offset(visitor, link.master).await?;
        let until = match which {
            Which::Until(until) if until > master => {
                return Err(format!("the master has come to {master} only"));
            }
            Which::Until(until) => until,
            Which::All => master,
            Which::Next => {
                // Writes of the master may still be on their way to the proxy.
                let here = || {
                    let held = link.shared.held();
                    held.writes() > 0 || held.seen() >= master
                };
                wait_until(here).await;
                let next = link.shared.held().release_next();
                next.ok_or("nothing is held: the replica has every write of its master")?
            }
        };
        link.release(until);
        let came = || link.shared.held().passed() >= until;
        wait_until(came).await;
        let mut replica = self.admin(visitor, node).await?;
        let began = Instant::now();
        for wait in looks() {
            let said = info(&mut replica).await?;
            if said.of("role") != Some("slave") {
                return Err("this server follows no other".into());
            }
            if said.number("slave_repl_offset").is_some_and(|has| has >= until) {
                return Ok(());
            }
            if began.elapsed() > PATIENCE {
                break;
            }
            sleep(wait).await;
        }
        Err("the write does not arrive: there is no connection to the master".into())
    }

    /// Ends the replication of the visitor's server `node`; the writes that were held are lost.
    pub async fn promote(&self, visitor: &Visitor, node: usize) -> Result<(), String> {
        self.only_own(node)?;
        *self.link(visitor, node).lock().await = None;
        let mut server = self.admin(visitor, node).await?;
        server.say(&["REPLICAOF", "NO", "ONE"]).await?.ok("the server is not promoted")
    }

    /// Ends the replication of all that follow the visitor's server `master`. Each of them connects
    /// again once a second, and after a restart of the master it copies everything.
    pub(super) async fn dismiss(&self, visitor: &Visitor, master: usize) {
        for node in 0..self.nodes.len() {
            let link = self.link(visitor, node).lock().await;
            let follows = link.as_ref().is_some_and(|link| link.master == master);
            drop(link);
            // A server that is down forgets whom it followed.
            if follows && let Err(why) = self.promote(visitor, node).await {
                info!(visitor = %visitor.name, node, %why, "not-promoted");
            }
        }
    }

    /// Expires a key of the visitor's server as its clock would, on a replica too.
    pub async fn expire(&self, visitor: &Visitor, node: usize, key: &str) -> Result<(), String> {
        self.only_own(node)?;
        let mut server = self.admin(visitor, node).await?;
        let argv = |words: &[&str]| words.iter().map(|word| word.as_bytes().to_vec()).collect();
        let commands = [
            argv(&["CONFIG", "SET", "replica-read-only", "no"]),
            argv(&["PEXPIRE", key, "1"]),
            argv(&["CONFIG", "SET", "replica-read-only", "yes"]),
        ];
        let answers = server.ask(&commands).await?;
        answers.iter().try_for_each(|answer| answer.ok("the key does not run out"))
    }

    fn only_own(&self, node: usize) -> Result<(), String> {
        match self.nodes.get(node) {
            Some(Node::Spawned) => Ok(()),
            Some(Node::Shared { .. }) => {
                Err("this server is not a throw-away one: others may use it".into())
            }
            None => Err(format!("there is no node {node}")),
        }
    }

    fn link<'v>(&self, visitor: &'v Visitor, node: usize) -> &'v AsyncMutex<Option<Link>> {
        &visitor.links[node]
    }

    /// Returns the replication offset of a server's own writes.
    async fn offset(&self, visitor: &Visitor, node: usize) -> Result<u64, String> {
        let mut server = self.admin(visitor, node).await?;
        let offset = info(&mut server).await?.number("master_repl_offset");
        offset.ok_or_else(|| "the server does not say how far it has come".into())
    }
}

/// Returns the times to wait between looks, without end.
fn looks() -> impl Iterator<Item = Duration> {
    let last = LOOKS_MS.last().copied();
    LOOKS_MS.into_iter().chain(std::iter::repeat(last.unwrap_or(50))).map(Duration::from_millis)
}

/// Waits until the condition is true, for a limited time.
async fn wait_until(is: impl Fn() -> bool) {
    let looking = async {
        for wait in looks() {
            if is() {
                return;
            }
            sleep(wait).await;
        }
    };
    let _ = timeout(PATIENCE, looking).await;
}

/// The replication section of INFO.
struct Info(String);

async fn info(upstream: &mut Upstream) -> Result<Info, String> {
    let answer: Answer = upstream.say(&["INFO", "replication"]).await?;
    answer.ok("the server says nothing of replication")?;
    Ok(Info(answer.text()))
}

impl Info {
    fn of(&self, name: &str) -> Option<&str> {
        let mut lines = self.0.lines().filter_map(|line| line.trim_end().split_once(':'));
        lines.find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.of(name)?.parse().ok()
    }

    /// Returns true if the replica with this port is connected and has reported its offset.
    fn has_replica(&self, port: &str) -> bool {
        let port = format!("port={port}");
        self.0.lines().filter(|line| line.starts_with("slave")).any(|line| {
            let mut parts = line.trim_end().split([',', ':']);
            parts.clone().any(|part| part == port) && parts.any(|part| part == "state=online")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_is_read() {
        let info = Info(
            "# Replication\r\nrole:master\r\nconnected_slaves:2\r\n\
             slave0:ip=/x,port=2,state=wait_bgsave,offset=0,lag=0\r\n\
             slave1:ip=/x,port=3,state=online,offset=14,lag=0\r\nmaster_repl_offset:14\r\n"
                .into(),
        );
        assert_eq!(info.of("role"), Some("master"));
        assert_eq!(info.number("master_repl_offset"), Some(14));
        assert!(info.has_replica("3") && !info.has_replica("2") && !info.has_replica("1"));
    }
}
