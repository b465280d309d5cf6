//! Visitors and their servers: who is connected, the limits of each, the connections to a Redis,
//! and the removal of everything when a visitor has gone.

mod growth;
mod house;
mod own;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;
use tracing::{info, warn};

use super::budget::Budget;
use super::gate::{Gate, Refusal};
use super::limits::Limits;
use super::metrics::{Gauge, Metrics};
use super::policy::{Ground, Keys, Policy};
use super::replica;
use super::scripts::Scripts;
use super::spawn::{Server, State, secret};
use super::upstream::{Tls, Upstream};
use super::url::Url;
use own::Own;
pub use own::{Queued, Write};

/// The start of the proxy's keys, channels and users on a shared server.
const MARK: &str = "interleave";
/// The time after which a proxy without a sign of life counts as ended.
const ALIVE_MS: u64 = 180_000;
/// The time of a command that costs no more than any other.
const CHEAP: Duration = Duration::from_millis(5);
/// A visitor may use one part in so many of a shared server's time.
const SHARES: f64 = 4.0;
/// The time for an answer to SCRIPT KILL.
const KILL: Duration = Duration::from_secs(1);
/// The most rules that are left out, one by one, because a server does not know them.
const UNKNOWN_RULES_MAX: usize = 64;
/// The most keys that are listed; and below, the rounds of SCAN to find them.
const LISTED_MAX: usize = 1000;
const SCAN_ROUNDS_MAX: usize = 200;

/// A Redis by its number.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a proxy has a handful of them")]
pub enum Node {
    /// An existing server, which others may use.
    Shared {
        url: Url,
        no_users: AtomicBool,
        /// Who holds it has a command under way that may be slow: with two of them, nobody could
        /// tell which one took the time.
        lane: Arc<Semaphore>,
        /// A connection with the operator's rights, for what the proxy notes there.
        desk: AsyncMutex<Option<Upstream>>,
        /// True if it was asked how much memory it may use, and may be used.
        bounded: AtomicBool,
    },
    /// A server of each visitor's own.
    Spawned,
}

#[derive(Debug)]
pub struct Hub {
    pub limits: Limits,
    pub policy: Policy,
    pub scripts: Scripts,
    pub gate: Gate,
    pub metrics: Arc<Metrics>,
    pub budget: Arc<Budget>,
    pub nodes: Vec<Node>,
    pub closing: watch::Sender<bool>,
    tls: Tls,
    program: Option<PathBuf>,
    /// A random id that tells this proxy's keys from another's on the same server.
    run: String,
    /// What was wrong when it was asked last.
    pub(super) health: AsyncMutex<(Option<Instant>, Vec<String>)>,
    visitors: Mutex<HashMap<String, Arc<Visitor>>>,
    /// Visitors who have made room for others, and whose keys and servers are to be removed.
    leaving: Mutex<Vec<Arc<Visitor>>>,
}

#[derive(Debug)]
pub struct Visitor {
    /// A name for logs; the id from the page is as good as a password.
    pub name: String,
    pub prefix: String,
    /// `RUN:VISITOR`, as in the prefix.
    entry: String,
    user: String,
    password: String,
    presence: Mutex<Presence>,
    servers: Vec<AsyncMutex<Option<Server>>>,
    /// Who holds it may have a command under way on a shared server.
    pub turns: Vec<Arc<Semaphore>>,
    /// Who holds it goes through the visitor's keys.
    chores: Vec<AsyncMutex<()>>,
    own: Vec<Mutex<Own>>,
    /// The links that the visitor's servers follow, by replica.
    pub(super) links: Vec<AsyncMutex<Option<replica::Link>>>,
    _counted: Gauge<Arc<Metrics>>,
}

#[derive(Debug)]
struct Presence {
    connections: usize,
    left: Instant,
    /// The number of commands that may be sent at once, and the time at which it was computed.
    tokens: f64,
    counted: Instant,
}

/// A visitor's permission for one connection; returned when dropped.
#[derive(Debug)]
pub struct Ticket {
    pub visitor: Arc<Visitor>,
    _counted: Gauge<Arc<Metrics>>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut presence = lock(&self.visitor.presence);
        presence.connections -= 1;
        presence.left = Instant::now();
    }
}

/// The permission to have a command under way on a shared server.
#[derive(Debug)]
pub struct Turn {
    _own: OwnedSemaphorePermit,
    /// Only for a command that may be slow.
    pub lane: Option<OwnedSemaphorePermit>,
}

