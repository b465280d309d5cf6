//! One WebSocket and its connection to Redis: the loop between the two sockets.

use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::time::{interval, sleep, timeout};
use tracing::{info, warn};

use super::budget::{FREE, Meter};
use super::control::{self, Order};
use super::hub::{Hub, Link, Noted, Ticket, Turn, is_true, upstream_gauge};
use super::limits::{OUT_BYTES_MAX, SLOW_READER};
use super::metrics::{Gauge, Metrics};
use super::policy::Ground;
use super::replica::Which;
use super::session::Session;
use super::upstream::{Duplex, PATIENCE};

/// The interval of pings to a silent client; after three intervals it counts as gone.
const PING_EVERY: Duration = Duration::from_secs(30);
const TICK: Duration = Duration::from_millis(250);
const BACK_OFF: [u64; 6] = [50, 100, 250, 500, 1000, 2000];

/// Close codes: RFC 6455's, and from 4000 our own.
const GOING_AWAY: u16 = 1001;
const BROKEN: u16 = 1002;
const MALFORMED: u16 = 1007;
const TOO_LARGE: u16 = 1009;
const CRASHED: u16 = 4000;
const IDLE: u16 = 4001;
const NORMAL: u16 = 1000;
const TORN: u16 = 1011;

type Connecting = Pin<Box<dyn Future<Output = Result<Link, String>> + Send>>;
type Turning = Pin<Box<dyn Future<Output = Option<(Turn, Noted)>> + Send>>;

/// The connection to Redis.
struct Wire {
    read: ReadHalf<Box<dyn Duplex>>,
    write: WriteHalf<Box<dyn Duplex>>,
    _counted: Gauge<Arc<Metrics>>,
}

struct Relay {
    hub: Arc<Hub>,
    node: usize,
    session: Session,
    meter: Arc<Meter>,
    wire: Option<Wire>,
    connecting: Option<Connecting>,
    /// The wait for the visitor's turn on a shared server. It may hold what others wait for, so it
    /// is given up before anything else is waited for.
    turning: Option<Turning>,
    /// The number of attempts since the last success.
    attempts: usize,
    /// True if an attempt has ended, successful or not.
    tried: bool,
    was_ready: bool,
    delay: Duration,
    script_asked: bool,
}

/// Relays until one side ends. The node must exist.
pub async fn run(
    mut socket: WebSocket,
    hub: Arc<Hub>,
    ticket: Ticket,
    node: usize,
    meter: Arc<Meter>,
) {
    Metrics::one(&hub.metrics.websockets_total);
    let visitor = ticket.visitor.clone();
    let mut relay = Relay {
        session: Session::new(hub.clone(), ticket),
        meter,
        hub: hub.clone(),
        node,
        wire: None,
        connecting: None,
        turning: None,
        attempts: 0,
        tried: false,
        was_ready: false,
        delay: Duration::ZERO,
        script_asked: false,
    };
    relay.connect();
    let ended = relay.serve(&mut socket).await;
    // The connection to Redis goes first: nothing of this visitor runs on while we say goodbye.
    relay.wire = None;
    relay.connecting = None;
    if let Some((code, why)) = ended {
        info!(visitor = %visitor.name, code, %why, "closed");
        let frame = CloseFrame { code, reason: why.chars().take(120).collect::<String>().into() };
        let goodbye = async {
            socket.send(Message::Close(Some(frame))).await?;
            // The other side's close: dropping the socket earlier could lose ours.
            while let Some(Ok(_)) = socket.recv().await {}
            Ok::<(), axum::Error>(())
        };
        let _ = timeout(Duration::from_secs(1), goodbye).await;
    }
}

impl Relay {
    /// Begins to connect; the delay grows with the number of failures.
    fn connect(&mut self) {
        let wait = match self.attempts {
            0 => 0,
            n => BACK_OFF[(n - 1).min(BACK_OFF.len() - 1)],
        };
        self.attempts += 1;
        let (hub, node, visitor) =
            (self.hub.clone(), self.node, self.session.ticket.visitor.clone());
        self.connecting = Some(Box::pin(async move {
            sleep(Duration::from_millis(wait)).await;
            hub.connect(&visitor, node).await
        }));
    }