/// What became of noting what a command writes.
pub type Noted = Result<Option<Queued>, String>;

/// A connection that is logged in, and its confinement.
#[derive(Debug)]
pub struct Link {
    pub upstream: Upstream,
    pub ground: Ground,
    /// The server's name for itself: `redis 7.0.15`.
    pub server: String,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing here leaves a value half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    pub fn new(
        limits: Limits,
        (policy, scripts): (Policy, Scripts),
        gate: Gate,
        urls: Vec<Url>,
        spawned: (usize, Option<PathBuf>),
        tls: Tls,
    ) -> Arc<Self> {
        let shared = |url| Node::Shared {
            url,
            no_users: AtomicBool::new(false),
            lane: Arc::new(Semaphore::new(1)),
            desk: AsyncMutex::default(),
            bounded: AtomicBool::new(limits.any_memory),
        };
        let mut nodes: Vec<Node> = urls.into_iter().map(shared).collect();
        nodes.extend((0..spawned.0).map(|_| Node::Spawned));
        let metrics = Arc::<Metrics>::default();
        Arc::new(Self {
            budget: Budget::new(limits.memory, metrics.clone()),
            limits,
            policy,
            scripts,
            gate,
            metrics,
            nodes,
            closing: watch::Sender::new(false),
            tls,
            program: spawned.1,
            run: secret()[..16].to_owned(),
            health: AsyncMutex::default(),
            visitors: Mutex::default(),
            leaving: Mutex::default(),
        })
    }

    /// Admits a further connection of a visitor.
    pub fn enter(&self, id: &str) -> Result<Ticket, Refusal> {
        let refuse = |status, why: String| Err(Refusal { status, why });
        let fits = |b: u8| b.is_ascii_alphanumeric() || b"-_".contains(&b);
        if !(16..=64).contains(&id.len()) || !id.bytes().all(fits) {
            let why = "visitor=… is an id of 16 to 64 letters, digits, - and _ that the page makes \
                       up at random";
            return refuse(StatusCode::BAD_REQUEST, why.into());
        }
        let mut visitors = lock(&self.visitors);
        if !visitors.contains_key(id) && visitors.len() >= self.limits.visitors {
            // Who has gone makes room: the one who has been away for longest.
            let Some(away) = longest_away(&visitors) else {
                let why = format!("{} visitors are here already: try again later", visitors.len());
                return refuse(StatusCode::SERVICE_UNAVAILABLE, why);
            };
            lock(&self.leaving).extend(visitors.remove(&away));
        }
        let visitor = visitors.entry(id.to_owned()).or_insert_with(|| self.visitor()).clone();
        let mut presence = lock(&visitor.presence);
        let most = self.limits.connections;
        if presence.connections >= most {
            let why = format!("you have {most} connections open: close one first");
            return refuse(StatusCode::TOO_MANY_REQUESTS, why);
        }
        presence.connections += 1;
        drop(presence);
        let counted = Gauge::new(self.metrics.clone(), |metrics| &metrics.websockets);
        Ok(Ticket { visitor, _counted: counted })
    }

    fn visitor(&self) -> Arc<Visitor> {
        let name = secret()[..16].to_owned();
        let now = Instant::now();
        Arc::new(Visitor {
            prefix: format!("{MARK}:{}:{name}:", self.run),
            entry: format!("{}:{name}", self.run),
            user: format!("{MARK}-{}-{name}", self.run),
            password: secret(),
            presence: Mutex::new(Presence {
                connections: 0,
                left: now,
                tokens: f64::from(self.limits.rate),
                counted: now,
            }),
            servers: self.nodes.iter().map(|_| AsyncMutex::new(None)).collect(),
            turns: self.nodes.iter().map(|_| Arc::new(Semaphore::new(1))).collect(),
            chores: self.nodes.iter().map(|_| AsyncMutex::default()).collect(),
            own: self.nodes.iter().map(|_| Mutex::default()).collect(),
            links: self.nodes.iter().map(|_| AsyncMutex::new(None)).collect(),
            _counted: Gauge::new(self.metrics.clone(), |metrics| &metrics.visitors),
            name,
        })
    }

    /// Returns true if the visitor may send a command now.
    pub fn may_send(&self, visitor: &Visitor) -> bool {
        if self.limits.rate == 0 {
            return true;
        }
        let (rate, now) = (f64::from(self.limits.rate), Instant::now());
        let mut presence = lock(&visitor.presence);
        let earned = now.duration_since(presence.counted).as_secs_f64() * rate;
        presence.counted = now;
        presence.tokens = (presence.tokens + earned).min(rate);
        let may = presence.tokens >= 1.0;
        presence.tokens -= if may { 1.0 } else { 0.0 };
        may
    }

    /// Takes the time of a command on a shared server off what the visitor may send.
    pub fn charge(&self, visitor: &Visitor, took: Duration) {
        if self.limits.rate > 0 && took >= CHEAP {
            let cost = took.as_secs_f64() * f64::from(self.limits.rate) * SHARES;
            lock(&visitor.presence).tokens -= cost;
        }
    }

    /// Waits for the visitor's turn on a shared server, to send what writes this. An error refuses
    /// it.
    pub async fn turn(
        &self,
        visitor: &Arc<Visitor>,
        node: usize,
        (slow, write): (bool, Option<Write>),
    ) -> Option<(Turn, Noted)> {
        let own = visitor.turns[node].clone().acquire_owned().await.ok()?;
        let noted = match write {
            Some(write) => self.note(visitor, node, &write).await,
            None => Ok(None),
        };
        let lane = match &self.nodes[node] {
            Node::Shared { lane, .. } if slow => lane.clone().acquire_owned().await.ok(),
            _ => None,
        };
        Some((Turn { _own: own, lane }, noted))
    }

    // ---- Connections to Redis -------------------------------------------------------------------

    /// Opens a connection of `visitor` to a node and logs it in.
    pub async fn connect(&self, visitor: &Visitor, node: usize) -> Result<Link, String> {
        match self.nodes.get(node) {
            Some(Node::Shared { url, no_users, bounded, .. }) => {
                self.check_memory(url, bounded).await?;
                self.join(visitor, url, no_users).await
            }
            Some(Node::Spawned) => {
                let url = self.own_server(visitor, node).await?;
                let rules = self.policy.acl(Ground::Own, None, |_| true);
                let (upstream, server) = self.as_visitor(visitor, &url, rules).await?;
                Ok(Link { upstream, ground: Ground::Own, server })
            }
            None => Err(format!("there is no node {node}")),
        }
    }

    /// Returns the address of the visitor's own server, which is started if there is none yet.
    async fn own_server(&self, visitor: &Visitor, node: usize) -> Result<Url, String> {
        let mut slot = visitor.servers[node].lock().await;
        let server = match &mut *slot {
            Some(server) => server,
            None => {
                let program = self.program.as_deref().ok_or("there is no redis-server")?;
                let ms = self.limits.script_ms;
                let started = Server::start(program, &self.metrics, ms, &self.tls).await?;
                let pid = started.pid;
                info!(visitor = %visitor.name, pid, "started");
                slot.insert(started)
            }
        };
        match server.state {
            State::Down => Err("the server is down (a fault that was asked for)".into()),
            State::Up | State::Paused => Ok(server.url.clone()),
        }
    }

    async fn join(
        &self,
        visitor: &Visitor,
        url: &Url,
        no_users: &AtomicBool,
    ) -> Result<Link, String> {
        let ground = |user| match self.policy.keys {
            Keys::Visitor => Ground::Prefix { user },
            Keys::Plain => Ground::Plain { user },
        };
        if !no_users.load(Relaxed) {
            let ground = ground(true);
            let prefix = matches!(ground, Ground::Prefix { .. }).then_some(&*visitor.prefix);
            let rules = self.policy.acl(ground, prefix, |_| true);
            match self.as_visitor(visitor, url, rules).await {
                Ok((upstream, server)) => return Ok(Link { upstream, ground, server }),
                Err(error) if error.starts_with(NO_USERS) => {
                    no_users.store(true, Relaxed);
                    let words = "no scripts there: commands are confined by rewriting alone";
                    warn!(redis = %url, why = error, so = words, "no-acl");
                }
                Err(error) => return Err(error),
            }
        }
        let mut upstream = Upstream::logged_in(url, &self.tls).await?;
        let server = greeting(&mut upstream).await?;
        Ok(Link { upstream, ground: ground(false), server })
    }