    fn connected(&mut self, link: Link) {
        let (read, write) = tokio::io::split(link.upstream.stream);
        self.wire = Some(Wire { read, write, _counted: upstream_gauge(&self.hub.metrics) });
        self.session.connected(link.ground);
        let scripts =
            !matches!(link.ground, Ground::Prefix { user: false } | Ground::Plain { user: false });
        let nodes = self.hub.nodes.len();
        let own = link.ground == Ground::Own;
        let places = (self.node, nodes);
        let text = control::connected(!self.was_ready, places, &link.server, (own, scripts));
        self.session.tell(text);
        // One that is lost at once is not tried again in the same breath.
        (self.attempts, self.was_ready) = (1, true);
    }

    /// Handles the loss of the connection to Redis: reports it, and opens another.
    fn lost(&mut self, why: &str) {
        Metrics::one(&self.hub.metrics.upstream_lost_total);
        let name = &self.session.ticket.visitor.name;
        warn!(visitor = %name, node = self.node, why, "lost");
        (self.wire, self.turning) = (None, None);
        self.script_asked = false;
        self.session.lost(why);
        self.session.tell(control::lost(why));
        self.connect();
    }

    /// Runs the loop. Returns how to close; `None`: the socket is gone.
    async fn serve(&mut self, socket: &mut WebSocket) -> Option<(u16, String)> {
        let mut closing = self.hub.closing.subscribe();
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut piece = vec![0; 16 * 1024];
        let (mut used, mut heard, mut pinged) = (Instant::now(), Instant::now(), Instant::now());
        loop {
            let open = self.tried && !self.session.is_full();
            let waits = self.session.waiting_bytes();
            self.want_turn();
            let room = self.meter.waits(waits);
            let open = open && waits < if room { OUT_BYTES_MAX } else { FREE };
            let (read, write) = match &mut self.wire {
                Some(wire) => (Some(&mut wire.read), Some(&mut wire.write)),
                None => (None, None),
            };
            let reading = async {
                match read {
                    Some(read) => read.read(&mut piece).await,
                    None => pending().await,
                }
            };
            let out = &self.session.out;
            let writing = async {
                match write {
                    Some(write) if !out.is_empty() => write.write(out).await,
                    _ => pending().await,
                }
            };
            let connecting = async {
                match &mut self.connecting {
                    Some(connecting) => connecting.await,
                    None => pending().await,
                }
            };
            let turning = async {
                match &mut self.turning {
                    Some(turning) => turning.await,
                    None => pending().await,
                }
            };
            tokio::select! {
                biased;
                () = is_true(&mut closing) => {
                    return Some((GOING_AWAY, "the proxy ends".into()));
                }
                n = reading => match n {
                    Ok(n) if n > 0 => {
                        used = Instant::now();
                        let bytes = &piece[..n];
                        if let Err(why) = self.session.receive(bytes) {
                            self.lost(&why);
                        }
                        self.script_asked = false;
                    }
                    Ok(_) => self.lost("the connection to Redis was lost"),
                    Err(error) => self.lost(&format!("the connection to Redis was lost: {error}")),
                },
                n = writing => match n {
                    Ok(n) if n > 0 => {
                        self.session.out.drain(..n);
                        self.flush().await;
                    }
                    _ => self.lost("the connection to Redis was lost"),
                },
                message = socket.recv(), if open => {
                    heard = Instant::now();
                    match message {
                        None => return None,
                        Some(Err(error)) => return broken(&self.hub, &error),
                        Some(Ok(Message::Close(_))) => {
                            // Reading on sends our half of the goodbye.
                            let rest = async { while let Some(Ok(_)) = socket.recv().await {} };
                            let _ = timeout(Duration::from_secs(1), rest).await;
                            return None;
                        }
                        Some(Ok(Message::Ping(bytes) | Message::Pong(bytes))) => {
                            self.meter.ping(bytes.len());
                        }
                        Some(Ok(Message::Binary(bytes))) => {
                            used = heard;
                            self.meter.ended();
                            if let Err(why) = self.session.take(&bytes) {
                                self.session.flush();
                                if self.send(socket).await.is_err() {
                                    return None;
                                }
                                return Some((MALFORMED, format!("this is no command: {why}")));
                            }
                        }
                        Some(Ok(Message::Text(text))) => {
                            used = heard;
                            self.meter.ended();
                            if let Some(end) = self.order(&text).await {
                                return Some(end);
                            }
                        }
                    }
                }
                turn = turning => {
                    self.turning = None;
                    match turn {
                        Some((turn, Ok(queued))) => self.session.go(turn, queued),
                        Some((turn, Err(why))) => self.session.go_without(turn, &why),
                        None => {}
                    }
                }
                link = connecting => {
                    self.connecting = None;
                    match link {
                        Ok(link) => self.connected(link),
                        Err(why) => {
                            if !self.tried {
                                self.session.tell(control::lost(&why));
                            }
                            self.session.cannot_connect(&why);
                            self.connect();
                        }
                    }
                    if !self.tried {
                        (self.tried, used) = (true, Instant::now());
                    }
                }
                _ = tick.tick() => {
                    self.watch();
                    // Who waits for a server to start is not idle.
                    if self.tried && used.elapsed() > self.hub.limits.idle {
                        Metrics::one(&self.hub.metrics.idle_closed_total);
                        let s = self.hub.limits.idle.as_secs();
                        return Some((IDLE, format!("nothing happened for {s} s")));
                    }
                    if open && heard.elapsed() > 3 * PING_EVERY {
                        return Some((GOING_AWAY, "no sign of life".into()));
                    }
                    if heard.max(pinged).elapsed() > PING_EVERY {
                        pinged = Instant::now();
                        self.session.outbox.push(Message::Ping(Default::default()));
                    }
                }
            }
            if let Some(why) = self.session.torn.take() {
                return Some((TORN, why));
            }
            self.session.flush();
            if self.send(socket).await.is_err() {
                return None;
            }
            if self.session.has_quit() {
                return Some((NORMAL, "QUIT".into()));
            }
        }
    }

    /// Begins to wait for the visitor's turn if a command needs it.
    fn want_turn(&mut self) {
        if !self.session.wants_turn() || self.wire.is_none() {
            self.turning = None;
        } else if self.turning.is_none() {
            let (hub, visitor) = (self.hub.clone(), self.session.ticket.visitor.clone());
            let (node, next) = (self.node, self.session.next());
            self.turning = Some(Box::pin(async move { hub.turn(&visitor, node, next).await }));
        }
    }

    /// Flushes the connection, because TLS may buffer.
    async fn flush(&mut self) {
        let Some(wire) = &mut self.wire else { return };
        if !matches!(timeout(PATIENCE, wire.write.flush()).await, Ok(Ok(()))) {
            self.lost("the connection to Redis was lost");
        }
    }

    /// Sends the outbox; an error ends the WebSocket.
    async fn send(&mut self, socket: &mut WebSocket) -> Result<(), ()> {
        if self.session.outbox.is_empty() {
            return Ok(());
        }
        self.session.give_way();
        self.turning = None;
        if !self.delay.is_zero() {
            sleep(self.delay).await;
        }
        for message in std::mem::take(&mut self.session.outbox) {
            match timeout(SLOW_READER, socket.send(message)).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(()),
                Err(_) => {
                    Metrics::one(&self.hub.metrics.slow_readers_total);
                    let name = &self.session.ticket.visitor.name;
                    warn!(visitor = %name, "slow-reader");
                    return Err(());
                }
            }
        }
        Ok(())
    }

    /// Handles commands that have waited too long.
    fn watch(&mut self) {
        let Some((waited, script)) = self.session.waiting() else { return };
        let limits = &self.hub.limits;
        if script && !self.script_asked && waited > Duration::from_millis(limits.script_ms) {
            self.script_asked = true;
            let (hub, visitor) = (self.hub.clone(), self.session.ticket.visitor.clone());
            let node = self.node;
            tokio::spawn(async move {
                if let Err(why) = hub.stop_script(&visitor, node).await {
                    warn!(visitor = %visitor.name, %why, "script-runs");
                }
            });
        }
        if waited > limits.reply && self.wire.is_some() {
            let s = limits.reply.as_secs();
            self.lost(&format!("Redis has not answered for {s} s"));
        }
    }

    /// Carries out the order of a text message; a result closes the WebSocket.
    async fn order(&mut self, text: &str) -> Option<(u16, String)> {
        self.turning = None;
        let order = match Order::read(text) {
            Ok(order) => order,
            Err(why) => {
                Metrics::one(&self.hub.metrics.malformed_total);
                self.session.tell(control::failed(None, &why));
                return None;
            }
        };
        let (hub, visitor) = (self.hub.clone(), self.session.ticket.visitor.clone());
        if !hub.may_send(&visitor) {
            Metrics::one(&hub.metrics.rate_limited_total);
            self.session
                .tell(control::failed(Some(&order), "too many commands per second, or slow ones"));
            return None;
        }
        let outcome = match &order {
            Order::Crash => {
                Metrics::one(&hub.metrics.faults_total);
                return Some((CRASHED, "a crash that was asked for".into()));
            }
            Order::LoseReply => {
                self.session.lose_next();
                Ok(control::done(&order))
            }
            Order::Delay { ms } => {
                self.delay = Duration::from_millis(*ms);
                Ok(control::done(&order))
            }
            Order::Keys => {
                hub.keys(&visitor, self.node).await.map(|(keys, more)| control::keys(&keys, more))
            }
            Order::Clean => hub.clean(&visitor, self.node).await.map(|()| control::done(&order)),
            Order::Follow { node } => {
                hub.follow(&visitor, self.node, *node).await.map(|()| control::done(&order))
            }
            Order::Deliver { to, all } => {
                let which = match (to, all) {
                    (_, true) => Which::All,
                    (Some(to), false) => Which::Until(*to),
                    (None, false) => Which::Next,
                };
                hub.deliver(&visitor, self.node, which).await.map(|()| control::done(&order))
            }
            Order::Promote => {
                hub.promote(&visitor, self.node).await.map(|()| control::done(&order))
            }
            Order::Expire { key } => {
                hub.expire(&visitor, self.node, key).await.map(|()| control::done(&order))
            }
            Order::Down { .. } | Order::Up | Order::Pause | Order::Resume => match order.fault() {
                Some(fault) => {
                    hub.fault(&visitor, self.node, fault).await.map(|()| control::done(&order))
                }
                None => Ok(control::done(&order)),
            },
        };
        if order == Order::Up && outcome.is_ok() && self.wire.is_none() {
            // At once, and the commands that come now wait for it.
            (self.attempts, self.tried) = (0, false);
            self.connect();
        }
        self.session.tell(outcome.unwrap_or_else(|why| control::failed(Some(&order), &why)));
        None
    }
}

/// Returns the close code and the reason for a message that the WebSocket layer refused as too
/// large; `None` for other errors.
fn broken(hub: &Hub, error: &axum::Error) -> Option<(u16, String)> {
    let text = error.to_string();
    if text.contains("ontrol frame") {
        Metrics::one(&hub.metrics.malformed_total);
        return Some((BROKEN, "a control frame has at most 125 bytes, in one piece".into()));
    }
    // The layer below has a bound of its own, for what is too large to be read at all.
    if text.contains("too long") || text.contains("too big") || text.contains("Space limit") {
        Metrics::one(&hub.metrics.malformed_total);
        return Some((TOO_LARGE, format!("a message may have {} bytes", hub.limits.message)));
    }
    None
}