    /// Logs in as the visitor's own user on the server, which is created if it is missing.
    async fn as_visitor(
        &self,
        visitor: &Visitor,
        url: &Url,
        mut rules: Vec<String>,
    ) -> Result<(Upstream, String), String> {
        let mut upstream = Upstream::logged_in(url, &self.tls).await?;
        let login = ["AUTH", &visitor.user, &visitor.password];
        if upstream.say(&login).await?.error().is_some() {
            let known = upstream.say(&["COMMAND", "LIST"]).await?;
            if known.error().is_none() {
                let known: BTreeSet<&[u8]> = known.list().into_iter().collect();
                let there = |rule: &String| match rule.strip_prefix('+') {
                    Some(name) => {
                        let name = name.split('|').next().unwrap_or(name);
                        known.contains(name.as_bytes())
                    }
                    None => true,
                };
                rules.retain(there);
            }
            make_user(&mut upstream, visitor, rules).await?;
            upstream.say(&login).await?.ok("Redis refuses the visitor's login")?;
        }
        let server = greeting(&mut upstream).await?;
        Ok((upstream, server))
    }

    /// Returns the address of the visitor's own server, and its state.
    pub(super) async fn place_of(
        &self,
        visitor: &Visitor,
        node: usize,
    ) -> Result<(Url, State), String> {
        let started = self.own_server(visitor, node).await.map(drop);
        match &*visitor.servers[node].lock().await {
            Some(server) => Ok((server.url.clone(), server.state)),
            None => Err(started.err().unwrap_or_default()),
        }
    }

    pub(super) fn tls(&self) -> &Tls {
        &self.tls
    }

    /// Opens a connection with the operator's rights.
    pub(super) async fn admin(&self, visitor: &Visitor, node: usize) -> Result<Upstream, String> {
        let url = match &self.nodes[node] {
            Node::Shared { url, .. } => url.clone(),
            Node::Spawned => self.own_server(visitor, node).await?,
        };
        Upstream::logged_in(&url, &self.tls).await
    }

    // ---- What is done on request ----------------------------------------------------------------

    /// Puts the visitor's own server into another state.
    pub async fn fault(&self, visitor: &Visitor, node: usize, fault: Fault) -> Result<(), String> {
        if !matches!(self.nodes.get(node), Some(Node::Spawned)) {
            return Err("this server is not a throw-away one: others may use it".into());
        }
        self.own_server(visitor, node).await.map(drop).or_else(|error| match fault {
            Fault::Up => Ok(()),
            _ => Err(error),
        })?;
        let mut slot = visitor.servers[node].lock().await;
        let server = slot.as_mut().ok_or("the server has not been started")?;
        Metrics::one(&self.metrics.faults_total);
        info!(visitor = %visitor.name, what = ?fault, "fault");
        match fault {
            Fault::Down { keep } => {
                server.down(keep, &self.tls).await?;
                drop(slot);
                *visitor.links[node].lock().await = None;
                Ok(())
            }
            Fault::Up => server.up(&self.tls).await,
            Fault::Pause => server.pause().await,
            Fault::Resume => server.resume().await,
        }
    }

    /// Stops the script that keeps a visitor's command waiting. A script that has written cannot be
    /// stopped; a throw-away server is then restarted, empty.
    pub async fn stop_script(&self, visitor: &Visitor, node: usize) -> Result<(), String> {
        let url = match &self.nodes[node] {
            Node::Shared { url, .. } => url.clone(),
            Node::Spawned => self.own_server(visitor, node).await?,
        };
        // While it runs, a server answers to little more than these; in the middle of a function of
        // C, as a pattern's search, to nothing.
        let url = Url { db: 0, ..url };
        let asking = async {
            let mut upstream = Upstream::logged_in(&url, &self.tls).await?;
            let answer = upstream.say(&["SCRIPT", "KILL"]).await?.error().unwrap_or_default();
            let function = upstream.say(&["FUNCTION", "KILL"]).await?.error().unwrap_or_default();
            Ok::<_, String>((answer, function))
        };
        let answers = match timeout(KILL, asking).await {
            Ok(answers) => answers,
            Err(_) => Err("Redis does not answer".into()),
        };
        let why = match answers {
            Ok((answer, function)) => {
                let name = &visitor.name;
                warn!(visitor = %name, answer, "script-stopped");
                if !answer.contains("UNKILLABLE") && !function.contains("UNKILLABLE") {
                    if !answer.contains("NOTBUSY") || !function.contains("NOTBUSY") {
                        Metrics::one(&self.metrics.scripts_stopped_total);
                    }
                    return Ok(());
                }
                "the script has written already and cannot be stopped".to_owned()
            }
            Err(why) => why,
        };
        let mut slot = visitor.servers[node].lock().await;
        match slot.as_mut() {
            // It is paused because it was asked to be.
            Some(server) if server.state == State::Paused => Ok(()),
            Some(server) => {
                Metrics::one(&self.metrics.scripts_stopped_total);
                server.restart(&self.tls).await
            }
            None => Err(why),
        }
    }
}

/// Returns the id of the visitor without connections who left first; `None` if all are here.
fn longest_away(visitors: &HashMap<String, Arc<Visitor>>) -> Option<String> {
    let left = |visitor: &Visitor| {
        let presence = lock(&visitor.presence);
        (presence.connections == 0).then_some(presence.left)
    };
    let away = visitors.iter().filter_map(|(id, visitor)| Some((left(visitor)?, id)));
    away.min().map(|(_, id)| id.clone())
}

/// A fault that a visitor may order on their own server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Down { keep: bool },
    Up,
    Pause,
    Resume,
}

/// The beginning of the error that this server lets us create no users.
const NO_USERS: &str = "no user for the visitor";

/// Creates the visitor's user, without the rules that the server does not know.
async fn make_user(
    upstream: &mut Upstream,
    visitor: &Visitor,
    mut rules: Vec<String>,
) -> Result<(), String> {
    let password = format!(">{}", visitor.password);
    for _ in 0..UNKNOWN_RULES_MAX {
        let mut words = vec!["ACL", "SETUSER", &visitor.user, "reset", "on", &password];
        words.extend(rules.iter().map(String::as_str));
        let Some(error) = upstream.say(&words).await?.error() else { return Ok(()) };
        // `Error in ACL SETUSER modifier '+x|y': Unknown command or category name in ACL`
        let unknown = error.contains("Unknown command").then(|| error.split('\'').nth(1)).flatten();
        match unknown.and_then(|rule| rules.iter().position(|have| have == rule)) {
            // Nothing is lost: what is unknown cannot be called.
            Some(at) if rules[at].starts_with('+') => _ = rules.remove(at),
            _ => return Err(format!("{NO_USERS}: {error}")),
        }
    }
    Err(format!("{NO_USERS}: the server knows too few commands"))
}

/// Returns the server's name for itself.
async fn greeting(upstream: &mut Upstream) -> Result<String, String> {
    let hello = upstream.say(&["HELLO"]).await?;
    hello.ok("Redis does not greet")?;
    let words = hello.list();
    let after = |name: &[u8]| {
        words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1)).copied()
    };
    let name = text(after(b"server").unwrap_or(b"redis"));
    Ok(format!("{name} {}", text(after(b"version").unwrap_or(b"?"))))
}

async fn scan(
    upstream: &mut Upstream,
    cursor: Vec<u8>,
    prefix: &str,
) -> Result<(Vec<u8>, Vec<Vec<u8>>), String> {
    // The prefix holds nothing that a pattern would take for more than itself.
    let pattern = format!("{prefix}*").into_bytes();
    let argv =
        [b"SCAN".to_vec(), cursor, b"MATCH".to_vec(), pattern, b"COUNT".to_vec(), b"1000".to_vec()];
    let answer = upstream.ask(&[argv.into()]).await?.pop().ok_or("Redis does not answer")?;
    answer.ok("the keys cannot be listed")?;
    answer.scan().ok_or_else(|| "the keys cannot be listed".into())
}

/// Returns the command for some members of a set.
fn sscan(set: &str, cursor: Vec<u8>) -> Vec<Vec<u8>> {
    let set = set.as_bytes().to_vec();
    vec![b"SSCAN".to_vec(), set, cursor, b"COUNT".to_vec(), b"500".to_vec()]
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Waits until the value is true, or until its sender is gone.
pub async fn is_true(what: &mut watch::Receiver<bool>) {
    // The value itself is a lock, which is not to be held while anything else is waited for.
    let _ = what.wait_for(|is| *is).await;
}

/// Returns a gauge of the connections to Redis.
pub fn upstream_gauge(metrics: &Arc<Metrics>) -> Gauge<Arc<Metrics>> {
    let which: fn(&Metrics) -> &AtomicU64 = |metrics| &metrics.upstreams;
    Gauge::new(metrics.clone(), which)
}
